/* Writing text cubins, the format that core/load/cubin_text.c reads. */
#ifndef WB_CORE_LOAD_CUBIN_WRITE_H
#define WB_CORE_LOAD_CUBIN_WRITE_H

#include <stdbool.h>
#include <stdio.h>

struct diag;
struct image;

/* Write an image (not the chain) for an architecture ("sm_13"), without the parameters and launch defaults, unknown to
 * the format. False with a diagnostic for contents that a program needs and the format cannot express: an entry other
 * than 0, addresses of global memory in constants. */
bool cubin_write(const struct image *im, const char *architecture, FILE *out, struct diag *d);

#endif
