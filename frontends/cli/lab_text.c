/* Parts of a lab's text. A part begins with a comment line `// WORD: …` and goes on over the comment lines below, to
 * the next such line or to the first line that is no comment; the solution goes on to the end of the text. */
#include "frontends/cli/lab.h"

#include <stdlib.h>
#include <string.h>

enum part { PART_CODE, PART_QUESTION, PART_HINT, PART_GOAL, PART_EXPECT, PART_SOLUTION, PARTS };
static const char *const words[PARTS] = {
	[PART_QUESTION] = "question:", [PART_HINT] = "hint:", [PART_GOAL] = "goal:", [PART_EXPECT] = "expect:",
	[PART_SOLUTION] = "solution:",
};

/* A text that grows by lines. */
struct text {
	char *bytes;
	size_t n;
	FILE *f;
};

static void text_begin(struct text *t)
{
	t->f = open_memstream(&t->bytes, &t->n);
	if (!t->f)
		no_memory();
}

static char *text_end(struct text *t)
{
	if (fclose(t->f) || !t->bytes)
		no_memory();
	return t->bytes;
}

/* The text of a comment line behind `//` and a blank; NULL: the line is no comment. */
static const char *comment(const char *line)
{
	line += strspn(line, " \t");
	if (strncmp(line, "//", 2) != 0)
		return NULL;
	return line + 2 + (line[2] == ' ' || line[2] == '\t');
}

/* The part that a comment begins, and the text behind the part's word; PART_CODE: none. */
static enum part begins(const char *said, const char **rest)
{
	for (int p = PART_QUESTION; p < PARTS; p++)
		if (!strncmp(said, words[p], strlen(words[p]))) {
			*rest = said + strlen(words[p]);
			*rest += strspn(*rest, " \t");
			return (enum part)p;
		}
	return PART_CODE;
}

bool lab_text(const char *text)
{
	bool has[PARTS] = {false};
	for (const char *line = text; line; line = (line = strchr(line, '\n')) ? line + 1 : NULL) {
		const char *said = comment(line), *rest;
		if (said)
			has[begins(said, &rest)] = true;
	}
	return has[PART_QUESTION] && has[PART_EXPECT];
}

/* Add a line of prose: an empty line ends a paragraph. */
static void add_prose(char **prose, const char *line)
{
	size_t have = *prose ? strlen(*prose) : 0, n = strlen(line);
	const char *between = !have ? "" : !n ? "\n\n" : (*prose)[have - 1] == '\n' ? "" : " ";
	if (!n && have && (*prose)[have - 1] == '\n')
		between = "";
	*prose = grow(*prose, have + n + 3);
	sprintf(*prose + have, "%s%s", between, line);
}

/* Without empty lines at the end. */
static void trim(char *prose)
{
	size_t n = prose ? strlen(prose) : 0;
	while (n && prose[n - 1] == '\n')
		prose[--n] = '\0';
}

/* Where the parts of a text go. */
struct reader {
	struct lab *lab;
	struct text program, handout, solution;
	enum part part;
	int line;
	bool launched;          /* a `with` line has been read */
	const char *wrong;      /* first line at a wrong place, in words; NULL: none */
	int wrong_line;
	bool blank;             /* the latest line of the code was empty */
	bool code;              /* a line of code has been read: comments behind the line are the program's own */
};

/* A part begins: prose to which its lines are added. */
static char **new_prose(struct reader *r)
{
	struct lab *lab = r->lab;
	switch (r->part) {
	case PART_QUESTION:
		return &lab->question;
	case PART_HINT:
		lab->hint = grow(lab->hint, (lab->nhints + 1) * sizeof *lab->hint);
		lab->hint[lab->nhints] = NULL;
		return &lab->hint[lab->nhints++];
	case PART_GOAL:
		lab->goal = grow(lab->goal, (lab->ngoals + 1) * sizeof *lab->goal);
		lab->goal[lab->ngoals] = (struct lab_goal){.line = r->line};
		return &lab->goal[lab->ngoals++].text;
	default:
		return NULL;
	}
}

/* An expectation decides about a goal, under the launch of a `with` line. */
static void read_expectation(struct reader *r, const char *statement)
{
	struct lab *lab = r->lab;
	bool with = !strncmp(statement, "with ", 5);
	const char *wrong = NULL;
	if (!with && !r->launched)
		wrong = "an expectation without a launch, expected a line '// expect: with …' above, with grid, block "
			"and arguments";
	else if (!with && !lab->ngoals)
		wrong = "an expectation without a goal, expected a line '// goal: …' above";
	if (wrong && !r->wrong) {
		r->wrong = wrong;
		r->wrong_line = r->line;
	}
	r->launched |= with;
	if (!with && lab->ngoals)
		lab->goal[lab->ngoals - 1].nexpectations++;
}

