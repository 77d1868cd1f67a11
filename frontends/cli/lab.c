/* lab: exercises in the terminal. A list with the state of each lab in this folder, a copy to be changed, the check. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "frontends/cli/gallery.h"
#include "frontends/cli/lab.h"
#include "frontends/cli/report.h"
#include "frontends/cli/verbs.h"

const struct opt lab_options[] = {
	{"hint", 0, OPT_VALUE, "N", NULL, "Lab", "print the lab's Nth hint", false},
	{"solution", 0, OPT_SWITCH, NULL, NULL, "Lab", "print a program that solves the lab", false},
	{"handout", 0, OPT_SWITCH, NULL, NULL, "Lab", "print the program to be changed, with question and goals",
	 false},
	{"language", 0, OPT_VALUE, "c|asm", NULL, "Lab", "the lab in OpenCL C or in assembly [asm]", false},
	{"marks", 0, OPT_SWITCH, NULL, NULL, "Lab", "marks of a class: a row a student, a column a lab", false},
	{"output", 'o', OPT_OUTPUT, "OUT.csv", NULL, "Lab", "--marks: write the marks as CSV", false},
	{NULL, 0, OPT_SWITCH, NULL, NULL, NULL, NULL, false},
};

enum { COLUMNS = 80 };

/* ---- which lab ---- */

bool lab_in_c(const char *file)
{
	const char *dot = strrchr(file, '.');
	return dot && !strcmp(dot, ".cl");
}

size_t lab_bundled(void)
{
	size_t n = 0;
	while (lab_gallery[n].name && !lab_in_c(lab_gallery[n].file))
		n++;
	return n;
}

int lab_variant(int index, bool in_c)
{
	size_t n = strcspn(lab_gallery[index].file, ".");
	for (int i = 0; lab_gallery[i].name; i++)
		if (!strncmp(lab_gallery[i].file, lab_gallery[index].file, n + 1) &&
		    lab_in_c(lab_gallery[i].file) == in_c)
			return i;
	return -1;
}

int lab_bundled_index(const char *word)
{
	char *end;
	unsigned long number = strtoul(word, &end, 10);
	if (isdigit((unsigned char)*word) && !*end)
		return number >= 1 && number <= lab_bundled() ? (int)number - 1 : -1;
	for (size_t i = 0; lab_gallery[i].name; i++)
		if (!strcmp(lab_gallery[i].name, word))
			return (int)i;
	return -1;
}

bool lab_open_bundled(struct lab *lab, size_t index)
{
	const struct example *e = &lab_gallery[index];
	struct wb_diag d;
	return lab_read(lab, e->file, e->text, strlen(e->text), &d) || (complain_diag(&d), false);
}

static enum wb_status no_such(const char *word)
{
	const char *names[64] = {NULL};
	for (size_t i = 0; i < 63 && lab_gallery[i].name; i++)
		names[i] = lab_gallery[i].name;
	const char *near = wb_nearest(word, names);
	return complain(WB_USAGE,
			"there is no lab '%s': found neither a number from 1 to %zu nor a name nor a file%s%s%s",
			shown(word), lab_bundled(), near ? "; did you mean '" : "; 'warpbeam lab' lists them, and "
			"docs/reference/labs.md says how a text becomes a lab of one's own",
			near ? near : "", near ? "'?" : "");
}

/* The variant of a bundled lab in the language that --language asks for, else in `in_c`. */
static enum wb_status open_variant(struct lab *lab, const struct cli *c, int index, bool in_c)
{
	const char *language = cli_value(c, "language");
	if (language && strcmp(language, "c") != 0 && strcmp(language, "asm") != 0)
		return complain(WB_USAGE, "option '--language' expects c or asm; found '%s'", shown(language));
	int variant = lab_variant(index, language ? !strcmp(language, "c") : in_c);
	if (variant < 0)
		return complain(WB_USAGE, "%s is in assembly alone", lab_gallery[index].name);
	return lab_open_bundled(lab, (size_t)variant) ? WB_OK : WB_INTERNAL;
}

