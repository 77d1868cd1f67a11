/* The runs of a text of expectations: a run for each `with` line, and a verdict for each line about the run
 * (expect_line.c). */
#include "frontends/cli/expect.h"

#include <stdlib.h>
#include <string.h>

/* A line of a text of expectations; line 0: unknown. */
struct statement_text { const char *text; int line; };

static bool is_with(const char *line)
{
	return !strncmp(line, "with ", 5);
}

static bool among(const char *name, const char *const *names)
{
	while (*names && strcmp(*names, name) != 0)
		names++;
	return *names;
}

/* Does a word of --global or -a name a file? */
static bool names_file(const char *word)
{
	static const char *const keys[] = {"in=", "inout=", "out=", "state=", "bytes="};

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		if (strstr(word, keys[i]))
			return true;
	return false;
}

/* Why a `with` line may not have an option: options of the host, but for files to read; limits that the command line
 * has set; in the program's text files too, except with --files any. NULL: the option is allowed. */
static const char *refusal(struct wb_config *given, const char *name, const char *value, bool own)
{
	static const char *const host[] = {"files", "cc", "cuda-compiler", "libclc", "keep", "include", NULL},
		*const files[] = {"machine", "const", "scene", NULL}, *const buffers[] = {"global", "-a", NULL},
		*const limits[] = {"max-cycles", "max-insns", "max-memory", "max-seconds", "livelock", NULL};
	bool file = among(name, files) || (among(name, buffers) && names_file(value));
	if (among(name, host))
		return "only the command line may say that";
	if (among(name, limits) && wb_config_given(given, name))
		return "the command line has set this limit";
	if (file && own && strcmp(wb_config_get(given, "files"), "any") != 0)
		return "the program's own text may name a file here with --files any only";
	return NULL;
}

/* The same, and the error is printed. */
static bool may_set(struct wb_config *given, const char *name, const char *value, bool own)
{
	const char *why = refusal(given, name, value ? value : "", own);
	if (why)
		complain(WB_INPUT, "with %s%s%s: %s", name, *name == '-' ? " " : value ? "=" : "", value ? value : "",
			 why);
	return !why;
}

/* Where a `with` line stands; line 0: unknown. */
struct with_place { const char *file; int line; };

/* The diagnostic with the place of the line, and the way out behind. */
static void complain_at(const struct with_place *place, struct wb_diag *d, const char *way)
{
	size_t n = strlen(d->text);
	if (!d->file[0]) {
		snprintf(d->file, sizeof d->file, "%s", place->file);
		d->line = place->line;
	}
	snprintf(d->text + n, sizeof d->text - n, "%s", way);
	complain_diag(d);
}

/* Set the options of a `with` line (overwritten) in config, and list the arguments, each behind a -a, in args, at most
 * as many as the line has letters. */
static bool set_options(char *line, const struct with_place *place, struct wb_config *given, bool own,
			struct wb_config *config, const char **args)
{
	char *rest = NULL;
	struct wb_diag d;
	for (char *w = strtok_r(line + 5, " \t", &rest); w; w = strtok_r(NULL, " \t", &rest)) {
		char *value = strchr(w, '=');
		if (!strcmp(w, "-a")) {
			*args = strtok_r(NULL, " \t", &rest);
			if (*args && !may_set(given, w, *args, own))
				return false;
			if (*args++)
				continue;
			complain(WB_INPUT, "with: found -a at the end of the line, expected an argument after it");
			return false;
		}
		if (value)
			*value++ = '\0';
		if (!may_set(given, w, value, own))
			return false;
		if (wb_config_set(config, w, value ? value : "on", &d) != WB_OK) {
			bool argument = !strcmp(w, "arg"); /* a directive's word */
			complain_at(place, &d, argument ? "; arguments are '-a' and a word: with -a zero=256" : "");
			return false;
		}
	}
	*args = NULL;
	return true;
}

/* A judged line; line NULL: the run itself. As JSON, or of what does not hold as text. */
static void note(struct expect_count *count, const char *file, const struct statement_text *line, bool good,
		 const struct expect_verdict *v)
{
	bool shown_before = v->wrong && count->wrong_elsewhere;
	*(good ? &count->passed : v->wrong ? &count->wrong : &count->failed) += 1;
	if (count->lines) {
		json_t *o = json_pack("{s:s, s:i, s:s, s:s, s:s}", "in", shown(file), "line", line ? line->line : 0,
				      "text", line ? line->text : "", "verdict",
				      good ? "holds" : v->wrong ? "error" : "fails", "why", good ? "" : shown(v->why));
		json_object_set_new(o, "sentence", json_string(shown(v->sentence)));
		json_object_set_new(o, "run", json_integer(count->runs));
		if (v->number)
			json_object_set_new(o, "found", json_real(v->found));
		json_array_append_new(count->lines, o);
		return;
	}
	if (good || shown_before)
		return;
	printf("%s:", shown(file));
	if (line && line->line)
		printf("%d:", line->line);
	if (line)
		printf(" expect: %s\n    %s\n", shown(line->text), shown(v->why));
	else
		printf(" %s\n", shown(v->why));
}

