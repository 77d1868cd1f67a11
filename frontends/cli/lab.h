/* Labs: exercises in one text each, a program with a question, hints, goals that expectations decide, and a solution.
 * docs/reference/labs.md has the form. */
#ifndef WB_FRONTENDS_CLI_LAB_H
#define WB_FRONTENDS_CLI_LAB_H

#include <jansson.h>

#include "frontends/cli/session.h"

struct lab_goal {
	char *text;
	int line;               /* of the `goal:` in the lab's text, from 1 */
	unsigned nexpectations; /* statements that decide */
};

struct lab {
	const char *name;       /* name of the file */
	char *text;             /* whole text, n bytes and a 0 */
	size_t n;
	char *title, *question; /* paragraphs of the question are separated by an empty line */
	char **hint;
	size_t nhints;
	struct lab_goal *goal;
	size_t ngoals;
	char *program;          /* title and code */
	char *handout;          /* the same with question and goals, to be copied into a folder */
	char *solution;         /* a whole program */
};

/* Whether a text is meant as a lab: there are a question and expectations. */
bool lab_text(const char *text);
/* Take a lab's text apart; `name` must outlive the lab. False: *d says which part is missing, or which line stands at a
 * wrong place. lab_free in both cases. */
bool lab_read(struct lab *lab, const char *name, const char *text, size_t n, struct wb_diag *d);
void lab_free(struct lab *lab);

/* Judge a program, loaded by s or not (s->diag then says why), by the goals of a lab:
 *     { "file", "exit", "solved", "met", "goals": [{ "goal", "met", "lines": [verdicts of expect.h] }],
 *       "error": text of a program that cannot be run, or of a run that ended before its end }
 * A run has at most LAB_INSNS warp instructions, unless the configuration says otherwise. *status: whether the
 * comparison could be made; WB_INPUT: the lab itself is in error, and the message has been printed. */
#define LAB_INSNS "1000000"
json_t *lab_judge(const struct lab *lab, const struct cli *c, struct session *s, enum wb_status *status);
/* The same of a file. */
json_t *lab_judge_file(const struct cli *c, const struct lab *lab, const char *path, enum wb_status *status);

/* Labs that come with Warpbeam: the number of those in assembly; the index by a number from 1 or a name, -1: the word
 * is neither. */
size_t lab_bundled(void);
int lab_bundled_index(const char *word);
/* Whether a file's name is that of a program in OpenCL C; the index of the same lab in C or assembly, -1: none. */
bool lab_in_c(const char *file);
int lab_variant(int index, bool in_c);
/* False: the error has been printed. lab_free in both cases. */
bool lab_open_bundled(struct lab *lab, size_t index);

/* lab --marks: judge the files of a class, each by the lab of its name, or all by one lab. */
enum wb_status lab_marks(const struct cli *c);

#endif