/* A lab by number or name, or a lecturer's file; *index: -1 for a file. A program of a lab's name in the folder is a
 * student's. */
static enum wb_status open_lab(struct lab *lab, const struct cli *c, int *index)
{
	const char *word = c->operands[0];
	struct wb_diag d;
	char *text;
	size_t n;
	*index = lab_in_c(word) && access(word, F_OK) == 0 ? -1 : lab_bundled_index(word);
	if (*index >= 0)
		return open_variant(lab, c, *index, lab_in_c(word) || (c->noperands > 1 && lab_in_c(c->operands[1])));
	if (access(word, F_OK) != 0)
		return no_such(word);
	if (!read_all(word, &text, &n))
		return WB_ENV;
	const char *slash = strrchr(word, '/');
	bool good = lab_read(lab, slash ? slash + 1 : word, text, n, &d);
	free(text);
	if (good)
		return WB_OK;
	complain_diag(&d);
	return complain(WB_INPUT, "a program to be checked goes behind the lab: warpbeam lab 1 %s", shown(word));
}

/* ---- texts ---- */

/* Print prose in lines of COLUMNS, the first behind `first`, the others indented by as many blanks. Prose may be a
 * stranger's: control bytes are shown as escapes. */
static void print_prose(const char *first, const char *prose)
{
	int indent = (int)strlen(first), column = indent;
	size_t size = wb_clean(prose, strlen(prose), "\n", NULL, 0);
	char *clean = grow(NULL, size + 1);
	wb_clean(prose, strlen(prose), "\n", clean, size + 1);
	fputs(first, stdout);
	for (const char *p = clean; *p;) {
		if (*p == '\n') {
			printf("\n%*s", p[1] == '\n' ? 0 : indent, "");
			column = indent;
			p++;
			continue;
		}
		p += *p == ' ';
		int n = (int)strcspn(p, " \n");
		if (column > indent && column + 1 + n > COLUMNS) {
			printf("\n%*s", indent, "");
			column = indent;
		} else if (column > indent) {
			putchar(' ');
			column++;
		}
		fwrite(p, 1, (size_t)n, stdout);
		column += n;
		p += n;
	}
	putchar('\n');
	free(clean);
}

/* begun: the lab's program is here, to be changed. */
static void print_question(const struct cli *c, const struct lab *lab, const char *word, bool begun)
{
	printf("%s%s%s\n\n", tint(c, TINT_BOLD), shown(lab->title), tint(c, TINT_NONE));
	print_prose("", lab->question);
	printf("\nGoals:\n");
	for (size_t i = 0; i < lab->ngoals; i++)
		print_prose("  - ", lab->goal[i].text);
	if (begun)
		printf("\nLook:    warpbeam view %s   (or tui, bill, annotate)\n"
		       "Change:  %s\nCheck:   warpbeam lab %s %s\n", lab->name, lab->name, word, lab->name);
	else
		printf("\nHand out: warpbeam lab %s --handout\nCheck:    warpbeam lab %s FILE...\n", shown(word),
		       shown(word));
	if (lab->nhints)
		printf("%zu hint%s: warpbeam lab %s%s --hint 1\n", lab->nhints, lab->nhints == 1 ? "" : "s",
		       shown(word), lab_in_c(lab->name) && cli_given(c, "language") ? " --language c" : "");
}

/* Write the program to be changed, unless there is a file of the name; then print the question. */
static enum wb_status begin(const struct cli *c, const struct lab *lab, const char *word)
{
	bool mine = access(lab->name, F_OK) == 0;
	FILE *f = mine ? NULL : fopen(lab->name, "wx");
	if (!mine && !f)
		return complain(WB_ENV, "%s: cannot write here: %s", lab->name, strerror(errno));
	if (f) {
		fputs(lab->handout, f);
		if (ferror(f) | fclose(f))
			return complain(WB_ENV, "%s: cannot write: %s", lab->name, strerror(errno));
	}
	print_question(c, lab, word, true);
	printf(mine ? "%s was here already, and stays as it is.\n" : "%s is written.\n", lab->name);
	return WB_OK;
}

