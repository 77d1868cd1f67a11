/* Expectations of a program's run, in lines `// expect: …` of the program's text, or in a separate file.
 * docs/reference/expectations.md is the language. */
#ifndef WB_FRONTENDS_CLI_EXPECT_H
#define WB_FRONTENDS_CLI_EXPECT_H

#include <jansson.h>

#include "frontends/cli/session.h"

/* The verdict about a line. */
struct expect_verdict {
	bool wrong;             /* the line itself is in error, whatever the run gives */
	bool number;            /* the line is about one number, `found` */
	double found;
	char why[400];          /* after a failure: the value found, or the error of the line */
	char sentence[800];     /* the value found and the value asked for, for people */
};
/* Whether a statement holds for the session's run, which is over (expect_line.c). */
bool expect_line(const struct session *s, const char *line, struct expect_verdict *v);

struct expect_count {
	unsigned passed, failed, wrong; /* wrong: lines in error */
	unsigned runs;          /* of the program, up to now */
	json_t *lines;          /* array that gets an object for each judged line; NULL: failures are printed */
	bool wrong_elsewhere;   /* lines in error have been printed with another program */
};

/* A text of expectations, which is overwritten. */
struct expect_source {
	const char *name;
	char *text;
	bool program;           /* lines of code, with expectations in `// expect:` lines alone */
};
/* Run the program loaded by s once for each group of expectations (a group begins at the first line and at each `with`
 * line), under the options of c and of the group, with the given arguments (none: the program's), and compare. from
 * NULL: the program's own expectations. Failures are counted, and printed on stdout or added to count->lines; the
 * status says whether the comparison could be made at all. */
enum wb_status expect_check(const struct cli *c, struct session *s, const struct expect_source *from,
			    const char *kernel, const char *const *args, struct expect_count *count);
/* --check-expect and --expect of the verb run, for all of its files (mark.c). */
enum wb_status mark(const struct cli *c);

#endif
