/* The configuration of a run: the values of the rows of option.def. */
#ifndef WB_DEVICE_CONFIG_H
#define WB_DEVICE_CONFIG_H

#include "core/base/arena.h"
#include "core/base/diag.h"
#include "warpbeam.h"

enum option {
#define OPTION(id, name, kind, argument, fallback, group, help) OPT_##id,
#include "device/option.def"
#undef OPTION
	OPTIONS
};

enum { NUMBER_NONE = -1 };   /* a NUMBER given as its word ("none", "exact"), or left to the file */

struct config_value {
	char *text;             /* as given; NULL: the default. A LIST's items, separated by '\n' */
	int64_t number;         /* NUMBER: its value; CHOICE: index of the alternative; SWITCH: 0 or 1 */
};

struct sched;
struct wb_config {
	struct config_value value[OPTIONS];
	const struct wb_file *files;    /* the caller's, in place of the host's; NULL: none */
	size_t nfiles;
	void (*log)(void *context, const char *text, size_t n);         /* gets what compilers write; NULL: nobody */
	void *log_context;
	struct {                        /* a policy in place of --policy's; choose NULL: none (device/own_policy.c) */
		unsigned (*choose)(void *context, const struct wb_choice *choice);
		void *context;
		unsigned (*pick)(struct sched *s, uint64_t eligible);
	} policy;
};

/* A configuration with every default in place, for callers that pass none. */
void config_defaults(struct wb_config *c);
static inline int64_t config_number(const struct wb_config *c, enum option o)
{
	return c->value[o].number;
}
/* Text as given or the default. */
const char *config_text(const struct wb_config *c, enum option o);
/* Hand n bytes that a compiler has written to the caller. */
void config_log(const struct wb_config *c, const char *text, size_t n);
/* Call `take` for each item of a LIST option, a text in the arena. */
bool config_each(const struct wb_config *c, enum option o, struct arena *a,
		 bool (*take)(void *context, const char *item, struct diag *d), void *context, struct diag *d);
/* Whether the caller has set the option, even to its default. */
bool config_given(const struct wb_config *c, enum option o);

#endif
