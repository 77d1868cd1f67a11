/* Whole programs in CUDA C++ and HIP C++. */
#ifndef WB_FRONTENDS_CLI_BUILD_H
#define WB_FRONTENDS_CLI_BUILD_H

#include "frontends/cli/cli.h"

/* Whether the name ends as names of such sources do. */
bool is_whole_source(const char *path);
/* Compile kernels and host functions of a source to a program that runs here. */
enum wb_status build_program(const struct cli *c, const char *source, const char *output);
/* Build in a temporary folder, and run with the operands behind "--". Returns the program's exit code. */
enum wb_status build_and_run(struct cli *c, const char *source);

#endif
