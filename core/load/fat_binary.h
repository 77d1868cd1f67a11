/* Fat binaries of CUDA: a header, and for a source the entries with PTX and with cubins for several chips, compressed
 * or not; a file, or a section of an executable or an object. */
#ifndef WB_CORE_LOAD_FAT_BINARY_H
#define WB_CORE_LOAD_FAT_BINARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/diag.h"

enum fat_kind { FAT_PTX = 1, FAT_CUBIN = 2 };

struct fat_entry {
	enum fat_kind kind;
	uint32_t sm;             /* 75 for sm_75 or compute_75 */
	uint64_t flags;          /* how the bytes are compressed */
	const uint8_t *bytes;    /* in the file */
	size_t size;             /* stored bytes */
	size_t whole;            /* bytes when decompressed */
	size_t offset;           /* of the bytes in the file */
	unsigned binary;         /* number of the fat binary in the file, from 0: a source each */
};

struct fat_search {
	const uint8_t *bytes;
	size_t size;
	size_t next;             /* where the search goes on */
	size_t end;              /* of the present fat binary; 0: none yet */
	unsigned binaries;       /* headers found */
};

/* The next entry of kind PTX or cubin. False: there is none. */
bool fat_next(struct fat_search *s, struct fat_entry *out);
/* The bytes of an entry, *n of them, in the arena where the entry was compressed. NULL with a diagnostic: the entry is
 * broken, too large, or compressed in an unknown way. */
const char *fat_bytes(struct arena *a, const struct fat_entry *e, size_t *n, struct diag *d);
/* Whether a fat binary begins at bytes[0], and its size with the header; for images that lie in memory. 0: none. */
size_t fat_size(const uint8_t *bytes, size_t size);

#endif
