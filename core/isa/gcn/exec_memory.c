/* Addresses of buffers (MUBUF), of flat, global and scratch memory, and of scalar loads, and their executors. Sources:
 * "AMD GCN3 Instruction Set Architecture", chapters 7 to 9, and the Vega ISA; LLVM, "User Guide for AMDGPU Backend",
 * for the needs of programs. */
#include "core/isa/gcn/format.h"
#include "core/isa/gcn/launch.h"
#include "core/isa/gcn/memory.h"

/* ---- flat, global, scratch ---- */

static uint64_t pair_lane(const struct exec *x, unsigned reg, int l)
{
	return (uint64_t)gcn_row(x, reg + 1)->lane[l] << 32 | gcn_row(x, reg)->lane[l];
}

/* Windows of LDS and private memory lie in the 64-bit addresses of FLAT. */
static void address_flat(struct exec *x, const struct insn *in, struct gcn_access *a)
{
	const struct opnd *o = &in->src[1];

	FOR_SET_LANES(l, x->step.executed) {
		uint64_t addr = pair_lane(x, o->reg, l) + (uint64_t)(int64_t)o->value;
		uint32_t window = (uint32_t)(addr >> 32);
		enum mem_space space = window == GCN_SHARED_APERTURE ? MEM_SHARED :
				       window == GCN_PRIVATE_APERTURE ? MEM_LOCAL : MEM_GLOBAL;
		a->lanes[space] |= 1ull << l;
		a->addr[l] = space == MEM_GLOBAL ? addr : (uint32_t)addr;
	}
}

/* With a scalar address the register is an offset of 32 bits. */
static void address_global(struct exec *x, const struct insn *in, struct gcn_access *a)
{
	const struct opnd *o = &in->src[1];
	uint64_t offset = (uint64_t)(int64_t)o->value;
	bool scalar = in->src[2].shape == OPND_REG;
	uint64_t base = scalar ? gcn_pair(gcn_warp(x->warp), in->src[2].reg) + offset : offset;

	const uint32_t *low = gcn_row(x, o->reg)->lane, *high = scalar ? low : gcn_row(x, o->reg + 1)->lane;

	a->lanes[MEM_GLOBAL] = x->step.executed;
	if (scalar) {
		FOR_LANES(l)
			a->addr[l] = base + low[l];
		return;
	}
	FOR_LANES(l)
		a->addr[l] = base + ((uint64_t)high[l] << 32 | low[l]);
}

static void address_scratch(struct exec *x, const struct insn *in, struct gcn_access *a)
{
	const struct opnd *o = &in->src[1];
	bool scalar = in->src[2].shape == OPND_REG;
	uint32_t base = scalar ? gcn_warp(x->warp)->s[in->src[2].reg] : 0;

	a->lanes[MEM_LOCAL] = x->step.executed;
	FOR_LANES(l)
		a->addr[l] = (uint32_t)(base + (scalar ? 0 : gcn_row(x, o->reg)->lane[l]) + (uint32_t)o->value);
}

/* ---- buffers ---- */

/* Addresses of buffers have the 48 bits of a resource's base (CLRX, GcnMemHandling), and sums wrap: compilers have a
 * negative number as the base where ADDR64's register pair has the pointer (LLVM, SelectMUBUF: whichever part of a sum
 * is uniform becomes the base). */
#define BUFFER_ADDRESS_MASK ((1ull << 48) - 1)

/* A buffer resource: four SGPRs. */
struct resource {
	uint64_t base;
	uint32_t stride, records;
	bool swizzles, adds_lane;
	uint32_t element, index_stride;         /* of a swizzled buffer: bytes, and records side by side */
};

static struct resource resource_of(const struct gcn_warp *g, unsigned code, enum gcn_generation generation)
{
	const uint32_t *w = &g->s[code];
	struct resource r = {
		.base = (uint64_t)(w[1] & 0xffff) << 32 | w[0], .stride = w[1] >> 16 & 0x3fff, .records = w[2],
		.swizzles = w[1] >> 31, .adds_lane = w[3] >> 23 & 1,
		.element = 2u << (w[3] >> 19 & 3), .index_stride = 8u << (w[3] >> 21 & 3),
	};

