/* A compiled program has up to two texts: the one that people wrote, and the one that a compiler made of it. */
#include "toolchain/source.h"

#include <stdio.h>
#include <string.h>

#include "core/base/text.h"

/* A file that the program names as its source: below the program's folder, as written, or beside the program. *refused
 * is why a file that exists is not read; its kind is DIAG_OK where there is none. */
static const uint8_t *read_source(const struct build *b, const char *name, size_t *n, struct diag *refused)
{
	const char *program = b->image->file, *slash = strrchr(program, '/'), *last = strrchr(name, '/');
	int folder = slash ? (int)(slash - program) + 1 : 0;
	char paths[3][512] = { "" };
	uint8_t *bytes = NULL;
	bool found = false;

	if (*name != '/')
		snprintf(paths[0], sizeof paths[0], "%.*s%s", folder, program, name);
	snprintf(paths[1], sizeof paths[1], "%s", name);
	snprintf(paths[2], sizeof paths[2], "%.*s%s", folder, program, last ? last + 1 : name);
	for (unsigned i = 0; i < 3 && !found; i++) {
		struct diag quiet = { 0 };
		bool whole = *paths[i] && strlen(paths[i]) < sizeof paths[i] - 1;
		found = whole && b->options->read(b->options->context, paths[i], &bytes, n, &quiet);
		if (quiet.kind == DIAG_INPUT)
			*refused = quiet;
	}
	return found ? bytes : NULL;
}

/* Without its source a program is shown by what the compiler made of it: the warning has the reason and the way out. */
static bool warn_of_source(struct build *b, const struct diag *refused)
{
	struct image *im = b->image;
	struct image_warning *w;

	if (refused->kind == DIAG_OK || b->options->files_given || b->options->files == FILES_NONE)
		return true;
	w = image_push(&im->arena, &im->warnings, &im->nwarnings);
	if (w)
		*w = (struct image_warning){ .text = arena_strdup(&im->arena, refused->text) };
	return w && w->text;
}

bool source_find(struct build *b)
{
	struct image *im = b->image;
	const char *name = im->beside_name ? im->beside_name : im->source ? NULL : im->source_name, *text;
	const uint8_t *bytes;
	struct diag refused = { 0 };
	size_t n;

	if (!name || im->beside)
		return true;
	bytes = read_source(b, name, &n, &refused);
	if (!bytes)
		return warn_of_source(b, &refused);
	text = arena_lines(&im->arena, (const char *)bytes, n);
	if (im->beside_name && !source_beside(im, text))
		text = NULL;
	im->source = text;
	return text;
}

bool source_beside(struct image *im, const char *text)
{
	uint32_t lines = 1;

	for (const char *p = im->source; (p = strchr(p, '\n')); p++)
		lines++;
	im->beside_line = ARENA_ARRAY(&im->arena, const char *, lines);
	if (!im->beside_line || !text)
		return false;
	for (const char *p = im->source; p; p = strchr(p, '\n'), p = p ? p + 1 : NULL)
		im->beside_line[im->nbeside_lines++] = p;
	for (size_t i = 0; i < im->nkernels; i++) {
		struct image_kernel *k = &im->kernels[i], was = *k;
		k->lines = was.beside_lines;
		k->nlines = was.nbeside;
		k->beside_lines = was.lines;
		k->nbeside = was.nlines;
	}
	im->beside = im->source;
	im->source = text;
	im->source_name = im->beside_name;
	im->beside_name = NULL;
	return true;
}
