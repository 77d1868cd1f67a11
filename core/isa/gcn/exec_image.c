/* Executors of image instructions (MIMG): registers into coordinates, texels into registers. What an image is and what
 * a filter does is in image.c. Sources: "AMD GCN3 Instruction Set Architecture" and "Vega Instruction Set
 * Architecture", chapter "Vector Memory Instructions" and the lists of MIMG opcodes; LLVM, SIISelLowering.cpp
 * (packImage16bitOpsToDwords), for the places of 16-bit addresses.
 *
 * Texels are loaded by gcn_locate and gcn_announce like a buffer's elements, so checks, costs and sets are those of
 * MUBUF. A lane's texel may be outside of the image: then the lane has no place. */
#include "core/isa/gcn/format.h"
#include "core/isa/gcn/image.h"
#include "core/isa/gcn/memory.h"

/* The letters of a sample's name are bits of the opcode, as numbers of all generations are. */
enum { OP_SAMPLE = 32, OP_GATHER = 64, OP_GET_LOD = 96, OP_CD = 104 };
enum { PLACE_NONE, PLACE_CL, PLACE_D, PLACE_D_CL, PLACE_L, PLACE_B, PLACE_B_CL, PLACE_LZ };

struct variant {
	bool offset, compares, gradients, clamps, level, bias, zero;
};

static struct variant variant_of(const struct insn *in)
{
	unsigned op = gcn_row_of(in)->op[0], place = op & 7;

	if (op >= OP_CD)        /* the coarse gradients of _cd are gradients */
		return (struct variant){ .offset = op & 4, .compares = op & 2, .gradients = true, .clamps = op & 1 };
	if (op == OP_GET_LOD)
		return (struct variant){ 0 };
	return (struct variant){
		.offset = op & 16, .compares = op & 8, .gradients = place == PLACE_D || place == PLACE_D_CL,
		.clamps = place == PLACE_CL || place == PLACE_D_CL || place == PLACE_B_CL, .level = place == PLACE_L,
		.bias = place == PLACE_B || place == PLACE_B_CL, .zero = place == PLACE_LZ,
	};
}

/* ---- operands ---- */

/* Address registers, one after the other. */
struct cursor {
	const struct exec *x;
	unsigned reg;
	bool halves;                    /* A16: components of 16 bits, two a register */
	bool high;                      /* the next component is the register's upper half */
	bool beyond;                    /* registers that the wavefront does not have */
};

static const struct row *next_register(struct cursor *c)
{
	static const struct row zero;

	c->reg += c->high;
	c->high = false;
	if (c->reg >= c->x->program->nreg) {
		c->beyond = true;
		return &zero;
	}
	return gcn_row(c->x, c->reg++);
}

/* A component, of 16 bits with A16. */
static void next_component(struct cursor *c, bool is_float, uint32_t out[LANES])
{
	const struct row *r;

	if (!c->halves) {
		r = next_register(c);
		FOR_LANES(l)
			out[l] = r->lane[l];
		return;
	}
	if (!c->high) {
		r = next_register(c);
		c->reg -= !c->beyond;
	} else {
		r = gcn_row(c->x, c->reg);
	}
	FOR_LANES(l) {
		uint32_t v = r->lane[l] >> (c->high ? 16 : 0) & 0xffff;
		out[l] = is_float ? f32_bits((float)f16_value(v)) : v;
	}
	c->reg += c->high;
	c->high = !c->high && !c->beyond;
}

static void end_pair(struct cursor *c)
{
	c->reg += c->high;
	c->high = false;
}

/* What a lane asks for. */
struct request {
	struct gcn_image image;
	struct gcn_sampler sampler;
	struct variant variant;
	uint32_t coordinate[3][LANES];         /* floats of samples, integers of loads and stores */
	uint32_t layer[LANES], level[LANES], clamp[LANES], bias[LANES], reference[LANES], offset[LANES];
	uint32_t gradient[2][3][LANES];
};

static int image_of(struct exec *x, const struct insn *in, struct gcn_image *m)
{
	uint64_t detail;
	enum fault_kind why = gcn_image_of(&gcn_warp(x->warp)->s[in->src[2].reg], in->src[2].width / 4u,
					   valu_generation(x), m, &detail);

	return why == FAULT_NONE ? STEP_OK : exec_fault(x, why, x->step.executed, detail);
}

