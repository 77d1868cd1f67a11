/* A lab as HTML: frontends/web/lab.js fills in the verdicts. */
#include "frontends/cli/page_lab.h"

#include <stdlib.h>
#include <string.h>

#include "frontends/cli/html.h"

/* Prose with `words` of a program as code; an empty line ends a paragraph. */
static void write_prose(FILE *f, const char *prose)
{
	char *copy = strdup(prose), *rest = copy, *piece;
	bool code = false;

	for (char *end; (end = strstr(copy, "\n\n"));)
		memcpy(end, "\f\f", 2);
	fputs("<p>", f);
	while ((piece = strsep(&rest, "`"))) {
		char *paragraph;
		while ((paragraph = strstr(piece, "\f\f"))) {
			*paragraph = '\0';
			html_text(f, piece);
			fputs("</p>\n<p>", f);
			piece = paragraph + 2;
		}
		html_text(f, piece);
		if (rest)
			fputs(code ? "</code>" : "<code>", f);
		code = !code;
	}
	fputs("</p>\n", f);
	free(copy);
}

static void write_goals(FILE *f, const struct lab *lab)
{
	fputs("<h3 id=\"goals-title\">Goals</h3>\n<ul id=\"goals\" aria-labelledby=\"goals-title\">\n", f);
	for (size_t i = 0; i < lab->ngoals; i++) {
		fputs("<li><span class=\"state\">open</span> <span>", f);
		html_text(f, lab->goal[i].text);
		fputs("</span><ul></ul></li>\n", f);
	}
	fputs("</ul>\n<p id=\"verdict\" role=\"status\" aria-live=\"polite\"></p>\n", f);
}

static void write_folded(FILE *f, const struct lab *lab)
{
	for (size_t i = 0; i < lab->nhints; i++) {
		fprintf(f, "<details><summary>Hint %zu of %zu</summary>\n", i + 1, lab->nhints);
		write_prose(f, lab->hint[i]);
		fputs("</details>\n", f);
	}
	fputs("<details id=\"solution\"><summary>Solution</summary>\n<pre>", f);
	html_text(f, lab->solution);
	fputs("</pre>\n<button type=\"button\" id=\"take\">Put it into the editor</button></details>\n", f);
}

char *page_lab(const struct lab *lab)
{
	char *text;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	if (!f)
		no_memory();
	if (lab->text) {
		fputs("<section id=\"lab\" aria-labelledby=\"lab-title\">\n<h2 id=\"lab-title\">", f);
		html_text(f, lab->title);
		fputs("</h2>\n", f);
		write_prose(f, lab->question);
		write_goals(f, lab);
		write_folded(f, lab);
		fputs("</section>", f);
	}
	fclose(f);
	return text;
}
