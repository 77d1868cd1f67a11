/* Functions and option tables of verb.def and laboratory.def. */
#ifndef WB_FRONTENDS_CLI_VERBS_H
#define WB_FRONTENDS_CLI_VERBS_H

#include "frontends/cli/cli.h"

#define VERB(name, purpose, usage, examples, config, options) enum wb_status verb_##name(struct cli *c);
#include "frontends/cli/verb.def"
#include "frontends/cli/laboratory.def"
#undef VERB

extern const struct opt run_options[], annotate_options[], report_options[], shot_options[], page_options[],
	view_options[], tui_options[], dis_options[], asm_options[], build_options[], compile_options[],
	vectors_options[],
	isa_options[], examples_options[], docs_options[], occ_options[], bench_options[], compare_options[],
	debug_options[], export_options[], sweep_options[], lab_options[], toolkit_options[];

/* The whole program; returns the exit code. */
int cli_main(int argc, char **argv);
/* isa with the name of one instruction (isa_one.c). */
enum wb_status isa_one(const char *machine, const char *word);
/* Run a verb with its own arguments (argv[0] is the verb's name), from options to exit code. */
enum wb_status main_verb(const struct verb *v, int argc, char **argv);

#endif
