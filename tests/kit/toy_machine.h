/* A multiprocessor small enough to follow by hand, for tests of the scheduler below warpbeam.h: one or two units, an
 * issue slot each cycle, a result after 6 cycles, a load's after 20, a barrier's release after 4. A program is a row of
 * letters, one an instruction, the same for each warp:
 *
 *     a  arithmetic, 1 cycle of unit "alu", writes and reads register 0
 *     i  arithmetic that reads and writes nothing
 *     s  4 cycles of unit "slow", writes and reads register 0
 *     l  a load, 1 cycle of unit "slow", writes register 1
 *     x  a texture, 1 cycle of unit "slow", writes register 1
 *     u  arithmetic, reads register 1
 *     b  arrival at a barrier
 *
 * Slots issue until their warp's program is over, and an issue is noted as slot and cycle. */
#ifndef WB_TESTS_UNIT_TOY_MACHINE_H
#define WB_TESTS_UNIT_TOY_MACHINE_H

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "sched/issue.h"

enum { TOY_WORDS = 16, TOY_ENTRIES = 8, TOY_ISSUES = 64, TOY_ALU = 6, TOY_LOAD = 20, TOY_BARRIER = 4, TOY_SLOW = 4 };

struct toy {
	struct sched s;
	struct timing numbers;
	struct slot slot[SLOTS];
	uint64_t board[SLOTS * TOY_ENTRIES];
	struct stall_row by_pc[TOY_WORDS];
	struct barrier_group group;
	struct sched_op ops[TOY_WORDS + 1];
	unsigned n;                     /* instructions of the program */
	unsigned nissues;
	struct { unsigned slot; uint64_t cycle; } issue[TOY_ISSUES];
};

static inline struct ports toy_instruction(char letter)
{
	enum { ALU, SLOW, LOAD, BARRIER, TEXTURE };

	switch (letter) {
	case 'a': return (struct ports){ .lat = ALU, .nread = 1, .nwrite = 1, .read = { 0 }, .write = { 0 } };
	case 'i': return (struct ports){ .lat = ALU };
	case 's': return (struct ports){ .lat = SLOW, .nread = 1, .nwrite = 1, .read = { 0 }, .write = { 0 } };
	case 'l': return (struct ports){ .lat = LOAD, .nwrite = 1, .write = { 1 } };
	case 'x': return (struct ports){ .lat = TEXTURE, .nwrite = 1, .write = { 1 } };
	case 'u': return (struct ports){ .lat = ALU, .nread = 1, .read = { 1 } };
	default: return (struct ports){ .lat = BARRIER };
	}
}

/* A multiprocessor with a policy and a program; no warp has come. */
static inline struct toy *toy_new(const char *program, enum policy policy, unsigned group)
{
	static const struct issue_class classes[] = {
		{ .name = "alu", .unit = 0, .other = 0, .kind = 0, .lanes = "sp.lanes",
		  .latency = "alu.latency" },
		{ .name = "slow", .unit = 1, .other = 1, .kind = 0, .lanes = "dp.lanes",
		  .latency = "alu.latency" },
		{ .name = "load", .unit = 1, .other = 1, .kind = CLASS_MEMORY, .lanes = "sp.lanes",
		  .latency = "g.latency" },
		{ .name = "barrier", .unit = 0, .other = 0, .kind = CLASS_BARRIER, .lanes = "sp.lanes",
		  .latency = "bar.latency" },
		{ .name = "texture", .unit = 1, .other = 1, .kind = CLASS_TEXTURE, .lanes = "sp.lanes",
		  .latency = "g.latency" },
	};
	static const char *const units[] = { "alu", "slow" };
	static const struct issue_model model = { .class = classes, .unit = units, .nclasses = 5, .nunits = 2 };
	static const struct { enum timing_id id; uint32_t value; } values[] = {
		{ T_issue_slot, 1 }, { T_mp_schedulers, 1 }, { T_sp_lanes, 4 }, { T_dp_lanes, 1 },
		{ T_alu_latency, TOY_ALU }, { T_g_latency, TOY_LOAD }, { T_bar_latency, TOY_BARRIER },
	};
	struct toy *t = aligned_alloc(64, (sizeof *t + 63) / 64 * 64);
	uint16_t entry[2] = { 0 };
	struct sched_ports ports;

	assert(t && strlen(program) < TOY_WORDS);
	memset(t, 0, sizeof *t);
	timing_init(&t->numbers, "g80");
	for (size_t i = 0; i < sizeof values / sizeof *values; i++)
		t->numbers.value[values[i].id] = values[i].value;
	sched_ports_init(&ports, &model, 4, 1, &t->numbers, entry);
	t->n = (unsigned)strlen(program);
	for (unsigned i = 0; i <= t->n; i++) {
		struct ports p = toy_instruction(i < t->n ? program[i] : 'i');
		sched_op_make(&t->ops[i], &p, &t->numbers, &ports);
		t->ops[i].word = i;
		t->ops[i].words = 1;
	}
	for (unsigned i = 0; i < t->n; i++)
		sched_op_link(&t->ops[i], &t->numbers, &ports);
	sched_init(&t->s, &t->numbers, policy, group, 1,
		   &(struct sched_storage){ .slot = t->slot, .board = t->board, .entries = TOY_ENTRIES, .nunits = 2,
					.simds = 1,
					 .nslots = SLOTS, .by_pc = t->by_pc, .barrier_group = &t->group });
	return t;
}

/* Warps come to the first n slots, as one block, in cycle 0. */
static inline void toy_admit(struct toy *t, unsigned n)
{
	t->group.slots = (1ull << n) - 1;
	for (unsigned i = 0; i < n; i++)
		sched_admit(&t->s, i, &t->ops[0], 0);
}

/* Instructions issue before cycle `until`, as the machine's loop has them. */
static inline void toy_run(struct toy *t, uint64_t until)
{
	struct sched_work work = { 0 };
	int i;

	while ((i = sched_pick(&t->s, until)) != SCHED_NONE) {
		const struct sched_op *op = t->slot[i].next;
		bool over = op == &t->ops[t->n - 1];
		if (t->nissues < TOY_ISSUES) {
			t->issue[t->nissues].slot = (unsigned)i;
			t->issue[t->nissues++].cycle = t->s.now;
		}
		sched_issue(&t->s, (unsigned)i, &work, over ? NULL : op + 1, t->s.now + 1);
		if (op->wait == STALL_BARRIER)
			sched_arrive(&t->s, (unsigned)i);
		if (over) {
			sched_leave(&t->s, (unsigned)i);
			sched_retire(&t->s, (unsigned)i);
		}
	}
}

#endif
