/* A random program is a grammar expanded with a seed: statements that compute, split, loop, call and leave, nested to
 * DEEPEST, until a budget is used up. Loops count to a bound, so that every program ends. Conditions come from a stream
 * of pseudo-random values computed by each thread, so lanes differ; the result is one word a thread. */
#include "tests/random/generate.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

enum { FUNCTIONS = 3, DEEPEST = 4 };

/* $r0 thread, $r1 lane, $r2 result, $r5 a stream of pseudo-random values, $r7 address, $r8 and $c0 scratch, $r9 zero,
 * $r20 + depth loop counters. Each function has counters of its own, so that a call in a loop leaves the loop's
 * counters alone. */
struct generator {
	uint64_t state;
	char *text;
	size_t n, size;
	int labels;
	int function;           /* −1 in the main program */
	int budget;             /* statements still to write: a program stays small */
};

static uint32_t pick(struct generator *g, uint32_t n)
{
	g->state += 0x9e3779b97f4a7c15ull;
	uint64_t z = g->state;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return (uint32_t)((z >> 33) % n);
}

static void emit(struct generator *g, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void emit(struct generator *g, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	int n = vsnprintf(g->text + g->n, g->size - g->n, fmt, ap);
	va_end(ap);
	if (n > 0 && g->n + (size_t)n < g->size)
		g->n += (size_t)n;
}

static void block(struct generator *g, int depth, bool in_loop);

static int counter(const struct generator *g, int depth)
{
	return 20 + (g->function + 1) * (DEEPEST + 2) + depth;
}

/* An instruction of every kind: integer, logic, float, conversion, multiply. */
static void compute(struct generator *g)
{
	switch (pick(g, 7)) {
	case 0: emit(g, "add b32 $r2 $r2 0x%x\n", pick(g, 1024)); break;
	case 1: emit(g, "xor b32 $r2 $r2 $r5\n"); break;
	case 2: emit(g, "mul $r8 u16 $r2l u16 0x%x\nadd b32 $r2 $r2 $r8\n", pick(g, 65536)); break;
	case 3: emit(g, "shr u32 $r8 $r2 0x%x\nxor b32 $r2 $r2 $r8\n", 1 + pick(g, 15)); break;
	case 4:
		emit(g,
		     "cvt rn f32 $r8 u32 $r5\nadd rn f32 $r8 $r8 $r8\ncvt rzi u32 $r8 f32 $r8\nxor b32 $r2 $r2 $r8\n");
		break;
	case 5: emit(g, "sad $r2 u32 $r2 $r5 $r2\n"); break;
	default: emit(g, "min u32 $r8 $r2 $r5\nadd b32 $r2 $r2 $r8\n"); break;
	}
}

/* Step the stream and leave a bit of the stream, or of the lane's number, in $c0: `lg` holds for some lanes. */
static void condition(struct generator *g)
{
	if (pick(g, 3) == 0) {
		emit(g, "and b32 $r8 $r1 0x%x\n", 1u << pick(g, 5));
	} else {
		emit(g, "mul $r8 u16 $r5l u16 0x%x\nadd b32 $r5 $r8 0x%x\n", pick(g, 65536) | 1, pick(g, 65536));
		emit(g, "shr u32 $r8 $r5 0x%x\nxor b32 $r5 $r5 $r8\nand b32 $r8 $r5 0x%x\n", 1 + pick(g, 8),
		     1u << pick(g, 8));
	}
	emit(g, "set $c0 # lg u32 $r8 $r9\n");
}

static void if_else(struct generator *g, int depth, bool in_loop)
{
	int els = g->labels++, end = g->labels++;
	bool has_else = pick(g, 2);

	condition(g);
	emit(g, "joinat #x%d\n(e $c0) bra #x%d\n", end, has_else ? els : end);
	block(g, depth + 1, in_loop);
	if (has_else) {
		emit(g, "bra #x%d\nx%d:\n", end, els);
		block(g, depth + 1, in_loop);
	}
	if (pick(g, 2))
		emit(g, "x%d:\njoin (never) nop\n", end);
	else
		emit(g, "x%d:\njoin xor b32 $r2 $r2 $r1\n", end);
}

/* No join: the sides run on apart. Only safe where nothing below expects both sides together. */
static void loose_if(struct generator *g)
{
	int end = g->labels++;

	condition(g);
	emit(g, "(e $c0) bra #x%d\n", end);
	compute(g);
	emit(g, "x%d:\n", end);
}

static void loop(struct generator *g, int depth)
{
	int head = g->labels++, end = g->labels++, r = counter(g, depth);

	emit(g, "breakaddr #x%d\nmov b32 $r%d 0x0\nx%d:\n", end, r, head);
	emit(g, "add b32 $r%d $r%d 0x1\nand b32 $r8 $r5 0x7\nset $c0 # g u32 $r%d $r8\n(lg $c0) break\n", r, r, r);
	block(g, depth + 1, true);
	if (pick(g, 2)) {                       /* continue: the others come round later */
		condition(g);
		emit(g, "(lg $c0) bra #x%d\n", head);
		compute(g);
	}
	emit(g, "bra #x%d\nx%d:\n", head, end);
}

/* The compilers' form: the join stands behind the loop, stopping lanes branch out. */
static void do_while(struct generator *g, int depth)
{
	int head = g->labels++, end = g->labels++, r = counter(g, depth);

	emit(g, "mov b32 $r%d 0x0\njoinat #x%d\nx%d:\n", r, end, head);
	compute(g);
	emit(g, "add b32 $r%d $r%d 0x1\nand b32 $r8 $r5 0x3\nset $c0 # l u32 $r%d $r8\n(lg $c0) bra #x%d\n", r, r, r,
	     head);
	emit(g, "x%d:\njoin (never) nop\n", end);
}

static void leave(struct generator *g)
{
	condition(g);
	if (g->function >= 0)
		emit(g, "(lg $c0) ret\n");
	else
		emit(g, "(lg $c0) bra #leave\n");
}

static void statement(struct generator *g, int depth, bool in_loop)
{
	uint32_t what = pick(g, 16);

	if (depth >= DEEPEST || what < 5)
		compute(g);
	else if (what < 9)
		if_else(g, depth, in_loop);
	else if (what < 11)
		loop(g, depth);
	else if (what < 12)
		do_while(g, depth);
	else if (what < 13 && in_loop)
		condition(g), emit(g, "(lg $c0) break\n");
	else if (what < 14 && depth == 0)
		loose_if(g);
	else if (what < 15 && g->function + 1 < FUNCTIONS)
		emit(g, "call #f%d\n", g->function + 1);
	else
		leave(g);
}

static void block(struct generator *g, int depth, bool in_loop)
{
	int n = 1 + (int)pick(g, 3);

	while (n-- && g->budget-- > 0)
		statement(g, depth, in_loop);
}

size_t generate_program(uint64_t seed, char *text, size_t size)
{
	struct generator g = { .state = seed, .text = text, .size = size, .function = -1 };

	emit(&g, "and b32 $r1 $r0 0x1f\nshl b32 $r7 $r1 0x2\nmov b32 $r2 0x1\nmov b32 $r9 0x0\n");
	emit(&g, "mov b32 $r8 u16 s[0xc]\nshl b32 $r8 $r8 0x7\nadd b32 $r7 $r7 $r8\n");
	emit(&g, "mul $r5 u16 $r1l u16 0x%x\nadd b32 $r5 $r5 0x%x\n", pick(&g, 65536) | 1, pick(&g, 65536));
	g.budget = 24;
	for (int i = 0; i < 4; i++)
		block(&g, 0, false);
	emit(&g, "leave:\nexit st b32 g0[$r7] $r2\n");
	for (g.function = 0; g.function < FUNCTIONS; g.function++) {
		emit(&g, "f%d:\n", g.function);
		g.budget = 10;
		block(&g, 0, false);
		emit(&g, "ret\n");
	}
	return g.n;
}