	/* 1.4 has elements of 4 bytes alone; from 1.2 on the data format's bits are the stride's where lanes are added
	 * */
	if (generation == GCN_14)
		r.element = 4;
	if (generation >= GCN_12 && r.adds_lane)
		r.stride |= (w[3] >> 15 & 15) << 14;
	return r;
}

/* Is the element outside of the buffer? Up to 1.1 records of a stride are counted; from 1.2 on bytes unless the buffer
 * is swizzled. Bytes are counted by the sum of the offsets before the cut to 32 bits: a negative register is outside,
 * whatever the instruction adds (LLVM, SelectMUBUFScratchOffen, "would fail the range check"). Of a swizzled buffer of
 * 1.4 the sum after the cut counts: compilers add offsets to negative registers there (LLVM,
 * privateMemoryResourceIsRangeChecked: up to 1.2). */
static bool outside(const struct resource *r, enum gcn_generation generation, uint32_t index, uint64_t offset,
		    uint32_t bytes)
{
	if (generation == GCN_14 && r->swizzles)
		offset = (uint32_t)offset;
	if (r->stride && (generation <= GCN_11 || r->swizzles))
		return index >= r->records;
	return !bytes_inside((uint64_t)index * r->stride + offset, bytes, r->records);
}

static uint64_t swizzled(const struct resource *r, uint32_t index, uint32_t offset)
{
	uint64_t rows = (uint64_t)(index / r->index_stride) * r->stride + offset / r->element * r->element;

	return rows * r->index_stride + index % r->index_stride * (uint64_t)r->element + offset % r->element;
}

/* Private memory as resources address it: words of 64 lanes side by side. */
static int place_private(struct exec *x, struct gcn_access *a, int l, uint64_t at)
{
	if ((at >> 2 & (LANES - 1)) != (unsigned)l)
		return exec_fault(x, FAULT_LOCAL_OUT_OF_RANGE, 1ull << l, at);
	a->lanes[MEM_LOCAL] |= 1ull << l;
	a->addr[l] = at / (4 * LANES) * 4 + at % 4;
	return STEP_OK;
}

static int address_buffer(struct exec *x, const struct insn *in, struct gcn_access *a)
{
	const struct opnd *o = &in->src[1];
	enum gcn_generation generation = valu_generation(x);
	struct resource r = resource_of(gcn_warp(x->warp), in->src[2].reg, generation);
	unsigned how = in->mod[MOD_ADDRESS];
	uint32_t beside = gcn_scalar(x, in, 3), bytes = a->width * (uint32_t)a->parts;

	FOR_SET_LANES(l, x->step.executed) {
		uint32_t index = how & ADDRESS_IDXEN ? gcn_row(x, o->reg)->lane[l] : 0, offset;
		uint64_t sum = (uint32_t)o->value, addr;
		int result = STEP_OK;
		if (how & ADDRESS_OFFEN)
			sum += gcn_row(x, o->reg + (how & ADDRESS_IDXEN ? 1 : 0))->lane[l];
		offset = (uint32_t)sum;
		if (r.adds_lane)
			index += (uint32_t)l;
		if (how & ADDRESS_64)
			addr = r.base + pair_lane(x, o->reg, l) + offset + beside;
		else if (outside(&r, generation, index, sum, bytes))
			continue;
		else if (r.swizzles)
			addr = r.base + beside + swizzled(&r, index, offset);
		else
			addr = r.base + beside + (uint64_t)index * r.stride + offset;
		addr &= BUFFER_ADDRESS_MASK;
		if (addr - GCN_SCRATCH_BASE < GCN_SCRATCH_BYTES) {
			result = place_private(x, a, l, addr - GCN_SCRATCH_BASE);
		} else {
			a->lanes[MEM_GLOBAL] |= 1ull << l;
			a->addr[l] = addr;
		}
		if (result != STEP_OK)
			return result;
	}
	return STEP_OK;
}

/* ---- executors, whatever the encoding ---- */

