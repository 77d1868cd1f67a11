/* Konata's format, Kanata 0004: an instruction begins when its warp begins to wait; lane 1 shows the wait. */
#include <inttypes.h>
#include <stdlib.h>

#include "frontends/trace/export.h"

/* The cycle in which the warp's wait for the issue began. */
static uint64_t begins(const struct wb_event *e)
{
	return e->waited < e->cycle ? e->cycle - e->waited : 0;
}

struct waiting { struct wb_event issue; uint64_t order; };

struct kanata {
	struct waiting *issue;          /* a heap, the earliest beginning first */
	size_t n, cap;
	uint64_t arrived, written, now;
	uint64_t *since;                /* by slot: lower bound of the next instruction's beginning */
	size_t check_at;                /* number of waiting issues for the next call of next_beginning */
	struct timeline line;
};

enum { CHECK = 4096 };

static bool before(const struct waiting *s, const struct waiting *t)
{
	const struct wb_event *a = &s->issue, *b = &t->issue;

	if (begins(a) != begins(b))
		return begins(a) < begins(b);
	if (a->cycle != b->cycle)
		return a->cycle < b->cycle;
	return a->slot != b->slot ? a->slot < b->slot : s->order < t->order;
}

static void swap(struct waiting *s, struct waiting *t)
{
	struct waiting u = *s;

	*s = *t;
	*t = u;
}

static bool push(struct kanata *k, const struct wb_event *e)
{
	if (k->n == k->cap) {
		struct waiting *grown = realloc(k->issue, (2 * k->cap + 1024) * sizeof *grown);
		if (!grown)
			return false;
		k->issue = grown;
		k->cap = 2 * k->cap + 1024;
	}
	k->issue[k->n] = (struct waiting){*e, k->arrived++};
	for (size_t i = k->n++; i && before(&k->issue[i], &k->issue[(i - 1) / 2]); i = (i - 1) / 2)
		swap(&k->issue[i], &k->issue[(i - 1) / 2]);
	return true;
}

static void pop(struct kanata *k, struct wb_event *out)
{
	*out = k->issue[0].issue;
	k->issue[0] = k->issue[--k->n];
	for (size_t i = 0, least; 2 * i + 1 < k->n; i = least) {
		least = 2 * i + 1;
		if (least + 1 < k->n && before(&k->issue[least + 1], &k->issue[least]))
			least++;
		if (!before(&k->issue[least], &k->issue[i]))
			break;
		swap(&k->issue[i], &k->issue[least]);
	}
}

static void instruction(struct timeline *l, const struct trace *t, const struct wb_event *e, uint64_t id)
{
	const struct trace_code *code = trace_at(t, (uint32_t)e->pc);
	uint64_t start = begins(e), end = e->cycle + t->issue_cycles;
	const char *reason = wb_reason((unsigned)e->reason);
	timeline_add(l, start, "I\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64, id, id, e->mp * t->slots + e->slot);
	timeline_add(l, start, "L\t%" PRIu64 "\t0\tb%" PRIu64 ".w%" PRIu64 " 0x%" PRIx64 " %s", id, e->block, e->warp,
		     e->pc, code && code->text ? code->text : "?");
	timeline_add(l, start, "L\t%" PRIu64 "\t1\tlanes 0x%0*" PRIx64 " depth %" PRIu64, id, (int)t->lanes / 4,
		     e->executed, e->depth);
	if (start < e->cycle) {
		timeline_add(l, start, "S\t%" PRIu64 "\t1\t%s", id, reason ? reason : "?");
		timeline_add(l, e->cycle, "E\t%" PRIu64 "\t1\t%s", id, reason ? reason : "?");
	}
	timeline_add(l, e->cycle, "S\t%" PRIu64 "\t0\tX", id);
	timeline_add(l, end, "E\t%" PRIu64 "\t0\tX", id);
	timeline_add(l, end, "R\t%" PRIu64 "\t%" PRIu64 "\t0", id, id);
}

static void write_lines(struct export *x, struct kanata *k, uint64_t until)
{
	struct timed line;

	while (timeline_take(&k->line, until, &line)) {
		if (line.cycle != k->now)
			fprintf(x->f, "C\t%" PRIu64 "\n", line.cycle - k->now);
		k->now = line.cycle;
		fprintf(x->f, "%s\n", line.text);
		free(line.text);
	}
}

/* Number and write the instructions that begin before `until`: the format requires numbers in the order of the file. */
static void write_instructions(struct export *x, struct kanata *k, uint64_t until)
{
	struct wb_event e;

	while (k->n && begins(&k->issue[0].issue) < until) {
		pop(k, &e);
		if (!k->written) {
			k->now = begins(&e);
			fprintf(x->f, "Kanata\t0004\nC=\t%" PRIu64 "\n", k->now);
		}
		write_lines(x, k, begins(&e));
		instruction(&k->line, x->t, &e, k->written++);
	}
}

/* The earliest cycle in which an instruction of a later event may begin. */
static uint64_t next_beginning(const struct export *x, const struct kanata *k, uint64_t now)
{
	uint64_t least = now;

	for (size_t i = 0; i < (size_t)x->t->mps * x->t->slots; i++)
		least = k->since[i] < least ? k->since[i] : least;
	return least;
}

static void kanata_free(struct export *x)
{
	struct kanata *k = x->state;

	timeline_free(&k->line);
	free(k->issue);
	free(k->since);
	free(k);
	x->state = NULL;
}

static bool kanata_begin(struct export *x)
{
	size_t slots = (size_t)x->t->mps * x->t->slots;
	struct kanata *k = x->state = calloc(1, sizeof *k);

	if (!k)
		return false;
	k->check_at = CHECK;
	k->since = malloc(slots * sizeof *k->since);
	for (size_t i = 0; k->since && i < slots; i++)
		k->since[i] = UINT64_MAX; /* no warp: the next block starts now or later */
	if (k->since)
		return true;
	kanata_free(x);
	return false;
}

/* The warps of a block begin in its slots. */
static void begin_warps(const struct export *x, const struct wb_event *e, uint64_t *since)
{
	uint64_t warps = e->warps;

	for (uint64_t slot = e->slot; warps && slot < x->t->slots; slot++, warps >>= 1)
		if (warps & 1)
			since[slot] = e->cycle;
}

static bool kanata_event(struct export *x, const struct wb_event *e)
{
	struct kanata *k = x->state;
	uint64_t *since = &k->since[e->mp * x->t->slots];

	if (e->kind == WB_EVENT_BLOCK_START)
		begin_warps(x, e, since);
	if (e->kind == WB_EVENT_WARP_END)
		since[e->slot] = UINT64_MAX;
	if (e->kind != WB_EVENT_ISSUE)
		return true;
	if (!push(k, e))
		return false;
	since[e->slot] = e->cycle;
	if (k->n < k->check_at)
		return true;
	if (x->ordered)
		write_instructions(x, k, next_beginning(x, k, e->cycle));
	k->check_at = 2 * k->n + CHECK;
	return !k->line.failed && k->cap * sizeof *k->issue + k->line.bytes <= x->most_bytes;
}

static void kanata_end(struct export *x)
{
	struct kanata *k = x->state;

	write_instructions(x, k, UINT64_MAX);
	if (!k->written)
		fputs("Kanata\t0004\nC=\t0\n", x->f);
	write_lines(x, k, UINT64_MAX);
	kanata_free(x);
}

const struct export_format export_kanata = {"kanata", kanata_begin, kanata_event, kanata_end};
