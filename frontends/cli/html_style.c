/* Style sheet and script of a page, from report.css and report.js, and the colours of stalls. */
#include <string.h>

#include "frontends/cli/gallery.h"
#include "frontends/cli/html.h"
#include "frontends/view/pane.h"

static const char *file(const char *name)
{
	const struct example *e = page_files;
	while (strcmp(e->file, name))
		e++;
	return e->text;
}

static void stalls(FILE *f, const char *theme)
{
	const struct theme *t = theme_find(theme);
	for (unsigned i = 0; wb_stall_name(i); i++)
		fprintf(f, ".s%u{fill:#%06x;background:#%06x}\n", i, stall_colour(t, i) & 0xffffff,
			stall_colour(t, i) & 0xffffff);
}

void html_style(FILE *f)
{
	fprintf(f, "<style>\n%s", file("report.css"));
	stalls(f, "light");
	fputs("@media screen and (prefers-color-scheme:dark){\n", f);
	stalls(f, "dark");
	fputs("}\n</style>\n", f);
}

void html_script(FILE *f)
{
	fprintf(f, "<script>\n%s</script>\n", file("report.js"));
}