static struct cursor cursor_of(struct exec *x, const struct insn *in)
{
	bool halves = valu_generation(x) == GCN_14 && in->mod[MOD_ADDRESS] & IMAGE_R128;

	return (struct cursor){ .x = x, .reg = in->src[1].reg, .halves = halves };
}

/* The coordinates, and of an array or cube the layer. A cube's coordinates are 1 to 2, as Mesa has them, or 0 to 1, as
 * AMD's OCKL has them. */
static void take_coordinates(const struct insn *in, struct cursor *c, bool is_float, struct request *r)
{
	unsigned dims = gcn_image_dimensions(&r->image);
	bool named = in->mod[MOD_ADDRESS] & IMAGE_DA || r->image.type == IMAGE_CUBE;
	bool layered = named && gcn_image_layered(&r->image);

	memset(r->coordinate, 0, sizeof r->coordinate);
	memset(r->layer, 0, sizeof r->layer);
	for (unsigned d = 0; d < dims; d++)
		next_component(c, is_float, r->coordinate[d]);
	if (named && dims < 3)
		next_component(c, is_float, r->layer);
	for (int l = 0; l < LANES && is_float; l++) {
		float layer = rintf(f32_value(r->layer[l])), last = (float)(r->image.layers - 1);
		r->layer[l] = !layered || !(layer > 0) ? 0 : (uint32_t)(layer < last ? layer : last);
		for (unsigned d = 0; d < 2 && r->image.type == IMAGE_CUBE; d++)
			if (f32_value(r->coordinate[d][l]) > 1)
				r->coordinate[d][l] = f32_bits(f32_value(r->coordinate[d][l]) - 1);
	}
	for (int l = 0; l < LANES && !layered; l++)
		r->layer[l] = 0;
}

/* Order of the registers: offset, bias, reference, gradients, coordinates, level or clamp. */
static int take_sample(struct exec *x, const struct insn *in, struct request *r)
{
	struct cursor c = cursor_of(x, in);
	struct variant *v = &r->variant;
	bool halves = c.halves;
	int result = image_of(x, in, &r->image);

	if (result != STEP_OK)
		return result;
	*v = variant_of(in);
	gcn_sampler_of(&gcn_warp(x->warp)->s[in->src[3].reg], &r->sampler);
	r->sampler.normalised &= !(in->mod[MOD_ADDRESS] & IMAGE_UNORM);
	c.halves = false;
	if (v->offset)
		next_component(&c, false, r->offset);
	c.halves = halves;
	if (v->bias)
		next_component(&c, true, r->bias);
	end_pair(&c);
	c.halves = false;
	if (v->compares)
		next_component(&c, true, r->reference);
	c.halves = halves;
	for (unsigned way = 0; way < 2 && v->gradients; way++) {
		for (unsigned d = 0; d < gcn_image_dimensions(&r->image); d++)
			next_component(&c, true, r->gradient[way][d]);
		end_pair(&c);
	}
	take_coordinates(in, &c, true, r);
	if (v->level)
		next_component(&c, true, r->level);
	if (v->clamps)
		next_component(&c, true, r->clamp);
	return c.beyond ? exec_fault(x, FAULT_ILLEGAL_OPCODE, x->step.executed, 0) : STEP_OK;
}

/* Integer coordinates, and of _mip the level. */
static int take_place(struct exec *x, const struct insn *in, bool mip, struct request *r)
{
	struct cursor c = cursor_of(x, in);
	int result = image_of(x, in, &r->image);

	if (result != STEP_OK)
		return result;
	take_coordinates(in, &c, false, r);
	memset(r->level, 0, sizeof r->level);
	if (mip)
		next_component(&c, false, r->level);
	return c.beyond ? exec_fault(x, FAULT_ILLEGAL_OPCODE, x->step.executed, 0) : STEP_OK;
}

/* ---- texels ---- */

static struct gcn_access texel_access(const struct gcn_image *m)
{
	unsigned bytes = m->format->bytes;

