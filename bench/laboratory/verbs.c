/* The verbs of the laboratory, and one that prints their manual pages. */
#include "frontends/cli/verbs.h"

const struct verb verbs[] = {
#define VERB(name, purpose, usage, examples, config, options) \
	{#name, purpose, usage, examples, config, options, verb_##name},
#include "frontends/cli/laboratory.def"
#undef VERB
	{"docs", "print the manual page of a verb of the laboratory", "man VERB",
	 "warpbeam-laboratory docs man vectors\n", NULL, docs_options, verb_docs},
	{NULL, NULL, NULL, NULL, NULL, NULL, NULL},
};
