/* The executors: one function for each name in ops.h. Executors of arithmetic, and the ways of vertices into registers
 * and out, exist once for each SIMD level and each rounding; the build names both. */
#ifndef WB_CORE_ISA_PICA_EXEC_H
#define WB_CORE_ISA_PICA_EXEC_H

#include "core/isa/pica/f24.h"
#include "core/isa/pica/ops.h"
#include "core/isa/pica/state.h"
#include "core/isa/threaded.h"

#ifndef ROUNDING
#define ROUNDING TRUNC
#endif
#define PICA_PASTE2(name, level, rounding) name##_##level##_##rounding
#define PICA_PASTE(name, level, rounding) PICA_PASTE2(name, level, rounding)
#define PICA_BUILD(name) PICA_PASTE(name, SIMD_LEVEL, ROUNDING)

#define F24_PASTE(mode) F24_##mode
#define F24_MODE_OF(mode) F24_PASTE(mode)
#define MODE F24_MODE_OF(ROUNDING)

/* Lanes do not depend on each other, even where a destination is also a source. */
#ifdef __clang__
#define EACH_LANE(l) _Pragma("clang loop vectorize(assume_safety)") FOR_LANES(l)
#else
#define EACH_LANE(l) _Pragma("GCC ivdep") FOR_LANES(l)
#endif

/* Handlers of an arithmetic instruction. `full`: all lanes are active and a component may be written before the next is
 * read; else `partial`. Then handlers for ordinary numbers, by the number of written components; NULL: none. `apart`:
 * no source is the destination. */
struct pica_compute {
	handler_fn *full, *partial;
	handler_fn *fast_apart[5], *fast_full[5], *fast_partial[5];
};

/* The parts of a build; struct program.build. */
struct pica_build {
	const struct pica_flow *flow;
	struct pica_compute compute[PICA_EXEC_COUNT];
	/* Make source number op.arg of the next working entry; index_lanes: for uniforms that differ from lane to
	 * lane. */
	handler_fn *negate, *index, *index_lanes;
	/* One register of up to 32 vertices, ROWS_VECTORS words from vertex to vertex, into its rows, in the machine's
	 * format. Returns whether all words are ordinary (f24_ordinary). */
	bool (*take)(struct row to[4], const uint32_t *words, uint32_t lanes);
	/* The reverse of `take`. */
	void (*give)(uint32_t *words, const struct row from[4], lane_mask lanes);
	/* Make registers of a set 0; bit n: rows 4n … 4n + 3. */
	void (*clear)(struct row *rows, uint32_t set);
};

/* Have the host bring in, for 32 vertices from `words` on, the lines of memory with the registers of a set. */
static inline void pica_prefetch(const uint32_t *words, unsigned set)
{
	enum { REGISTERS_A_LINE = 64 / 16 };

	for (unsigned reg = 0; reg < SHADER_VECTORS; reg += REGISTERS_A_LINE)
		for (int l = 0; l < LANES && (set >> reg & 0xf); l++)
			__builtin_prefetch(words + ROWS_VECTORS * l + 4 * reg);
}

/* The part common to all roundings. */
struct pica_flow {
	const struct threaded_level *engine;
	exec_fn *exec[PICA_EXEC_COUNT];         /* of instructions other than arithmetic */
	handler_fn *handler[PICA_EXEC_COUNT];   /* NULL: the slow path */
	exec_fn *compute;                       /* of arithmetic instructions */
	handler_fn *scope_end;                  /* before op.pc, where a scope may end */
	handler_fn *finished;                   /* the end of a lone instruction's work */
};

extern const struct pica_flow pica_flow_base, pica_flow_avx2, pica_flow_avx512;

#define PICA_BUILD_PARTS(build) \
	extern const struct pica_build pica_build_##build; \
	bool pica_take_##build(struct row to[4], const uint32_t *words, uint32_t lanes); \
	void pica_give_##build(uint32_t *words, const struct row from[4], lane_mask lanes); \
	void pica_clear_##build(struct row *rows, uint32_t set);
#define PICA_BUILDS(level) \
	PICA_BUILD_PARTS(level##_TRUNC) \
	PICA_BUILD_PARTS(level##_RNE) \
	PICA_BUILD_PARTS(level##_OFF)
PICA_BUILDS(base)
PICA_BUILDS(avx2)
PICA_BUILDS(avx512)

static inline enum f24_mode pica_rounding(const struct program *p)
{
	return p->target.features & PICA_BINARY32 ? F24_OFF : p->target.features & PICA_RNE ? F24_RNE : F24_TRUNC;
}

/* Does a lane have its highest bit set? */
static inline bool row_any_sign(const struct row *r)
{
	uint32_t any = 0;

	FOR_LANES(l)
		any |= r->lane[l];
	return any >> 31;
}

/* insn.marks, set by bind: the executor chooses the next pc itself. */
enum { MOVES = 1 };

#endif
