/* The findings of wb_program_lint: as the verb's output, and with --hw-strict as warnings of verbs that do not run a
 * program. */
#include <stdio.h>
#include <string.h>

#include "frontends/cli/cli.h"
#include "frontends/cli/programs.h"
#include "frontends/cli/verbs.h"

/* Findings of all kernels: lines on standard output, or warnings. */
static enum wb_status findings(const struct cli *c, const char *path, const struct wb_program *p, bool warn)
{
	enum wb_status worst = WB_OK;
	for (unsigned i = 0; i < wb_program_kernels(p); i++) {
		const char *kernel = wb_program_kernel(p, i)->name;
		struct wb_text t;
		struct wb_diag d;
		if (wb_program_lint(p, i, c->config, &t, &d) != WB_OK) {
			worst = complain_diag(&d);
			continue;
		}
		char *rest = t.data;
		for (char *line; (line = strsep(&rest, "\n"));) {
			if (!*line)
				continue;
			worst = WB_FAILED;
			if (!warn)
				printf("%s: %s: %s\n", path, kernel, line);
			else if (!c->quiet)
				complain(worst, "warning: %s: %s: hw-strict: %s", path, kernel, line);
		}
		wb_text_free(&t);
	}
	return worst;
}

enum wb_status hw_strict(const struct cli *c, const char *path, const struct wb_program *p)
{
	return strcmp(wb_config_get(c->config, "hw-strict"), "on") ? WB_OK : findings(c, path, p, true);
}

/* Probable mistakes in the text of an assembled program. */
static enum wb_status mistakes(const char *path, const struct wb_program *p)
{
	struct wb_diag d;
	unsigned n = 0;
	for (; wb_program_warning(p, n, &d); n++)
		printf("%s:%d:%d: %s\n", path, d.line, d.column, d.text);
	return n ? WB_FAILED : WB_OK;
}

enum wb_status verb_lint(struct cli *c)
{
	enum wb_status worst =
		c->noperands ? WB_OK : complain(WB_USAGE, "lint needs a FILE; see 'warpbeam lint --help'");
	for (size_t i = 0; i < c->noperands; i++) {
		struct wb_program *p;
		struct wb_diag d;
		enum wb_status status = named_program_open(c->operands[i], c->config, &p, &d);
		if (status != WB_OK) {
			worst = complain_diag(&d);
			continue;
		}
		status = mistakes(shown(c->operands[i]), p);
		worst = status != WB_OK ? status : worst;
		status = findings(c, shown(c->operands[i]), p, false);
		worst = status != WB_OK ? status : worst;
		wb_program_free(p);
	}
	return worst;
}
