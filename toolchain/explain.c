/* Programs in a language that the maker does not expect: told apart by the words of language.def's MISTAKEN, only after
 * the program has been refused. */
#include "toolchain/explain.h"

#include <ctype.h>
#include <string.h>

#include "core/base/diag.h"

static const struct mistaken {
	const char *words;
	bool line_start, in_assembly, in_opencl;
	const char *text;
} mistaken[] = {
#define MISTAKEN(words, begins, assembly, opencl, text) { words, begins, assembly, opencl, text },
#include "toolchain/language.def"
};

/* The next place of code at or behind p: comments and blanks are skipped. */
static const char *skip_comment(const char *p, const char *end)
{
	const char *close;

	if (end - p < 2 || p[0] != '/' || (p[1] != '/' && p[1] != '*'))
		return p;
	close = p[1] == '/' ? memchr(p, '\n', (size_t)(end - p)) : memmem(p + 2, (size_t)(end - p) - 2, "*/", 2);
	return !close ? end : p[1] == '/' ? close : close + 2;
}

static bool begins(const char *p, const char *end, const char *words)
{
	for (const char *w = words, *stop; *w; w = stop + (*stop == '|')) {
		stop = w + strcspn(w, "|");
		if (end - p >= stop - w && !strncmp(p, w, (size_t)(stop - w)))
			return true;
	}
	return false;
}

static bool has(const char *text, size_t n, const struct mistaken *l)
{
	bool first = true;

	for (const char *p = text, *end = text + n; p < end; p++) {
		const char *code = skip_comment(p, end);
		bool within = p > text && (isalnum((unsigned char)p[-1]) || p[-1] == '_');
		if (code != p) {
			p = code - 1;
			continue;
		}
		if ((first || (!l->line_start && !within)) && begins(p, end, l->words))
			return true;
		first = *p == '\n' || (first && (*p == ' ' || *p == '\t'));
	}
	return false;
}

/* Line and text of the first word of code; NULL: the code does not have the word. */
static const char *find_code(const char *text, size_t n, const char *word, int *line)
{
	size_t length = strlen(word);

	for (const char *p = text, *end = text + n; p < end; p++) {
		const char *code = skip_comment(p, end);
		bool within = p > text && (isalnum((unsigned char)p[-1]) || p[-1] == '_');
		if (code != p)
			p = code - 1;
		else if (!within && (size_t)(end - p) >= length && !strncmp(p, word, length)) {
			*line = 1;
			for (const char *q = text; q < p; q++)
				*line += *q == '\n';
			return p;
		}
	}
	return NULL;
}

void opencl_explain(const char *text, size_t n, struct diag *d)
{
	int line;
	const char *p, *name, *end = text + n;
	bool printf_lacks = strstr(d->text, "printf");

	if (printf_lacks && find_code(text, n, "printf", &line)) {
		diag_text(d, line, 0, "printf needs a runtime that is not here: store the value to a buffer and print "
			  "that with --show, or stop there: warpbeam debug, break :%d, print", line);
		return;
	}
	if (printf_lacks || find_code(text, n, "__kernel", &line) || find_code(text, n, "kernel", &line) ||
	    !(p = find_code(text, n, "void", &line)))
		return;
	for (name = p + strlen("void"); name < end && isspace((unsigned char)*name);)
		name++;
	for (p = name; p < end && (isalnum((unsigned char)*p) || *p == '_');)
		p++;
	if (p > name && p < end && *p == '(')
		diag_text(d, line, 0, "no function is a kernel; `%.*s` would be one as `__kernel void %.*s(`",
			  (int)(p - name), name, (int)(p - name), name);
}

bool languages_explain(const char *text, size_t n, bool opencl, struct diag *d)
{
	struct diag found = *d;

	for (size_t i = 0; i < sizeof mistaken / sizeof *mistaken; i++) {
		const struct mistaken *l = &mistaken[i];
		if (!(opencl ? l->in_opencl : l->in_assembly) || !has(text, n, l))
			continue;
		diag_set(d, DIAG_INPUT, "%s", l->text);
		memcpy(d->file, found.file, sizeof d->file);
		d->line = found.line;
		d->column = found.column;
		return true;
	}
	return false;
}
