/* The findings of wb_program_lint: as the verb's output, and with --hw-strict as warnings of verbs that do not run a
 * program. */
#include <stdio.h>
#include <string.h>

#include "frontends/cli/cli.h"
#include "frontends/cli/programs.h"
#include "frontends/cli/verbs.h"

static enum wb_status lint_kernel(const struct cli *c, const char *path, const struct wb_program *p, unsigned kernel)
{
	struct wb_text t;
	struct wb_diag d;
	enum wb_status status = wb_program_lint(p, kernel, c->config, &t, &d);
	if (status != WB_OK)
		return complain_diag(&d);
	char *rest = t.data;
	for (char *line; (line = strsep(&rest, "\n"));)
		if (*line && (status = WB_FAILED) && !c->quiet)
			complain(status, "warning: %s: %s: hw-strict: %s", path,
				 wb_program_kernel(p, kernel)->name, line);
	wb_text_free(&t);
	return status;
}

enum wb_status hw_strict(const struct cli *c, const char *path, const struct wb_program *p)
{
	enum wb_status worst = WB_OK;
	if (strcmp(wb_config_get(c->config, "hw-strict"), "on"))
		return WB_OK;
	for (unsigned i = 0; i < wb_program_kernels(p); i++) {
		enum wb_status status = lint_kernel(c, path, p, i);
		worst = status != WB_OK ? status : worst;
	}
	return worst;
}

/* Findings on standard output, one a line. */
static enum wb_status list(const struct cli *c, const char *path, const struct wb_program *p, unsigned kernel)
{
	struct wb_text t;
	struct wb_diag d;
	enum wb_status status = wb_program_lint(p, kernel, c->config, &t, &d);
	if (status != WB_OK)
		return complain_diag(&d);
	char *rest = t.data;
	for (char *line; (line = strsep(&rest, "\n"));)
		if (*line && (status = WB_FAILED))
			printf("%s: %s: %s\n", path, wb_program_kernel(p, kernel)->name, line);
	wb_text_free(&t);
	return status;
}

enum wb_status verb_lint(struct cli *c)
{
	enum wb_status worst =
		c->noperands ? WB_OK : complain(WB_USAGE, "lint needs a FILE; see 'warpbeam lint --help'");
	for (size_t i = 0; i < c->noperands; i++) {
		struct wb_program *p;
		struct wb_diag d;
		enum wb_status status = program_open(c->operands[i], c->config, &p, &d);
		if (status != WB_OK) {
			worst = complain_diag(&d);
			continue;
		}
		for (unsigned k = 0; k < wb_program_kernels(p); k++) {
			status = list(c, shown(c->operands[i]), p, k);
			worst = status != WB_OK ? status : worst;
		}
		wb_program_free(p);
	}
	return worst;
}