	return (struct gcn_access){ .width = (uint8_t)(bytes < 4 ? bytes : 4),
				    .parts = (uint8_t)(bytes < 4 ? 1 : bytes / 4) };
}

static void place_texels(const struct exec *x, const struct request *r, struct gcn_access *a)
{
	FOR_SET_LANES(l, x->step.executed) {
		const uint32_t at[3] = { r->coordinate[0][l], r->coordinate[1][l], r->coordinate[2][l] };
		if (gcn_image_place(&r->image, r->level[l], at, r->layer[l], &a->addr[l]))
			a->lanes[MEM_GLOBAL] |= 1ull << l;
	}
}

/* The words of texels, 0 of lanes without a place. Texels lie at multiples of their size, so within a page. */
static int fetch_texels(struct exec *x, struct gcn_access *a, struct row raw[PARTS_MAX])
{
	int r;

	a->kind = ACCESS_LOAD;
	a->set = READ_SET;
	r = SIMD_NAME(gcn_locate)(x, a);
	a->run = NULL;
	if (r == STEP_OK)
		r = SIMD_NAME(gcn_announce)(x, a);
	memset(raw, 0, PARTS_MAX * sizeof *raw);
	for (unsigned part = 0; part < a->parts && r == STEP_OK; part++)
		FOR_SET_LANES(l, gcn_access_lanes(a))
			raw[part].lane[l] = word_load(a->host[part][l], a->width, false);
	return r;
}

static void lane_words(const struct row rows[4], int l, uint32_t words[4])
{
	for (unsigned i = 0; i < 4; i++)
		words[i] = rows[i].lane[l];
}

/* ---- results ---- */

static uint32_t narrowed(const struct gcn_image *m, uint32_t v)
{
	return gcn_image_integer(m) ? v & 0xffff : f16_round((double)f32_value(v), ROUND_NEAREST);
}

static uint32_t widened(const struct gcn_image *m, uint32_t v)
{
	return m->number == NUMBER_UINT ? v & 0xffff : m->number == NUMBER_SINT ? (uint32_t)(int32_t)(int16_t)v :
	       f32_bits((float)f16_value(v & 0xffff));
}

/* Components of dmask go to registers one after the other, with D16 two a register (1.4) or one; then the word of TFE
 * and LWE, which says that all texels are there. */
static int put_components(struct exec *x, const struct insn *in, const struct gcn_image *m, const struct row v[4],
			  unsigned mask)
{
	bool d16 = in->mod[MOD_ADDRESS] & IMAGE_D16, pairs = d16 && valu_generation(x) == GCN_14;
	unsigned n = 0;
	struct row out[4] = { 0 };

	for (unsigned c = 0; c < 4; c++) {
		if (!(mask >> c & 1))
			continue;
		FOR_SET_LANES(l, x->step.executed) {
			uint32_t word = d16 ? narrowed(m, v[c].lane[l]) : v[c].lane[l];
			out[pairs ? n / 2 : n].lane[l] |= word << (pairs && n % 2 ? 16 : 0);
		}
		n++;
	}
	n = pairs ? (n + 1) / 2 : n;
	for (unsigned i = 0; i < in->dst.width / 4u; i++)
		row_blend(gcn_row(x, in->dst.reg + i), i < n ? &out[i] : &valu_zero, x->step.executed);
	return STEP_OK;
}

static unsigned mask_of(const struct insn *in)
{
	return in->mod[MOD_FORMAT] ? in->mod[MOD_FORMAT] : 1;
}

/* Component `given` of the stored data, of those in dmask. */
static uint32_t stored_component(struct exec *x, const struct insn *in, const struct gcn_image *m, unsigned given,
				 int l)
{
	bool d16 = in->mod[MOD_ADDRESS] & IMAGE_D16, pairs = d16 && valu_generation(x) == GCN_14;
	uint32_t v = gcn_row(x, in->src[0].reg + (pairs ? given / 2 : given))->lane[l];

	return d16 ? widened(m, v >> (pairs && given % 2 ? 16 : 0)) : v;
}

/* ---- loads and stores ---- */

