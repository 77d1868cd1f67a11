/* Colours and bars of text output. A bar counts in eighths of a column where the terminal's character set is UTF-8,
 * which has blocks for them, and in whole columns of '#' elsewhere. */
#include "frontends/cli/cli.h"

#include <langinfo.h>
#include <string.h>

const char *tint(const struct cli *c, enum tint t)
{
	static const char *const escape[] = {
		[TINT_NONE] = "\033[0m",   [TINT_BOLD] = "\033[1m",  [TINT_DIM] = "\033[2m",  [TINT_GOOD] = "\033[32m",
		[TINT_BAD] = "\033[1;31m", [TINT_WARM] = "\033[33m", [TINT_HOT] = "\033[31m",
	};
	return c->color ? escape[t] : "";
}

/* Draws a bar; returns its end, and how many columns it has. */
static char *draw(char *p, double share, unsigned width, unsigned *columns)
{
	/* Eighths of a column, where the terminal's character set has them. */
	static const char *const part[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
	bool blocks = !strcmp(nl_langinfo(CODESET), "UTF-8");
	unsigned eighths = (unsigned)(share * width * 8 + 0.5), whole = blocks ? eighths / 8 : (eighths + 4) / 8;
	for (*columns = 0; *columns < whole && *columns < width; ++*columns)
		p = stpcpy(p, blocks ? "█" : "#");
	if (blocks && *columns < width && eighths % 8) {
		p = stpcpy(p, part[eighths % 8]);
		++*columns;
	}
	*p = '\0';
	return p;
}

const char *bar(char *text, double share, unsigned width)
{
	unsigned columns;
	draw(text, share, width, &columns);
	return text;
}

const char *padded_bar(char *text, double share, unsigned width)
{
	unsigned columns;
	char *end = draw(text, share, width, &columns);
	sprintf(end, "%*s", (int)(width - columns), "");
	return text;
}

void csv_cell(FILE *f, const char *text, bool first)
{
	if (!first)
		fputc(',', f);
	if (!strpbrk(text, ",\"\r\n")) {
		fputs(text, f);
		return;
	}
	fputc('"', f);
	for (; *text; text++)
		fprintf(f, *text == '"' ? "\"\"" : "%c", *text);
	fputc('"', f);
}

const char *grouped(char *text, unsigned long long n)
{
	char digits[24];
	int count = snprintf(digits, sizeof digits, "%llu", n);
	char *p = text;
	for (int i = 0; i < count; i++) {
		if (i && (count - i) % 3 == 0)
			*p++ = ',';
		*p++ = digits[i];
	}
	*p = '\0';
	return text;
}