static enum wb_status hint(const struct cli *c, const struct lab *lab)
{
	unsigned long n;
	if (!cli_number(c, "hint", 1000, &n))
		return WB_USAGE;
	if (!n || n > lab->nhints)
		return complain(WB_USAGE, "option '--hint' expects a number from 1 to %zu, found %lu", lab->nhints, n);
	char first[64];
	snprintf(first, sizeof first, "Hint %lu of %zu: ", n, lab->nhints);
	print_prose(first, lab->hint[n - 1]);
	return WB_OK;
}

/* ---- the check ---- */

static const char *member(json_t *o, const char *key)
{
	return json_string_value(json_object_get(o, key));
}

/* Lines of a missed goal that do not hold, or the numbers of a met goal. */
static void print_lines(json_t *lines, bool met)
{
	json_t *line;
	size_t i;
	json_array_foreach(lines, i, line)
		if (strcmp(member(line, "verdict"), "holds") != 0 || (met && json_object_get(line, "found")))
			print_prose("           ", member(line, "sentence"));
}

static void print_verdict(const struct cli *c, json_t *o)
{
	json_t *goals = json_object_get(o, "goals"), *goal;
	int met = (int)json_integer_value(json_object_get(o, "met"));
	const char *error = member(o, "error");
	size_t i;
	if (error)
		print_prose("  stopped  ", error);
	json_array_foreach(goals, i, goal) {
		bool holds = json_is_true(json_object_get(goal, "met"));
		fputs(tint(c, holds ? TINT_GOOD : TINT_BAD), stdout);
		print_prose(holds ? "  met      " : "  missing  ", member(goal, "goal"));
		fputs(tint(c, TINT_NONE), stdout);
		if (!error)
			print_lines(json_object_get(goal, "lines"), holds);
	}
	printf("%d of %zu goals met%s\n", met, json_array_size(goals),
	       json_is_true(json_object_get(o, "solved")) ? ": solved." : ".");
}

/* The verdict about a program by the lab, or by the lab's variant in the language of the program; index: -1 for a lab
 * without variants. */
static json_t *judge(const struct cli *c, const struct lab *lab, int index, const char *path, enum wb_status *status)
{
	int variant = index < 0 ? -1 : lab_variant(index, lab_in_c(path));
	struct lab other = {.name = NULL};
	if (variant < 0 || lab_in_c(lab->name) == lab_in_c(path))
		return lab_judge_file(c, lab, path, status);
	lab_open_bundled(&other, (size_t)variant);
	json_t *o = lab_judge_file(c, &other, path, status);
	lab_free(&other);
	return o;
}

/* Judge all files; WB_OK only if every file solves the lab. */
static enum wb_status check(const struct cli *c, const struct lab *lab, int index)
{
	enum wb_status status = WB_OK;
	size_t solved = 0, n = c->noperands - 1;
	for (size_t i = 1; i <= n; i++)
		if (lab_bundled_index(c->operands[i]) >= 0 && access(c->operands[i], F_OK) != 0)
			return complain(WB_USAGE, "one lab at a time: found '%s', which is a lab and no file here",
					c->operands[i]);
	for (size_t i = 1; i <= n; i++) {
		struct stat at;
		const char *name = shown(c->operands[i]);
		if (stat(c->operands[i], &at) == 0 && S_ISDIR(at.st_mode))
			return complain(WB_USAGE, "%s is a folder: 'warpbeam lab --marks %s %s' judges the files in it",
					name, shown(c->operands[0]), name);
	}
	json_t *files = json_array();
	for (size_t i = 0; i < n; i++) {
		enum wb_status one;
		json_t *o = judge(c, lab, index, c->operands[i + 1], &one);
		if (!c->json) {
			printf("%s: %s\n", shown(lab->title), shown(c->operands[i + 1]));
			print_verdict(c, o);
		}
		solved += json_is_true(json_object_get(o, "solved"));
		if (one != WB_OK && (n == 1 || one == WB_ENV))
			status = one == WB_ENV ? WB_ENV : WB_INPUT;
		json_array_append_new(files, o);
	}
	if (!c->json && n > 1)
		printf("%zu of %zu files solve the lab\n", solved, n);
	if (c->json)
		json_out(json_pack("{s:s, s:s, s:s, s:i, s:O}", "schema", "warpbeam.lab/1", "lab", lab->name, "title",
				   lab->title, "solved", (int)solved, "files", files), NULL);
	json_decref(files);
	return status != WB_OK ? status : solved == n ? WB_OK : WB_FAILED;
}