/* A run that ended otherwise than with 0, of which nothing is said. */
static void note_end(const struct session *s, const char *file, struct expect_count *count)
{
	struct expect_verdict v = {.wrong = false};
	snprintf(v.why, sizeof v.why, "the run ended with exit %d, which nothing in the file expects", (int)s->status);
	const struct wb_report *r = s->report;
	snprintf(v.sentence, sizeof v.sentence, "the run ended with exit %d: %s", (int)s->status,
		 s->status == WB_FAULT && r && r->nwaits ? r->waits[0] : s->diag.text);
	note(count, file, NULL, false, &v);
	if (!count->lines)
		complain_diag(&s->diag);
}

/* One run and the expectations about the run, in `file`; *line moves to the next `with` or to the end. */
static void check_group(struct session *s, const char *file, const struct statement_text **line,
			struct expect_count *count)
{
	bool says_exit = false;
	for (; (*line)->text && !is_with((*line)->text); ++*line) {
		const char *text = (*line)->text;
		struct expect_verdict v;
		says_exit |= !strncmp(text, "exit ", 5) || !strncmp(text, "result ", 7) || !strncmp(text, "fault ", 6);
		bool good = expect_line(s, text, &v);
		note(count, file, *line, good, &v);
	}
	if (!says_exit && s->status != WB_OK)
		note_end(s, file, count);
}

/* Load the session's program again under a `with` line's options: its code may be for another chip. Returns the program
 * before; NULL: the error has been printed. */
static struct wb_program *load_again(struct session *s, const struct wb_config *config)
{
	struct wb_program *before = s->program, *again;
	struct wb_file f;
	struct wb_diag d;
	if (!wb_program_file(before, 0, &f) ||
	    (s->status = wb_program_load(f.bytes, f.size, f.name, config, &again, &d)) != WB_OK) {
		complain_diag(&d);
		return NULL;
	}
	s->program = again;
	return before;
}

/* Run once, under the options of a `with` line or under the command line's, and compare. */
static enum wb_status check_run(const struct cli *c, struct session *s, const char *file,
				const struct statement_text **line,
				const char *kernel, const char *const *args, struct expect_count *count)
{
	struct wb_config *config = wb_config_copy(c->config);
	const struct with_place place = {file, (*line)->line};
	char *with = is_with((*line)->text) ? strdup((*line)++->text) : NULL;
	const char **own = grow(NULL, ((with ? strlen(with) : 0) + 1) * sizeof *own);
	struct wb_program *before = NULL;
	enum wb_status status = WB_OK;
	*own = NULL;
	if (with && !set_options(with, &place, c->config, file == s->path, config, own))
		status = WB_INPUT;
	else if (with && !(before = load_again(s, config)))
		status = s->status;
	if (status == WB_OK && !session_prepare(s, kernel, config, *own ? own : args))
		status = s->status;
	if (status == WB_OK) {
		session_run(s, c);
		count->runs++;
		check_group(s, file, line, count);
	}
	wb_launch_free(s->launch);
	s->launch = NULL;
	if (before) {
		wb_program_free(s->program);
		s->program = before;
		s->kernel = NULL;
	}
	free(own);
	free(with);
	wb_config_free(config);
	return status;
}

/* The statements of a text, pointers into the text ended by NULL: all lines except empty lines and comments (# or //);
 * `// expect: …` is a statement. program: other lines are code. The caller frees the list. */
static struct statement_text *statements_of(char *text, bool program)
{
	static const char mark[] = "expect:";
	struct statement_text *list = grow(NULL, (strlen(text) + 2) * sizeof *list);
	size_t n = 0;
	int number = 0;
	for (char *line; (line = strsep(&text, "\n"));) {
		number++;
		line[strcspn(line, "\r")] = '\0';
		line += strspn(line, " \t");
		bool comment = !strncmp(line, "//", 2);
		line += comment ? 2 + strspn(line + 2, " \t") : 0;
		bool marked = !strncmp(line, mark, strlen(mark));
		line += marked ? strlen(mark) + strspn(line + strlen(mark), " \t") : 0;
		if (*line && *line != '#' && (program ? comment && marked : marked || !comment))
			list[n++] = (struct statement_text){line, number};
	}
	list[n] = (struct statement_text){NULL, 0};
	return list;
}

/* Those of the program's own text, whose lines are not known. */
static struct statement_text *statements_in(const char *const *texts)
{
	size_t n = 0;
	while (texts && texts[n])
		n++;
	struct statement_text *list = grow(NULL, (n + 1) * sizeof *list);
	for (size_t i = 0; i < n; i++)
		list[i] = (struct statement_text){texts[i], 0};
	list[n] = (struct statement_text){NULL, 0};
	return list;
}

static enum wb_status check_all(const struct cli *c, struct session *s, const char *file,
				const struct statement_text *line, const char *kernel, const char *const *args,
				struct expect_count *count)
{
	enum wb_status status = WB_OK;
	if (!line->text)
		return complain(WB_INPUT, "%s: no expectations in this file", file);
	while (line->text && status == WB_OK)
		status = check_run(c, s, file, &line, kernel, args, count);
	return status;
}

enum wb_status expect_check(const struct cli *c, struct session *s, const struct expect_source *from,
			    const char *kernel, const char *const *args, struct expect_count *count)
{
	const struct wb_kernel *k = wb_program_kernels(s->program) ? wb_program_kernel(s->program, 0) : NULL;
	struct statement_text *lines = from ? statements_of(from->text, from->program)
					    : statements_in(k ? k->expectations : NULL);
	enum wb_status status = check_all(c, s, from ? from->name : s->path, lines, kernel, args, count);
	free(lines);
	return status;
}
