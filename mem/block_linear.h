/* Where a byte of a block-linear surface lies (envytools g80-surface): the tile ("gob") of 64 bytes by 4 rows is stored
 * row by row; 2^w by 2^h by 2^d tiles make a block, and blocks follow each other in x, then y, then z, as the tiles
 * inside a block do. Textures and the two-dimensional views of g[] share this. */
#ifndef WB_MEM_BLOCK_LINEAR_H
#define WB_MEM_BLOCK_LINEAR_H

#include <stdint.h>

enum { TILE_X = 64, TILE_Y = 4, TILE_BYTES = TILE_X * TILE_Y };

struct block_linear {
	uint8_t w, h, d;        /* log2 of the tiles of a block */
	uint32_t columns, rows; /* blocks of a surface side by side, and one above the other */
};

/* A surface of `width` bytes by `height` rows. */
static inline struct block_linear block_linear_of(uint64_t width, uint32_t height, unsigned w, unsigned h, unsigned d)
{
	uint64_t x = (uint64_t)TILE_X << w, y = (uint64_t)TILE_Y << h;

	return (struct block_linear){ .w = (uint8_t)w, .h = (uint8_t)h, .d = (uint8_t)d,
				      .columns = (uint32_t)((width + x - 1) / x),
				      .rows = (uint32_t)((height + y - 1) / y) };
}

static inline uint64_t block_linear_block_bytes(const struct block_linear *b)
{
	return (uint64_t)TILE_BYTES << (b->w + b->h + b->d);
}

/* Bytes that `depth` slices take, padding of the last blocks included. */
static inline uint64_t block_linear_bytes(const struct block_linear *b, uint32_t depth)
{
	uint64_t layers = ((uint64_t)depth + (1u << b->d) - 1) >> b->d;

	return layers * b->rows * b->columns * block_linear_block_bytes(b);
}

/* From the surface's start; x in bytes. */
static inline uint64_t block_linear_offset(const struct block_linear *b, uint32_t x, uint32_t y, uint32_t z)
{
	uint32_t tile_x = x / TILE_X, tile_y = y / TILE_Y;
	uint64_t block = ((uint64_t)(z >> b->d) * b->rows + (tile_y >> b->h)) * b->columns + (tile_x >> b->w);
	uint64_t tile = (((uint64_t)(z & ((1u << b->d) - 1)) << b->h | (tile_y & ((1u << b->h) - 1))) << b->w) |
			(tile_x & ((1u << b->w) - 1));

	return ((block << (b->w + b->h + b->d)) + tile) * TILE_BYTES + y % TILE_Y * TILE_X + x % TILE_X;
}

#endif