enum { CACHE_NOT_HERE = CACHE_TFE | CACHE_LDS };

static int address(struct exec *x, const struct insn *in, struct gcn_access *a)
{
	memset(a->lanes, 0, sizeof a->lanes);
	if (in->mod[MOD_CACHE] & CACHE_NOT_HERE)
		return exec_fault(x, FAULT_NOT_EMULATED, x->step.executed, 0);
	switch (gcn_row_of(in)->encoding) {
	case ENC_FLAT: address_flat(x, in, a); return STEP_OK;
	case ENC_GLOBAL: address_global(x, in, a); return STEP_OK;
	case ENC_SCRATCH: address_scratch(x, in, a); return STEP_OK;
	default: return address_buffer(x, in, a);
	}
}

/* All lanes' words of global memory, side by side, as an untimed run nearly always wants them; NULL: other accesses, or
 * somebody wants more than a count. */
static uint8_t *words_of_all(struct exec *x, const struct insn *in)
{
	struct gcn_access a;

	if (x->step.executed != lane_all() || gcn_row_of(in)->encoding != ENC_GLOBAL ||
	    in->mod[MOD_CACHE] & CACHE_NOT_HERE || (x->hooks.access && !x->tally))
		return NULL;
	address_global(x, in, &a);
	return a.addr[LANES - 1] >> GLOBAL_BITS_MAX ? NULL : lane_global_words(x, 0, a.addr);
}

static int load(struct exec *x, const struct insn *in, unsigned width, bool is_signed, unsigned parts,
		enum gcn_half half)
{
	const uint8_t *run = width == 4 && parts == 1 ? words_of_all(x, in) : NULL;
	struct gcn_access a;
	int r;

	if (run) {
		words_load(gcn_row(x, in->dst.reg)->lane, run, LANES);
		lane_count_global(x, false);
		return STEP_OK;
	}

	gcn_access_begin(&a, width, parts, is_signed);
	r = address(x, in, &a);

	return r == STEP_OK ? SIMD_NAME(gcn_load)(x, &a, gcn_row(x, in->dst.reg), half) : r;
}

static int store(struct exec *x, const struct insn *in, unsigned width, unsigned parts, enum gcn_half half)
{
	bool plain = width == 4 && parts == 1 && !x->memory->global->undo && x->rules->store_winner != WINNER_RANDOM;
	uint8_t *run = plain ? words_of_all(x, in) : NULL;
	struct gcn_access a;
	int r;

	if (run) {
		x->progress++;
		x->changes += words_store(run, gcn_row(x, in->src[0].reg)->lane, LANES);
		lane_count_global(x, true);
		return STEP_OK;
	}

	gcn_access_begin(&a, width, parts, false);
	r = address(x, in, &a);

	return r == STEP_OK ? SIMD_NAME(gcn_store)(x, &a, gcn_row(x, in->src[0].reg), half) : r;
}

LOAD(load_ubyte, 1, false, 1, HALF_NONE)
LOAD(load_sbyte, 1, true, 1, HALF_NONE)
LOAD(load_ushort, 2, false, 1, HALF_NONE)
LOAD(load_sshort, 2, true, 1, HALF_NONE)
LOAD(load_dword, 4, false, 1, HALF_NONE)
LOAD(load_dwordx2, 4, false, 2, HALF_NONE)
LOAD(load_dwordx3, 4, false, 3, HALF_NONE)
LOAD(load_dwordx4, 4, false, 4, HALF_NONE)
LOAD(load_ubyte_d16, 1, false, 1, HALF_LOW)
LOAD(load_ubyte_d16_hi, 1, false, 1, HALF_HIGH)
LOAD(load_sbyte_d16, 1, true, 1, HALF_LOW)
LOAD(load_sbyte_d16_hi, 1, true, 1, HALF_HIGH)
LOAD(load_short_d16, 2, false, 1, HALF_LOW)
LOAD(load_short_d16_hi, 2, false, 1, HALF_HIGH)
STORE(store_byte, 1, 1, HALF_NONE)
STORE(store_short, 2, 1, HALF_NONE)
STORE(store_dword, 4, 1, HALF_NONE)
STORE(store_dwordx2, 4, 2, HALF_NONE)
STORE(store_dwordx3, 4, 3, HALF_NONE)
STORE(store_dwordx4, 4, 4, HALF_NONE)
STORE(store_byte_d16_hi, 1, 1, HALF_HIGH)
STORE(store_short_d16_hi, 2, 1, HALF_HIGH)

