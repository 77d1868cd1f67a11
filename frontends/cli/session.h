/* One program, loaded, launched and run as the options say. */
#ifndef WB_FRONTENDS_CLI_SESSION_H
#define WB_FRONTENDS_CLI_SESSION_H

#include "frontends/cli/cli.h"

struct session {
	const char *path;
	struct wb_program *program;
	const struct wb_kernel *kernel;
	const char *const *args; /* those of the launch in force, ended by NULL */
	const char *vertices;    /* file of a shader's vertices, NULL: none */
	struct wb_launch *launch;
	const struct wb_report *report;
	enum wb_status status; /* of the run */
	struct wb_diag diag;
};

/* Load the file, or n bytes of text under a name; *s is zero but for `vertices`. Then prepare the launch of its kernel `kernel` (NULL or "": the only
 * one) under `config`: args, or those of the file if args is empty. False: it has been said why, and s->status is the
 * exit code. */
bool session_load(struct session *s, const char *path, const struct wb_config *config);
bool session_load_text(struct session *s, const char *name, const char *text, size_t n, const struct wb_config *config);
bool session_prepare(struct session *s, const char *kernel, const struct wb_config *config, const char *const *args);
/* The same, but for the last step, after which nothing can be added to the launch. */
bool session_launch(struct session *s, const char *kernel, const struct wb_config *config, const char *const *args);
/* Run, with a progress line when it takes long; SIGINT stops it. The report is there afterwards whatever the status. */
void session_run(struct session *s, const struct cli *c);
void session_close(struct session *s);

#endif