enum { OP_MIP = 1, OP_LOAD_PCK = 2, OP_LOAD_PCK_SGN = 3, OP_LOAD_MIP_PCK = 4, OP_LOAD_MIP_PCK_SGN = 5 };
enum { OP_STORE_MIP = 9, OP_STORE_PCK = 10, OP_STORE_MIP_PCK = 11 };

/* A texel's bits, without a meaning; `sgn`: with the sign of the highest. */
static void unpacked(const struct gcn_image *m, bool sgn, const uint32_t raw[4], uint32_t words[4])
{
	unsigned bits = 8u * m->format->bytes;

	memcpy(words, raw, 4 * sizeof *words);
	if (sgn && bits < 32)
		words[0] = (uint32_t)format_signed(raw[0], bits);
}

EXEC(image_load)
{
	unsigned op = gcn_row_of(in)->op[0];
	bool mip = op == OP_MIP || op == OP_LOAD_MIP_PCK || op == OP_LOAD_MIP_PCK_SGN, packed = op >= OP_LOAD_PCK;
	struct row raw[PARTS_MAX], v[4];
	struct request r;
	struct gcn_access a;
	int result = take_place(x, in, mip, &r);

	if (result != STEP_OK)
		return result;
	a = texel_access(&r.image);
	place_texels(x, &r, &a);
	result = fetch_texels(x, &a, raw);
	if (result != STEP_OK)
		return result;
	FOR_SET_LANES(l, x->step.executed) {
		uint32_t words[4], rgba[4] = { 0 };
		lane_words(raw, l, words);
		if (packed)
			unpacked(&r.image, op == OP_LOAD_PCK_SGN || op == OP_LOAD_MIP_PCK_SGN, words, rgba);
		else if (a.lanes[MEM_GLOBAL] >> l & 1)
			gcn_texel_read(&r.image, words, rgba);
		for (unsigned c = 0; c < 4; c++)
			v[c].lane[l] = packed ? rgba[c] : gcn_texel_select(&r.image, rgba, c);
	}
	return put_components(x, in, &r.image, v, mask_of(in));
}

EXEC(image_store)
{
	unsigned op = gcn_row_of(in)->op[0];
	bool mip = op == OP_STORE_MIP || op == OP_STORE_MIP_PCK, packed = op >= OP_STORE_PCK;
	struct row raw[PARTS_MAX];
	struct request r;
	struct gcn_access a;
	int result = take_place(x, in, mip, &r);

	if (result != STEP_OK)
		return result;
	if (!packed && r.image.number != NUMBER_UINT && r.image.number != NUMBER_SINT &&
	    r.image.number != NUMBER_UNORM && r.image.number != NUMBER_SNORM &&
	    (r.image.number != NUMBER_FLOAT || r.image.format->bits[0] == 9))
		return exec_fault(x, FAULT_UNSUPPORTED_FORMAT, x->step.executed,
				  r.image.data | (uint64_t)r.image.number << 8);
	a = texel_access(&r.image);
	place_texels(x, &r, &a);
	FOR_SET_LANES(l, gcn_access_lanes(&a)) {
		uint32_t v[4] = { 0 }, words[4];
		for (unsigned c = 0, given = 0; c < 4; c++)
			if (mask_of(in) >> c & 1)
				v[c] = stored_component(x, in, &r.image, given++, l);
		if (packed)
			memcpy(words, v, sizeof words);
		else
			gcn_texel_write(&r.image, v, words);
		for (unsigned part = 0; part < a.parts; part++)
			raw[part].lane[l] = words[part];
	}
	return SIMD_NAME(gcn_store)(x, &a, raw, HALF_NONE);
}

/* By 1.0's opcode, from image_atomic_swap on. */
enum { OP_ATOMIC = 15 };
static const uint8_t atomic_ops[] = {
	ATOMIC_SWAP, ATOMIC_CMPSWAP, ATOMIC_ADD, ATOMIC_SUB, 0 /* rsub */, ATOMIC_SMIN, ATOMIC_UMIN, ATOMIC_SMAX,
	ATOMIC_UMAX, ATOMIC_AND, ATOMIC_OR, ATOMIC_XOR, ATOMIC_INC, ATOMIC_DEC, ATOMIC_FCMPSWAP, ATOMIC_FMIN,
	ATOMIC_FMAX,
};

