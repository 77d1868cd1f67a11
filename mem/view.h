/* How one of g0[] … g15[] shows the global space: linear from a base, or as a two-dimensional surface.
 *
 * Two-dimensional: the address is x (bits 15:0, in bytes) and y (bits 31:16) of a block-linear surface whose blocks are
 * one tile wide and 2^block_height high (mem/block_linear.h). Accesses beyond last_x or last_y are outside. */
#ifndef WB_MEM_VIEW_H
#define WB_MEM_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "mem/bounds.h"

enum { VIEW_BLOCK_MAX = 5 };     /* the largest block_height */

struct view {
	bool     surface;
	uint8_t  block_height;     /* surface: log2 of the rows of 256-byte tiles in a block, 0 … 5 */
	uint16_t last_x, last_y;   /* surface: last byte of a row, last row */
	uint32_t pitch;            /* surface: bytes of a row, a multiple of 64 */
	uint32_t base;             /* global address of view address 0 */
	uint32_t last_byte;        /* linear: last byte of the view */
};

/* All of global memory, address for address: the default of all sixteen. */
#define VIEW_ALL ((struct view){ .last_byte = 0xffffffff })

/* Bytes of global memory of a surface of the given pitch and height, padding of the last blocks included. */
uint64_t view_surface_bytes(uint32_t pitch, uint32_t height, unsigned block_height);
bool view_surface_address(const struct view *v, uint32_t addr, uint32_t width, uint32_t *out);

/* The global address of the naturally aligned element of `width` bytes at addr of a linear view. False: outside the
 * view. */
static inline bool view_linear_address(const struct view *v, uint32_t addr, uint32_t width, uint32_t *out)
{
	*out = v->base + addr;
	return bytes_inside(addr, width, v->last_byte + 1ull);
}

/* The same of any view. */
static inline bool view_address(const struct view *v, uint32_t addr, uint32_t width, uint32_t *out)
{
	if (v->surface)
		return view_surface_address(v, addr, width, out);
	return view_linear_address(v, addr, width, out);
}

#endif
