/* page: a program with the whole emulator as one HTML file for any browser, offline. The build makes a template of the
 * page (frontends/web), module included; the verb puts program, still picture and the report's summary into the
 * template. The same inputs give the same bytes: no path of the host, no time. */
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "frontends/cli/beside.h"
#include "frontends/cli/html.h"
#include "frontends/cli/lab.h"
#include "frontends/cli/page_lab.h"
#include "frontends/cli/programs.h"
#include "frontends/cli/report.h"
#include "frontends/cli/scene.h"
#include "frontends/cli/verbs.h"
#include "frontends/cli/vertices.h"
#include "frontends/trace/json_text.h"
#include "frontends/view/picture.h"

enum { STILL_WIDTH = 1000, STILL_HEIGHT = 640, MAX_BYTES = 4 << 20 };

const struct opt page_options[] = {
	{"output", 'o', OPT_OUTPUT, "HTML", "lab.html", "Page", "the file to write; - is standard output", false},
	{"max-bytes", 0, OPT_VALUE, "BYTES", "4M", "Page", "most bytes of the program's inputs", false},
	SCENE_OPTIONS,
	{NULL, 0, OPT_SWITCH, NULL, NULL, NULL, NULL, false},
};

/* Texts in place of the template's words. */
struct filling {
	char *title, *description, *still, *paper, *summary, *program, *lab;
};

/* ---- the template ---- */

/* The template beside the program, as installed or as built; the caller frees the text. */
static char *read_template(void)
{
	char self[4096], path[4200], *text;
	size_t size;
	struct wb_diag d;

	if (beside_self(self, sizeof self)) {
		snprintf(path, sizeof path, "%s/%s", self,
			 beside_build(self) ? "../web/lab.html" : "../share/warpbeam/lab.html");
		if (access(path, R_OK) == 0 && try_read_all(path, &text, &size, &d))
			return text;
	}
	complain(WB_ENV, "this build has no page: './dev web DIR' builds one and the site; or apt-get install clang-19 "
		 "lld-19 libclang-rt-19-dev-wasm32 wasi-libc binaryen zopfli, and 'meson configure build "
		 "-Dpage=enabled'");
	return NULL;
}

static const char *named(const struct filling *f, const char *word, size_t n)
{
	const struct { const char *word, *text; } names[] = {
		{"TITLE", f->title}, {"DESCRIPTION", f->description}, {"STILL", f->still},
		{"PAPER", f->paper}, {"SUMMARY", f->summary},
		{"PROGRAM", f->program}, {"LAB", f->lab},
	};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strlen(names[i].word) == n && !strncmp(names[i].word, word, n))
			return names[i].text;
	return NULL;
}

static void write_filled(FILE *out, const char *p, const struct filling *f)
{
	const char *sign;

	while ((sign = strchr(p, '@'))) {
		size_t n = strspn(sign + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
		const char *text = sign[1 + n] == '@' ? named(f, sign + 1, n) : NULL;
		fwrite(p, 1, (size_t)(sign - p), out);
		fputs(text ? text : "@", out);
		p = text ? sign + n + 2 : sign + 1;
	}
	fputs(p, out);
}

/* ---- the program ---- */

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* The name of a file as the page has it: relative to the program's folder, or without a folder. */
static const char *page_name(const char *program, const char *name)
{
	size_t folder = (size_t)(base_name(program) - program);

	return folder && !strncmp(name, program, folder) ? name + folder : *name == '/' ? base_name(name) : name;
}

static char *base64(const unsigned char *p, size_t n)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	char *text = grow(NULL, (n + 2) / 3 * 4 + 1), *to = text;

	for (size_t i = 0; i < n; i += 3) {
		uint32_t second = i + 1 < n ? p[i + 1] : 0, third = i + 2 < n ? p[i + 2] : 0;
		uint32_t w = (uint32_t)p[i] << 16 | second << 8 | third;
		*to++ = digits[w >> 18];
		*to++ = digits[w >> 12 & 63];
		*to++ = i + 1 < n ? digits[w >> 6 & 63] : '=';
		*to++ = i + 2 < n ? digits[w & 63] : '=';
	}
	*to = '\0';
	return text;
}

