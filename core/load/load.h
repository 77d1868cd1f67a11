/* Loading programs: bytes of a file in, images out. The kind of the file is recognised by its content or named by the
 * caller. Whatever the bytes are, a load ends in an image or in a diagnostic with the place, the found and the
 * expected; memory is bounded by a small multiple of the file's size. */
#ifndef WB_CORE_LOAD_LOAD_H
#define WB_CORE_LOAD_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct diag;
struct image;

struct load_options {
	const char *format;      /* name of a row of load_format; "cubin" means either kind; NULL: by content */
	/* Facts that raw and hex words lack. */
	const char *machine;     /* instruction set; NULL: "tesla" */
	uint32_t regs;           /* 0: 64 */
	uint32_t smem, lmem;     /* bytes; smem is the block's whole s[] */
	uint32_t entry;          /* byte offset of the first instruction */
	/* Assembly: fill im (kernels, chip, mode, launch, labels, lines) from text, which lives as long as im. The
	 * assembler is a layer of its own; the composer puts its function here. NULL: assembly is refused. */
	bool (*assemble)(const char *text, size_t size, const struct load_options *o, struct image *im, struct diag *d);
	const void *assemble_context;
};

struct load;

/* A kind of file. */
struct load_format {
	const char *name;        /* name for --format and in image.format */
	const char *what;        /* in a few words, for messages and help */
	bool (*matches)(const uint8_t *bytes, size_t size);   /* by content; NULL: only by name */
	bool (*load)(struct load *l);
};

/* The table, in the order in which contents are tried; NULL past the end. */
const struct load_format *load_format(size_t index);
/* The format of the bytes; NULL: unknown. */
const struct load_format *load_sniff(const void *bytes, size_t size);

/* Load `size` bytes (copied) of a file called `name`. o may be NULL. On success *out is a chain of at least one image
 * that the caller frees with image_free; a file that only contains programs (executable, archive) gives a first image
 * without kernels and the programs after it. */
bool image_load(const void *bytes, size_t size, const char *name, const struct load_options *o, struct image **out,
		struct diag *d);

#endif
