/* compile --explain: what became of each line of the source: statements of PTX and their instructions, in the order of
 * the source; registers, memory and joinats of each kernel. Read off the listing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontends/cli/compile_explain.h"

enum { INDENT_PTX = 4, INDENT_NATIVE = 8, SHOWN_MAX = 100 };

/* A line of text inside the listing. */
struct piece {
	const char *text;
	int size;
};

struct native {
	struct piece source, ptx, text;  /* size 0: none */
	long line, statement;            /* numbers of source and ptx; 0: none */
	size_t index;                    /* in the listing */
};

struct kernel_text {
	struct piece name;
	unsigned long regs, smem, lmem;
	unsigned joinats, spills;        /* accesses to l[] */
	struct native *native;
	size_t n, space;
};

static struct piece trimmed(const char *text, const char *end)
{
	while (text < end && (*text == ' ' || *text == '\t'))
		text++;
	while (end > text && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	return (struct piece){text, (int)(end - text > SHOWN_MAX ? SHOWN_MAX : end - text)};
}

static bool begins(struct piece p, const char *word)
{
	return (size_t)p.size >= strlen(word) && !memcmp(p.text, word, strlen(word));
}

static bool contains(struct piece p, const char *word)
{
	return p.text && memmem(p.text, (size_t)p.size, word, strlen(word));
}

static int by_source(const void *a, const void *b)
{
	const struct native *x = a, *y = b;

	return x->line != y->line             ? (x->line > y->line) - (x->line < y->line)
	       : x->statement != y->statement ? (x->statement > y->statement) - (x->statement < y->statement)
					      : (x->index > y->index) - (x->index < y->index);
}

static void print_instructions(const struct kernel_text *k, size_t i, size_t end)
{
	for (; i < end; i++) {
		const struct native *n = &k->native[i];
		if (n->ptx.size && (!i || k->native[i - 1].statement != n->statement ||
				    k->native[i - 1].line != n->line))
			printf("%*sptx %ld: %.*s\n", INDENT_PTX, "", n->statement, n->ptx.size, n->ptx.text);
		printf("%*s%.*s\n", INDENT_NATIVE, "", n->text.size, n->text.text);
	}
}

static void print_kernel(struct kernel_text *k)
{
	if (!k->name.size)
		return;
	printf("%.*s: %zu instructions, %lu registers, %lu bytes of s[], %lu of l[]; %u joinat, %u accesses to l[]\n",
	       k->name.size, k->name.text, k->n, k->regs, k->smem, k->lmem, k->joinats, k->spills);
	if (k->n)
		qsort(k->native, k->n, sizeof *k->native, by_source);
	for (size_t i = 0, end; i < k->n; i = end) {
		const struct native *n = &k->native[i];
		for (end = i; end < k->n && k->native[end].line == n->line; end++)
			;
		if (n->line)
			printf("%ld: %.*s  (%zu)\n", n->line, n->source.size, n->source.text, end - i);
		else
			printf("of no line  (%zu)\n", end - i);
		print_instructions(k, i, end);
	}
	printf("\n");
}

static bool add_native(struct kernel_text *k, struct native n)
{
	if (k->n == k->space) {
		size_t space = 2 * k->space + 256;
		struct native *more = realloc(k->native, space * sizeof *more);
		if (!more)
			return false;
		k->native = more;
		k->space = space;
	}
	n.index = k->n;
	k->native[k->n++] = n;
	k->joinats += contains(n.text, "joinat");
	k->spills += contains(n.text, " l[");
	return true;
}

/* "// 12: text" and "// ptx 12: text": a line of the source, a statement of PTX. */
static void read_comment(struct native *at, const char *text, const char *end)
{
	bool ptx = end - text > 4 && !memcmp(text, "ptx ", 4);
	char *colon;
	long number = strtol(text + (ptx ? 4 : 0), &colon, 10);

	if (number <= 0 || colon >= end || *colon != ':')
		return;
	struct piece p = trimmed(colon + 1, end);
	if (ptx) {
		at->statement = number;
		at->ptx = p;
	} else {
		at->line = number;
		at->source = p;
		at->statement = 0;
		at->ptx = (struct piece){NULL, 0};
	}
}

static void read_directive(struct kernel_text *k, struct piece line)
{
	unsigned long *number = begins(line, ".regs ")   ? &k->regs
				: begins(line, ".smem ") ? &k->smem
				: begins(line, ".lmem ") ? &k->lmem
							 : NULL;

	if (number)
		*number = strtoul(line.text + 6, NULL, 0);
}

bool explain_listing(const char *listing)
{
	struct kernel_text k = {.n = 0};
	struct native at = {.line = 0};
	bool good = true;

	for (const char *p = listing, *end; good && *p; p = end + (*end == '\n')) {
		end = strchrnul(p, '\n');
		struct piece line = trimmed(p, end);
		if (begins(line, ".kernel ")) {
			print_kernel(&k);
			k = (struct kernel_text){.native = k.native, .space = k.space};
			k.name = trimmed(line.text + 8, end);
			at = (struct native){.line = 0};
		} else if (begins(line, "// ")) {
			read_comment(&at, line.text + 3, end);
		} else if (*p == '.') {
			read_directive(&k, line);
		} else if (*p == '\t' && line.size) {
			at.text = line;
			good = add_native(&k, at);
		}
	}
	if (good)
		print_kernel(&k);
	free(k.native);
	return good;
}