/* ---- elements of a format ---- */

/* The parts of an element: by the instruction's format (MTBUF) or the resource's, where component i is select[i]: 0, 1,
 * or 4 … 7 for the element's components. Stores select by the same fields. */
struct element {
	const struct data_format *data;
	enum number_format number;
	unsigned select[4], count;      /* of components in registers */
	unsigned halves;                /* D16: 16 bits in registers, 1 or (from 1.4 on) 2 a register; else 0 */
};

/* Of two components in one register, the first is the lower half. */
static unsigned register_of(const struct element *e, unsigned component)
{
	return e->halves == 2 ? component / 2 : component;
}

static unsigned shift_of(const struct element *e, unsigned component, enum gcn_half half)
{
	return half == HALF_HIGH || (e->halves == 2 && component % 2) ? 16 : 0;
}

static int element_of(struct exec *x, const struct insn *in, unsigned first, unsigned count, bool stored,
		      struct element *e, struct gcn_access *a)
{
	uint32_t word = gcn_warp(x->warp)->s[in->src[2].reg + 3u];
	bool typed = gcn_row_of(in)->encoding == ENC_MTBUF;
	unsigned data = typed ? in->mod[MOD_FORMAT] & 15 : word >> 15 & 15;

	*e = (struct element){ &data_formats[data], typed ? in->mod[MOD_FORMAT] >> 4 : word >> 12 & 7, .count = count };
	for (unsigned i = 0; i < 4; i++)
		e->select[i] = typed ? 4 + i : word >> 3 * i & 7;
	if (gcn_row_of(in)->flags & D16)
		e->halves = valu_generation(x) < GCN_14 ? 1 : 2;
	*a = (struct gcn_access){ .width = e->data->bytes < 4 ? e->data->bytes : 4,
				  .parts = e->data->bytes < 4 ? 1 : e->data->bytes / 4 };
	if (!format_valid(data, e->number, stored))
		return exec_fault(x, FAULT_NOT_EMULATED, x->step.executed, 0);
	if (first + register_of(e, count - 1) >= x->program->nreg)
		return exec_fault(x, FAULT_ILLEGAL_OPCODE, x->step.executed, 0);
	return STEP_OK;
}

/* The first bit of each component in the element's words. */
static void component_places(const struct element *e, unsigned at[4])
{
	for (unsigned i = 0, bit = 0; i < 4; bit += e->data->bits[i++])
		at[i] = bit;
}

static uint32_t component_read(const struct element *e, unsigned i, const unsigned at[4], const struct row *raw, int l)
{
	unsigned select = e->select[i], c = select & 3, bits = select < 4 ? 0 : e->data->bits[c];
	bool one = select == 1 || (select == 7 && !bits);

	if (!bits)
		return !one ? 0 : format_is_integer(e->number) ? 1 : f32_bits(1);
	return format_read(e->number, bits, (uint32_t)(raw[at[c] / 32].lane[l] >> at[c] % 32 & ((1ull << bits) - 1)));
}

static uint32_t to_half(const struct element *e, uint32_t v)
{
	return format_is_integer(e->number) ? v & 0xffff : f16_round((double)f32_value(v), ROUND_NEAREST);
}

static uint32_t of_half(const struct element *e, uint32_t v)
{
	return e->number == NUMBER_UINT ? v & 0xffff : e->number == NUMBER_SINT ? (uint32_t)(int32_t)(int16_t)v :
	       f32_bits((float)f16_value(v & 0xffff));
}

