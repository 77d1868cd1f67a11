/* The report of a finished or stopped launch: sums over the multiprocessors, the bill, rows by pc and by warp, and
 * where warps wait. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inspect/check.h"
#include "core/base/host_floats.h"
#include "inspect/launch.h"
#include "machine/clock.h"
#include "machine/memory_cost.h"
#include "inspect/time_travel.h"
#include "inspect/packing.h"
#include "inspect/accesses.h"
#include "inspect/producers.h"
#include "inspect/warp_rows.h"
#include "inspect/watch.h"
#include "core/isa/print.h"

enum { LINES_MAX = 256 };

static const char *line_of(struct wb_launch *l, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static const char *line_of(struct wb_launch *l, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	const char *copy = arena_strdup(&l->report_arena, text);
	return copy ? copy : "";
}

/* ---- counters ---- */

enum counter_id {
#define COUNTER(id, name, help) COUNTER_##id,
#include "inspect/counter.def"
#undef COUNTER
	COUNTERS
};

static const struct { const char *name, *help; } counter_rows[] = {
#define COUNTER(id, name, help) [COUNTER_##id] = { name, help },
#include "inspect/counter.def"
#undef COUNTER
};

const char *wb_counter_name(unsigned index)
{
	return index < COUNTERS ? counter_rows[index].name : NULL;
}

struct counters {
	struct wb_counter *row;
	unsigned n;
};

static void count(struct counters *c, enum counter_id id, uint64_t value)
{
	c->row[c->n++] = (struct wb_counter){ counter_rows[id].name, (double)value, true, counter_rows[id].help };
}

static void ratio(struct counters *c, enum counter_id id, double part, double whole)
{
	c->row[c->n++] = (struct wb_counter){ counter_rows[id].name, whole > 0 ? part / whole : 0, false,
					      counter_rows[id].help };
}

static void count_memory(struct wb_launch *l, struct counters *c)
{
	struct mem_counts sum;

	if (!l->plan.nmps || !l->machine.mp[0].mem)
		return;
	cost_sum(&l->machine, &sum);
	count(c, COUNTER_WARP_SERIALIZE, sum.serialize);
	count(c, COUNTER_GLD_32B, sum.gld[0]);
	count(c, COUNTER_GLD_64B, sum.gld[1]);
	count(c, COUNTER_GLD_128B, sum.gld[2]);
	count(c, COUNTER_GST_32B, sum.gst[0]);
	count(c, COUNTER_GST_64B, sum.gst[1]);
	count(c, COUNTER_GST_128B, sum.gst[2]);
	if (l->plan.chip.coalesce.rule == COALESCE_OLDER) {
		count(c, COUNTER_GLD_COHERENT, sum.gld_coherent);
		count(c, COUNTER_GLD_INCOHERENT, sum.gld_incoherent);
		count(c, COUNTER_GST_COHERENT, sum.gst_coherent);
		count(c, COUNTER_GST_INCOHERENT, sum.gst_incoherent);
	}
	count(c, COUNTER_DRAM_BYTES, sum.bytes);
}

/* Warp cycles spent waiting for each wait counter of the machine: a part of the stall reasons. */
static void count_waits(struct wb_launch *l, struct counters *c)
{
	for (unsigned k = 0; l->plan.timed && k < l->plan.issue.model->ncounters; k++) {
		const char *name = line_of(l, "wait_%s", l->plan.issue.model->counter[k].name);
		uint64_t cycles = 0;
		for (unsigned i = 0; i < l->plan.nmps; i++)
			cycles += l->machine.mp[i].sched.counter_waits[k];
		c->row[c->n++] = (struct wb_counter){ name, (double)cycles, true, "warp cycles of waits for it" };
	}
}

/* What the multiprocessors counted, together; of notices, barriers under divergence alone. */
static struct exec_counts counts_of_all(const struct wb_launch *l)
{
	struct exec_counts sum = { 0 };

	for (unsigned i = 0; i < l->plan.nmps; i++) {
		const struct exec_counts *x = &l->machine.mp[i].x.counts;
		sum.deepest_stack = x->deepest_stack > sum.deepest_stack ? x->deepest_stack : sum.deepest_stack;
		sum.lock_waits += x->lock_waits;
		sum.lock_rounds += x->lock_rounds;
		sum.notice[NOTICE_BARRIER_DIVERGED] += x->notice[NOTICE_BARRIER_DIVERGED];
		for (unsigned k = 0; k < PM_EVENTS; k++)
			sum.event[k] += x->event[k];
	}
	return sum;
}

