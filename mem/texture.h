/* The texture unit as seen by a program (spec tesla-graphics, section 5): a warp's request goes in, four words a lane
 * come out. The unit knows textures, samplers and lanes, and no instruction set.
 *
 * A texture reads texels from bytes that do not change while a launch runs: memory is seen as at the beginning of the
 * launch, as the CUDA C Programming Guide allows (texture fetches of addresses that the same kernel writes are
 * undefined). So results do not depend on the order of warps.
 *
 * Arithmetic is binary64 with basic operations alone, so that every host gives the same bits. */
#ifndef WB_MEM_TEXTURE_H
#define WB_MEM_TEXTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/lanes.h"
#include "mem/block_linear.h"

/* Numbers as in TIC words. */
enum texture_type {
	TEXTURE_1D, TEXTURE_2D, TEXTURE_3D, TEXTURE_CUBE, TEXTURE_1D_ARRAY, TEXTURE_2D_ARRAY, TEXTURE_BUFFER,
	TEXTURE_RECT,           /* two-dimensional, one level */
	TEXTURE_CUBE_ARRAY, TEXTURE_TYPES
};

enum texel_type {
	TEXEL_SNORM = 1, TEXEL_UNORM, TEXEL_SINT, TEXEL_UINT, TEXEL_SNORM_FP16, TEXEL_UNORM_FP16, TEXEL_FLOAT,
};

/* Where a result's component is from. */
enum texel_source { SOURCE_ZERO, SOURCE_R = 2, SOURCE_G, SOURCE_B, SOURCE_A, SOURCE_ONE_INT, SOURCE_ONE_FLOAT };

enum { TEXTURE_LEVELS = 16, TEXTURES = 130, SAMPLERS = 18 };

/* Level 0 is the first of the view. Compressed formats have rows of blocks of 4 by 4 texels. */
struct texture_level {
	uint32_t width, height, depth;  /* texels; at least 1 */
	uint64_t offset;                /* bytes from the layer's first */
	uint64_t layer_bytes;           /* from layer to layer */
	uint64_t row_bytes, slice_bytes;        /* packed */
	struct block_linear block;
};

struct texture_format;

struct texture {
	uint8_t type;                   /* enum texture_type */
	uint8_t levels;                 /* number of levels, 1 … TEXTURE_LEVELS */
	uint8_t texel_type[4];          /* enum texel_type of R, G, B, A */
	uint8_t source[4];              /* enum texel_source of x, y, z, w */
	bool srgb, normalised, block_linear;
	bool from_memory;               /* of a descriptor: bytes are in global memory, at an address */
	bool depth;                     /* DEPTH_TEXTURE: the border's R is all components */
	bool low_lod_quality;           /* LOD_ISO_QUALITY LOW: derivatives of lanes 1 and 2 alone */
	bool integer;                   /* no filter: set by texture_ready */
	uint8_t kind;                   /* how a texel is read: likewise */
	uint8_t refused, code;          /* enum texture_status and detail of the answer to every request */
	uint32_t layers;                /* of arrays and faces of cubes; else 1 */
	int32_t lod_bias, min_lod;      /* in 1/256; min_lod of the view */
	const struct texture_format *format;
	const uint8_t *bytes;
	uint64_t size;                  /* of `bytes`: a texel beyond is a fault */
	uint64_t address;               /* of bytes[0], for faults and for time */
	struct texture_level level[TEXTURE_LEVELS];
	double from_srgb[256];          /* linear floats of 8-bit sRGB components, likewise */
};

enum texture_wrap {
	WRAP_REPEAT, WRAP_MIRROR, WRAP_CLAMP, WRAP_BORDER, WRAP_CLAMP_OGL,
	WRAP_MIRROR_ONCE_CLAMP, WRAP_MIRROR_ONCE_BORDER, WRAP_MIRROR_ONCE_CLAMP_OGL, WRAPS
};
enum texture_compare {
	COMPARE_NEVER, COMPARE_LESS, COMPARE_EQUAL, COMPARE_LEQUAL, COMPARE_GREATER, COMPARE_NOTEQUAL, COMPARE_GEQUAL,
	COMPARE_ALWAYS
};
enum texture_mip { MIP_NONE = 1, MIP_NEAREST, MIP_LINEAR };

struct sampler {
	uint8_t wrap[3];                /* enum texture_wrap of u, v, p */
	uint8_t compare;                /* enum texture_compare */
	bool compares;                  /* texels are compared with the request's reference */
	bool min_linear, mag_linear;
	uint8_t mip;                    /* enum texture_mip */
	bool srgb;                      /* convert textures that are sRGB */
	bool anisotropic;               /* requested by the descriptor, ignored */
	int32_t lod_bias, min_lod, max_lod;     /* in 1/256 */
	uint32_t border[4];             /* f32 or integer bits */
	float border_srgb[3];           /* R, G, B for sRGB textures, as linear values */
};

