/* Expectations: what an assembly file says, in lines `// expect: …`, that a run of it shows.
 * docs/reference/expectations.md is the language. */
#ifndef WB_FRONTENDS_CLI_EXPECT_H
#define WB_FRONTENDS_CLI_EXPECT_H

#include "frontends/cli/session.h"

struct expect_count {
	unsigned passed, failed;
};

/* Run the program that s has loaded once for each group of its expectations (a group begins at the first line and at
 * each `with` line), under the options of c and of the group, and compare. What does not hold is printed on stdout and
 * counted; the status says whether the comparison could be made at all. */
enum wb_status expect_check(const struct cli *c, struct session *s, const char *kernel, struct expect_count *count);

#endif