/* Add a file; pictures go decoded, as the module decodes none. */
static bool add_file(json_t *files, const char *program, const struct wb_file *file, bool text, size_t *bytes)
{
	size_t n = strlen(file->name), size = file->size;
	bool png = n > 4 && !strcmp(file->name + n - 4, ".png");
	unsigned char *pixels = png ? png_pixels(file->bytes, file->size, &size) : NULL;
	json_t *o = json_pack("{s:o}", "name", json_text(page_name(program, file->name)));
	json_t *t = text ? json_stringn(file->bytes, file->size) : NULL;
	char *coded = t ? NULL : base64(pixels ? pixels : file->bytes, size);

	json_object_set_new(o, t ? "text" : "base64", t ? t : json_string(coded));
	json_array_append_new(files, o);
	*bytes += size;
	free(coded);
	free(pixels);
	return true;
}

static bool is_text(const struct session *s)
{
	return !strcmp(s->report->launch.format, "asm");
}

/* Add the program: assembly with all included files; a compiled program as an image under the file's name; a shader
 * file unchanged, as the module reads shader files. False: the message has been printed. */
static bool add_program(json_t *files, const struct session *s, const char *path)
{
	struct wb_file file;
	struct wb_text image = {NULL, 0};
	struct wb_diag d;
	size_t bytes = 0;
	bool shader = !strcmp(s->report->launch.format, "shbin");

	if (!is_text(s) && !shader && wb_program_image(s->program, &image, &d) != WB_OK)
		return complain_diag(&d), false;
	for (unsigned i = 0; wb_program_file(s->program, i, &file) && (is_text(s) || !i); i++) {
		if (image.data)
			file = (struct wb_file){file.name, image.data, image.size};
		add_file(files, path, &file, is_text(s), &bytes);
	}
	wb_text_free(&image);
	return true;
}

/* Files of the program, then files of the launch. NULL: the message has been printed. */
static json_t *all_files(const struct cli *c, const struct session *s, const char *path)
{
	json_t *files = json_array();
	struct wb_file file, largest = {.size = 0};
	size_t bytes = 0;
	uint64_t most;

	if (!add_program(files, s, path)) {
		json_decref(files);
		return NULL;
	}
	for (unsigned i = 0; wb_launch_file(s->launch, i, &file); i++) {
		add_file(files, path, &file, false, &bytes);
		largest = file.size > largest.size ? file : largest;
	}
	if (s->vertices) {
		bytes += s->in.size;
		largest = s->in.size > largest.size ? s->in : largest;
	}
	if (!wb_size(cli_value(c, "max-bytes"), &most))
		complain(WB_USAGE, "option '--max-bytes' expects bytes such as 4M; found '%s'",
			 cli_value(c, "max-bytes"));
	else if (bytes > most)
		complain(WB_INPUT, "the inputs have %zu bytes, more than --max-bytes %s; the largest is %s, %zu bytes",
			 bytes, cli_value(c, "max-bytes"), shown(largest.name), largest.size);
	else
		return files;
	json_decref(files);
	return NULL;
}

/* Given options, a pair for each value, without options of the host and of compilers; of a compiled program also
 * without options of loading. */
static json_t *given_options(const struct cli *c, bool text)
{
	static const char host[] = " threads simd in-order max-seconds max-memory cc cuda-compiler libclc keep "
				   "include ",
			  loaded[] = " format entry regs lmem isa ";
	json_t *list = json_array();
	const struct wb_option_info *info;
	char padded[64];

	for (unsigned i = 0; (info = wb_option(i)); i++) {
		snprintf(padded, sizeof padded, " %s ", info->name);
		if (!wb_config_given(c->config, info->name) || strstr(host, padded) ||
		    (!text && strstr(loaded, padded)))
			continue;
		char *copy = strdup(wb_config_get(c->config, info->name)), *rest = copy, *line;
		while ((line = strsep(&rest, "\n"))) {
			json_t *pair = json_array();
			json_array_append_new(pair, json_text(info->name));
			json_array_append_new(pair, json_text(line));
			json_array_append_new(list, pair);
		}
		free(copy);
	}
	return list;
}

/* Arguments with the names that files have in the page. */
static json_t *given_arguments(const char *path, const char *const *args)
{
	json_t *list = json_array();

	for (; args && *args; args++) {
		const char *sign = strchr(*args, '=');
		bool file = !strncmp(*args, "in=", 3) || !strncmp(*args, "inout=", 6) ||
			    !strncmp(*args, "bytes=", 6);
		char *text = grow(NULL, strlen(*args) + 1);
		int n = file ? (int)(sign - *args) + 1 : (int)strlen(*args);
		sprintf(text, "%.*s%s", n, *args, file ? page_name(path, sign + 1) : "");
		json_array_append_new(list, json_text(text));
		free(text);
	}
	return list;
}