static void counters(struct wb_launch *l, const struct bill_sum *s)
{
	struct counters c = { ARENA_ARRAY(&l->report_arena, struct wb_counter, COUNTERS + COUNTERS_MAX), 0 };
	const struct exec_counts sum = counts_of_all(l);
	uint64_t cycles = clock_end(&l->machine), perfect = l->packing ? packing_issues(l) : 0;

	if (!c.row)
		return;
	count(&c, COUNTER_CYCLES, cycles);
	count(&c, COUNTER_INSTRUCTIONS, s->issues);
	count(&c, COUNTER_THREAD_INSTRUCTIONS, s->threads);
	count(&c, COUNTER_PREDICATED_OFF, s->predicated);
	count(&c, COUNTER_BRANCH, l->bill.branches);
	count(&c, COUNTER_DIVERGENT_BRANCH, l->bill.divergent);
	count(&c, COUNTER_JOIN_ARRIVALS, s->rejoin / l->bill.lanes);
	count(&c, COUNTER_SM_CTA_LAUNCHED, l->machine.run.started_blocks);
	count(&c, COUNTER_STACK_DEPTH, sum.deepest_stack);
	count(&c, COUNTER_BARRIER_DIVERGED, sum.notice[NOTICE_BARRIER_DIVERGED]);
	count(&c, COUNTER_LOCK_ATTEMPTS, sum.lock_rounds);
	count(&c, COUNTER_LOCK_WAITS, sum.lock_waits);
	count_memory(l, &c);
	for (unsigned k = 0; k < PM_EVENTS; k++)
		if (sum.event[k])
			count(&c, (enum counter_id)(COUNTER_PROF_TRIGGER_00 + k), sum.event[k]);
	count_waits(l, &c);
	ratio(&c, COUNTER_IPC, (double)s->issues, (double)cycles);
	ratio(&c, COUNTER_WARP_EXECUTION_EFFICIENCY, (double)s->useful, (double)s->lane_slots);
	ratio(&c, COUNTER_BRANCH_EFFICIENCY, (double)(l->bill.branches - l->bill.divergent), (double)l->bill.branches);
	if (l->packing) {
		count(&c, COUNTER_PERFECT_ISSUES, perfect);
		ratio(&c, COUNTER_PERFECT_EFFICIENCY, (double)s->threads,
		      (double)(perfect * l->plan.code.target.isa->lanes));
	}
	l->report.counters = c.row;
	l->report.ncounters = c.n;
}

/* ---- where the time went ---- */

_Static_assert((int)STALLS <= (int)WB_STALLS, "the public arrays hold all reasons");

unsigned wb_stalls(void)
{
	return STALLS;
}

const char *wb_stall_name(unsigned index)
{
	return index < STALLS ? stall_info((enum stall)index).name : NULL;
}

const char *wb_stall_letter(unsigned index)
{
	return index < STALLS ? stall_info((enum stall)index).letter : NULL;
}

const char *wb_stall_text(unsigned index)
{
	return index < STALLS ? stall_info((enum stall)index).text : NULL;
}

uint32_t wb_stall_colour(unsigned index, bool light)
{
	return index >= STALLS ? 0 : light ? stall_info((enum stall)index).light : stall_info((enum stall)index).dark;
}

static void stalls(struct wb_launch *l)
{
	struct wb_time *t = &l->report.time;
	uint64_t cycles = clock_end(&l->machine);

	if (!l->plan.timed || !cycles)
		return;
	for (unsigned i = 0; i < l->plan.nmps; i++)
		for (int k = 0; k < STALLS; k++)
			t->stalls[k] += l->machine.mp[i].sched.total.cycles[k];
	t->slot_cycles = (uint64_t)l->plan.nmps * l->plan.chip.max_warps * cycles;
	t->warps_mean = (double)(t->slot_cycles - t->stalls[STALL_NO_WARP]) / ((double)cycles * l->plan.nmps);
	t->path_busy = (double)l->machine.shared_path->busy / 1000 / (double)cycles;
}

static void stalls_at(const struct wb_launch *l, uint32_t pc, uint64_t out[WB_STALLS])
{
	for (unsigned i = 0; i < l->plan.nmps; i++)
		for (int k = 0; k < STALLS && l->plan.timed && l->plan.full_statistics; k++)
			out[k] += l->machine.mp[i].sched.storage.by_pc[pc / 4].cycles[k];
}

/* ---- by pc ---- */

