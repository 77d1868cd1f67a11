/* One warp of shader units for the tests: a program, its uniforms, and what a run needs of the core. */
#ifndef WB_TESTS_UNIT_PICA_UNIT_H
#define WB_TESTS_UNIT_PICA_UNIT_H

#include <stdlib.h>
#include <string.h>

#include "core/diverge/reconverge.h"
#include "core/isa/pica/f24.h"
#include "core/isa/pica/state.h"
#include "tests/kit/host_has.h"

struct unit {
	struct arena arena;
	struct program program;
	struct rules rules;
	struct pica_uniforms *uniforms;
	struct block block;
	struct warp warp;
	struct bill bill;
	struct exec x;
	struct stream stream;
};

/* The policy of reconvergence of units to be opened; NULL: the machine's own way. */
static const struct reconverge *unit_policy;

static inline const uint8_t *bytes_of(struct arena *a, const uint32_t *words, uint32_t n)
{
	return arena_memdup(a, words, n * sizeof *words);
}

static inline void unit_open(struct unit *u, const uint32_t *code, uint32_t ncode, const uint32_t *desc, uint32_t ndesc,
			     uint32_t mode, enum f24_mode rounding, unsigned simd)
{
	static const uint32_t feature[] = { 0, PICA_RNE, PICA_BINARY32 };
	struct program *p = &u->program;

	memset(u, 0, sizeof *u);
	u->rules = (struct rules){ .reconverge = unit_policy, .stack_depth = 64, .minpc_fair = 20 };
	p->target = (struct isa_target){ .isa = &pica_isa, .mode = mode, .features = feature[rounding],
					 .side = arena_memdup(&u->arena, desc, (ndesc + 1) * 4), .nside = ndesc };
	p->code = bytes_of(&u->arena, code, ncode);
	p->code_bytes = ncode * 4;
	p->nreg = SHADER_ROWS;
	u->uniforms = arena_alloc(&u->arena, sizeof *u->uniforms, 128);
	pica_uniforms_clear(u->uniforms);
	p->uniforms = u->uniforms;
	program_decode(p, &u->arena);
	pica_bind(p, simd, &u->rules, &u->arena);
	size_t state = (pica_warp_bytes(p, &u->rules) + 127) / 128 * 128;
	u->warp.state = arena_alloc(&u->arena, state + SHADER_ROWS * sizeof(struct row), 128);
	u->warp.reg = (struct row *)((char *)u->warp.state + state);
	u->warp.nreg = SHADER_ROWS;
	u->warp.block = &u->block;
}

/* Registers 0, `lanes` vertices at word `entry`. Inputs are set afterwards. */
static inline void unit_start(struct unit *u, int lanes, uint32_t entry)
{
	bill_init(&u->bill, &u->arena, LANES, 0, u->program.code_bytes);
	memset(u->warp.reg, 0, SHADER_ROWS * sizeof(struct row));
	warp_start(&u->warp, lanes, entry * 4);
	pica_start_warp(&u->block, &u->warp, &u->program, &u->rules);
	u->x = (struct exec){ .warp = &u->warp, .block = &u->block, .program = &u->program, .rules = &u->rules,
			      .bill = &u->bill };
}

static inline uint32_t *unit_reg(struct unit *u, const char *file, unsigned reg, unsigned component, unsigned lane)
{
	return pica_reg(&u->warp, file, file[0] == 'a' ? component : 4 * reg + component, lane);
}

/* Run for a number of instructions, after the registers have been set. */
static inline int unit_run(struct unit *u, uint64_t steps)
{
	for (int i = 0; i < ROWS_OUTPUT; i++)
		FOR_LANES(l)
			pica_state(&u->warp)->ordinary &= f24_ordinary(u->warp.reg[i].lane[l]);
	return pica_run(&u->x, steps);
}

static inline void unit_close(struct unit *u)
{
	arena_free(&u->arena);
}

#endif
