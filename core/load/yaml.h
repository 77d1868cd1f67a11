/* YAML as LLVM writes the metadata of code objects: mappings and sequences by indentation, sequences in brackets, plain
 * and quoted scalars on one line each. Anchors, tags, block scalars and mappings in braces are refused. */
#ifndef WB_CORE_LOAD_YAML_H
#define WB_CORE_LOAD_YAML_H

#include <msgpack.h>
#include <stdbool.h>
#include <stddef.h>

struct arena;
struct diag;

/* Read a document of n bytes into a tree of maps, arrays, texts and numbers without sign, the tree that MessagePack has
 * for the same metadata. Texts point into `bytes`: escapes in quotes stay as written. The rest is in the arena. False
 * with a diagnostic that names the line. */
bool yaml_read(struct arena *a, const char *bytes, size_t n, msgpack_object *out, struct diag *d);

#endif
