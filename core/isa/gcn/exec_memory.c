/* Addresses of buffers (MUBUF), of flat, global and scratch memory, and of scalar loads, and the executors of those.
 * Sources: "AMD GCN3 Instruction Set Architecture", chapters 7 to 9, and the Vega one; LLVM, "User Guide for AMDGPU
 * Backend", for what programs rely on. */
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

	a->lanes[MEM_GLOBAL] = x->step.executed;
	FOR_LANES(l)
		a->addr[l] = base + (scalar ? gcn_row(x, o->reg)->lane[l] : pair_lane(x, o->reg, l));
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

/* A buffer resource: four SGPRs. */
struct resource {
	uint64_t base;
	uint32_t stride, records;
	bool swizzles, adds_lane;
	uint32_t element, index_stride;         /* of a swizzled one: bytes, and records side by side */
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

/* Is the element outside of the buffer? Up to 1.1 records of a stride are counted, from 1.2 on they are bytes unless
 * the buffer is swizzled. */
static bool outside(const struct resource *r, enum gcn_generation generation, uint32_t index, uint32_t offset,
		    uint32_t bytes)
{
	if (r->stride && (generation <= GCN_11 || r->swizzles))
		return index >= r->records;
	return (uint64_t)index * r->stride + offset + bytes > r->records;
}

static uint64_t swizzled(const struct resource *r, uint32_t index, uint32_t offset)
{
	uint64_t rows = (uint64_t)(index / r->index_stride) * r->stride + offset / r->element * r->element;

	return rows * r->index_stride + index % r->index_stride * (uint64_t)r->element + offset % r->element;
}

/* Private memory, as resources see it: words of 64 lanes side by side. */
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
		uint32_t index = how & ADDRESS_IDXEN ? gcn_row(x, o->reg)->lane[l] : 0, offset = (uint32_t)o->value;
		uint64_t addr;
		int result = STEP_OK;
		if (how & ADDRESS_OFFEN)
			offset += gcn_row(x, o->reg + (how & ADDRESS_IDXEN ? 1 : 0))->lane[l];
		if (r.adds_lane)
			index += (uint32_t)l;
		if (how & ADDRESS_64)
			addr = r.base + pair_lane(x, o->reg, l) + offset + beside;
		else if (outside(&r, generation, index, offset, bytes))
			continue;
		else if (r.swizzles)
			addr = r.base + beside + swizzled(&r, index, offset);
		else
			addr = r.base + beside + (uint64_t)index * r.stride + offset;
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

static int address(struct exec *x, const struct insn *in, struct gcn_access *a)
{
	enum { NOT_HERE = CACHE_TFE | CACHE_LDS };

	memset(a->lanes, 0, sizeof a->lanes);
	if (in->mod[MOD_CACHE] & NOT_HERE)
		return exec_fault(x, FAULT_NOT_EMULATED, x->step.executed, 0);
	switch (gcn_row_of(in)->encoding) {
	case ENC_FLAT: address_flat(x, in, a); return STEP_OK;
	case ENC_GLOBAL: address_global(x, in, a); return STEP_OK;
	case ENC_SCRATCH: address_scratch(x, in, a); return STEP_OK;
	default: return address_buffer(x, in, a);
	}
}

static int load(struct exec *x, const struct insn *in, unsigned width, bool is_signed, unsigned parts,
		enum gcn_half half)
{
	struct gcn_access a = { .width = (uint8_t)width, .parts = (uint8_t)parts, .is_signed = is_signed };
	int r = address(x, in, &a);

