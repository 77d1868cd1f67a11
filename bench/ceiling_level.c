/* The loops of the ceiling for one SIMD level: SIMD_LEVEL is the name, VECTOR_LANES the lanes of a vector. Built with
 * contraction, since the ceiling is the machine's best. */
#include "bench/ceiling_level.h"

#include <stddef.h>

#define CONCAT_(a, b) a##b
#define CONCAT(a, b) CONCAT_(a, b)

enum { VECTORS = LANES / VECTOR_LANES, ISSUE_CYCLES = 4, LATENCY = 24 };

typedef uint32_t vec_u __attribute__((vector_size(VECTOR_LANES * 4)));
typedef float vec_f __attribute__((vector_size(VECTOR_LANES * 4)));

union row {
	vec_u u[VECTORS];
	vec_f f[VECTORS];
};

#define EACH for (int v = 0; v < VECTORS; v++)

/* The operations, as bits. */
#define MAD (vec_u)(a->f[v] * b->f[v] + c->f[v])
#define ADD a->u[v] + b->u[v]
#define XOR a->u[v] ^ b->u[v]
#define SHR a->u[v] >> (b->u[v] & 31)

/* Registers are looked up once: for all that the compiler knows, a store could change register numbers. */
#define OPERATION(value) \
	do { \
		union row *d = &r[p->d]; \
		const union row *a = &r[p->a], *b = &r[p->b], *c = &r[p->c]; \
		(void)c; \
		EACH d->u[v] = (value); \
	} while (0)
#define PLAIN(value) OPERATION(value)
#define BLEND(value) OPERATION(((value) & mask[v]) | (d->u[v] & ~mask[v]))

/* A handler for each operation; `next` goes to the next instruction. */
#define HANDLERS(name, write, next) \
	name##_mad: write(MAD); next; \
	name##_add: write(ADD); next; \
	name##_xor: write(XOR); next; \
	name##_shr: write(SHR); next;
#define TABLE(name, end) { &&name##_mad, &&name##_add, &&name##_xor, &&name##_shr, &&end }

#define NEXT goto *(++p)->handler

/* The next warp issues as soon as ready; the counter jumps to that cycle. */
#define NEXT_WARP \
	do { \
		cycle += ISSUE_CYCLES; \
		w = (w + 1) % WARPS; \
		if (__builtin_expect(warp[w].ready > cycle, 0)) \
			cycle = warp[w].ready; \
		p = warp[w].pc++; \
		r = warp[w].r; \
		warp[w].ready = cycle + LATENCY; \
		if (__builtin_expect(warp[w].active != ~0u, 0)) \
			return cycle; \
		goto *p->handler; \
	} while (0)

struct warp {
	const struct ceiling_insn *pc;
	union row *r;
	uint64_t ready;
	uint32_t active;
};

static uint64_t round_robin(struct ceiling_machine *m, uint64_t cycle, const void **handlers)
{
	static const void *const table[OPS] = TABLE(rr, rr_end);
	struct warp warp[WARPS];
	unsigned w = 0, alive = WARPS;
	const struct ceiling_insn *p;
	union row *r;

	for (int i = 0; handlers && i < OPS; i++)
		handlers[i] = table[i];
	if (handlers)
		return cycle;
	for (int i = 0; i < WARPS; i++)
		warp[i] = (struct warp){ m->program, (union row *)m->r[i], cycle, m->active };
	NEXT_WARP;
	HANDLERS(rr, PLAIN, NEXT_WARP)
rr_end:
	warp[w].pc--;   /* stay at the end until all warps have ended */
	if (--alive)
		NEXT_WARP;
	return cycle;
}

static void one_warp(const struct ceiling_insn *p, union row *r, const vec_u *mask_in_memory, bool blended,
		     const void **handlers)
{
	static const void *const plain[OPS] = TABLE(plain, end), *const blend[OPS] = TABLE(blend, end);
	vec_u mask[VECTORS];

	for (int i = 0; handlers && i < OPS; i++)
		handlers[i] = blended ? blend[i] : plain[i];
	if (handlers)
		return;
	EACH mask[v] = mask_in_memory[v];
	goto *p->handler;
	HANDLERS(plain, PLAIN, NEXT)
	HANDLERS(blend, BLEND, NEXT)
end:
	return;
}

/* Four operations on eight registers from k on. */
#define FOUR(k) \
	EACH { \
		r[k].f[v] = r[k + 1].f[v] * r[k + 2].f[v] + r[k + 3].f[v]; \
		r[k + 4].u[v] = r[k + 1].u[v] + r[k + 5].u[v]; \
		r[k + 6].u[v] = r[k + 2].u[v] ^ r[k + 3].u[v]; \
		r[k + 7].u[v] = r[k + 4].u[v] >> (r[k + 5].u[v] & 31); \
	}

/* As many operations as the program has. */
static void straight(union row *r)
{
	for (int i = 0; i < PROGRAM; i += 16) {
		FOUR(0)
		FOUR(8)
		FOUR(16)
		FOUR(24)
		__asm__ volatile("" ::: "memory");   /* registers are in memory: none stays in a vector */
	}
}

ceiling_run CONCAT(ceiling_run_, SIMD_LEVEL);

void CONCAT(ceiling_run_, SIMD_LEVEL)(struct ceiling_machine *m, enum ceiling_way way, long trips,
				      const void **handlers)
{
	bool blended = way == CEILING_BLENDED;

	if (handlers && way == CEILING_ROUND_ROBIN)
		round_robin(m, 0, handlers);
	else if (handlers)
		one_warp(NULL, NULL, NULL, blended, handlers);
	for (long t = 0; !handlers && t < trips; t++) {
		if (way == CEILING_ROUND_ROBIN)
			m->cycle = round_robin(m, m->cycle, NULL);
		for (int w = 0; w < WARPS && way != CEILING_ROUND_ROBIN; w++) {
			if (way == CEILING_STRAIGHT)
				straight((union row *)m->r[w]);
			else
				one_warp(m->program, (union row *)m->r[w], (const vec_u *)m->mask, blended, NULL);
		}
	}
}