/* ---- a lecturer's lab, proved ---- */

/* Comment lines above the program with a misspelled word of a part: its text would be prose, or nothing. */
static enum wb_status misspelled(const struct lab *lab, const char *path)
{
	static const char *const parts[] = {"question", "hint", "goal", "expect", "solution", NULL};
	enum wb_status status = WB_OK;
	const char *at = lab->text;
	for (int line = 1; !strncmp(at, "//", 2) || *at == '\n'; line++) {
		const char *said = at + (*at == '/' ? 2 : 0);
		said += strspn(said, " \t");
		size_t n = strspn(said, "abcdefghijklmnopqrstuvwxyz");
		char word[16] = "";
		snprintf(word, sizeof word, "%.*s", said[n] == ':' ? (int)n : 0, said);
		const char *near = *word ? wb_nearest(word, parts) : NULL;
		if (near && strcmp(near, word) != 0)
			status = complain(WB_INPUT, "%s:%d: '%s:' is no part of a lab; did you mean '%s:'?",
					  shown(path), line, word, near);
		if (!strcmp(word, "solution") || !(at = strchr(at, '\n')))
			break;
		at++;
	}
	return status;
}

static json_t *judge_text(const struct cli *c, const struct lab *lab, const char *text, enum wb_status *status)
{
	struct session s = {.path = NULL};
	session_load_text(&s, lab->name, text, strlen(text), c->config);
	json_t *o = lab_judge(lab, c, &s, status);
	session_close(&s);
	return o;
}

/* A lab is right if the solution meets all goals and the handout misses one: both are tried, as no student will say. */
static enum wb_status prove(const struct cli *c, const struct lab *lab, const char *path)
{
	enum wb_status status, begun = WB_OK, misspelt = misspelled(lab, path);
	json_t *solution = judge_text(c, lab, lab->solution, &status);
	json_t *handout = status == WB_OK ? judge_text(c, lab, lab->handout, &begun) : json_object();
	if (status == WB_ENV) {
		printf("Not tried here: %s\n", member(solution, "error"));
		status = WB_OK;
	} else if (!json_is_true(json_object_get(solution, "solved"))) {
		printf("\nThe lab's own solution:\n");
		print_verdict(c, solution);
		status = status == WB_OK ? WB_FAILED : WB_INPUT;
	} else if (json_is_true(json_object_get(handout, "solved"))) {
		status = complain(WB_FAILED, "%s: the handout meets all goals already", shown(path));
	} else {
		printf("Tried:    the solution meets all goals, the handout %d of %zu\n",
		       (int)json_integer_value(json_object_get(handout, "met")), lab->ngoals);
	}
	json_decref(solution);
	json_decref(handout);
	return misspelt != WB_OK ? misspelt : status;
}

/* ---- the list ---- */