/* Names of the machine's instructions, for colours: the first words of the reference's texts, which stand sorted. */
static json_t *mnemonics(const char *machine)
{
	json_t *list = json_array(), *root, *row;
	struct wb_text text;
	struct wb_diag d;
	json_error_t e;
	size_t i;
	char last[40] = "";

	if (wb_isa_reference(machine, "json", &text, &d) != WB_OK)
		return list;
	root = json_loadb(text.data, text.size, 0, &e);
	json_array_foreach(json_object_get(root, "instructions"), i, row) {
		const char *name = json_string_value(json_object_get(row, "text"));
		size_t n = name ? strcspn(name, " ") : 0;
		if (!n || n >= sizeof last || (!strncmp(name, last, n) && !last[n]))
			continue;
		snprintf(last, sizeof last, "%.*s", (int)n, name);
		json_array_append_new(list, json_string(last));
	}
	json_decref(root);
	wb_text_free(&text);
	return list;
}

/* A number for the text, FNV-1a: the browser keeps changes under the number. */
static json_t *text_digest(const struct wb_file *file)
{
	uint64_t h = 0xcbf29ce484222325u;
	char text[20];

	for (size_t i = 0; i < file->size; i++)
		h = (h ^ ((const unsigned char *)file->bytes)[i]) * 0x100000001b3u;
	snprintf(text, sizeof text, "%016llx", (unsigned long long)h);
	return json_string(text);
}

static enum wb_status list_vertex(void *list, const char *text, struct wb_diag *d)
{
	(void)d;
	json_array_append_new(list, json_text(text));
	return WB_OK;
}

/* The vertices of --in as texts; the run has accepted the file already. */
static json_t *vertices(const struct session *run)
{
	json_t *list = json_array();
	struct wb_diag d;

	vertices_each(&run->in, list_vertex, list, &d);
	return list;
}

/* The editor's text: the source (of PTX the file that its lines name, as in views), or a listing of a binary file; and
 * a sentence why the text cannot be changed. */
static void add_source(json_t *o, const struct cli *c, const struct session *run, const struct wb_file *file)
{
	struct wb_text listing = {NULL, 0};
	struct wb_diag d;
	const char *source = session_source(run);
	json_t *text = source                                  ? json_string(source)
		       : memchr(file->bytes, 0, file->size) ? NULL
							    : json_stringn(file->bytes, file->size);
	char note[400];

	if (!text && wb_disassemble(run->program, c->config, 0, &listing, &d) == WB_OK)
		text = json_stringn(listing.data ? listing.data : "", listing.size);
	json_object_set_new(o, "source", text ? text : json_string(""));
	wb_text_free(&listing);
	snprintf(note, sizeof note, "This %s was compiled on a command line and cannot be changed here, as a page has "
		 "no compiler. `warpbeam page %.80s` makes the page again from a changed file.",
		 source || !memchr(file->bytes, 0, file->size) ? "source" : "program", base_name(run->path));
	json_object_set_new(o, "note", json_text(note));
}

/* The solution of a lab that a page cannot compile: its source, and its image as a file. False: the message has been
 * printed. */
static bool add_solution(json_t *o, const struct cli *c, const struct session *run, const struct lab *lab)
{
	struct session solved = {.path = NULL};
	json_t *files = json_array();
	bool made = session_load_text(&solved, lab->name, lab->solution, strlen(lab->solution), c->config);
	solved.report = run->report;
	made = made && add_program(files, &solved, run->path);
	if (made)
		json_object_set_new(o, "solution", json_pack("{s:O, s:s}", "file", json_array_get(files, 0), "source",
							     lab->solution));
	json_decref(files);
	session_close(&solved);
	return made;
}

