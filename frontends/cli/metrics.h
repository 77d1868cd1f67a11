/* Counters of a report by the names of another profiler. */
#ifndef WB_FRONTENDS_CLI_METRICS_H
#define WB_FRONTENDS_CLI_METRICS_H

#include <jansson.h>

#include "frontends/cli/cli.h"
#include "frontends/cli/session.h"

/* Words of --metrics. */
#define METRICS_WORDS "ncu|nvprof"
bool metrics_known(const char *word);
/* Name, unit and value of each counter that the profiler of --metrics has, on stdout in place of the report. */
void report_metrics(const struct cli *c, const struct session *s);
/* {NAME: VALUE}. The caller owns the object. */
json_t *metrics_json(const struct wb_report *r, const char *word);
/* The page's table of names, as docs/reference/counters.md has it. */
void metrics_page(void);

#endif
