/* The list of a launch's observers, and the end of its accounts. machine.observed and replay_observed say whether any
 * observer has a hook for each instruction; without such a hook, the machine runs loops compiled without the calls.
 * Findings of checkers and lint become the result only of a run without a worse result. */
#include "inspect/launch.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "inspect/check.h"

enum wb_status public_diag(struct wb_diag *out, const struct diag *in)
{
	if (out) {
		*out = (struct wb_diag){ .status = (enum wb_status)in->kind, .line = in->line, .column = in->column,
					 .offset = in->offset };
		text_clean(in->file, strlen(in->file), "", out->file, sizeof out->file);
		text_clean(in->text, strlen(in->text), "", out->text, sizeof out->text);
	}
	return (enum wb_status)in->kind;
}

void launch_observe(struct wb_launch *l, struct observer *o, bool first)
{
	struct observer **at = &l->machine.observers;

	while (*at && !first)
		at = &(*at)->next;
	o->next = *at;
	*at = o;
	l->machine.observed |= o->executed != NULL;
	if (!o->issued && !o->issues)
		return;
	if (!l->machine.replay_observed || o->run_ahead < l->machine.run_ahead)
		l->machine.run_ahead = o->run_ahead;
	l->machine.replay_observed = true;
}

static void lint_verdict(struct wb_launch *l)
{
	if (l->lint && l->lint->n && l->machine.why.kind == DIAG_OK)
		diag_set(&l->machine.why, DIAG_FAILED, "--hw-strict has %u finding%s", l->lint->n,
			 l->lint->n == 1 ? "" : "s");
}

void launch_settle(struct wb_launch *l)
{
	machine_settle(&l->machine);
	check_verdict(l);
	lint_verdict(l);
}
