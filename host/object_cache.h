/* Compiled objects, kept in a folder of the user's: $XDG_CACHE_HOME/warpbeam or ~/.cache/warpbeam. A cache may do
 * without: no function here fails with a diagnostic. */
#ifndef WB_HOST_OBJECT_CACHE_H
#define WB_HOST_OBJECT_CACHE_H

#include <stdbool.h>

#include "host/child.h"
#include "core/base/sha256.h"

/* Open the folder, made if missing. -1: no folder, or a folder that others own or may write to. The caller closes the
 * descriptor. */
int object_cache_open(void);
/* Objects, records of an object's inputs (toolchain/opencl/inputs.h), bitcode of built-in functions, the output of a
 * compiler's --version, native code of a program's loops (native/). */
enum cached { CACHED_OBJECT, CACHED_INPUTS, CACHED_BUILTINS, CACHED_VERSION, CACHED_NATIVE };

/* The entry of a key, a SHA-256 of all inputs of the entry; from malloc. False: no sound entry. */
bool object_cache_read(int folder, enum cached kind, const uint8_t key[SHA256_BYTES], struct child_text *entry);
/* Keep an entry, whole or not at all; with an object, remove entries that are too many or too old. */
void object_cache_write(int folder, enum cached kind, const uint8_t key[SHA256_BYTES], const void *bytes, size_t size);

#endif