/* The document, with every < written as an escape, as for a script element. */
static char *program_text(const struct cli *c, struct scene *s, const struct session *run, const struct lab *lab)
{
	const char *path = run->path;
	struct wb_file main_file;
	char state[512], *text, *escaped, *to;
	json_t *files = all_files(c, run, path), *o;

	if (!files || !wb_program_file(run->program, 0, &main_file)) {
		json_decref(files);
		return NULL;
	}
	state_format(state, sizeof state, &s->model, &s->view);
	char *theme = strstr(state, ";theme=");
	if (theme && !cli_given(c, "theme") && !(cli_value(c, "state") && strstr(cli_value(c, "state"), "theme=")))
		*theme = '\0';
	o = json_pack("{s:s, s:o, s:o, s:o, s:s, s:o, s:o}", "kind", is_text(run) ? "asm" : "image", "files", files,
		      "options", given_options(c, is_text(run)), "arguments", given_arguments(path, s->args), "state",
		      state, "digest",
		      text_digest(&main_file), "words", mnemonics(run->report->launch.machine));
	if (cli_given(c, "theme"))
		json_object_set_new(o, "theme", json_text(cli_value(c, "theme")));
	if (!is_text(run))
		add_source(o, c, run, &main_file);
	if (run->vertices)
		json_object_set_new(o, "vertices", vertices(run));
	if (lab->text)
		json_object_set_new(o, "lab", json_string(lab->text));
	if (lab->text && !is_text(run) && !add_solution(o, c, run, lab)) {
		json_decref(o);
		return NULL;
	}
	text = json_dumps(o, JSON_COMPACT);
	json_decref(o);
	escaped = to = grow(NULL, strlen(text) * 6 + 1);
	for (const char *p = text; *p; p++)
		to += *p == '<' ? sprintf(to, "\\u003c") : (*to = *p, 1);
	*to = '\0';
	free(text);
	return escaped;
}

/* ---- picture and tables for readers without scripts ---- */

/* For the screen until the machine runs; for paper, in its own theme. */
static char *still_picture(struct scene *s, const struct theme *theme)
{
	struct view v = s->view;
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);
	struct canvas c;
	struct svg svg;

	if (f && canvas_pixels(&c, STILL_WIDTH, STILL_HEIGHT, 1, theme)) {
		char state[512];
		v.theme = (int)(theme - themes);
		v.still = true;
		state_format(state, sizeof state, &s->model, &v);
		svg_begin(&c, &svg, f, state);
		frame_draw(&c, &s->model, &v);
		svg_end(&c);
		canvas_free(&c);
	}
	if (f)
		text_close(f, &text);
	return text;
}

static void number_row(FILE *f, const char *name, double value, bool whole)
{
	fputs("<tr><td>", f);
	html_text(f, name);
	fprintf(f, whole ? "</td><td class=\"n\">%.0f</td></tr>\n" : "</td><td class=\"n\">%.4g</td></tr>\n", value);
}

static void begin_table(FILE *f, const char *caption, const char *left, const char *right)
{
	fprintf(f, "<table><caption>%s</caption>\n<thead><tr><th scope=\"col\">%s</th>"
		   "<th scope=\"col\" class=\"n\">%s</th></tr></thead>\n<tbody>\n", caption, left, right);
}

static char *summary_tables(const struct wb_report *r)
{
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	if (!f)
		return NULL;
	begin_table(f, "Counters", "counter", "value");
	for (unsigned i = 0; i < r->ncounters; i++)
		number_row(f, r->counters[i].name, r->counters[i].value, r->counters[i].integer);
	fputs("</tbody></table>\n", f);
	begin_table(f, "Bill of lane slots", "part", "lane slots");
	number_row(f, "all", (double)r->bill.lane_slots, true);
	for (const struct bill_part *p = bill_parts; p->key; p++)
		number_row(f, p->title, (double)bill_value(r, p), true);
	fputs("</tbody></table>\n", f);
	begin_table(f, "Branches that lost lane slots", "branch", "lane slots lost");
	for (unsigned i = 0; i < r->nbranches; i++)
		number_row(f, r->branches[i].text, (double)r->branches[i].lost, true);
	fputs("</tbody></table>\n", f);
	text_close(f, &text);
	return text;
}

/* The first comment line of the program, for the page's head; without a comment the name. */
static char *first_comment(const struct session *run)
{
	struct wb_file file;
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	if (!f)
		return NULL;
	if (wb_program_file(run->program, 0, &file) && file.size > 2 && !memcmp(file.bytes, "//", 2)) {
		const char *p = (const char *)file.bytes + 2, *end = (const char *)file.bytes + file.size;
		p += p < end && *p == ' ';
		const char *stop = memchr(p, '\n', (size_t)(end - p));
		char line[300];
		wb_clean(p, (size_t)((stop ? stop : end) - p), "", line, sizeof line);
		html_text(f, line);
	} else {
		html_text(f, base_name(run->path));
	}
	text_close(f, &text);
	return text;
}

static char *html_copy(const char *plain)
{
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	if (f) {
		html_text(f, plain);
		text_close(f, &text);
	}
	return text;
}

