/* --hw-strict of the verbs that do not run a program: the findings of wb_program_lint as warnings. */
#include <string.h>

#include "frontends/cli/cli.h"

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
