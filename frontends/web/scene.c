/* A page's program is launched twice, as in the window: a launch is run and recorded, at most SURVEY issues, for totals
 * and the timeline; another is stepped. The document of the report comes from a third, of the page's own options. */
#include "frontends/web/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontends/cli/report.h"
#include "frontends/view/pane.h"

enum { SURVEY = 1 << 20, REWIND_BYTES = 16 << 20 }; /* issues: half a second in a browser; bytes */

struct web_scene *web_scene_new(void)
{
	struct web_scene *s = calloc(1, sizeof *s);

	if (s && !(s->config = wb_config_new())) {
		free(s);
		return NULL;
	}
	return s;
}

void web_scene_free(struct web_scene *s)
{
	if (!s)
		return;
	web_scene_free(s->successor);
	player_close(&s->player);
	wb_program_free(s->program);
	wb_config_free(s->config);
	for (size_t i = 0; i < s->nfiles; i++) {
		free((void *)s->file[i].name);
		free((void *)s->file[i].bytes);
	}
	for (size_t i = 0; i < s->nargument; i++)
		free((void *)s->argument[i]);
	free(s->file);
	for (size_t i = 0; i < s->nvertex; i++)
		free((void *)s->vertex[i]);
	free(s->argument);
	free(s->vertex);
	free(s->kernel);
	free(s->issues);
	free(s);
}

static void out_of_memory(struct web_scene *s)
{
	s->status = WB_ENV;
	s->diag = (struct wb_diag){.status = WB_ENV, .offset = -1, .text = "out of memory"};
}

void web_scene_file(struct web_scene *s, char *name, void *bytes, size_t n)
{
	struct wb_file *file = s ? realloc(s->file, (s->nfiles + 1) * sizeof *file) : NULL;

	if (file) {
		s->file = file;
		file[s->nfiles++] = (struct wb_file){name, bytes, n};
	} else if (s) {
		out_of_memory(s);
	}
}

void web_scene_option(struct web_scene *s, const char *name, const char *value)
{
	struct wb_diag d;

	if (!s || s->status != WB_OK)
		return;
	if (!strcmp(name, "kernel")) {
		free(s->kernel);
		s->kernel = strdup(value);
	} else if (wb_config_set(s->config, name, value, &d) != WB_OK) {
		s->status = d.status;
		s->diag = d;
	}
}

/* Append a text, owned by the list from now on, to a list with a NULL behind the last. */
static void append(struct web_scene *s, const char ***texts, size_t *n, char *text)
{
	const char **list = realloc(*texts, (*n + 2) * sizeof *list);

	if (list) {
		*texts = list;
		list[(*n)++] = text;
		list[*n] = NULL;
	} else {
		out_of_memory(s);
	}
}

void web_scene_argument(struct web_scene *s, char *text)
{
	if (s)
		append(s, &s->argument, &s->nargument, text);
}

void web_scene_vertex(struct web_scene *s, char *text)
{
	if (s)
		append(s, &s->vertex, &s->nvertex, text);
}

/* ---- opening ---- */

/* A launch of the program under `config`, with its arguments. */
static enum wb_status new_launch(const struct web_scene *s, const struct wb_config *config, struct wb_launch **out,
				 struct wb_diag *d)
{
	enum wb_status status = wb_launch_new(s->program, s->kernel, config, out, d);

	for (size_t i = 0; status == WB_OK && i < s->nargument; i++)
		status = wb_launch_arg(*out, s->argument[i], d);
	for (size_t i = 0; status == WB_OK && i < s->nvertex; i++)
		status = wb_launch_vertex(*out, s->vertex[i], d);
	if (status != WB_OK) {
		wb_launch_free(*out);
		*out = NULL;
	}
	return status;
}

/* The recorded and the stepped launch, with the causes of waits. */
static enum wb_status begin(struct web_scene *s, struct wb_diag *d)
{
	static const char *const causes[] = {"producers", "accesses"};
	struct wb_config *stepped = wb_config_copy(s->config);
	struct wb_launch *launch = NULL, *recorded = NULL;
	enum wb_status status = stepped ? WB_OK : WB_ENV;

	for (size_t i = 0; status == WB_OK && i < sizeof causes / sizeof *causes; i++)
		if (!wb_config_given(stepped, causes[i]))
			status = wb_config_set(stepped, causes[i], "on", d);
	if (status == WB_OK)
		status = new_launch(s, stepped, &launch, d);
	if (status == WB_OK)
		status = new_launch(s, stepped, &recorded, d);
	wb_config_free(stepped);
	if (status == WB_OK)
		status = wb_launch_record_bytes(launch, REWIND_BYTES, d);
	if (status != WB_OK) {
		wb_launch_free(launch);
		wb_launch_free(recorded);
		return status;
	}
	return player_begin(&s->player, launch, recorded, d);
}

enum wb_status web_scene_open(struct web_scene *s, struct wb_diag *d)
{
	const struct wb_file *main_file = s ? s->file : NULL;

	*d = (struct wb_diag){.status = WB_ENV, .offset = -1, .text = "out of memory"};
	if (!s || !main_file)
		return WB_ENV;
	if (s->status != WB_OK) {
		*d = s->diag;
		return s->status;
	}
	wb_config_files(s->config, s->file, s->nfiles);
	enum wb_status status = wb_program_load(main_file->bytes, main_file->size, main_file->name, s->config,
						&s->program, d);
	view_init(&s->view, main_file->name);
	s->view.endless = true;
	return status == WB_OK ? begin(s, d) : status;
}

