/* Images: making, freeing and finding kernels in them. */
#include "core/image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/diag.h"
#include "core/base/symbol.h"

struct image *image_new(const char *file, const char *format, const char *machine)
{
	struct image *im = calloc(1, sizeof *im);
	if (!im)
		return NULL;
	im->format = format;
	im->machine = machine;
	im->pointer_bytes = 4;
	im->mode = "cp";
	im->file = arena_strdup(&im->arena, file ? file : "");
	if (!im->file) {
		image_free(im);
		return NULL;
	}
	return im;
}

void image_free(struct image *im)
{
	while (im) {
		struct image *next = im->next;
		arena_free(&im->arena);
		free(im->bytes);
		free(im);
		im = next;
	}
}

/* Capacity doubles at powers of two, so the count alone says when an array is full. */
void *image_grow(struct arena *a, void **array, size_t *count, size_t element)
{
	size_t n = *count;
	if (!(n & (n - 1))) {
		char *bigger = arena_alloc(a, (n ? 2 * n : 1) * element, 16);
		if (!bigger)
			return NULL;
		if (n)
			memcpy(bigger, *array, n * element);
		*array = bigger;
	}
	*count = n + 1;
	return (char *)*array + n * element;
}

/* Does a kernel of im's chain before kernel `index` of `until` have the name already? */
static bool named_before(const struct image *im, const struct image *until, size_t index, const char *name)
{
	for (; im; im = im->next) {
		size_t n = im == until ? index : im->nkernels;
		for (size_t i = 0; i < n; i++) {
			if (!strcmp(im->kernels[i].name, name))
				return true;
		}
		if (im == until)
			break;
	}
	return false;
}

/* Kernel names of a chain, each once, as many as fit. */
static void list_names(const struct image *first, char *text, size_t size)
{
	size_t used = 0;
	text[0] = '\0';
	for (const struct image *im = first; im; im = im->next) {
		for (size_t i = 0; i < im->nkernels && used < size - 1; i++) {
			const char *name = im->kernels[i].name;
			if (named_before(first, im, i, name))
				continue;
			int n = snprintf(text + used, size - used, "%s%s", used ? ", " : "", name);
			used += (size_t)n < size - used ? (size_t)n : size - used - 1;
		}
	}
}

/* Whether a kernel has the name, letter by letter: then symbols of C++ around the name are others' names. */
static bool is_exact(const struct image *first, const char *name)
{
	for (const struct image *im = first; name && im; im = im->next)
		for (size_t i = 0; i < im->nkernels; i++)
			if (!strcmp(im->kernels[i].name, name))
				return true;
	return false;
}

const struct image_kernel *image_find(const struct image *first, const char *name, image_rank_fn *rank,
				      const void *context, const struct image **owner, struct diag *d)
{
	const struct image_kernel *found = NULL;
	const struct image *in = NULL;
	bool several = false, exact = is_exact(first, name);
	for (const struct image *im = first; im; im = im->next) {
		for (size_t i = 0; i < im->nkernels; i++) {
			const struct image_kernel *k = &im->kernels[i];
			if (name && (exact ? strcmp(k->name, name) != 0 : !symbol_is(k->name, name)))
				continue;
			several |= found && strcmp(found->name, k->name);
			if (!found || (rank && rank(im, context) > rank(in, context))) {
				found = k;
				in = im;
			}
		}
	}
	if (found && !several) {
		if (owner)
			*owner = in;
		return found;
	}
	char names[256];
	list_names(first, names, sizeof names);
	if (name && !found)
		diag_set(d, DIAG_USAGE, "no kernel `%.60s`; there is: %s", name, names[0] ? names : "none");
	else if (found)
		diag_set(d, DIAG_USAGE, "several kernels; choose one with --kernel: %s", names);
	else
		diag_set(d, DIAG_INPUT, "no kernel in the file");
	diag_in_file(d, first ? first->file : NULL);
	return NULL;
}

bool image_short_pointers(const struct image_kernel *k)
{
	for (size_t i = 0; i < k->nparams; i++)
		if (k->params[i].size == 4 && k->params[i].kind && !strcmp(k->params[i].kind, "global_buffer"))
			return true;
	return false;
}
