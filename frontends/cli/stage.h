/* What the threads of graphics programs gave, as --out writes it. */
#ifndef WB_FRONTENDS_CLI_STAGE_H
#define WB_FRONTENDS_CLI_STAGE_H

#include "frontends/cli/cli.h"

/* By the ending of the path: .raw the words in memory order (pixels without a result are 0), .png colour 0 of
 * fragments, else JSON. A launch without a scene: vertices_write. */
enum wb_status stage_write(struct wb_launch *l, const char *path);
/* Refuse a path with another ending, before the run. */
enum wb_status stage_ending(const char *path);

#endif
