/* Addresses within views of global memory that are surfaces of tiles (view.h). */
#include "mem/view.h"

#include "mem/block_linear.h"

uint64_t view_surface_bytes(uint32_t pitch, uint32_t height, unsigned block_height)
{
	struct block_linear b = block_linear_of(pitch, height, 0, block_height, 0);

	return block_linear_bytes(&b, 1);
}

bool view_surface_address(const struct view *v, uint32_t addr, uint32_t width, uint32_t *out)
{
	struct block_linear b = block_linear_of(v->pitch, v->last_y + 1u, 0, v->block_height, 0);
	uint32_t x = addr & 0xffff, y = addr >> 16;

	*out = v->base + (uint32_t)block_linear_offset(&b, x, y, 0);
	return bytes_inside(x, width, v->last_x + 1u) && y <= v->last_y;
}