	return r == STEP_OK ? SIMD_NAME(gcn_load)(x, &a, in->dst.reg, half) : r;
}

static int store(struct exec *x, const struct insn *in, unsigned width, unsigned parts, enum gcn_half half)
{
	struct gcn_access a = { .width = (uint8_t)width, .parts = (uint8_t)parts };
	int r = address(x, in, &a);

	return r == STEP_OK ? SIMD_NAME(gcn_store)(x, &a, in->src[0].reg, half) : r;
}

#define LOAD(name, width, sign, parts, half) \
	EXEC(name) \
	{ \
		return load(x, in, width, sign, parts, half); \
	}
#define STORE(name, width, parts, half) \
	EXEC(name) \
	{ \
		return store(x, in, width, parts, half); \
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

/* Of a compare-and-swap the data are the new value and, behind it, the one that it is compared with. */
static int atomic(struct exec *x, const struct insn *in, enum atomic_op op, unsigned parts)
{
	struct gcn_access a = { .width = 4, .parts = (uint8_t)parts };
	bool compares = op == ATOMIC_CMPSWAP || op == ATOMIC_FCMPSWAP, returns = in->mod[MOD_CACHE] & CACHE_GLC;
	const struct row *data = gcn_row(x, in->src[0].reg);
	int r = address(x, in, &a);

	if (r != STEP_OK)
		return r;
	return SIMD_NAME(gcn_atomic)(x, &a, op, data, compares ? data + parts : NULL, returns,
				     in->dst.shape == OPND_REG ? in->dst.reg : in->src[0].reg);
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

/* ---- scalar loads: whatever EXEC ---- */

/* One word of global memory, into *to. Lane 0 stands for the wavefront. */
static int scalar_word(struct exec *x, uint64_t addr, uint32_t *to)
{
	static const struct opnd word = { .shape = OPND_MEM, .width = 4, .addr_reg = 1 };
	const uint8_t *at = addr >> GLOBAL_BITS_MAX ? NULL : global_at(x->memory->global, &x->pages, addr, 4);
	uint64_t lanes[LANES] = { addr };
	lane_mask executed = x->step.executed;
	int r = STEP_OK;

	if (!at)
		return exec_fault(x, FAULT_GLOBAL_UNMAPPED, 1, addr);
	if (x->pages.sets) {
		x->step.executed = 1;
		r = lane_global_sets(x, &word, lanes, READ_SET, 0);
		x->step.executed = executed;
	}
	*to = word_load(at, 4, false);
	return r;
}

/* Rows differ in how many words they load, and whether from an address or a buffer, outside of which is 0. */
EXEC(s_load_dword)
{
	const struct gcn_warp *g = gcn_warp(x->warp);
	bool buffer = in->src[0].width == 16;
	struct resource b = buffer ? resource_of(g, in->src[0].reg, valu_generation(x)) :
				     (struct resource){ .base = gcn_pair(g, in->src[0].reg) };
	uint64_t offset = gcn_scalar(x, in, 1), end = b.stride ? (uint64_t)b.records * b.stride : b.records;
	uint32_t v[16], n = in->dst.width / 4u;

	if (in->src[1].shape == OPND_IMM)       /* 1.4's may be negative */
		offset = (uint64_t)(int64_t)in->src[1].value;
	if (in->src[3].shape == OPND_REG)
		offset += gcn_scalar(x, in, 3);
	for (uint32_t i = 0; i < n; i++) {
		uint64_t at = ((b.base + offset) & ~3ull) + 4 * i;
		int r = STEP_OK;
		if (buffer && (offset & ~3ull) + 4 * i + 4 > end)
			v[i] = 0;
		else
			r = scalar_word(x, at, &v[i]);
		if (r != STEP_OK)
			return r;
	}
	for (uint32_t i = 0; i < n; i++)
		gcn_write_scalar(x, in->dst.reg + i, v[i]);
	return STEP_OK;
}

EXEC(s_memtime)
{
	if (x->trace)
		return exec_refuse(x, "an instruction reads the clock or a counter");
	gcn_write_pair(x, in->dst.reg, x->special.cycle);
	return STEP_OK;
}

#define ENTRIES(name, op) ENTRY(atomic_##name), ENTRY(atomic_##name##_x2),
GCN_PART(memory) = {
	ENTRY(load_ubyte), ENTRY(load_sbyte), ENTRY(load_ushort), ENTRY(load_sshort), ENTRY(load_dword),
	ENTRY(load_dwordx2),
	ENTRY(load_dwordx3), ENTRY(load_dwordx4), ENTRY(load_ubyte_d16), ENTRY(load_ubyte_d16_hi),
	ENTRY(load_sbyte_d16),
	ENTRY(load_sbyte_d16_hi), ENTRY(load_short_d16), ENTRY(load_short_d16_hi),
	ENTRY(store_byte), ENTRY(store_short), ENTRY(store_dword), ENTRY(store_dwordx2), ENTRY(store_dwordx3),
	ENTRY(store_dwordx4), ENTRY(store_byte_d16_hi), ENTRY(store_short_d16_hi),
	ATOMICS(ENTRIES)
	ENTRY(s_load_dword), ENTRY(s_memtime),
	{ 0 }
};