/* ---- the verb ---- */

/* The run for the summary, with the program, arguments and files of the page. */
static enum wb_status run_whole(struct cli *c, struct session *run, const char *path, const char *const *args,
				const char *text)
{
	bool limited = wb_config_given(c->config, "max-insns") || wb_config_given(c->config, "max-seconds");
	struct wb_diag d;

	*run = (struct session){.vertices = cli_value(c, "in"), .text = text};
	if (!session_load(run, path, c->config))
		return run->status;
	struct wb_config *config = wb_config_copy(c->config);
	if (!limited)
		wb_config_set(config, "max-insns", REPORT_INSNS, &d);
	bool prepared = session_prepare(run, cli_value(c, "kernel"), config, args);
	wb_config_free(config);
	if (!prepared)
		return run->status;
	session_run(run, c);
	if (!run->report)
		return complain_diag(&run->diag);
	if (run->status == WB_LIMIT && !limited)
		complain(WB_OK, "the page's tables have the first " REPORT_INSNS " instructions of a run without a "
			 "known end; --max-insns N is another limit");
	return WB_OK;
}

static enum wb_status write_page(const struct cli *c, const char *template, const struct filling *f)
{
	const char *path = cli_value(c, "output");
	struct wb_output *o;
	FILE *out = stream_open(path, &o);

	if (!out)
		return WB_ENV;
	write_filled(out, template, f);
	bool written = !ferror(out);
	if (!stream_close(out, o, written))
		return WB_ENV;
	if (!c->quiet && strcmp(path, "-"))
		printf("%s\n", shown(path));
	return WB_OK;
}

static enum wb_status make_page(struct cli *c, struct scene *s, const char *path, const struct lab *lab,
				const char *template)
{
	struct session run;
	enum wb_status status = run_whole(c, &run, path, s->args, lab->program);
	struct filling f = {0};

	if (status == WB_OK) {
		f = (struct filling){.title = html_copy(lab->title ? lab->title : base_name(path)),
				     .description = first_comment(&run),
				     .still = still_picture(s, &themes[s->view.theme]),
				     .paper = still_picture(s, theme_find("print")),
				     .summary = summary_tables(run.report), .program = program_text(c, s, &run, lab),
				     .lab = page_lab(lab, cli_value(c, "output"))};
		status = !f.program ? WB_INPUT : write_page(c, template, &f);
	}
	free(f.title);
	free(f.description);
	free(f.still);
	free(f.paper);
	free(f.summary);
	free(f.program);
	free(f.lab);
	session_close(&run);
	return status;
}

/* The lab that a program's text is; without text: a program that is no lab. */
static enum wb_status lab_of(const char *path, struct lab *lab)
{
	char *text;
	size_t n;
	struct wb_diag d;

	*lab = (struct lab){.name = NULL};
	if (!strcmp(path, "-") || (!example_of(path) && access(path, R_OK) != 0))
		return WB_OK;           /* loading has the message */
	if (!read_source(path, &text, &n))
		return WB_ENV;
	bool good = !lab_text(text) || lab_read(lab, base_name(source_name(path)), text, n, &d);
	json_t *coded = good && lab->text ? json_string(text) : NULL;
	enum wb_status status = good ? WB_OK : complain_diag(&d);
	if (good && lab->text && !coded)
		status = complain(WB_INPUT, "%s: found bytes that are no UTF-8; a lab is text", shown(path));
	json_decref(coded);
	free(text);
	return status;
}

enum wb_status verb_page(struct cli *c)
{
	const char *path = cli_operand(c, "FILE");
	struct scene s;
	struct lab lab = {.name = NULL};
	char *template = path ? read_template() : NULL;
	struct cli given = *c;          /* options as given: the scene adds its own to those of c */

	if (!path)
		return WB_USAGE;
	if (!template)
		return WB_ENV;
	if (cli_given(c, "against")) {
		free(template);
		return complain(WB_USAGE, "a page has one program; found --against");
	}
	if (!(given.config = wb_config_copy(c->config))) {
		free(template);
		return complain(WB_ENV, "out of memory");
	}
	enum wb_status status = lab_of(path, &lab);
	if (status == WB_OK) {
		path = lab.name ? lab.name : path;
		status = scene_open_text(&s, c, path, lab.program);
		if (status == WB_OK)
			status = make_page(&given, &s, path, &lab, template);
		scene_close(&s);
	}
	lab_free(&lab);
	wb_config_free(given.config);
	free(template);
	return status;
}
