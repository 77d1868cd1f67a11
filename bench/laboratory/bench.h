/* What `warpbeam bench` can measure beside the timing model. */
#ifndef WB_BENCH_LABORATORY_BENCH_H
#define WB_BENCH_LABORATORY_BENCH_H

#include "frontends/cli/cli.h"

enum wb_status bench_redraw(const struct cli *c);

#endif
