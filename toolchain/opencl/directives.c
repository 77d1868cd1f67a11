/* Launch directives in an OpenCL C source: comments in the words of the assembler's directives, for all kernels of the
 * source. The compiler ignores comments.
 *
 *     // .chip g200                       for want of --chip
 *     // .grid 4,3,2
 *     // .block 16,16
 *     // .arg zero=12288                  a comment behind two blanks
 *     // expect: warp_execution_efficiency > 0.3 */
#include "toolchain/opencl/directives.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/near.h"
#include "core/machines/registry.h"

struct lines {
	const char **line;
	size_t n;
};

static bool keep(struct arena *a, struct lines *to, const char *text, size_t n)
{
	const char **p = image_push(a, &to->line, &to->n);
	char *copy = arena_alloc(a, n + 1, 1);

	if (!p || !copy)
		return false;
	memcpy(copy, text, n);
	copy[n] = '\0';
	*p = copy;
	return true;
}

static bool sizes(const char *p, unsigned most, uint32_t *out)
{
	char *end;

	for (unsigned i = 0; i < 3; i++)
		out[i] = 1;
	for (unsigned i = 0; i < most; i++, p = end + 1) {
		unsigned long v = *p >= '1' && *p <= '9' ? strtoul(p, &end, 10) : 0;
		if (!v || v > UINT32_MAX)
			return false;
		out[i] = (uint32_t)v;
		if (*end != ',')
			return strchr(" \t\r\n", *end) || !*end;
	}
	return false;
}

/* A comment that begins like a directive and is none, one or two letters off: a warning. */
static bool misspelled(struct image *im, const char *p, size_t n, int row)
{
	static const char *const words[] = { ".chip", ".grid", ".block", ".arg", "expect:" };
	struct near near = { .word = p, .n = strcspn(p, " \t\r\n") };
	struct image_warning *w;
	char text[128];

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		near_try(&near, words[i], strlen(words[i]));
	if (near.n > n || near.n + 1 < strlen(".arg") || !near.best || !near.distance ||
	    (*p != '.' && p[near.n - 1] != ':'))
		return true;
	w = image_push(&im->arena, &im->warnings, &im->nwarnings);
	snprintf(text, sizeof text, "'%.*s' is a comment; did you mean '%.*s'?", (int)near.n, p, (int)near.nbest,
		 near.best);
	if (w)
		*w = (struct image_warning){ (uint32_t)row, 4, arena_strdup(&im->arena, text) };
	return w && w->text;
}

/* The directive from p to `end`, without what stands behind two blanks. */
static size_t directive_length(const char *p, const char *end)
{
	size_t n = (size_t)(end - p);

	for (size_t i = 0; i + 1 < n && strncmp(p, "expect:", 7); i++)
		n = p[i] == ' ' && p[i + 1] == ' ' ? i : n;
	while (n && strchr(" \t\r", p[n - 1]))
		n--;
	return n;
}

/* A line of the text: the name behind "// .chip "; NULL: another line. */
static char *chip_of(struct arena *a, const char *line, const char *end)
{
	static const char word[] = "// .chip ";
	size_t n = sizeof word - 1;

	if (strncmp(line, word, n) != 0)
		return NULL;
	line += n;
	n = directive_length(line, end);
	char *name = arena_memdup(a, line, n + 1);
	if (name)
		name[n] = '\0';
	return name;
}

bool directives_chip(struct build *b, struct build_options *own)
{
	const char *chip = NULL;
	int row = 1, chip_row = 0;

	*own = *b->options;
	for (const char *p = b->bytes, *end; !own->chip && *p; p = end + (*end == '\n'), row++) {
		end = p + strcspn(p, "\n");
		const char *name = chip_of(b->arena, p, end);
		if (name) {
			chip = name;
			chip_row = row;
		}
	}
	if (chip && !isa_of_chip(chip))
		return diag_text(b->diag, chip_row, 10,
				 ".chip: found no chip '%.40s'; 'warpbeam run --help' lists the chips", chip);
	own->chip = own->chip ? own->chip : chip;
	b->options = own;
	return true;
}

static void put_launch(struct image *im, const struct image_launch *launch)
{
	for (size_t i = 0; i < im->nkernels; i++) {
		struct image_launch *to = &im->kernels[i].launch;
		if (launch->grid[0])
			memcpy(to->grid, launch->grid, sizeof to->grid);
		if (launch->block[0])
			memcpy(to->block, launch->block, sizeof to->block);
		to->args = launch->args;
		to->expect = launch->expect;
	}
}

bool directives_take(struct image *im, const char *text, struct diag *d)
{
	struct lines args = { NULL, 0 }, expect = { NULL, 0 };
	struct image_launch launch = { 0 };
	int row = 1;
	bool ok = true;

	for (const char *p = text, *end; ok && *p; p = end + (*end == '\n'), row++) {
		size_t n;
		end = p + strcspn(p, "\n");
		if (strncmp(p, "// ", 3))
			continue;
		p += 3;
		n = directive_length(p, end);
		if (!strncmp(p, ".grid ", 6) && !sizes(p + 6, 3, launch.grid))
			return diag_text(d, row, 10, "expected .grid X, X,Y or X,Y,Z");
		if (!strncmp(p, ".block ", 7) && !sizes(p + 7, 3, launch.block))
			return diag_text(d, row, 11, "expected .block X, X,Y or X,Y,Z");
		ok = misspelled(im, p, n, row);
		if (!strncmp(p, ".arg ", 5))
			ok = ok && keep(&im->arena, &args, p + 5, n - 5);
		if (!strncmp(p, "expect: ", 8))
			ok = ok && keep(&im->arena, &expect, p + 8, n - 8);
	}
	ok = ok && (!args.n || image_push(&im->arena, &args.line, &args.n)) &&
	     (!expect.n || image_push(&im->arena, &expect.line, &expect.n));
	launch.args = args.line;
	launch.expect = expect.line;
	if (ok)
		put_launch(im, &launch);
	return ok;
}