static int load_element(struct exec *x, const struct insn *in, unsigned count, enum gcn_half half)
{
	struct row raw[PARTS_MAX] = { 0 }, out[4] = { 0 };
	struct element e;
	struct gcn_access a;
	unsigned at[4];
	int r = element_of(x, in, in->dst.reg, count, false, &e, &a);

	if (r == STEP_OK)
		r = address(x, in, &a);
	if (r == STEP_OK)
		r = SIMD_NAME(gcn_load)(x, &a, raw, HALF_NONE);
	if (r != STEP_OK)
		return r;
	component_places(&e, at);
	for (unsigned i = 0; i < count; i++)
		FOR_SET_LANES(l, gcn_access_lanes(&a)) {
			uint32_t v = component_read(&e, i, at, raw, l);
			out[register_of(&e, i)].lane[l] |= (e.halves ? to_half(&e, v) : v) << shift_of(&e, i, half);
		}
	if (half != HALF_NONE && e.halves == 2)         /* the other half of the only register stays */
		FOR_LANES(l)
			out[0].lane[l] |= gcn_row(x, in->dst.reg)->lane[l] & (half == HALF_LOW ? 0xffff0000 : 0xffff);
	for (unsigned i = 0; i <= register_of(&e, count - 1); i++)
		row_blend(gcn_row(x, in->dst.reg + i), &out[i], x->step.executed);
	return STEP_OK;
}

/* A component from the instruction's data: 0 beyond the last. */
static uint32_t component_given(struct exec *x, const struct insn *in, const struct element *e, unsigned c, int l,
				enum gcn_half half)
{
	uint32_t v;

	if (c >= e->count)
		return 0;
	v = gcn_row(x, in->src[0].reg + register_of(e, c))->lane[l];
	return e->halves ? of_half(e, v >> shift_of(e, c, half)) : v;
}

static int store_element(struct exec *x, const struct insn *in, unsigned count, enum gcn_half half)
{
	struct row raw[PARTS_MAX] = { 0 };
	struct element e;
	struct gcn_access a;
	unsigned at[4];
	int r = element_of(x, in, in->src[0].reg, count, true, &e, &a);

	if (r == STEP_OK)
		r = address(x, in, &a);
	if (r != STEP_OK)
		return r;
	component_places(&e, at);
	for (unsigned i = 0; i < 4; i++)
		FOR_SET_LANES(l, e.data->bits[i] ? gcn_access_lanes(&a) : 0) {
			uint32_t one = format_is_integer(e.number) ? 1 : f32_bits(1), v = e.select[i] == 1 ? one : 0;
			if (e.select[i] >= 4)
				v = component_given(x, in, &e, e.select[i] - 4, l, half);
			raw[at[i] / 32].lane[l] |= format_stored(e.number, e.data->bits[i], v) << at[i] % 32;
		}
	return SIMD_NAME(gcn_store)(x, &a, raw, HALF_NONE);
}

EXEC(load_format)
{
	return load_element(x, in, in->dst.width / 4u, HALF_NONE);
}

EXEC(store_format)
{
	return store_element(x, in, in->src[0].width / 4u, HALF_NONE);
}