static const char *text_at(struct wb_launch *l, uint32_t pc)
{
	char text[256];
	size_t n = isa_print(&l->plan.code.target, program_at(&l->plan.code, pc), text, sizeof text);
	const char *copy = arena_memdup(&l->report_arena, text, (n < sizeof text ? n : sizeof text - 1) + 1);

	return copy ? copy : "";
}

static const char *label_at(const struct wb_launch *l, uint32_t pc)
{
	for (size_t i = 0; i < l->plan.kernel->nlabels; i++)
		if (l->plan.kernel->labels[i].pc == pc)
			return l->plan.kernel->labels[i].name;
	return NULL;
}

static int source_line(const struct wb_launch *l, uint32_t pc)
{
	return kernel_line(l->plan.kernel, pc);
}

/* Whether any warp issued or waited at a pc. */
static bool touched(const struct bill_pc *p, const uint64_t stalls[WB_STALLS])
{
	uint64_t waited = 0;

	for (int k = 0; k < WB_STALLS; k++)
		waited += stalls[k];
	return p->issues || p->rejoins || p->lost || waited;
}

static int by_loss(const void *a, const void *b)
{
	const struct wb_branch *x = a, *y = b;

	if (x->lost != y->lost)
		return x->lost < y->lost ? 1 : -1;
	return x->pc < y->pc ? -1 : x->pc > y->pc;
}

/* The number of rows that by_pc makes; *branches: rows of branches. */
static unsigned count_rows(const struct wb_launch *l, unsigned *branches)
{
	unsigned n = 0;

	for (uint32_t i = l->bill.first_word; i < l->bill.end_word; i++) {
		const struct bill_pc *p = &l->bill.pc[i];
		uint64_t waited[WB_STALLS] = { 0 };
		stalls_at(l, i * 4, waited);
		n += touched(p, waited);
		*branches += p->lost || p->diverged;
	}
	return n;
}

static struct wb_pc row_of_pc(struct wb_launch *l, const struct bill_pc *p, uint32_t pc)
{
	return (struct wb_pc){
		.pc = pc,
		.text = text_at(l, pc),
		.label = label_at(l, pc),
		.line = source_line(l, pc),
		.issues = (uint64_t)p->issues + p->rejoins,
		.threads = (uint64_t)p->active - p->predicated,
		.lost = p->lost,
		.taken = p->taken,
		.not_taken = p->not_taken,
		.diverged = p->diverged,
		.lanes_mean = p->issues ? (double)(p->active - (int64_t)p->predicated) / (double)p->issues : 0,
	};
}

static void by_pc(struct wb_launch *l)
{
	const struct bill *b = &l->bill;
	unsigned nbranches = 0, nrows = count_rows(l, &nbranches);
	struct wb_pc *rows = ARENA_ARRAY(&l->report_arena, struct wb_pc, nrows + 1);
	struct wb_branch *branches = ARENA_ARRAY(&l->report_arena, struct wb_branch, nbranches + 1);

	if (!rows || !branches)
		return;
	nrows = nbranches = 0;
	for (uint32_t i = b->first_word; i < b->end_word; i++) {
		const struct bill_pc *p = &b->pc[i];
		uint32_t pc = i * 4;
		uint64_t waited[WB_STALLS] = { 0 };
		stalls_at(l, pc, waited);
		if (!touched(p, waited))
			continue;
		rows[nrows] = row_of_pc(l, p, pc);
		memcpy(rows[nrows].stalls, waited, sizeof waited);
		if (p->lost || p->diverged)
			branches[nbranches++] = (struct wb_branch){ pc, rows[nrows].text, p->diverged, p->lost };
		nrows++;
	}
	qsort(branches, nbranches, sizeof *branches, by_loss);
	l->report.pcs = rows;
	l->report.npcs = nrows;
	l->report.branches = branches;
	l->report.nbranches = nbranches;
}

/* ---- where warps wait, and warnings ---- */

struct lines {
	const char **row;
	unsigned n;
};

/* A message with the source line behind each pc: "pc 0x58" becomes "pc 0x58 (line 31)". */
static const char *with_lines(struct wb_launch *l, const char *text)
{
	char out[512];
	size_t used = 0;

	for (const char *p = text; *p && used < sizeof out - 1; ) {
		bool pc = !strncmp(p, "pc 0x", 5) && (p == text || p[-1] == ' ');
		char *end = (char *)(uintptr_t)p + 1;
		int line = pc ? source_line(l, (uint32_t)strtoul(p + 3, &end, 16)) : 0;
		int n = snprintf(out + used, sizeof out - used, "%.*s", (int)(end - p), p);
		if (line && (size_t)n < sizeof out - used)
			n += snprintf(out + used + n, sizeof out - used - (size_t)n, " (line %d)", line);
		used += (size_t)n < sizeof out - used ? (size_t)n : sizeof out - used - 1;
		p = end;
	}
	return line_of(l, "%s", out);
}