/* Choices that the evidence leaves open, changed by options. */
struct texture_rules {
	bool exact_weights;             /* filters' weights are not rounded to 8 bits */
	bool seamless;                  /* filters cross the edges of cube faces */
	bool linked;                    /* texture t goes with sampler t */
	uint8_t lod_query_bits;         /* fraction bits of texquerylod's results, at most 8 */
};
#define TEXTURE_RULES ((struct texture_rules){ .lod_query_bits = 8 })

/* All textures and samplers of a launch; NULL: no such number. */
struct texture_set {
	const struct texture *t[TEXTURES];
	const struct sampler *s[SAMPLERS];
	struct texture_rules rules;
};

enum texture_op {
	TEXTURE_SAMPLE,         /* level of detail by the quads' derivatives */
	TEXTURE_SAMPLE_BIAS,    /* likewise, and a bias */
	TEXTURE_SAMPLE_LOD,     /* the operand's */
	TEXTURE_FETCH,          /* integer coordinates and level, no filter */
	TEXTURE_SIZE,           /* width, height, depth or layers, levels */
	TEXTURE_CUBE_PREPARE,   /* s, t, face of all layers, 0 */
	TEXTURE_QUERY_LOD,      /* level of detail: clamped, computed */
	TEXTURE_GATHER,         /* a component of the four texels of a linear filter */
};

enum { TEXTURE_INPUTS = 4 };

/* Words by lane, in order: x, y, z as far as the type has them (three with `cube`), array index, reference for
 * comparing samplers, bias or level. Absent words read 0. */
struct texture_request {
	enum texture_op op;
	bool cube;                      /* a direction; else the faces of a cube are an array of two dimensions */
	bool derivatives;               /* of each quad, from all of its lanes; else 0 */
	uint8_t component;              /* of a gather */
	unsigned inputs;
	const uint32_t *in[TEXTURE_INPUTS];
	int8_t offset[3];               /* in texels of the level */
	unsigned lanes;                 /* of the warp, a multiple of 4 */
	lane_mask on;                   /* lanes in need of results */
};

enum texture_status {
	TEXTURE_OK,
	TEXTURE_BAD_FORMAT,             /* detail: the code of the format */
	TEXTURE_BAD_OPERATION,          /* the type of texture lacks the operation; detail: the type */
	TEXTURE_UNMAPPED,               /* detail: address of the texel */
};

struct texture_fault {
	lane_mask lanes;                /* lanes concerned */
	uint64_t detail;
};

/* Lines of memory that a request touches, for its timing. */
enum { TEXTURE_LINE = 32 };
struct texture_lines {
	unsigned n, most;
	uint64_t *line;                 /* addresses / TEXTURE_LINE, each once; lines beyond `most` are dropped */
};

/* out[c][l]: word c of lane l, for the lanes of request->on only; undefined without TEXTURE_OK. `lines` may be NULL.
 * TEXTURE_FETCH takes only the sRGB conversion from the sampler. */
enum texture_status texture_request(const struct texture *t, const struct sampler *s, const struct texture_rules *rules,
				    const struct texture_request *request, uint32_t *const out[4],
				    struct texture_lines *lines, struct texture_fault *fault);

/* The sampler without values: nearest, repeating, level 0. */
extern const struct sampler texture_default_sampler;

/* ---- making textures ---- */

/* Lay out a packed texture: levels in order, in a level layers (or slices), in a layer rows. type, format, texel types,
 * normalised, layers, levels and the sizes of level 0 are set; fills in the other levels and `size` as needed bytes. */
void texture_pack(struct texture *t);
/* After all else is set: derive the unit's tables. False: the texel types do not go with the format. */
bool texture_ready(struct texture *t);

enum { TIC_WORDS = 8, TSC_WORDS = 8 };
/* From descriptors (rnndb g80_texture). The texture has an address, and no bytes yet. A texture that is not emulated is
 * refused at its use: formats by their code, all else by type. */
void texture_from_tic(const uint32_t tic[TIC_WORDS], struct texture *t);
void sampler_from_tsc(const uint32_t tsc[TSC_WORDS], struct sampler *s);
/* Bytes of a texture from its address on. */
uint64_t texture_bytes(const struct texture *t);

/* ---- formats ---- */

/* A format and its texel types under a name of scene files ("rgba8_unorm"). */
struct texture_named_format {
	const struct texture_format *format;
	uint8_t texel_type[4], source[4];
	bool depth;
};
const struct texture_format *texture_format_of(unsigned code);
unsigned texture_format_code(const struct texture_format *f);
bool texture_format_named(const char *name, struct texture_named_format *out);
/* Four of the letters r g b a 0 1. False: something else. */
bool texture_swizzle_named(const char *letters, bool integer, uint8_t source[4]);
/* The names, by number from 0 on; NULL: no more. Texel types follow with "_". */
const char *texture_format_name(unsigned i);
/* Bytes of a texel, or of a block of 4 by 4. */
unsigned texture_format_bytes(const struct texture_format *f, bool *blocks);

#endif
