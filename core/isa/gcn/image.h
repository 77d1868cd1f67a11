/* Images as MIMG instructions see them: the descriptors T# and S#, texels and their places, filters. No instruction, no
 * register: exec_image.c has both. Sources: "AMD GCN3 Instruction Set Architecture" and "Vega Instruction Set
 * Architecture", chapter "Vector Memory Instructions", sections on image resources, samplers and formats.
 *
 * Where the manuals are silent:
 * - coordinates are scaled, and filters weighted, in binary32, as the formulas of OpenCL 1.2, section 8.2, are;
 * - levels of a slice lie one behind the other, in rows as long as level 0's; slices follow each other;
 * - a T# of 128 bits, which has no pitch, has rows of a multiple of 64 texels;
 * - the border's colour goes through dst_sel, as texels do; a component of a texel outside, of a load without a
 *   sampler, is 0;
 * - integers are not filtered; anisotropic filters are the isotropic ones; cubes' faces have edges;
 * - stores put the register of a component where loads of the same dst_sel find the component, and 0 where no register
 *   is given. */
#ifndef WB_CORE_ISA_GCN_IMAGE_H
#define WB_CORE_ISA_GCN_IMAGE_H

#include "core/fault.h"
#include "core/isa/gcn/gcn.h"

enum gcn_image_type {
	IMAGE_1D = 8, IMAGE_2D, IMAGE_3D, IMAGE_CUBE, IMAGE_1D_ARRAY, IMAGE_2D_ARRAY, IMAGE_TYPES
};

struct gcn_texel_format {
	uint8_t bytes, bits[4];         /* of a texel, and of its components from the lowest bit on */
};

/* A T#. */
struct gcn_image {
	uint64_t base;
	enum gcn_image_type type;
	uint32_t size[3];               /* texels of level 0; 1 where the type has no such dimension */
	uint32_t first_layer, layers;   /* of arrays and cubes (faces) */
	uint32_t base_level, last_level;
	uint32_t row;                   /* bytes from row to row */
	uint64_t slice;                 /* bytes from slice to slice, or layer to layer */
	const struct gcn_texel_format *format;
	uint8_t data, number;           /* codes of the format; number: enum number_format, or NUMBER_SRGB */
	uint8_t select[4];
	int32_t min_lod;                /* in 1/256 of a level, of level 0 */
};
enum { NUMBER_SRGB = 9 };

/* An S#. */
struct gcn_sampler {
	uint8_t wrap[3];                /* enum gcn_image_wrap */
	uint8_t compare;                /* enum texture_compare (mem/texture.h) */
	uint8_t reduce;                 /* 0 weights, 1 the least, 2 the largest texel */
	uint8_t mag_linear, min_linear; /* across a slice */
	uint8_t z_filter, mip_filter;   /* 0 none (z: as x and y), 1 nearest, 2 linear */
	uint8_t border;                 /* 0 0000, 1 0001, 2 1111, 3 from a table */
	bool normalised;
	int32_t bias, min_lod, max_lod; /* in 1/256 of a level */
};
enum gcn_image_wrap {
	IMAGE_REPEAT, IMAGE_MIRROR, IMAGE_CLAMP, IMAGE_ONCE_CLAMP, IMAGE_HALF, IMAGE_ONCE_HALF, IMAGE_BORDER,
	IMAGE_ONCE_BORDER,
};
/* The image of a T# of `words` words, 4 or 8. FAULT_NONE, or why not, with the detail. */
enum fault_kind gcn_image_of(const uint32_t t[], unsigned words, enum gcn_generation g, struct gcn_image *out,
			     uint64_t *detail);
void gcn_sampler_of(const uint32_t s[4], struct gcn_sampler *out);

/* Coordinates in a plane or a volume; without the layer. */
unsigned gcn_image_dimensions(const struct gcn_image *m);
bool gcn_image_layered(const struct gcn_image *m);
bool gcn_image_integer(const struct gcn_image *m);
/* Texels of a level, counted from the base level on. */
void gcn_image_size(const struct gcn_image *m, unsigned level, uint32_t size[3]);
/* The address of a texel; `level` as above, `layer` of the view. False: there is none. */
bool gcn_image_place(const struct gcn_image *m, unsigned level, const uint32_t at[3], uint32_t layer, uint64_t *addr);

/* R, G, B, A of a texel's words as registers' words; 0, 0, 0, 1 for absent ones. And back: v[c] is component c of
 * loads. */
void gcn_texel_read(const struct gcn_image *m, const uint32_t raw[4], uint32_t rgba[4]);
void gcn_texel_write(const struct gcn_image *m, const uint32_t v[4], uint32_t raw[4]);
/* Component c of a load, by dst_sel. */
uint32_t gcn_texel_select(const struct gcn_image *m, const uint32_t rgba[4], unsigned c);
void gcn_image_border(const struct gcn_image *m, const struct gcn_sampler *s, uint32_t rgba[4]);
bool gcn_image_compares(unsigned how, float reference, float texel);

/* What a lane samples. */
struct gcn_point {
	float position[3];
	int32_t offset[3];
	uint32_t layer;
	int32_t lod;                    /* in 1/256 of a level, of the base level; clamped */
	bool gather;
};
/* The texels of a sample, and their weights. */
enum { IMAGE_TAPS = 16 };
struct gcn_taps {
	unsigned n;
	uint16_t border;                /* by texel: outside, of the border's colour */
	uint64_t addr[IMAGE_TAPS];
	float weight[IMAGE_TAPS];
};
void gcn_image_taps(const struct gcn_image *m, const struct gcn_sampler *s, const struct gcn_point *p,
		    struct gcn_taps *out);

/* The level of detail of changes of coordinates to the next lane and to the next row of a quad, in 1/256. */
int32_t gcn_image_lod(const struct gcn_image *m, const struct gcn_sampler *s, const float dx[3], const float dy[3]);
int32_t gcn_lod_fixed(double levels);
/* Within the limits of sampler and image, with the sampler's bias. */
int32_t gcn_lod_clamped(const struct gcn_image *m, const struct gcn_sampler *s, int32_t lod);

#endif
