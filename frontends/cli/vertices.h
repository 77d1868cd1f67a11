/* Vertices of shaders on the command line. */
#ifndef WB_FRONTENDS_CLI_VERTICES_H
#define WB_FRONTENDS_CLI_VERTICES_H

#include "frontends/cli/cli.h"

/* A row of the options of each verb that runs a program. */
#define VERTICES_OPTION \
	{"in", 0, OPT_VALUE, "FILE", NULL, "Launch", \
	 "a shader's vertices, CSV or JSON: four numbers for each of v0, v1, …", false}

/* Takes a vertex in the form of wb_launch_vertex. */
typedef enum wb_status take_vertex(void *to, const char *text, struct wb_diag *d);
/* Hand each vertex of a file, JSON or CSV, to `take`. */
enum wb_status vertices_each(const struct wb_file *file, take_vertex *take, void *to, struct wb_diag *d);
/* Give a launch the vertices that a file holds: JSON, [{"v0": [x, y, z, w], …}, …], or lines of numbers set apart by
 * commas, four for each of v0, v1, …. */
enum wb_status vertices_read(struct wb_launch *l, const struct wb_file *file, struct wb_diag *d);
/* Write the outputs that the program declares, and the primitives it emitted, as JSON. */
enum wb_status vertices_write(struct wb_launch *l, const char *path, bool csv);

#endif