static void read_line(struct reader *r, const char *line, char ***prose)
{
	const char *said = comment(line), *rest = said;
	enum part next = said && r->part != PART_SOLUTION ? begins(said, &rest) : PART_CODE;
	if (r->part == PART_SOLUTION) {
		fprintf(r->solution.f, "%s\n", said ? said : line);
		return;
	}
	if (next != PART_CODE) {
		r->part = next;
		*prose = new_prose(r);
		if (next == PART_EXPECT)
			read_expectation(r, rest);
	} else if (!said) {
		r->part = PART_CODE;
	}
	if (*prose && r->part != PART_CODE)
		add_prose(*prose, rest);
	r->code |= !said;
	if (r->part == PART_CODE && !(r->blank && !*line) && (r->code || *rest))
		fprintf(r->program.f, "%s\n", line);
	if ((r->part == PART_CODE && !(r->blank && !*line)) || r->part == PART_QUESTION || r->part == PART_GOAL)
		fprintf(r->handout.f, "%s\n", line);
	r->blank = r->part == PART_CODE ? !*line : r->blank;
}

/* The part that a lab lacks; NULL: none. */
static const char *lacks(const struct lab *lab)
{
	return !lab->title ? "a title, the first comment line" : !lab->question ? "a line '// question: …'"
		: !lab->ngoals ? "a line '// goal: …'" : !*lab->solution ? "a line '// solution:' and a program below, "
									   "as comments" : NULL;
}

/* Whether the parts make a lab; otherwise *d says what is wrong. */
static bool whole(const struct reader *r, struct wb_diag *d)
{
	const struct lab *lab = r->lab;
	const char *missing = lacks(lab);
	*d = (struct wb_diag){.status = WB_INPUT, .offset = -1};
	snprintf(d->file, sizeof d->file, "%s", lab->name);
	if (missing)
		snprintf(d->text, sizeof d->text, "a lab has %s, and this text has none; docs/reference/labs.md",
			 missing);
	else if (r->wrong)
		snprintf(d->text, sizeof d->text, "found %s", r->wrong);
	if (r->wrong && !missing)
		d->line = r->wrong_line;
	for (size_t i = 0; !missing && !r->wrong && i < lab->ngoals; i++)
		if (!lab->goal[i].nexpectations) {
			d->line = lab->goal[i].line;
			snprintf(d->text, sizeof d->text, "found a goal that nothing decides, expected a line "
							  "'// expect: …' below");
			return false;
		}
	return !missing && !r->wrong;
}

static void read_lines(struct reader *r)
{
	char *copy = memcpy(grow(NULL, r->lab->n + 1), r->lab->text, r->lab->n + 1), *rest = copy;
	char **prose = NULL;
	for (char *line; (line = strsep(&rest, "\n")) && (rest || *line);) {
		line[strcspn(line, "\r")] = '\0';
		if (!r->line++ && comment(line))
			r->lab->title = strdup(comment(line));
		read_line(r, line, &prose);
	}
	trim(r->lab->question);
	for (size_t i = 0; i < r->lab->nhints; i++)
		trim(r->lab->hint[i]);
	for (size_t i = 0; i < r->lab->ngoals; i++)
		trim(r->lab->goal[i].text);
	free(copy);
}

bool lab_read(struct lab *lab, const char *name, const char *text, size_t n, struct wb_diag *d)
{
	*lab = (struct lab){.name = name, .n = n};
	lab->text = memcpy(grow(NULL, n + 1), text, n);
	lab->text[n] = '\0';
	struct reader r = {.lab = lab};
	text_begin(&r.program);
	text_begin(&r.handout);
	text_begin(&r.solution);
	read_lines(&r);
	lab->program = text_end(&r.program);
	lab->handout = text_end(&r.handout);
	lab->solution = text_end(&r.solution);
	return whole(&r, d);
}

void lab_free(struct lab *lab)
{
	for (size_t i = 0; i < lab->nhints; i++)
		free(lab->hint[i]);
	for (size_t i = 0; i < lab->ngoals; i++)
		free(lab->goal[i].text);
	free(lab->hint);
	free(lab->goal);
	free(lab->title);
	free(lab->question);
	free(lab->program);
	free(lab->handout);
	free(lab->solution);
	free(lab->text);
	*lab = (struct lab){.name = NULL};
}