#define FORMAT_D16(name, count, half) \
	EXEC(load_format_d16_##name) \
	{ \
		return load_element(x, in, count, half); \
	} \
	EXEC(store_format_d16_##name) \
	{ \
		return store_element(x, in, count, half); \
	}
FORMAT_D16(x, 1, HALF_LOW)
FORMAT_D16(xy, 2, HALF_NONE)
FORMAT_D16(xyz, 3, HALF_NONE)
FORMAT_D16(xyzw, 4, HALF_NONE)
FORMAT_D16(hi_x, 1, HALF_HIGH)

/* ---- scalar memory: whatever EXEC ---- */

/* The first byte, and the number of bytes: 0 outside of a buffer, in rows with a resource as the base. */
struct scalar_place {
	uint64_t addr, bytes;
};

static struct scalar_place scalar_place(struct exec *x, const struct insn *in)
{
	const struct gcn_warp *g = gcn_warp(x->warp);
	bool buffer = in->src[0].width == 16;
	struct resource b = buffer ? resource_of(g, in->src[0].reg, valu_generation(x)) :
				     (struct resource){ .base = gcn_pair(g, in->src[0].reg) };
	/* s_scratch_*: registers have units of 64 bytes ("Vega Instruction Set Architecture", chapter 7) */
	uint32_t unit = gcn_row_of(in)->flags & OFFSETS_OF_64 ? 64 : 1;
	uint64_t offset = (uint64_t)gcn_scalar(x, in, 1) * unit;
	uint64_t end = b.stride ? (uint64_t)b.records * b.stride : b.records;

	if (in->src[1].shape == OPND_IMM)       /* literals (1.1) count words, numbers bytes; 1.4's may be negative */
		offset = in->src[1].reg == CODE_LITERAL ? 4 * (uint64_t)(uint32_t)in->src[1].value :
			 (uint64_t)(int64_t)in->src[1].value;
	if (in->src[3].shape == OPND_REG)
		offset += (uint64_t)gcn_scalar(x, in, 3) * unit;
	if ((b.base + offset) & 3)
		exec_notice(x, NOTICE_CONST_MISALIGNED);
	return (struct scalar_place){
		(b.base + offset) & ~3ull, !buffer ? UINT64_MAX : (offset & ~3ull) < end ? end - (offset & ~3ull) : 0,
	};
}

/* A word of a load of n words at `from`, found beyond the end of a buffer. */
static __attribute__((noinline)) void scalar_beyond(struct exec *x, uint64_t from, uint32_t n)
{
	uint64_t end = global_edge_end(x->memory->global, &x->pages, x->pages.beyond);

	if (load_is_widened(from, 4 * n, end))
		x->pages.beyond_width = 0;
	else
		exec_beyond(x, 0);
}

/* Observers see the words of a load as one access, of lane 0. */
static void note_scalar(struct exec *x, uint64_t addr, uint32_t bytes)
{
	struct opnd o = { .shape = OPND_MEM, .width = (uint8_t)bytes };

	if (!x->rules->inspected || !bytes)
		return;
	lane_describe(&x->step.access[x->step.accesses++], &o, ACCESS_LOAD, MEM_GLOBAL, PATTERN_SCALAR, 1)
		->addr[0] = addr;
}

/* Load word i of n from global memory into *to, by lane 0 for the wavefront. */
static int scalar_word(struct exec *x, uint64_t from, uint32_t i, uint32_t n, uint32_t *to)
{
	uint64_t addr = from + 4 * i;
	static const struct opnd word = { .shape = OPND_MEM, .width = 4, .addr_reg = 1 };
	const uint8_t *at = addr >> GLOBAL_BITS_MAX ? NULL : global_at(x->memory->global, &x->pages, addr, 4);
	lane_mask executed = x->step.executed;
	int r = STEP_OK;

	if (!at)
		return exec_fault(x, FAULT_GLOBAL_UNMAPPED, 1, addr);
	if (__builtin_expect(x->pages.beyond_width != 0, 0))
		scalar_beyond(x, from, n);
	if (x->pages.sets) {
		const uint64_t lanes[LANES] = { addr };
		x->step.executed = 1;
		r = lane_global_sets(x, &word, lanes, READ_SET, 0);
		x->step.executed = executed;
	}
	*to = word_load(at, 4, false);
	return r;
}

/* Rows differ in the number of words, and in the base, an address or a buffer; 0 outside of a buffer. */
EXEC(s_load_dword)
{
	struct scalar_place from = scalar_place(x, in);
	uint32_t v[16], n = in->dst.width / 4u, inside = 0;

	for (uint32_t i = 0; i < n; i++) {
		int r = STEP_OK;
		v[i] = 0;
		if (bytes_inside(4 * i, 4, from.bytes)) {
			r = scalar_word(x, from.addr, i, n, &v[i]);
			inside = 4 * i + 4;
		}
		if (r != STEP_OK)
			return r;
	}
	note_scalar(x, from.addr, inside);
	for (uint32_t i = 0; i < n; i++)
		gcn_write_scalar(x, in->dst.reg + i, v[i]);
	return STEP_OK;
}

/* The stored words, in lane 0, and their addresses. */
static void scalar_data(struct exec *x, const struct insn *in, unsigned parts, struct gcn_access *a, struct row *data)
{
	struct scalar_place to = scalar_place(x, in);

	*a = (struct gcn_access){ .width = 4, .parts = (uint8_t)parts };
	a->addr[0] = to.addr;
	a->lanes[MEM_GLOBAL] = bytes_inside(0, 4 * parts, to.bytes);
	for (unsigned i = 0; i < in->src[2].width / 4u; i++)
		data[i].lane[0] = gcn_warp(x->warp)->s[in->src[2].reg + i];
}

/* Rows differ in the number of words, and in the base, an address or a buffer. */
EXEC(s_store_dword)
{
	struct row data[PARTS_MAX];
	struct gcn_access a;
	lane_mask executed = x->step.executed;
	int r;

	scalar_data(x, in, in->src[2].width / 4u, &a, data);
	x->step.executed = 1;
	r = SIMD_NAME(gcn_store)(x, &a, data, HALF_NONE);
	x->step.executed = executed;
	return r;
}

static int scalar_atomic(struct exec *x, const struct insn *in, enum atomic_op op, unsigned parts, bool compares,
			 bool returns)
{
	struct row data[4], old[2] = { 0 };
	struct gcn_access a;
	lane_mask executed = x->step.executed;
	int r;

	scalar_data(x, in, parts, &a, data);
	x->step.executed = 1;
	r = SIMD_NAME(gcn_atomic)(x, &a, op, data, compares ? data + parts : NULL, returns, old);
	x->step.executed = executed;
	for (unsigned i = 0; i < parts && returns && r == STEP_OK; i++)
		gcn_write_scalar(x, in->dst.reg + i, old[i].lane[0]);
	return r;
}

/* ---- atomics ---- */

/* Data of a compare-and-swap are the new value, then the value to compare with. */
static int atomic(struct exec *x, const struct insn *in, enum atomic_op op, unsigned parts)
{
	struct gcn_access a;
	bool compares = op == ATOMIC_CMPSWAP || op == ATOMIC_FCMPSWAP, returns = in->mod[MOD_CACHE] & CACHE_GLC;
	const struct row *data = gcn_row(x, in->src[0].reg);
	int r;

	if (gcn_row_of(in)->encoding == ENC_SMEM)
		return scalar_atomic(x, in, op, parts, compares, returns);
	gcn_access_begin(&a, 4, parts, false);
	r = address(x, in, &a);
	if (r != STEP_OK)
		return r;
	return SIMD_NAME(gcn_atomic)(x, &a, op, data, compares ? data + parts : NULL, returns,
				     gcn_row(x, in->dst.shape == OPND_REG ? in->dst.reg : in->src[0].reg));
}

#define ATOMIC(name, op) \
	EXEC(atomic_##name) \
	{ \
		return atomic(x, in, op, 1); \
	} \
	EXEC(atomic_##name##_x2) \
	{ \
		return atomic(x, in, op, 2); \
	}
#define ATOMICS(X) \
	X(swap, ATOMIC_SWAP) X(cmpswap, ATOMIC_CMPSWAP) X(add, ATOMIC_ADD) X(sub, ATOMIC_SUB) X(smin, ATOMIC_SMIN) \
	X(umin, ATOMIC_UMIN) X(smax, ATOMIC_SMAX) X(umax, ATOMIC_UMAX) X(and, ATOMIC_AND) X(or, ATOMIC_OR) \
	X(xor, ATOMIC_XOR) X(inc, ATOMIC_INC) X(dec, ATOMIC_DEC) X(fcmpswap, ATOMIC_FCMPSWAP) X(fmin, ATOMIC_FMIN) \
	X(fmax, ATOMIC_FMAX)
ATOMICS(ATOMIC)

EXEC(s_memtime)
{
	if (x->trace)
		return exec_refuse(x, "an instruction reads the clock or a counter");
	gcn_write_pair(x, in->dst.reg, x->special.cycle);
	return STEP_OK;
}
