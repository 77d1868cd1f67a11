/* examples: the gallery, compiled in, so that the binary can always show something. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "frontends/cli/expect.h"
#include "frontends/cli/gallery.h"
#include "frontends/cli/verbs.h"

const struct opt examples_options[] = {
	{"output", 'o', OPT_VALUE, "DIR", NULL, "Gallery", "write its file, or all of them, into a directory", false},
	{"check", 0, OPT_SWITCH, NULL, NULL, "Gallery", "run them and compare with their '// expect:' lines", false},
	{NULL, 0, OPT_SWITCH, NULL, NULL, NULL, NULL, false},
};

/* What an example shows: its first line of comment. */
static void list(const struct cli *c, const struct example *e)
{
	const char *text = e->text + strspn(e->text, "/ ");
	printf("  %s%-22s%s %.*s\n", tint(c, TINT_BOLD), e->name, tint(c, TINT_NONE), (int)strcspn(text, "\n"), text);
}

static enum wb_status copy(const struct example *e, const char *dir)
{
	char path[4096];
	if (mkdir(dir, 0777) && errno != EEXIST)
		return complain(WB_ENV, "%s: cannot make the directory: %s", dir, strerror(errno));
	snprintf(path, sizeof path, "%s/%s", dir, e->file);
	if (!write_all(path, e->text, strlen(e->text)))
		return WB_ENV;
	printf("%s\n", path);
	return WB_OK;
}

static enum wb_status check(const struct cli *c, const struct example *e, struct expect_count *count)
{
	struct session s = {.path = NULL};
	enum wb_status status = session_load_text(&s, e->file, e->text, strlen(e->text), c->config) ?
					expect_check(c, &s, NULL, NULL, NULL, count) :
					s.status;
	/* without a compiler for OpenCL C, there is nothing to check */
	count->failed += status != WB_OK && !(status == WB_ENV && strstr(e->file, ".cl"));
	session_close(&s);
	return WB_OK;
}

static enum wb_status each(const struct cli *c, const struct example *e, struct expect_count *count)
{
	const char *dir = cli_value(c, "output");
	if (cli_on(c, "check"))
		return check(c, e, count);
	if (dir)
		return copy(e, dir);
	if (c->noperands)
		fputs(e->text, stdout);
	else
		list(c, e);
	return WB_OK;
}

static enum wb_status unknown(const char *name)
{
	const char *names[256] = {NULL};
	for (size_t i = 0; i < 255 && gallery[i].name; i++)
		names[i] = gallery[i].name;
	const char *near = wb_nearest(name, names);
	return complain(WB_USAGE, "there is no example '%s'%s%s%s", name,
			near ? "; did you mean '" : "; 'warpbeam examples' lists them", near ? near : "",
			near ? "'?" : "");
}

enum wb_status verb_examples(struct cli *c)
{
	const char *only = c->noperands ? cli_operand(c, "NAME") : NULL;
	struct expect_count count = {.lines = NULL};
	enum wb_status status = WB_OK;
	bool found = false;
	if (c->noperands && !only)
		return WB_USAGE;
	for (const struct example *e = gallery; e->name && status == WB_OK; e++) {
		if (only && strcmp(only, e->name))
			continue;
		found = true;
		status = each(c, e, &count);
	}
	if (only && !found)
		return unknown(only);
	if (!cli_on(c, "check"))
		return status;
	printf("%u passed, %u failed\n", count.passed, count.failed + count.wrong);
	return count.failed + count.wrong ? WB_FAILED : WB_OK;
}
