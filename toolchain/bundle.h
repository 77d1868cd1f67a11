/* Code objects inside offload bundles, and inside executables of HIP. */
#ifndef WB_TOOLCHAIN_BUNDLE_H
#define WB_TOOLCHAIN_BUNDLE_H

#include "toolchain/build.h"

/* Whether a file is, or an executable contains, an offload bundle with code of AMD chips. */
bool bundle_sniff(const uint8_t *bytes, size_t size);
/* Load the code of each bundle: the first that the wanted chip runs, without one the first that any chip here runs. */
bool bundle_make(struct build *b);

#endif