static void add_line(struct wb_launch *l, struct lines *s, const char *text)
{
	if (s->row && s->n < LINES_MAX)
		s->row[s->n++] = l->plan.kernel->nlines ? with_lines(l, text) : text;
}

static const char *waiting_line(struct wb_launch *l, const struct block *b, const struct warp *w)
{
	char what[128];
	const struct barrier *bar = &b->barrier[w->waits_for];

	if (w->status == WARP_AT_BARRIER)
		snprintf(what, sizeof what, "waits at barrier %u (%u of %u warps arrived)", w->waits_for, bar->count,
			 bar->needed ? bar->needed : (unsigned)__builtin_popcountll(b->unfinished));
	else if (w->status == WARP_AT_LOCK)
		snprintf(what, sizeof what, "waits for a lock in s[] (held by warps %#" PRIx64 ")", b->lock.holders);
	else
		snprintf(what, sizeof what, "runs");
	return line_of(l, "block %u warp %u: %s, pc 0x%x, lanes 0x%0*" PRIx64, b->index, w->id, what, w->pc,
		       mask_digits(l), w->active);
}

/* Whether a program ran behind its last instruction. (A shader's `end` is different.) */
static bool ran_off(const struct wb_launch *l, const struct fault *f)
{
	return f->kind == FAULT_PC_OUT_OF_RANGE && f->pc == l->plan.code.code_bytes && !l->plan.code.target.isa->inputs;
}

/* "#tail" or "0x28". */
static const char *place_at(struct wb_launch *l, uint32_t pc)
{
	const char *label = label_at(l, pc);

	return label ? line_of(l, "#%s", label) : line_of(l, "0x%x", pc);
}

/* Say what the stack lacks: at a `join` the joinat before the branch whose lanes meet there. */
static void explain_stack(struct wb_launch *l, const struct fault *f)
{
	const struct program *p = &l->plan.code;
	uint32_t pc = 0;
	int line;

	if (!(program_at(p, f->pc)->marks & MARK_JOIN) || !p->reconvergence)
		return;
	while (pc < p->code_bytes && (p->reconvergence[pc / 4] != f->pc || program_at(p, pc)->marks & MARK_JOIN))
		pc += 4;
	if (pc >= p->code_bytes) {
		diag_set(&l->machine.why, DIAG_FAULT, "`join` finds no `joinat` on the stack: put `joinat %s` before "
			 "the branch whose lanes meet here", place_at(l, f->pc));
		return;
	}
	line = source_line(l, pc);
	diag_set(&l->machine.why, DIAG_FAULT, line ? "`join` finds no `joinat` on the stack: put `joinat %s` before "
						     "the branch at pc 0x%x, line %d"
						   : "`join` finds no `joinat` on the stack: put `joinat %s` before "
						     "the branch at pc 0x%x", place_at(l, f->pc), pc, line);
}

/* Locate a fault in the source; for a program that ran off its end, say how to end a program. */
static void place_fault(struct wb_launch *l, const struct fault *f)
{
	const struct image_kernel *k = l->plan.kernel;

	if (ran_off(l, f))
		diag_set(&l->machine.why, DIAG_FAULT,
			 "the program runs off its end: its `exit` is missing; expected `exit` before "
			 "the last instruction, or `exit nop` behind");
	if (f->kind == FAULT_GLOBAL_MISALIGNED && !strcmp(l->plan.image->format, "opencl"))
		diag_set(&l->machine.why, DIAG_FAULT,
			 "%s; clang makes such accesses of packed structures at -O 0: -O 1 does not",
			 fault_text(f->kind));
	if (f->kind == FAULT_STACK_MISMATCH || f->kind == FAULT_STACK_UNDERFLOW)
		explain_stack(l, f);
	l->machine.why.line = source_line(l, f->pc);
	if (ran_off(l, f) && k->nlines)
		l->machine.why.line = (int)k->lines[k->nlines - 1].line;
	if (l->machine.why.line)
		diag_in_file(&l->machine.why, l->plan.image->file);
}

