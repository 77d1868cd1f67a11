/* YAML, as the metadata of older code objects, by libyaml. Aliases are refused. */
#ifndef WB_CORE_LOAD_CODE_OBJECT_YAML_H
#define WB_CORE_LOAD_CODE_OBJECT_YAML_H

#include <msgpack.h>
#include <stdbool.h>
#include <stddef.h>

struct arena;
struct diag;

/* Read a document of n bytes into a tree of maps, arrays, texts and numbers without sign, in the arena: the tree that
 * MessagePack has for the same metadata. False with a diagnostic that names line and column. */
bool yaml_read(struct arena *a, const char *bytes, size_t n, msgpack_object *out, struct diag *d);

#endif