/* Texels of atomics are words, or pairs of words, by the number of data in dmask. */
EXEC(image_atomic)
{
	enum atomic_op op = (enum atomic_op)atomic_ops[gcn_row_of(in)->op[0] - OP_ATOMIC];
	bool compares = op == ATOMIC_CMPSWAP || op == ATOMIC_FCMPSWAP, returns = in->mod[MOD_CACHE] & CACHE_GLC;
	unsigned parts = (unsigned)__builtin_popcount(mask_of(in)) / (compares ? 2 : 1);
	const struct row *data = gcn_row(x, in->src[0].reg);
	struct request r;
	struct gcn_access a;
	int result = take_place(x, in, false, &r);

	if (result != STEP_OK)
		return result;
	a = texel_access(&r.image);
	if (a.width != 4 || a.parts != parts || parts > 2)
		return exec_fault(x, FAULT_UNSUPPORTED_FORMAT, x->step.executed,
				  r.image.data | (uint64_t)r.image.number << 8);
	place_texels(x, &r, &a);
	return SIMD_NAME(gcn_atomic)(x, &a, op, data, compares ? data + parts : NULL, returns,
				     gcn_row(x, in->dst.reg));
}

/* Width, height, depth or layers, and levels; widths of a level that is not there are 0. */
EXEC(image_get_resinfo)
{
	struct cursor c = cursor_of(x, in);
	uint32_t level[LANES];
	struct gcn_image m;
	struct row v[4];
	int result = image_of(x, in, &m);

	if (result != STEP_OK)
		return result;
	next_component(&c, false, level);
	FOR_SET_LANES(l, x->step.executed) {
		uint32_t levels = m.last_level - m.base_level + 1, size[3] = { 0 };
		bool layered = gcn_image_layered(&m);
		if (level[l] < levels)
			gcn_image_size(&m, level[l], size);
		if (layered)
			size[2] = m.type == IMAGE_CUBE ? m.layers / 6 : m.layers;
		for (unsigned d = 0; d < 3; d++)
			v[d].lane[l] = size[d];
		v[3].lane[l] = levels;
	}
	return put_components(x, in, &m, v, mask_of(in));
}

/* ---- samples ---- */

static float change(const uint32_t row[LANES], int l, int step)
{
	int quad = l & ~3;

	return f32_value(row[quad + step]) - f32_value(row[quad]);
}

/* The level of detail before clamps and the sampler's bias. */
static int32_t lod_of(const struct request *r, int l)
{
	float way[2][3] = { { 0 } };
	int32_t lod;

	if (r->variant.zero)
		return 0;
	if (r->variant.level)
		return gcn_lod_fixed((double)f32_value(r->level[l]));
	for (unsigned d = 0; d < gcn_image_dimensions(&r->image); d++)
		for (unsigned i = 0; i < 2; i++)
			way[i][d] = r->variant.gradients ? f32_value(r->gradient[i][d][l]) :
				    change(r->coordinate[d], l, i ? 2 : 1);
	lod = gcn_image_lod(&r->image, &r->sampler, way[0], way[1]);
	return r->variant.bias ? lod + gcn_lod_fixed((double)f32_value(r->bias[l])) : lod;
}

/* Offsets of a sample: numbers of 6 bits with a sign in bytes. */
static void offsets_of(const struct request *r, int l, int32_t offset[3])
{
	for (unsigned d = 0; d < 3; d++)
		offset[d] = r->variant.offset ? (int32_t)(r->offset[l] << (26 - 8 * d)) >> 26 : 0;
}

static unsigned find_taps(const struct exec *x, const struct request *r, bool gather, struct gcn_taps taps[LANES])
{
	unsigned most = 0;

	FOR_SET_LANES(l, x->step.executed) {
		struct gcn_point p = { .layer = r->layer[l], .gather = gather };
		for (unsigned d = 0; d < 3; d++)
			p.position[d] = f32_value(r->coordinate[d][l]);
		offsets_of(r, l, p.offset);
		p.lod = r->variant.zero ? 0 : gcn_lod_clamped(&r->image, &r->sampler, lod_of(r, l));
		if (r->variant.clamps && p.lod < gcn_lod_fixed((double)f32_value(r->clamp[l])))
			p.lod = gcn_lod_fixed((double)f32_value(r->clamp[l]));
		gcn_image_taps(&r->image, &r->sampler, &p, &taps[l]);
		most = taps[l].n > most ? taps[l].n : most;
	}
	return most;
}

