/* The scheduler's instructions, made once a launch: a struct sched_op for each word of code and one more behind the
 * last, where a warp that runs off the end faults. Registers of the program are numbered anew, in order of appearance,
 * so that a warp's scoreboard is no longer than needed. */
#include "machine/plan.h"

#include <string.h>

#include "core/isa/table.h"

/* Lines of code and of c[] share the lower cache levels; the bit tells them apart. A line of c[] is never 0. */
enum { TAG_CONST = 31 };

/* A warp's scoreboard is a whole number of lines of the host's cache. */
enum { ENTRIES_A_LINE = 8 };

uint32_t plan_const_line(const struct plan *p, unsigned bank, uint32_t address)
{
	return 1u << TAG_CONST | (bank << 16 | address) / p->numbers.value[T_cache_line];
}

/* Words from the instruction at word i to the next; behind the last instruction of the program comes a word that
 * faults. */
static uint8_t words_of(const struct plan *p, uint32_t i)
{
	uint32_t words = p->code.code_bytes / 4, n = i < words ? p->code.insn[i].length / 4u : 0;

	return (uint8_t)(n < words - i ? n : words - i);
}

/* The scheduler's instruction at word i; the one behind the last word has no ports. */
static void make_op(struct plan *p, uint32_t i, struct sched_ports *entries)
{
	struct sched_op *op = &p->issue.ops[i];
	struct ports ports = { 0 };

	if (i < p->code.code_bytes / 4)
		p->code.target.isa->ports(&p->code, &p->code.insn[i], &ports);
	sched_op_make(op, &ports, &p->numbers, entries);
	op->word = i;
	op->by_all = ports.by_all;
	op->words = words_of(p, i);
	op->line = i * 4 / p->numbers.value[T_cache_line];
	if (ports.reads_const && p->code.traces)
		op->constant.line = plan_const_line(p, ports.bank, ports.address);
}

bool plan_instructions(struct plan *p, struct arena *a)
{
	uint32_t words = p->code.code_bytes / 4;
	const struct isa_ops *isa = p->code.target.isa;
	uint16_t *entry = ARENA_ARRAY(a, uint16_t, isa->reg.awaited);
	struct sched_ports entries;

	p->issue.ops = p->issue.ops ? p->issue.ops : ARENA_ARRAY(a, struct sched_op, plan_simds(p) * (words + 1));
	p->issue.order = p->issue.order ? p->issue.order : ARENA_ARRAY(a, const struct sched_op *, 2 * words + 2);
	if (!p->issue.ops || !p->issue.order || !entry)
		return false;
	p->issue.model = isa->table->issue;
	p->issue.entry = entry;
	p->issue.units = sched_units(p->issue.model, plan_simds(p));
	sched_ports_init(&entries, p->issue.model, isa->lanes, plan_simds(p), &p->numbers, entry);
	memcpy(p->issue.counter, entries.counter, sizeof p->issue.counter);
	for (uint32_t i = 0; i <= words; i++)
		make_op(p, i, &entries);
	for (uint32_t i = 0; i < words; i++)
		sched_op_link(&p->issue.ops[i], &p->numbers, &entries);
	sched_order(p->issue.ops, words, p->issue.order);
	for (unsigned simd = 1; simd < plan_simds(p); simd++) {
		struct sched_op *ops = p->issue.ops + simd * (words + 1);
		memcpy(ops, p->issue.ops, (words + 1) * sizeof *ops);
		for (uint32_t i = 0; i <= words; i++)
			sched_op_on_simd(&ops[i], p->issue.model, simd);
	}
	p->issue.entries = (entries.n + 2 + ENTRIES_A_LINE - 1u) / ENTRIES_A_LINE * ENTRIES_A_LINE;
	return true;
}

unsigned plan_register(const struct program *p, uint32_t pc)
{
	struct ports ports;
	unsigned most = 0;

	p->target.isa->ports(p, program_at(p, pc), &ports);
	for (unsigned i = 0; i < ports.nread; i++)
		most = ports.read[i] > most && ports.read[i] < p->target.isa->reg.most ? ports.read[i] : most;
	for (unsigned i = 0; i < ports.nwrite; i++)
		most = ports.write[i] > most && ports.write[i] < p->target.isa->reg.most ? ports.write[i] : most;
	return most;
}

bool plan_registers(struct plan *p, struct arena *a)
{
	const struct program *code = &p->code;
	bool named = code->nreg && code->target.isa->ports;
	uint64_t *beyond = named ? ARENA_ARRAY(a, uint64_t, code->code_bytes / 256 + 1) : NULL;

	for (uint32_t pc = 0; beyond && pc < code->code_bytes; pc += 4)
		if (plan_register(code, pc) >= code->nreg)
			beyond[pc / 256] |= 1ull << pc / 4 % 64;
	p->beyond = beyond;
	return beyond || !named;
}
