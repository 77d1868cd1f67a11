/* A program's way: its language is found by word, ending or contents (language.def), the language's maker fills an
 * image, and what every image needs comes after that. */
#include "toolchain/toolchain.h"

#include <stdlib.h>
#include <string.h>

#include "core/isa.h"
#include "core/load/image_file.h"
#include "core/machines/registry.h"
#include "toolchain/files.h"
#include "toolchain/language.h"
#include "toolchain/source_lines.h"

struct language {
	const char *word, *endings;
	bool (*sniff)(const uint8_t *bytes, size_t size);
	bool (*make)(struct build *b);
};

static const struct language languages[] = {
#define UNNAMED(sniff, make) { "", "", sniff, make },
#define LANGUAGE(word, endings, sniff, make) { word, endings, sniff, make },
#include "toolchain/language.def"
};

enum { LANGUAGES = sizeof languages / sizeof *languages };

/* ---- the language ---- */

static bool has_ending(const char *name, const char *endings)
{
	size_t length = strlen(name);

	for (const char *p = endings; *p; p += strcspn(p, " "), p += *p == ' ') {
		size_t n = strcspn(p, " ");
		if (length > n && !strncmp(name + length - n, p, n))
			return true;
	}
	return false;
}

static const struct language *by_word(const char *word)
{
	for (size_t i = 0; i < LANGUAGES; i++)
		if (!strcmp(languages[i].word, word))
			return &languages[i];
	return NULL;
}

static const struct language *by_ending(const char *name)
{
	for (size_t i = 0; i < LANGUAGES; i++)
		if (has_ending(name, languages[i].endings))
			return &languages[i];
	return NULL;
}

static const struct language *by_contents(const uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < LANGUAGES; i++)
		if (languages[i].sniff(bytes, size))
			return &languages[i];
	return NULL;
}

/* NULL: the bytes are of no known language. */
static const struct language *language_of(const struct build *b)
{
	const uint8_t *bytes = (const uint8_t *)b->bytes;
	const struct language *named = NULL;

	if (b->options->format)
		return by_word(b->options->format);
	if (!image_file_matches(bytes, b->size))
		named = by_ending(b->name);
	return named ? named : by_contents(bytes, b->size);
}

bool image_may_begin(struct build *b)
{
	return language_of(b) || file_make(b);
}

/* ---- what every image needs ---- */

/* Compilers and loaders may make code of a machine that the build leaves out. */
static bool machines_here(const struct build *b)
{
	for (const struct image *im = b->image; im; im = im->next)
		if (!isa_find(im->machine))
			return isa_unknown(im->machine, b->diag) || diag_in_file(b->diag, b->name);
	return true;
}

/* An address is an entry for raw words alone: assembly looks up a label, and other files contain their entry points. */
static bool entry_fits(struct build *b)
{
	const char *text = b->options->entry;
	bool words = !strcmp(b->image->format, "raw") || !strcmp(b->image->format, "hex");
	const struct isa_ops *isa = isa_find(b->image->machine);
	uint32_t address;

	if (!text || !*text || (words && entry_address(text, &address)) ||
	    (!strcmp(b->image->format, "asm") && isa && isa->text.assemble && !isa->text.owns))
		return true;
	if (words)
		return diag_set(b->diag, DIAG_USAGE, "--entry: found \"%s\", expected a byte address", text);
	return diag_set(b->diag, DIAG_USAGE,
			"--entry: found \"%s\", but a file of format %s says itself where it begins", text,
			b->image->format);
}

/* Warnings that no compiler has written into the log itself. */
static void log_warnings(struct build *b)
{
	for (const struct image *im = b->image; im; im = im->next)
		for (size_t i = 0; i < im->nwarnings; i++)
			if (!log_has(b->log, im->warnings[i].text))
				log_place(b->log, im->file, im->warnings[i].line, im->warnings[i].column, "warning",
					  im->warnings[i].text);
}

/* The log of a failure has the diagnostic, at the end unless a compiler has written the same. */
static void log_failure(struct build *b)
{
	const struct diag *d = b->diag;

	if (d->kind == DIAG_OK) {
		diag_set(b->diag, DIAG_ENV, "out of memory");
		diag_in_file(b->diag, b->name);
	}
	if (!log_has(b->log, d->text))
		log_place(b->log, d->file[0] ? d->file : b->name, d->line > 0 ? (unsigned)d->line : 0,
			  d->column > 0 ? (unsigned)d->column : 0, "error", d->text);
}

#ifndef __wasm__ /* a browser gives a page texts without the mark */
/* UTF-8's mark, which editors of Windows put in front of a text, belongs to no language. Of programs only words of raw
 * code may begin with the mark's bytes. */
static void skip_mark(struct build *b)
{
	static const char mark[] = "\xef\xbb\xbf";
	const char *format = b->options->format;

	if (b->size < sizeof mark - 1 || memcmp(b->bytes, mark, sizeof mark - 1) || (format && !strcmp(format, "raw")))
		return;
	b->bytes += sizeof mark - 1;
	b->size -= sizeof mark - 1;
}
#endif

bool image_make(struct build *b)
{
#ifndef __wasm__
	skip_mark(b);
#endif
	const struct language *language = language_of(b);

	if ((language ? language->make(b) : file_make(b)) && machines_here(b) && entry_fits(b) && lines_complete(b)) {
		log_warnings(b);
		return true;
	}
	log_failure(b);
	image_free(b->image);
	b->image = NULL;
	return false;
}