/* Texel k of each lane, as R, G, B, A; of a comparison its result as R. */
static int fetch_tap(struct exec *x, const struct request *r, const struct gcn_taps taps[LANES], unsigned k,
		     struct row rgba[4])
{
	struct gcn_access a = texel_access(&r->image);
	struct row raw[PARTS_MAX];
	int result;

	FOR_SET_LANES(l, x->step.executed)
		if (k < taps[l].n && !(taps[l].border >> k & 1)) {
			a.lanes[MEM_GLOBAL] |= 1ull << l;
			a.addr[l] = taps[l].addr[k];
		}
	result = fetch_texels(x, &a, raw);
	if (result != STEP_OK)
		return result;
	FOR_SET_LANES(l, x->step.executed) {
		uint32_t words[4], out[4];
		lane_words(raw, l, words);
		if (a.lanes[MEM_GLOBAL] >> l & 1)
			gcn_texel_read(&r->image, words, out);
		else
			gcn_image_border(&r->image, &r->sampler, out);
		if (r->variant.compares) {
			bool passes = gcn_image_compares(r->sampler.compare, f32_value(r->reference[l]),
							 f32_value(out[0]));
			out[0] = passes ? f32_bits(1) : 0;
			out[1] = out[2] = 0;
			out[3] = f32_bits(1);
		}
		for (unsigned c = 0; c < 4; c++)
			rgba[c].lane[l] = out[c];
	}
	return STEP_OK;
}

/* A border that nobody but the hardware's registers has. */
static bool border_unknown(const struct exec *x, const struct request *r, const struct gcn_taps taps[LANES])
{
	FOR_SET_LANES(l, x->step.executed)
		if (taps[l].border && r->sampler.border == 3)
			return true;
	return false;
}

static int prepare_sample(struct exec *x, const struct insn *in, bool gather, struct request *r,
			  struct gcn_taps taps[LANES], unsigned *n)
{
	int result = take_sample(x, in, r);

	if (result != STEP_OK)
		return result;
	*n = find_taps(x, r, gather, taps);
	if (border_unknown(x, r, taps))
		return exec_fault(x, FAULT_NOT_EMULATED, x->step.executed, 0);
	if (x->trace && *n > STEP_ACCESSES / 2)
		return exec_refuse(x, "a filter takes texels of two levels in three dimensions");
	return STEP_OK;
}

/* The sum of the texels by weight, or the least or largest. */
static float reduced(const struct request *r, float so_far, float weight, float texel, bool begun)
{
	if (!r->sampler.reduce || r->sampler.reduce == 3)
		return so_far + weight * texel;
	if (weight == 0)
		return so_far;
	return !begun || (r->sampler.reduce == 1) == (texel < so_far) ? texel : so_far;
}

static void add_tap(const struct exec *x, const struct request *r, const struct gcn_taps taps[LANES], unsigned k,
		    const struct row rgba[4], struct row sum[4])
{
	FOR_SET_LANES(l, x->step.executed)
		for (unsigned c = 0; c < 4 && k < taps[l].n; c++)
			sum[c].lane[l] = taps[l].n == 1 ? rgba[c].lane[l] :
					 f32_bits(reduced(r, f32_value(sum[c].lane[l]), taps[l].weight[k],
							  f32_value(rgba[c].lane[l]), k > 0));
}

EXEC(image_sample)
{
	struct request r;
	struct gcn_taps taps[LANES];
	struct row rgba[4], v[4] = { 0 };
	unsigned n = 0;
	int result = prepare_sample(x, in, false, &r, taps, &n);

	for (unsigned k = 0; k < n && result == STEP_OK; k++) {
		result = fetch_tap(x, &r, taps, k, rgba);
		if (result == STEP_OK)
			add_tap(x, &r, taps, k, rgba, v);
	}
	if (result != STEP_OK)
		return result;
	FOR_SET_LANES(l, x->step.executed) {
		uint32_t words[4];
		lane_words(v, l, words);
		for (unsigned c = 0; c < 4; c++)
			v[c].lane[l] = gcn_texel_select(&r.image, words, c);
	}
	return put_components(x, in, &r.image, v, mask_of(in));
}