static void waits(struct wb_launch *l)
{
	struct lines s = { ARENA_ARRAY(&l->report_arena, const char *, LINES_MAX), 0 };

	if (!strcmp(l->machine.result, "fault")) {
		const struct fault *f = &l->machine.fault_mp->x.fault;
		const struct warp *w = l->machine.fault_mp->x.warp;
		place_fault(l, f);
		add_line(l, &s,
			 line_of(l,
				 "block %u warp %u: %s (%s), pc 0x%x, lanes 0x%0*" PRIx64 ", %s 0x%" PRIx64 ": %s",
				 w->block->index, w->id, fault_name(f->kind), fault_text(f->kind), f->pc,
				 mask_digits(l), f->lanes, fault_detail(f->kind), f->addr,
				 f->pc < l->plan.code.code_bytes ? text_at(l, f->pc)
				 : ran_off(l, f)		 ? "past the end, where an `exit` is missing"
								 : "past the end"));
	} else if (strcmp(l->machine.result, "ok")) {
		for (unsigned i = 0; i < l->plan.nmps; i++)
			for (unsigned k = 0; k < l->machine.mp[i].nresident; k++) {
				const struct resident *r = &l->machine.mp[i].resident[k];
				FOR_SET_LANES(j, r->live ? r->block.unfinished : 0)
					add_line(l, &s, waiting_line(l, &r->block, &r->block.warp[j]));
			}
	}
	l->report.waits = s.row;
	l->report.nwaits = s.n;
}

static const char *const notice_text[NOTICES] = {
	[NOTICE_LOOSE_BITS] = "instructions with set bits that have no meaning",
	[NOTICE_UNDOC] = "instructions that the public disassembler does not know",
	[NOTICE_BARRIER_DIVERGED] = "barriers executed while lanes of the warp were elsewhere",
	[NOTICE_UNLOCK_UNHELD] = "unlocks of a word that the warp does not hold",
	[NOTICE_LOCK_HELD_AT_END] = "warps that ended holding a lock",
	[NOTICE_OUTSIDE_STAGE] = "accesses outside of a[], o[] or p[], which read 0 or are ignored",
	[NOTICE_CONST_MISALIGNED] =
		"c[] accesses at addresses that are not a multiple of the size (or scalar loads), rounded down",
	[NOTICE_PLANE_ABSENT] = ("interpolations of a word of v[] for which the scene has nothing, which give 0 "
				 "(docs/reference/scenes.md)"),
	[NOTICE_PLANE_W] = ("interpolations of 1/W, though no attribute is in perspective: in v[] attributes begin one "
			    "word behind 1/W"),
	[NOTICE_BEYOND_BUFFER] = "instructions that access g[] beyond the end of a buffer",
	[NOTICE_TEXTURE_FILTER] = "linear filters of textures of integers, which are nearest",
	[NOTICE_TEXTURE_ANISOTROPY] = "texture accesses with an anisotropic filter, which is ignored",
};

/* Warn of lanes that diverge at pc and never reconverge, although p->reconvergence has a point. No warning before a
 * bare exit, where reconvergence gains nothing. */
static void warn_unreconverged(struct wb_launch *l, struct lines *s, uint32_t pc)
{
	const struct program *p = &l->plan.code;
	const struct insn *branch = program_at(p, pc);
	uint32_t meet = p->reconvergence[pc / 4];
	const char *way;

	if (program_at(p, meet)->marks & MARK_EXIT)
		return;
	if (meet == pc + branch->length)
		way = line_of(l,
			      "it ends a loop: put `breakaddr %s` before the loop, and leave it by a guarded `break` "
			      "there",
			      place_at(l, meet));
	else
		way = line_of(l, "put `joinat %s` before it, and `join` on the instruction at pc 0x%x (%s), or "
			      "`join nop` before that",
			      place_at(l, meet), meet, text_at(l, meet));
	add_line(l, s, line_of(l, "lanes that part at pc 0x%x (%s) do not meet again, which cost %" PRIu64
			       " lane slots: %s",
			       pc, text_at(l, pc), l->bill.pc[pc / 4].lost, way));
}

/* Cycles without progress of a stopped launch, where known. */
static uint64_t idle_cycles(const struct wb_launch *l)
{
	const struct machine *m = &l->machine;
	bool stopped = !strcmp(m->result, "limit") || !strcmp(m->result, "interrupted");

	return stopped && (!m->plan->timed || m->precise_reason) ? livelock_idle(&m->run.livelock, m) : 0;
}

