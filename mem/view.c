/* Addresses within views of global memory that are surfaces of tiles (view.h). */
#include "mem/view.h"

enum { TILE_X = VIEW_TILE_X, TILE_Y = 4, TILE_BYTES = TILE_X * TILE_Y };

uint64_t view_surface_bytes(uint32_t pitch, uint32_t height, unsigned block_height)
{
	uint64_t columns = (pitch + TILE_X - 1) / TILE_X;
	uint64_t rows = (height + (TILE_Y << block_height) - 1) / (TILE_Y << block_height);
	return columns * rows * (TILE_BYTES << block_height);
}

bool view_surface_address(const struct view *v, uint32_t addr, uint32_t width, uint32_t *out)
{
	uint32_t x = addr & 0xffff, y = addr >> 16;
	if (x + width - 1 > v->last_x || y > v->last_y)
		return false;
	uint32_t block_rows = TILE_Y << v->block_height;
	uint32_t columns = (v->pitch + TILE_X - 1) / TILE_X;
	uint32_t block = y / block_rows * columns + x / TILE_X;
	uint32_t tile = y % block_rows / TILE_Y;
	*out = v->base + (block << v->block_height) * TILE_BYTES + tile * TILE_BYTES + y % TILE_Y * TILE_X + x % TILE_X;
	return true;
}