/* The component of dmask's lowest bit, of four texels. */
EXEC(image_gather4)
{
	struct request r;
	struct gcn_taps taps[LANES];
	struct row rgba[4], v[4] = { 0 };
	unsigned n = 0;
	int result = prepare_sample(x, in, true, &r, taps, &n);

	if (result == STEP_OK && gcn_image_dimensions(&r.image) != 2)
		return exec_fault(x, FAULT_UNSUPPORTED_TEXTURE, x->step.executed, r.image.type);
	for (unsigned k = 0; k < 4 && result == STEP_OK; k++) {
		result = fetch_tap(x, &r, taps, k, rgba);
		FOR_SET_LANES(l, result == STEP_OK ? x->step.executed : 0) {
			uint32_t words[4];
			lane_words(rgba, l, words);
			v[k].lane[l] = gcn_texel_select(&r.image, words, (unsigned)__builtin_ctz(mask_of(in)));
		}
	}
	return result == STEP_OK ? put_components(x, in, &r.image, v, 15) : result;
}

/* The level of a sample with the filter's clamps, and without. */
EXEC(image_get_lod)
{
	struct request r;
	struct row v[4] = { 0 };
	int result = take_sample(x, in, &r);

	if (result != STEP_OK)
		return result;
	FOR_SET_LANES(l, x->step.executed) {
		int32_t lod = lod_of(&r, l), clamped = gcn_lod_clamped(&r.image, &r.sampler, lod);
		int32_t last = (int32_t)(r.image.last_level - r.image.base_level) * 256;
		clamped = clamped < 0 ? 0 : clamped > last ? last : clamped;
		v[0].lane[l] = f32_bits((float)clamped / 256);
		v[1].lane[l] = f32_bits((float)(lod + r.sampler.bias) / 256);
	}
	return put_components(x, in, &r.image, v, mask_of(in));
}

/* ---- directions into a cube: the face, coordinates in the face and twice the longest component ("AMD GCN3 Instruction
 * Set Architecture", V_CUBEID_F32 and the instructions behind). Of equal components z is the longest, then y. ---- */

enum face { FACE_X, FACE_Y, FACE_Z };

static inline enum face face_of(uint32_t a, uint32_t b, uint32_t c)
{
	float x = fabsf(f32_value(a)), y = fabsf(f32_value(b)), z = fabsf(f32_value(c));

	return z >= x && z >= y ? FACE_Z : y >= x ? FACE_Y : FACE_X;
}

static inline uint32_t longest(uint32_t a, uint32_t b, uint32_t c)
{
	enum face f = face_of(a, b, c);

	return f == FACE_Z ? c : f == FACE_Y ? b : a;
}

static inline uint32_t cube_number(uint32_t a, uint32_t b, uint32_t c)
{
	unsigned negative = f32_value(longest(a, b, c)) < 0;

	return f32_bits((float)(2 * face_of(a, b, c) + negative));
}

static inline uint32_t cube_s(uint32_t a, uint32_t b, uint32_t c)
{
	enum face f = face_of(a, b, c);
	bool negative = f32_value(longest(a, b, c)) < 0;
	uint32_t v = f == FACE_X ? c : a;

	return f != FACE_Y && negative == (f == FACE_Z) ? v ^ 0x80000000 : v;
}

static inline uint32_t cube_t(uint32_t a, uint32_t b, uint32_t c)
{
	bool y = face_of(a, b, c) == FACE_Y;

	return y ? f32_value(b) < 0 ? c ^ 0x80000000 : c : b ^ 0x80000000;
}

VALU(v_cubeid_f32, 3, cube_number(a, b, c))
VALU(v_cubesc_f32, 3, cube_s(a, b, c))
VALU(v_cubetc_f32, 3, cube_t(a, b, c))
VALU(v_cubema_f32, 3, f32_bits(2 * f32_value(longest(a, b, c))))
