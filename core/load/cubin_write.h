/* Writing text cubins, the format that core/load/cubin_text.c reads. */
#ifndef WB_CORE_LOAD_CUBIN_WRITE_H
#define WB_CORE_LOAD_CUBIN_WRITE_H

#include <stdbool.h>
#include <stdio.h>

struct diag;
struct image;

/* Write an image (not its chain) for an architecture ("sm_13"). What the format has no place for, parameters and launch
 * defaults, is left out; false with a diagnostic for what it cannot express and a program needs: another entry than 0,
 * addresses of global memory in constants. */
bool cubin_write(const struct image *im, const char *architecture, FILE *out, struct diag *d);

#endif