static uint64_t emits_dropped(const struct wb_launch *l)
{
	const struct stream *s = l->plan.code.stream;
	uint64_t n = 0;

	for (uint32_t t = 0; s && s->emit_most && t < s->threads; t++)
		n += s->emitted[t] > s->emit_most ? s->emitted[t] - s->emit_most : 0;
	return n;
}

/* The argument whose buffer ends at or before an address, by number and by the name that the file gives; NULL: none. */
static const struct buffer *buffer_before(const struct wb_launch *l, uint64_t addr)
{
	const struct buffer *best = NULL;

	for (size_t i = 0; i < l->plan.nbuffers; i++)
		if (l->plan.buffer[i].addr <= addr && (!best || l->plan.buffer[i].addr > best->addr))
			best = &l->plan.buffer[i];
	return best;
}

/* "argument 1 (out)". */
static const char *buffer_name(struct wb_launch *l, const struct buffer *b)
{
	if (b->argument == BUFFER_OF_DEVICE)
		return line_of(l, "the buffer at 0x%" PRIx64 " of the device", b->addr);
	if (b->argument < 0)
		return "a buffer of --global";
	return *b->name ? line_of(l, "argument %d (%s)", b->argument, b->name) : line_of(l, "argument %d", b->argument);
}

static const char *first_beyond(struct wb_launch *l, uint32_t pc)
{
	for (unsigned i = 0; i < l->plan.nmps; i++) {
		const struct exec_counts *x = &l->machine.mp[i].x.counts;
		const struct buffer *b = buffer_before(l, x->beyond.addr);
		const char *name = b ? buffer_name(l, b) : NULL;
		if (!x->notice[NOTICE_BEYOND_BUFFER] || x->notice_pc[NOTICE_BEYOND_BUFFER] != pc || !b)
			continue;
		return line_of(l, ": block %u warp %u lane %u accesses %u bytes at offset %" PRIu64 " of %s, which has "
			       "%u bytes", x->beyond.block, x->beyond.warp, x->beyond.lane, x->beyond.width,
			       x->beyond.addr - b->addr, name, b->bytes);
	}
	return "";
}

/* The pc of the first issued instruction of l->plan.beyond; UINT32_MAX: none. */
static uint32_t first_named_beyond(const struct wb_launch *l)
{
	for (uint32_t i = 0; l->plan.beyond && i <= l->plan.code.code_bytes / 256; i++)
		FOR_SET_LANES(bit, l->plan.beyond[i])
			if (bill_issues(&l->bill, 64 * i + (unsigned)bit) > 0)
				return 256 * i + 4 * (unsigned)bit;
	return UINT32_MAX;
}

/* Warn of the first issued instruction that names a register beyond those that the file says a thread has. The
 * assembler has warned of a text, unless --regs says otherwise. */
static void warn_registers(struct wb_launch *l, struct lines *s)
{
	const struct program *p = &l->plan.code;
	uint32_t pc;

	if (!strcmp(l->plan.image->format, "asm") && p->nreg == l->plan.kernel->regs)
		return;
	pc = first_named_beyond(l);
	if (pc != UINT32_MAX)
		add_line(l, s, line_of(l, "pc 0x%x names register %u, but a thread has %u (.regs, --regs): "
				       "the multiprocessor would give it another warp's", pc, plan_register(p, pc),
				       p->nreg));
}

/* What the multiprocessors noticed of a kind. */
static void warn_notice(struct wb_launch *l, struct lines *s, int kind)
{
	uint64_t n = 0;
	uint32_t first = UINT32_MAX;

	for (unsigned i = 0; i < l->plan.nmps; i++) {
		const struct exec_counts *x = &l->machine.mp[i].x.counts;
		n += x->notice[kind];
		if (x->notice[kind] && x->notice_pc[kind] < first)
			first = x->notice_pc[kind];
	}
	if (n)
		add_line(l, s, line_of(l, "%" PRIu64 " %s, the first at pc 0x%x%s", n, notice_text[kind], first,
				       kind == NOTICE_BEYOND_BUFFER ? first_beyond(l, first) : ""));
}

/* What is missing from the launch's inputs, outputs or rows. */
static void warn_of_losses(struct wb_launch *l, struct lines *s, bool listed)
{
	uint64_t warps = (uint64_t)l->machine.run.started_blocks * l->plan.dim.warps;

	if (l->inputs_missing)
		add_line(l, s, line_of(l, "the program reads %s, which %s: 0", l->inputs_missing,
				       l->plan.code.stream ? "the vertices do not all give" : "no vertices give"));
	if (emits_dropped(l))
		add_line(l, s, line_of(l, "%" PRIu64 " vertices were emitted beyond the limit of %u a thread and are "
				       "dropped", emits_dropped(l), l->plan.code.stream->emit_most));
	if (l->machine.run.primitives_lost)
		add_line(l, s, line_of(l, "%zu primitives are lost: there was no memory for more than %zu",
				       l->machine.run.primitives_lost, l->machine.run.nprimitives));
	if (listed && l->rows && warps > l->report.nwarps)
		add_line(l, s, line_of(l, "%" PRIu64 " warps beyond the first %d are not listed by warp",
				       warps - l->report.nwarps, WARP_ROWS_MAX));
}

