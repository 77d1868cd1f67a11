/* Functions and limits for all loaders. */
#ifndef WB_CORE_LOAD_LOADER_H
#define WB_CORE_LOAD_LOADER_H

#include "core/base/diag.h"
#include "core/image.h"
#include "core/load/load.h"

/* A load. The bytes live as long as the image chain, so an image may point into the bytes. */
struct load {
	const uint8_t *bytes;
	size_t size;
	uint64_t offset;         /* of bytes[0] in the file */
	const struct load_options *options;
	struct image *image;     /* to fill */
	struct diag *diag;
};

/* Limits of the machine that cubins are for (tesla-semantics): bounds on the numbers in a file. */
enum {
	LIMIT_REGS = 128, LIMIT_SMEM = 16384, LIMIT_LMEM = 65536, LIMIT_BARRIERS = 16,
	LIMIT_BANKS = 16, LIMIT_BANK_BYTES = 65536, LIMIT_PARAM_BYTES = LIMIT_SMEM - 16,
	LIMIT_GLOBAL_BYTES = 1 << 30,
	LIMIT_PARAMS = 1024, LIMIT_KERNELS = 4096, LIMIT_RELOCS = 1 << 16, LIMIT_LABELS = 1 << 14, LIMIT_NAME = 4096,
};

static inline uint16_t le16(const uint8_t *p)
{
	return (uint16_t)(p[0] | p[1] << 8);
}

static inline uint32_t le32(const uint8_t *p)
{
	return le16(p) | (uint32_t)le16(p + 2) << 16;
}

static inline uint64_t le64(const uint8_t *p)
{
	return le32(p) | (uint64_t)le32(p + 4) << 32;
}

/* "sm_10" … "sm_13" for 10 … 13, NULL for another target. */
const char *load_target(unsigned sm);
bool load_no_memory(struct load *l);

bool cubin_text_matches(const uint8_t *bytes, size_t size);
bool cubin_text_load(struct load *l);
/* As cubin_text_load, for a text at the start of l's bytes that other bytes may follow; *used: length of the text, also
 * on failure. */
bool cubin_text_part(struct load *l, size_t *used);
bool cubin_elf_matches(const uint8_t *bytes, size_t size);
bool cubin_elf_load(struct load *l);
bool code_object_matches(const uint8_t *bytes, size_t size);
bool code_object_load(struct load *l);
bool embedded_matches(const uint8_t *bytes, size_t size);
bool embedded_load(struct load *l);
bool text_matches(const uint8_t *bytes, size_t size);
bool hex_matches(const uint8_t *bytes, size_t size);
bool hex_load(struct load *l);
bool raw_load(struct load *l);
bool shbin_image_load(struct load *l);
bool image_file_load(struct load *l);

#endif