/* Keep the issues of each instruction with a line. */
static void keep_issues(struct web_scene *s)
{
	const struct wb_report *r = s->player.whole.report;

	s->issues = r ? malloc((r->npcs + 1) * sizeof *s->issues) : NULL;
	for (unsigned i = 0; s->issues && i < r->npcs; i++)
		if (r->pcs[i].line)
			s->issues[s->nissues++] = (struct line_issues){r->pcs[i].line, r->pcs[i].issues};
}

enum wb_status web_scene_survey(struct web_scene *s, struct wb_diag *d)
{
	enum wb_status status = player_survey(&s->player, SURVEY, d);

	s->ended = s->player.whole.known;
	s->surveyed = true;
	keep_issues(s);
	return status;
}

enum wb_status web_scene_go(struct web_scene *s, struct wb_diag *d)
{
	const struct state_place *place = &s->position;
	struct wb_machine machine;

	wb_launch_machine(s->player.launch, &machine);
	if (s->view.mp >= (int)machine.mps)
		s->view.mp = -1;
	if (place->has_issue)
		return player_goto_place(&s->player, place->issue, place->cycle, d);
	if (place->has_cycle && place->cycle)
		return player_goto_cycle(&s->player, s->view.mp, place->cycle, d);
	return player_goto(&s->player, place->has_cycle || s->kept ? 0 : player_interesting(&s->player), d);
}

void web_explain(char *text, size_t size, const struct model *m)
{
	explain_text(text, size, m);
}

/* ---- documents ---- */

static char *text_of(json_t *document, size_t flags)
{
	char *text = document ? json_dumps(document, flags) : NULL;

	json_decref(document);
	return text;
}

static json_t *diag_json(const struct wb_diag *d)
{
	return json_pack("{s:i, s:s, s:i, s:i, s:s}", "status", (int)d->status, "file", d->file, "line", d->line,
			 "column", d->column, "text", d->text);
}

char *web_diag_json(const struct wb_diag *d)
{
	return text_of(diag_json(d), 0);
}

static json_t *panes(void)
{
	json_t *list = json_array();

	for (int i = 0; i < PANES; i++)
		json_array_append_new(list, json_pack("{s:s, s:s}", "name", pane_name((enum pane)i), "title",
						      pane_title((enum pane)i)));
	return list;
}

static json_t *kernels(const struct wb_program *p)
{
	json_t *list = json_array();
	const struct wb_kernel *k;

	for (unsigned i = 0; (k = wb_program_kernel(p, i)); i++)
		json_array_append_new(list, json_string(k->name));
	return list;
}

static json_t *warnings(const struct wb_program *p)
{
	json_t *list = json_array();
	struct wb_diag d;

	for (unsigned i = 0; wb_program_warning(p, i, &d); i++)
		json_array_append_new(list, diag_json(&d));
	return list;
}

/* Pairs of a line and a number. */
static json_t *line_issues(const struct web_scene *s)
{
	json_t *list = json_array(), *pair;

	for (size_t i = 0; i < s->nissues; i++) {
		json_array_append_new(list, pair = json_array());
		json_array_append_new(pair, json_integer(s->issues[i].line));
		json_array_append_new(pair, json_integer((json_int_t)s->issues[i].issues));
	}
	return list;
}

static json_t *breaks(const struct web_scene *s)
{
	json_t *list = json_array();
	struct wb_break b;

	for (unsigned i = 0; wb_launch_breaks(s->player.launch, i, &b); i++)
		json_array_append_new(list, json_string(b.text));
	return list;
}

char *web_scene_json(const struct web_scene *s)
{
	const struct wb_kernel *k = wb_program_kernel(s->program, 0);
	json_t *o = json_pack("{s:s, s:s, s:s}", "name", s->file->name, "kernel",
			      s->kernel ? s->kernel : k ? k->name : "", "machine", k ? k->machine : "");

	json_object_set_new(o, "kernels", kernels(s->program));
	json_object_set_new(o, "panes", panes());
	json_object_set_new(o, "warnings", warnings(s->program));
	json_object_set_new(o, "line_issues", line_issues(s));
	json_object_set_new(o, "breaks", breaks(s));
	json_object_set_new(o, "issues", json_integer((json_int_t)s->player.whole.issues));
	json_object_set_new(o, "at", json_integer((json_int_t)s->player.where.issue));
	return text_of(o, 0);
}

char *web_scene_report(const struct web_scene *s, struct wb_diag *d)
{
	static const char *const none[] = {NULL};
	const struct wb_kernel *k = wb_program_kernel(s->program, 0);
	struct session session = {.path = s->file->name, .program = s->program, .kernel = k, .args = s->argument};
	struct cli cli = {.config = wb_config_copy(s->config)};
	char *text = NULL;

	if (!cli.config)
		return NULL;
	if (!s->ended && !wb_config_given(cli.config, "max-insns"))
		wb_config_set(cli.config, "max-insns", REPORT_INSNS, d);

	for (unsigned i = 0; s->kernel && (k = wb_program_kernel(s->program, i)); i++)
		if (!strcmp(k->name, s->kernel))
			session.kernel = k;
	if (!session.args)
		session.args = session.kernel && session.kernel->args ? session.kernel->args : none;
	session.status = new_launch(s, cli.config, &session.launch, &session.diag);
	if (session.launch) {
		session.status = wb_launch_run(session.launch, &session.diag);
		session.report = wb_launch_report(session.launch);
		text = text_of(report_json(&cli, &session),
			       JSON_INDENT(2) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(15));
	}
	*d = session.diag;
	wb_launch_free(session.launch);
	wb_config_free(cli.config);
	return text;
}
