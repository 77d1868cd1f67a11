/* SIMD levels of this build that the host can run. */
#ifndef WB_DEVICE_SIMD_H
#define WB_DEVICE_SIMD_H

#include <stdbool.h>
#include <stddef.h>

/* "auto" or a level's name to enum simd_level. False: `why` names the feature missing in host or build. */
bool simd_choose(const char *name, unsigned *level, char *why, size_t size);

#endif
