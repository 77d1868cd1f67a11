/* diff: the first event in which two recorded runs differ. Events are compared as text, with all that a reader would
 * see. */
#include <string.h>

#include "frontends/cli/programs.h"
#include "frontends/cli/verbs.h"
#include "frontends/trace/trace.h"

static void show(const char *mark, const struct wb_event *e, bool there)
{
	char text[512] = "(the trace has ended)";
	if (there)
		wb_event_text(e, false, text, sizeof text);
	printf("%s %s\n", mark, shown(text));
}

static bool same(const struct wb_event *a, const struct wb_event *b)
{
	char s[512], t[512];
	wb_event_text(a, false, s, sizeof s);
	wb_event_text(b, false, t, sizeof t);
	return !strcmp(s, t);
}

static enum wb_status compare(struct trace t[2], char **paths)
{
	struct wb_event e[2];
	struct wb_diag d[2];
	for (unsigned long n = 0;; n++) {
		bool there[2];
		for (int i = 0; i < 2; i++) {
			there[i] = trace_next(&t[i], &e[i], &d[i]);
			if (d[i].status != WB_OK) {
				snprintf(d[i].file, sizeof d[i].file, "%s", paths[i]);
				return complain_diag(&d[i]);
			}
		}
		if (!there[0] && !there[1]) {
			printf("the same %lu events\n", n);
			return WB_OK;
		}
		if (there[0] && there[1] && same(&e[0], &e[1]))
			continue;
		printf("the first %lu events are the same, then:\n", n);
		show("-", &e[0], there[0]);
		show("+", &e[1], there[1]);
		return WB_FAILED;
	}
}

enum wb_status verb_diff(struct cli *c)
{
	struct trace t[2] = {0};
	struct wb_diag d;
	enum wb_status status = WB_OK;
	if (c->noperands != 2)
		return complain(WB_USAGE, "expected two traces, found %zu operands", c->noperands);
	for (int i = 0; i < 2; i++)
		if (example_of(c->operands[i]))
			return complain(WB_USAGE, "diff reads traces, and '%s' is a program: "
					"'warpbeam run %s --trace %s.trace' records one; 'warpbeam compare A B' puts "
					"programs side by side",
					c->operands[i], c->operands[i], c->operands[i]);
	for (int i = 0; i < 2 && status == WB_OK; i++)
		if ((status = trace_open(c->operands[i], &t[i], &d)) != WB_OK)
			complain_diag(&d);
	if (status == WB_OK)
		status = compare(t, c->operands);
	trace_close(&t[0]);
	trace_close(&t[1]);
	return status;
}
