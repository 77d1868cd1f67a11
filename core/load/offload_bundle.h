/* Offload bundles of clang: the code of a HIP source for several targets, one behind the other; a file, or a section of
 * an executable or an object. */
#ifndef WB_CORE_LOAD_OFFLOAD_BUNDLE_H
#define WB_CORE_LOAD_OFFLOAD_BUNDLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bundle_entry {
	const char *target;      /* "hipv4-amdgcn-amd-amdhsa--gfx900", target_size bytes */
	size_t target_size;
	const uint8_t *bytes;    /* in the file */
	size_t size;
	size_t offset;           /* of the bytes in the file */
	unsigned bundle;         /* number of the bundle in the file, from 0: a source each */
};

struct bundle_search {
	const uint8_t *bytes;
	size_t size;
	size_t begin, next;      /* of the present bundle; of its next entry's description, 0: no bundle yet */
	uint64_t entries_left;   /* descriptions in the present bundle that have not been read */
	unsigned bundles;        /* bundles found */
};

/* The next entry with code of an AMD chip. False: there is none. */
bool bundle_next(struct bundle_search *s, struct bundle_entry *out);
/* Whether bytes[0] begins the first bytes of a bundle. */
bool bundle_begins(const uint8_t *bytes, size_t size);
/* Whether a whole bundle begins at bytes[0], and its size. 0: none. */
size_t bundle_size(const uint8_t *bytes, size_t size);

#endif
