/* The verbs of warpbeam. */
#include "frontends/cli/verbs.h"

const struct verb verbs[] = {
#define VERB(name, purpose, usage, examples, config, options) \
	{#name, purpose, usage, examples, config, options, verb_##name},
#include "frontends/cli/verb.def"
#undef VERB
	{NULL, NULL, NULL, NULL, NULL, NULL, NULL},
};