/* listed: the reader asks for rows, and is told of those that the list of warps lacks. */
static void warnings(struct wb_launch *l, bool listed)
{
	struct lines s = { ARENA_ARRAY(&l->report_arena, const char *, LINES_MAX), 0 };
	uint64_t idle = idle_cycles(l);

	for (int k = 0; k < NOTICES; k++)
		warn_notice(l, &s, k);
	warn_registers(l, &s);
	for (uint32_t i = l->bill.begin; i < l->bill.end; i++)
		if (l->bill.unreconverged[i])
			warn_unreconverged(l, &s, i * 4);
	if (idle >= LIVELOCK_SUSPECTED && l->machine.why.kind != DIAG_INTERRUPTED)
		add_line(l, &s, line_of(l, "a livelock is suspected: no store, exit, barrier release or unlock in the "
				     "last %" PRIu64
				     " cycles (--livelock N stops a run after N of them)", idle));
	if (l->type_warning)
		add_line(l, &s, l->type_warning);
	if (l->native_missing)
		add_line(l, &s, line_of(l, "--native now has no effect: %s", l->native_missing));
	warn_of_losses(l, &s, listed);
	for (unsigned i = 0; l->lint && i < l->lint->n; i++)
		add_line(l, &s, line_of(l, "hw-strict: %s", l->lint->line[i]));
	for (unsigned i = 0; l->check && i < l->check->nfindings; i++)
		add_line(l, &s, line_of(l, "%s (%" PRIu64 " times)", l->check->finding[i].text,
				     l->check->finding[i].count));
	l->report.warnings = s.row;
	l->report.nwarnings = s.n;
}

/* A finished launch lists every warp: its rows are the report's. In a stopped or stepped launch, rows may be missing,
 * and rows of later turns may remain after going back. */
static void by_warp(struct wb_launch *l)
{
	const struct warp_rows *all = l->rows;
	struct wb_warp_report *rows;

	if (!all)
		return;
	l->report.warps = all->row;
	l->report.nwarps = all->n;
	if (!l->watch && l->machine.run.finished_blocks == l->plan.dim.blocks)
		return;
	rows = ARENA_ARRAY(&l->report_arena, struct wb_warp_report, all->n + 1);
	l->report.warps = rows;
	l->report.nwarps = 0;
	for (uint32_t i = 0; rows && i < all->n; i++)
		if (all->row[i].stalls && all->turn[i] <= (l->watch ? l->watch->turns : 0))
			rows[l->report.nwarps++] = all->row[i];
}

/* The sum of the multiprocessors' bills in the first of these bills, with counts in place of differences. The machine
 * needs the bills no more: the launch is over, or goes on from a saved state. */
static struct bill_sum add_bills(struct wb_launch *l)
{
	struct bill *sum = &l->machine.mp[0].bill;

	if (!sum->settled) {
		for (unsigned i = 1; i < l->plan.nmps; i++)
			bill_add(sum, &l->machine.mp[i].bill);
		bill_settle(sum, &l->plan.code);
	}
	l->bill = *sum;
	return bill_sum(sum);
}

struct wb_occupancy public_occupancy(const struct occupancy *o)
{
	struct wb_occupancy out = {
		.warps_per_block = o->warps_per_block,
		.blocks = o->blocks,
		.warps = o->warps,
		.percent = o->percent,
		.limit_blocks = o->limit_blocks,
		.limit_warps = o->limit_warps,
		.limit_regs = o->limit_regs,
		.limit_smem = o->limit_smem,
		.limit_warp_regs = o->limit_warp_regs,
	};
	unsigned n = 0;

	for (unsigned bit = 0; bit < OCC_LIMITERS; bit++)
		if (o->limiters >> bit & 1)
			out.limiters[n++] = occupancy_limiter_name(bit);
	return out;
}

