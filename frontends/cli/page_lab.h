/* The part of a page about a lab. */
#ifndef WB_FRONTENDS_CLI_PAGE_LAB_H
#define WB_FRONTENDS_CLI_PAGE_LAB_H

#include "frontends/cli/lab.h"

/* Question, goals, hints and solution as HTML, hints and solution folded, which reads without scripts; "" for a lab
 * without text. output: name of the page; if it is that of a bundled lab, as lab2-loop.html, there are links to the
 * pages of the labs before and after. The caller frees the text. */
char *page_lab(const struct lab *lab, const char *output);

#endif
