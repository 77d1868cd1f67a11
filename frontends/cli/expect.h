/* Expectations: what a run of a program must show, said in its own text in lines `// expect: …`, or in a file apart
 * from it. docs/reference/expectations.md is the language. */
#ifndef WB_FRONTENDS_CLI_EXPECT_H
#define WB_FRONTENDS_CLI_EXPECT_H

#include "frontends/cli/session.h"

struct expect_count {
	unsigned passed, failed, wrong; /* wrong: lines in error */
};

/* Run the program that s has loaded once for each group of expectations (a group begins at the first line and at each
 * `with` line), under the options of c and of the group, with these arguments (none: those of the program), and
 * compare. file holds the expectations; NULL: they are the program's own. What does not hold is printed on stdout and
 * counted; the status says whether the comparison could be made at all. */
enum wb_status expect_check(const struct cli *c, struct session *s, const char *file, const char *kernel,
			    const char *const *args, struct expect_count *count);

#endif
