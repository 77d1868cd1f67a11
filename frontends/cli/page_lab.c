/* A lab as HTML: frontends/web/lab.js fills in the verdicts. */
#include "frontends/cli/page_lab.h"

#include <stdlib.h>
#include <string.h>

#include "frontends/cli/gallery.h"
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

static void write_link(FILE *f, const char *relation, const char *sign, const struct example *e)
{
	const char *title = e->text + strspn(e->text, "/ ");
	char *line = strndup(title, strcspn(title, "\n"));

	fprintf(f, "<a rel=\"%s\" href=\"%s.html\">%s ", relation, e->name, sign);
	html_text(f, line);
	fputs("</a>\n", f);
	free(line);
}

/* Links to the labs before and after, whose pages stand beside a page with the name of its lab. */
static void write_links(FILE *f, const struct lab *lab, const char *output)
{
	const char *slash = strrchr(output, '/'), *page = slash ? slash + 1 : output;
	size_t i = 0, n;

	while (lab_gallery[i].name && strcmp(lab_gallery[i].file, lab->name) != 0)
		i++;
	n = lab_gallery[i].name ? strlen(lab_gallery[i].name) : 0;
	if (!n || strncmp(page, lab_gallery[i].name, n) != 0 || strcmp(page + n, ".html") != 0)
		return;
	fputs("<nav aria-label=\"labs\">\n", f);
	if (i && lab_in_c(lab_gallery[i - 1].file) == lab_in_c(lab->name))
		write_link(f, "prev", "←", &lab_gallery[i - 1]);
	if (lab_gallery[i + 1].name && lab_in_c(lab_gallery[i + 1].file) == lab_in_c(lab->name))
		write_link(f, "next", "→", &lab_gallery[i + 1]);
	fputs("</nav>\n", f);
}

char *page_lab(const struct lab *lab, const char *output)
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
		write_links(f, lab, output);
		fputs("</section>", f);
	}
	text_close(f, &text);
	return text;
}
