/* Compiled objects, kept in a folder of the user's: $XDG_CACHE_HOME/warpbeam or ~/.cache/warpbeam. A cache may do
 * without: no function here fails with a diagnostic. */
#ifndef WB_API_OBJECT_CACHE_H
#define WB_API_OBJECT_CACHE_H

#include <stdbool.h>

#include "api/child.h"
#include "core/base/sha256.h"

/* Open the folder, made if missing. -1: no folder, or a folder that others own or may write to. The caller closes the
 * descriptor. */
int object_cache_open(void);
/* The object of a key, a SHA-256 of everything that the object depends on; from malloc. False: no sound object. */
bool object_cache_read(int folder, const uint8_t key[SHA256_BYTES], struct child_text *object);
/* Keep an object, whole or not at all, then remove objects that are too many or too old. */
void object_cache_write(int folder, const uint8_t key[SHA256_BYTES], const void *object, size_t size);

#endif
