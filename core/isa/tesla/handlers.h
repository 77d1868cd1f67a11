/* Tesla's handlers of threaded code (core/isa/threaded.h), for each SIMD level of the build. */
#ifndef WB_CORE_ISA_TESLA_HANDLERS_H
#define WB_CORE_ISA_TESLA_HANDLERS_H

#include "core/isa/native.h"
#include "core/isa/tesla/threaded.h"

enum handler_id {
#define HANDLER(name, executor, sources, when, value) HANDLER_##name,
#include "core/isa/tesla/handlers.def"
	HANDLERS
};

/* Flags that a row's results can have, in native loops: bit = value. NaNs, results of min and max alone, are zero and
 * negative by the flags; no number is both. */
enum { FLAGS_ANY = 0xffff, FLAGS_OF_NUMBERS = 0x7777 };

static inline uint16_t handler_flags(unsigned id)
{
	return id == HANDLER_fmax || id == HANDLER_fmin ? FLAGS_ANY : FLAGS_OF_NUMBERS;
}

/* Functions for a row of handlers.def. full_own: as `full`, of sources that are all rows of the warp. */
struct word_handlers {
	handler_fn *partial, *partial_flags, *full, *full_flags, *full_own;
};

struct tesla_handlers {
	const struct threaded_level *engine;
	const struct word_handlers *words;      /* by enum handler_id */
	handler_fn *fetch;      /* any operands in s[] and c[] */
	/* the operand in s[], source number op.arg: one element for all lanes; a word for each */
	handler_fn *fetch_uniform, *fetch_words;
	handler_fn *load_shared, *store_shared; /* words by an address each */
	handler_fn *load_run, *store_run;       /* words of g[]: side by side for all lanes, else by `exec` */
	handler_fn *exec, *exec_floats;         /* by the instruction's executor, where no mask is steered; with the
						   host's floats */
	/* as exec, exec_floats, with operands fetched by the entry before */
	handler_fn *exec_fetched, *exec_fetched_floats;
	handler_fn *push;                       /* joinat, prebrk */
	handler_fn *branch, *leave;             /* bra; brk and ret */
	handler_fn *bar;
	handler_fn *join, *exit;                /* markers */
	/* the same for warps on a stack: a barrier of all unfinished warps; ends of a compute program */
	handler_fn *bar_all, *exit_all, *ret_all;
	/* Under policies over groups of lanes: joinat, prebrk; bra with ACTS_SPINS; join markers. */
	handler_fn *push_lanes, *spin, *join_lanes;
	/* Execute a branch or a leave that cannot fault, for lanes p that pass the guard. Returns enum outcome. */
	int (*steer)(const struct threaded_op *op, struct exec *x, uint32_t active, uint32_t p);
	/* Before an instruction with a struct trace_detail in its trace; op.arg: enum step_flow bits. Before bra, brk
	 * and ret. */
	handler_fn *detail, *detail_branch;
};

/* Handlers used by several files of a level. */
#define HANDLERS_OF_LEVEL(level) \
	handler_fn handler_exec_##level, handler_exec_floats_##level, handler_exec_fetched_##level, \
		handler_exec_fetched_floats_##level, handler_fetch_##level, \
		handler_fetch_uniform_##level, handler_fetch_words_##level, \
		handler_load_shared_##level, handler_store_shared_##level, handler_load_run_##level, \
		handler_store_run_##level;

HANDLERS_OF_LEVEL(base)
HANDLERS_OF_LEVEL(avx2)
HANDLERS_OF_LEVEL(avx512)

extern const struct tesla_handlers tesla_handlers_base, tesla_handlers_avx2, tesla_handlers_avx512;
extern const struct word_handlers word_handlers_base[HANDLERS], word_handlers_avx2[HANDLERS],
	word_handlers_avx512[HANDLERS];

struct program;
struct rules;
struct arena;
/* Translate a bound program. False: the host has no memory. */
bool tesla_translate(const struct program *p, struct tesla_code *out, const struct tesla_handlers *level,
		     const struct rules *rules, struct arena *a);

#endif