/* The state of a bundled lab in this folder, added to that of its other variant. */
static void add_state(const struct cli *c, const struct lab *lab, json_t *o)
{
	enum wb_status status;
	bool begun = access(lab->name, F_OK) == 0;
	struct cli silent = *c;
	silent.quiet = true;
	json_t *verdict = begun ? lab_judge_file(&silent, lab, lab->name, &status) : NULL;
	int64_t met = json_integer_value(json_object_get(verdict, "met"));
	if (begun)
		json_object_set_new(o, "begun", json_true());
	if (json_is_true(json_object_get(verdict, "solved")))
		json_object_set_new(o, "solved", json_true());
	if (met > json_integer_value(json_object_get(o, "met")))
		json_object_set_new(o, "met", json_integer(met));
	json_decref(verdict);
}

static void print_state(const struct cli *c, size_t number, json_t *o)
{
	bool solved = json_is_true(json_object_get(o, "solved"));
	const char *title = member(o, "title"), *colon = strstr(title, ": ");
	char state[40] = "not begun";
	if (solved)
		snprintf(state, sizeof state, "solved");
	else if (json_is_true(json_object_get(o, "begun")))
		snprintf(state, sizeof state, "%d of %d goals met", (int)json_integer_value(json_object_get(o, "met")),
			 (int)json_integer_value(json_object_get(o, "goals")));
	printf("  %zu  %s%-16s%s %-46s %s%s%s\n", number, tint(c, TINT_BOLD), member(o, "name"),
	       tint(c, TINT_NONE), colon ? colon + 2 : title, tint(c, solved ? TINT_GOOD : TINT_NONE), state,
	       tint(c, TINT_NONE));
}

/* A bundled lab, with its state. */
static json_t *about_lab(const struct cli *c, int index)
{
	json_t *o = json_pack("{s:i, s:s, s:b, s:b, s:i}", "number", index + 1, "name", lab_gallery[index].name,
			      "begun", false, "solved", false, "met", 0);
	for (int in_c = 0; in_c <= 1; in_c++) {
		int variant = lab_variant(index, in_c);
		struct lab lab;
		if (variant < 0)
			continue;
		if (lab_open_bundled(&lab, (size_t)variant)) {
			json_object_set_new(o, in_c ? "file_c" : "file", json_string(lab.name));
			json_object_set_new(o, "title", json_string(lab.title));
			json_object_set_new(o, "goals", json_integer((int)lab.ngoals));
			add_state(c, &lab, o);
		}
		lab_free(&lab);
	}
	return o;
}

static enum wb_status list(const struct cli *c)
{
	json_t *all = json_array();
	for (size_t i = 0; i < lab_bundled(); i++) {
		json_t *o = about_lab(c, (int)i);
		if (!c->json)
			print_state(c, i + 1, o);
		json_array_append_new(all, o);
	}
	enum wb_status status = WB_OK;
	if (c->json)
		status = json_out(json_pack("{s:s, s:O}", "schema", "warpbeam.labs/1", "labs", all), NULL);
	else
		puts("\n'warpbeam lab 1' writes the first one's program here and asks its question; with --language c "
		     "in OpenCL C (1 to 6).");
	json_decref(all);
	return status;
}

enum wb_status verb_lab(struct cli *c)
{
	struct lab lab = {.name = NULL};
	int index;
	if (cli_on(c, "marks"))
		return lab_marks(c);
	if (!c->noperands)
		return list(c);
	enum wb_status status = open_lab(&lab, c, &index);
	if (status == WB_OK && cli_on(c, "solution"))
		show_lines(stdout, lab.solution, strlen(lab.solution));
	else if (status == WB_OK && cli_on(c, "handout"))
		show_lines(stdout, lab.handout, strlen(lab.handout));
	else if (status == WB_OK && cli_given(c, "hint"))
		status = hint(c, &lab);
	else if (status == WB_OK && c->noperands > 1)
		status = check(c, &lab, index);
	else if (status == WB_OK && index >= 0)
		status = begin(c, &lab, c->operands[0]);
	else if (status == WB_OK) {
		print_question(c, &lab, c->operands[0], false);
		status = prove(c, &lab, c->operands[0]);
	}
	lab_free(&lab);
	return status;
}