static void launch_info(const struct wb_launch *l, struct wb_launch_info *out)
{
	*out = (struct wb_launch_info){
		.kernel = l->plan.kernel->name,
		.machine = l->plan.code.target.isa->name,
		.chip = l->plan.chip.name,
		.format = l->plan.image->format,
		.blocks = l->plan.dim.blocks,
		.mps = l->plan.nmps,
		.warp_lanes = l->plan.code.target.isa->lanes,
		.warp_registers = l->plan.chip.warp_regs.size ? l->plan.kernel->warp_regs : 0,
	};
	memcpy(out->grid, l->plan.dim.grid, sizeof out->grid);
	memcpy(out->block, l->plan.dim.block, sizeof out->block);
	if (l->plan.code.stream) {
		out->stage = wb_launch_program_stage(l);
		out->stage_threads = l->plan.code.stream->threads;
	}
}

static void headline(struct wb_launch *l)
{
	struct wb_report *r = &l->report;

	r->result = l->machine.result;
	r->status = (enum wb_status)l->machine.why.kind;
	launch_info(l, &r->launch);
	r->grid_z = l->plan.dim.grid[2];
	r->execution = (struct wb_execution){
		.kind = !l->plan.timed ? "untimed" : l->machine.precise_reason ? "precise" : "trace-driven",
		.precise_reason = l->plan.timed ? l->machine.precise_reason : NULL,
		.threads = l->machine.threads ? l->machine.threads : 1,
		.single_thread_reason = l->machine.single_thread_reason,
	};
	r->occupancy = public_occupancy(&l->plan.fit);
	r->occupancy.blocks = l->plan.predicted_blocks;
}

static void digest(struct wb_launch *l)
{
	enum { DIGITS = 16 };
	uint64_t sum = 0;

	for (unsigned i = 0; i < l->plan.nmps; i++)
		sum += l->machine.mp[i].x.digest;
	for (unsigned i = 0; i < DIGITS; i++)
		l->report.digest[i] = "0123456789abcdef"[sum >> 4 * (DIGITS - 1 - i) & 15];
	l->report.digest[DIGITS] = '\0';
}

/* Fill the report but for its rows; failed allocations need no checks here, because the arena remembers a failure. */
static void fill_totals(struct wb_launch *l, const struct bill_sum *s, bool listed)
{
	headline(l);
	l->report.bill = (struct wb_bill){
		s->lane_slots, s->useful, s->predicated, s->branched_off, s->brk, s->ret, s->exited, s->absent,
		s->rejoin, s->helper,
	};
	counters(l, s);
	stalls(l);
	by_warp(l);
	warnings(l, listed);
	digest(l);
}

static void fill_rows(struct wb_launch *l)
{
	by_pc(l);
	producers_report(l);
	accesses_report(l);
	waits(l);
}

/* Whether the report's memory was there; else the report becomes empty, which is better than partial. */
static bool in_memory(struct wb_launch *l)
{
	if (!l->report_arena.failed)
		return true;
	l->report = (struct wb_report){ 0 };
	headline(l);
	l->report.result = "error";
	l->report.status = WB_ENV;
	return false;
}

/* Make l->report of a settled launch, in place of an earlier report, without rows. */
static bool build_totals(struct wb_launch *l, bool listed)
{
	struct bill_sum s = add_bills(l);

	arena_rewind(&l->report_arena);
	l->report = (struct wb_report){ 0 };
	fill_totals(l, &s, listed);
	return in_memory(l);
}

/* The report of a launch that may go on: the accounts are closed on a saved state. */
static const struct wb_report *report_of_stopped(struct wb_launch *l)
{
	void *saved = state_save(&l->machine);
	bool built;

	if (!saved)
		return NULL;
	launch_settle(l);
	if ((built = build_totals(l, true))) {
		fill_rows(l);
		built = in_memory(l);
	}
	state_restore(&l->machine, saved);
	return built ? &l->report : NULL;
}

static const struct wb_report *totals(struct wb_launch *l, bool listed)
{
	if (l->past)
		return report_of_stopped(l);
	if (l->totals_due && !build_totals(l, listed))
		return NULL;
	l->totals_due = false;
	return &l->report;
}

const struct wb_report *wb_launch_totals(struct wb_launch *l)
{
	USUAL_FLOATS;

	return totals(l, false);
}

const struct wb_report *wb_launch_report(struct wb_launch *l)
{
	USUAL_FLOATS;

	if (l->past || !l->rows_due)
		return totals(l, true);
	if (!totals(l, true))
		return NULL;
	fill_rows(l);
	if (!in_memory(l))
		return NULL;
	l->rows_due = false;
	return &l->report;
}
