/* The tree of what AMD's code objects say of their kernels: MessagePack in objects of version 3 and later, YAML in
 * older objects. The library of each format reads word after word, so a tree takes no more memory than the bytes
 * warrant. */
#ifndef WB_CORE_LOAD_METADATA_H
#define WB_CORE_LOAD_METADATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct diag;

enum { METADATA_DEPTH = 16 };    /* most lists and maps in one another */

enum metadata_kind { METADATA_OTHER, METADATA_TEXT, METADATA_NUMBER, METADATA_LIST, METADATA_MAP };

struct metadata {
	enum metadata_kind kind;
	size_t n;                        /* bytes of a text, nodes of a list, pairs of a map */
	const char *text;
	uint64_t number;                 /* without sign; MessagePack's true is 1, of kind METADATA_OTHER */
	struct metadata *node;           /* nodes of a list; key and value of each pair of a map, 2n in all */
};

/* Read a document of n bytes into a tree in the arena. False with a diagnostic that names line and column. Aliases are
 * refused. */
bool metadata_of_yaml(struct arena *a, const char *bytes, size_t n, struct metadata *out, struct diag *d);
/* Read the object at the begin of n bytes; texts point into the bytes. False: the bytes are no such object, or the host
 * has no memory. */
bool metadata_of_msgpack(struct arena *a, const char *bytes, size_t n, struct metadata *out);

#endif
