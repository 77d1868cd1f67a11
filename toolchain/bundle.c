/* Offload bundles, for themselves and inside executables, objects and libraries of HIP: a source each, with code for
 * several chips. The first code of each that the wanted chip runs is taken, without one the first for any chip here. */
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "core/load/load.h"
#include "core/load/offload_bundle.h"
#include "toolchain/files.h"
#include "toolchain/language.h"

bool bundle_sniff(const uint8_t *bytes, size_t size)
{
	struct bundle_search s = { .bytes = bytes, .size = size };
	struct bundle_entry e;

	if (bundle_begins(bytes, size))
		return true;
	return size >= 20 && (!memcmp(bytes, "\177ELF", 4) || !memcmp(bytes, "!<arch>\n", 8)) && bundle_next(&s, &e);
}

/* What has been taken of the bundles so far. */
struct taking {
	struct images images;
	unsigned taken_bundle;   /* bundle whose code was taken last, + 1 */
	struct diag refusal;     /* of the last code that was not taken */
	char targets[200];       /* targets of code that was not taken */
};

static bool is_wanted(const struct build *b)
{
	const char *chip = b->options->chip;

	return !chip || !b->image->chip || !strcmp(chip, b->image->chip);
}

/* Take an entry of a bundle of which nothing has been taken. False: the host has no memory. */
static bool take(struct build *b, struct taking *t, const struct bundle_entry *e)
{
	size_t used = strlen(t->targets);
	const char *name = memrchr(e->target, '-', e->target_size);
	int n = name ? (int)(e->target + e->target_size - name - 1) : 0;

	if (t->taken_bundle == e->bundle + 1)
		return true;
	if (file_load(b, e->bytes, e->size, "code-object", NULL) && is_wanted(b)) {
		b->image->offset = e->offset;
		t->taken_bundle = e->bundle + 1;
		images_take(&t->images, b);
		return true;
	}
	image_free(b->image);
	b->image = NULL;
	t->refusal = *b->diag;
	if (used + (size_t)n + 3 < sizeof t->targets)
		sprintf(t->targets + used, "%s%.*s", used ? ", " : "", n, name ? name + 1 : "");
	return b->diag->kind != DIAG_ENV;
}

/* The diagnostic of files without code for the chip. */
static bool nothing(struct build *b, const struct taking *t)
{
	char targets[sizeof t->targets];

	if (!b->options->chip && t->refusal.kind) {
		*b->diag = t->refusal;
		return false;
	}
	if (!*t->targets)
		return diag_set(b->diag, DIAG_INPUT, "an offload bundle without code of AMD chips, or with entries "
				"beyond the end of the file");
	text_clean(t->targets, strlen(t->targets), "", targets, sizeof targets);
	return diag_set(b->diag, DIAG_INPUT, "the file has code for %s; expected code for %s: give the compiler "
			"--offload-arch=gfx900", targets, b->options->chip ? b->options->chip : "one of the chips");
}

bool bundle_make(struct build *b)
{
	struct bundle_search s = { .bytes = (const uint8_t *)b->bytes, .size = b->size };
	struct taking t = { 0 };
	struct bundle_entry e;
	bool ok = true;

	while (ok && bundle_next(&s, &e))
		ok = take(b, &t, &e);
	if (ok && !t.images.begin)
		ok = nothing(b, &t);
	b->image = t.images.begin;
	if (ok)
		diag_clear(b->diag);
	return ok || diag_in_file(b->diag, b->name);
}
