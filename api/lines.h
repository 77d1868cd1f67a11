/* Lines of the source by pc. */
#ifndef WB_API_LINES_H
#define WB_API_LINES_H

#include "device/launch.h"

/* Put the lines of an image's kernels right and complete them; assembly files say lines themselves. */
bool lines_complete(struct image *im, const struct wb_config *c, struct diag *d);

#endif
