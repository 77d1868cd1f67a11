/* Judging in a page, and what the command line's files for expectations want of their frame: sessions without progress
 * lines or signals, memory whose lack ends the machine. */
#include "frontends/web/lab.h"

#include <stdlib.h>
#include <string.h>

#include "frontends/cli/lab.h"

void no_memory(void)
{
	abort();
}

void *grow(void *p, size_t n)
{
	void *q = realloc(p, n ? n : 1);

	if (!q)
		no_memory();
	return q;
}

bool session_prepare(struct session *s, const char *kernel, const struct wb_config *config, const char *const *args)
{
	s->status = wb_launch_new(s->program, kernel, config, &s->launch, &s->diag);
	for (; s->status == WB_OK && args && *args; args++)
		s->status = wb_launch_arg(s->launch, *args, &s->diag);
	if (s->status == WB_OK)
		s->status = wb_launch_prepare(s->launch, &s->diag);
	return s->status == WB_OK;
}

bool session_run(struct session *s, const struct cli *c)
{
	(void)c;
	s->status = wb_launch_run(s->launch, &s->diag);
	s->report = wb_launch_report(s->launch);
	return true;
}

/* The program loaded anew, under no options but those of the lab. */
static json_t *judge(const struct web_scene *s, const struct lab *lab, struct wb_config *config)
{
	const struct cli c = {.config = config};
	struct session session = {.path = s->file->name};
	enum wb_status status;

	wb_config_files(config, s->file, s->nfiles);
	session.status = wb_program_load(s->file->bytes, s->file->size, s->file->name, config, &session.program,
					 &session.diag);
	json_t *o = lab_judge(lab, &c, &session, &status);
	wb_launch_free(session.launch);
	wb_program_free(session.program);
	return o;
}

char *web_lab_verdict(const struct web_scene *s, const char *text, struct wb_diag *d)
{
	struct lab lab;
	struct wb_config *config = wb_config_new();
	char *verdict = NULL;

	if (config && s && lab_read(&lab, "lab", text, strlen(text), d)) {
		json_t *o = judge(s, &lab, config);
		verdict = json_dumps(o, JSON_PRESERVE_ORDER);
		json_decref(o);
		lab_free(&lab);
	}
	wb_config_free(config);
	return verdict;
}
