/* SHBIN files: one DVLB that points at the entry points (DVLE), one DVLP with the shared words. */
#ifndef WB_CORE_LOAD_SHBIN_H
#define WB_CORE_LOAD_SHBIN_H

#include <stddef.h>

#include "core/base/arena.h"
#include "core/base/diag.h"
#include "core/shader.h"

/* Do the bytes begin like a SHBIN? */
bool shbin_sniff(const uint8_t *bytes, size_t n);
/* Read a file of n bytes. *out points into the arena, never into `bytes`. False: *d has the offset, the found and the
 * expected. */
bool shbin_load(struct shader *out, struct arena *a, const uint8_t *bytes, size_t n, struct diag *d);
/* The bytes of a file for s, from the arena. A load of the bytes gives s again; for a single entry point the layout is
 * that of the nihstro assembler. False: no memory. */
bool shbin_write(const struct shader *s, struct arena *a, uint8_t **bytes, size_t *n, struct diag *d);

#endif
