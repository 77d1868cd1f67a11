/* Vertices of shaders on the command line. */
#ifndef WB_FRONTENDS_CLI_VERTICES_H
#define WB_FRONTENDS_CLI_VERTICES_H

#include "frontends/cli/cli.h"

/* A row of the options of each verb that runs a program. */
#define VERTICES_OPTION \
	{"in", 0, OPT_VALUE, "FILE", NULL, "Launch", \
	 "a shader's vertices, CSV or JSON: four numbers for each of v0, v1, …", false}

/* Give a launch the vertices that a file holds: JSON, [{"v0": [x, y, z, w], …}, …], or lines of numbers set apart by
 * commas, four for each of v0, v1, …. */
enum wb_status vertices_read(struct wb_launch *l, const struct wb_file *file, struct wb_diag *d);
/* Write the outputs that the program declares, and the primitives it emitted, as JSON. */
enum wb_status vertices_write(struct wb_launch *l, const char *path);

#endif
