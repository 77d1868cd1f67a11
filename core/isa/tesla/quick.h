/* The functions of records, for each SIMD level that this build has, and how a program is laid out in them. */
#ifndef WB_CORE_ISA_TESLA_QUICK_H
#define WB_CORE_ISA_TESLA_QUICK_H

#include "core/isa/tesla/record.h"

enum quick_id {
#define QUICK(name, executor, sources, when, value) QUICK_##name,
#include "core/isa/tesla/quick.def"
	QUICKS
};

/* Four functions for a row of quick.def. */
struct quick_words {
	record_fn *full, *full_flags, *some, *some_flags;
};

struct quick_level {
	const struct quick_words *words;        /* by enum quick_id */
	record_fn *fetch;       /* the operands in s[] and c[], whatever they are */
	record_fn *fetch_alike, *fetch_words;   /* the one in s[], source number record.cond, for all lanes; one each */
	record_fn *load_shared, *store_shared;  /* words by an address each */
	record_fn *load_run, *store_run;        /* words of g[]: side by side for all lanes, else by record_exec */
	record_fn *nop;
	record_fn *exec;        /* whatever an instruction's executor does, where no mask is steered */
	record_fn *exec_floats; /* the same, with the host's floats */
	record_fn *rest, *rest_floats;          /* the same, where a record before it has fetched its operands */
	record_fn *careful, *careful_floats;    /* whatever an instruction does */
	record_fn *push;        /* joinat, prebrk */
	record_fn *branch, *leave;              /* bra; brk and ret */
	record_fn *bar;
	record_fn *join, *exit; /* markers */
	record_fn *go, *stop;   /* on at record.target; back to the caller */
};

/* Those that another file of the level gives its turn to. */
#define RECORD_LEVEL(level) \
	record_fn record_fetch_##level, record_exec_##level, record_fetch_alike_##level, record_fetch_words_##level, \
		record_load_shared_##level, record_store_shared_##level, record_load_run_##level, \
		record_store_run_##level;

RECORD_LEVEL(base)
RECORD_LEVEL(avx2)
RECORD_LEVEL(avx512)

extern const struct quick_level tesla_quick_base, tesla_quick_avx2, tesla_quick_avx512;
extern const struct quick_words quick_words_base[QUICKS], quick_words_avx2[QUICKS], quick_words_avx512[QUICKS];

/* Go on from op until a record returns an outcome. */
int record_run_base(const struct record *op, struct exec *x);
int record_run_avx2(const struct record *op, struct exec *x);
int record_run_avx512(const struct record *op, struct exec *x);

struct program;
struct rules;
struct arena;
/* Lay a bound program out. False: the host has no memory. */
bool quick_lay(struct program *p, const struct quick_level *level, const struct rules *rules, struct arena *a);

#endif
