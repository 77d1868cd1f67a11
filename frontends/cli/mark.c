/* run --expect and --check-expect: programs against expectations, one program or those of a whole class, as text or as
 * JSON. */
#include <stdlib.h>

#include "frontends/cli/expect.h"
#include "frontends/cli/report.h"
#include "frontends/cli/verbs.h"

/* All files. */
struct marks {
	const struct cli *c;
	const char *const *args;
	json_t *files;          /* with --json, else NULL */
	struct expect_count count;
	size_t bad;             /* files with a failure */
};

/* Compare with the expectations of a file. */
static enum wb_status judge_by(const struct marks *m, struct session *s, const char *file, struct expect_count *count)
{
	struct expect_source from = {.name = file};
	size_t n;
	if (!read_all(file, &from.text, &n))
		return WB_ENV;
	enum wb_status status = expect_check(m->c, s, &from, cli_value(m->c, "kernel"), m->args, count);
	free(from.text);
	return status;
}

static enum wb_status judge(const struct marks *m, struct session *s, struct expect_count *count)
{
	const char *kernel = cli_value(m->c, "kernel"), *file = cli_value(m->c, "expect");
	enum wb_status status = WB_OK;
	if (cli_on(m->c, "check-expect"))
		status = expect_check(m->c, s, NULL, kernel, m->args, count);
	if (status == WB_OK && file)
		status = judge_by(m, s, file, count);
	return status;
}

static void add_file(struct marks *m, const char *path, enum wb_status status, const struct session *s,
		     const struct expect_count *count)
{
	json_t *o = json_pack("{s:s, s:i, s:i, s:i, s:i, s:O}", "file", shown(path), "exit", (int)status, "passed",
			      (int)count->passed, "failed", (int)count->failed, "wrong", (int)count->wrong, "lines",
			      count->lines);
	if (o && status != WB_OK)
		json_object_set_new(o, "error", json_string(shown(s->diag.text)));
	json_array_append_new(m->files, o);
}

/* One program. The status: whether the comparison could be made. */
static enum wb_status mark_file(struct marks *m, const char *path)
{
	struct session s = {.vertices = cli_value(m->c, "in")};
	struct expect_count count = {.lines = m->files ? json_array() : NULL, .wrong_elsewhere = m->count.wrong > 0};
	bool loaded = session_load(&s, path, m->c->config), several = m->c->noperands > 1;
	if (several && !m->files)
		printf("%s:\n", shown(path));
	if (loaded)
		complain_warnings(m->c, s.program);
	enum wb_status status = loaded ? judge(m, &s, &count) : s.status;
	count.failed += status != WB_OK && several;
	if (several && !m->files)
		printf("    %u passed, %u failed%s\n", count.passed, count.failed,
		       status == WB_OK ? "" : ", as it does not run");
	if (m->files)
		add_file(m, path, status, &s, &count);
	m->bad += count.failed || status != WB_OK;
	m->count.passed += count.passed;
	m->count.failed += count.failed;
	m->count.wrong = count.wrong > m->count.wrong ? count.wrong : m->count.wrong; /* the same lines in each file */
	json_decref(count.lines);
	session_close(&s);
	return status;
}

static enum wb_status write_marks(const struct marks *m)
{
	if (m->files)
		return json_out(json_pack("{s:s, s:O, s:i, s:i, s:i}", "schema", "warpbeam.marks/1", "files", m->files,
					  "passed", (int)m->count.passed, "failed", (int)m->count.failed, "wrong",
					  (int)m->count.wrong), NULL);
	if (m->c->noperands > 1)
		printf("%zu of %zu files as expected\n", m->c->noperands - m->bad, m->c->noperands);
	printf("%u passed, %u failed\n", m->count.passed, m->count.failed);
	fflush(stdout);
	return WB_OK;
}

enum wb_status mark(const struct cli *c)
{
	const char **args = cli_list(c, "arg");
	struct marks m = {.c = c, .args = args, .files = c->json && c->noperands ? json_array() : NULL};
	enum wb_status status = WB_OK, written = WB_OK;
	if (!c->noperands)
		status = complain(WB_USAGE, "%s needs a FILE; see 'warpbeam %s --help'", c->verb->name, c->verb->name);
	for (size_t i = 0; i < c->noperands; i++) {
		enum wb_status one = mark_file(&m, c->operands[i]);
		bool own = c->noperands > 1 && one != WB_ENV && one != WB_USAGE; /* a failure of this file alone */
		status = own ? status : one != WB_OK ? one : status;
	}
	if (c->noperands)
		written = write_marks(&m);
	if (m.count.wrong && status == WB_OK)
		status = complain(WB_INPUT, "%u line%s of the expectations %s in error, and not the program's",
				  m.count.wrong, m.count.wrong == 1 ? "" : "s", m.count.wrong == 1 ? "is" : "are");
	json_decref(m.files);
	free(args);
	return status != WB_OK ? status : written != WB_OK ? written : m.count.failed ? WB_FAILED : WB_OK;
}
