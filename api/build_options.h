/* The toolchain's options of a configuration. */
#ifndef WB_API_BUILD_OPTIONS_H
#define WB_API_BUILD_OPTIONS_H

#include "device/launch.h"
#include "toolchain/build_options.h"

/* A program being made, and the configuration with its files. */
struct program_files {
	const struct wb_config *config;
	struct wb_program *program;
};

/* Fill *o, which borrows texts and files of `from`. False: a chip or an instruction set is unknown. */
bool build_options_make(const struct program_files *from, struct build_options *o, struct diag *d);

#endif
