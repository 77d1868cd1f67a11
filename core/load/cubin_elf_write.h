/* Writing ELF cubins, the format that core/load/cubin_elf.c reads. */
#ifndef WB_CORE_LOAD_CUBIN_ELF_WRITE_H
#define WB_CORE_LOAD_CUBIN_ELF_WRITE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct diag;
struct image;

/* Write kernels [0, n) of an image (not the chain), picked by `kernel`, for compute capability 1.0 to 1.3 (`sm` 10 to
 * 13): code, constants, variables, sizes, parameters, labels, line tables, the PTX. Names of parameters and launch
 * defaults are in a section of our own, .warpbeam. The same image gives the same bytes. False with a diagnostic: the
 * host has no memory. */
bool cubin_elf_write(const struct image *im, const uint32_t *kernel, uint32_t n, unsigned sm, FILE *out,
		     struct diag *d);

#endif
