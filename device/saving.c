/* A saved run is what its launch has not by preparation: the words of the state that differ from the prepared state,
 * and what a run changes elsewhere. 64-bit numbers of the host's order:
 *
 *     "wbsaved" 1                            8 bytes
 *     layout instructions                    of the state (state_layout); issued up to now
 *     { first n word[n] } 0 0                words of the image (state_image) from `first` on
 *     run                                    struct run_state
 *     cycle[nmps]                            with timing: next_cycle
 *     { warp row stalls } ~0                 rows of the report by warp; stalls with timing
 *     n { number pieces bytes }[n]           pages of global memory: a bit for each of the pieces that are not zero
 *     out emitted ends                       of threads with results
 *     n { thread winding vertices }[n]       primitives
 *     sum                                    SHA-256 of all before
 *
 * The bytes are refused if one of them has changed. */
#include "device/saving.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/sha256.h"
#include "device/reader.h"
#include "device/saving_check.h"
#include "device/saving_image.h"
#include "inspect/time_travel.h"
#include "inspect/warp_rows.h"
#include "machine/clock.h"
#include "machine/epochs.h"

static const char magic[8] = "wbsaved\1";

enum { WORD = 8, PIECE = 4096, PIECES = PAGE_BYTES / PIECE };

/* ---- stopping ---- */

static struct wb_launch *launch_of(struct machine *m)
{
	return (struct wb_launch *)((char *)m - offsetof(struct wb_launch, machine));
}

static bool stops(struct machine *m)
{
	struct saving *s = launch_of(m)->saving;
	uint64_t n;

	if (!s->asked && s->stop == UINT64_MAX)
		return false;
	n = clock_issues(m);
	if (!s->asked && n < s->stop)
		return false;
	m->paused = true;
	m->work_done.instructions = n;
	m->result = "paused";
	return true;
}

static bool paused(const struct wb_launch *l, struct diag *d)
{
	uint64_t n = l->machine.work_done.instructions;

	return diag_set(d, n < l->saving->stop ? DIAG_INTERRUPTED : DIAG_LIMIT,
			"the run stands still after %" PRIu64 " instructions, to be saved", n);
}

/* ---- writing ---- */

struct writer {
	uint8_t *bytes;
	size_t n, capacity;
	bool failed;                    /* the host has no memory */
};

/* NULL: the host has or had no memory. Bytes behind missing ones would be another run with a right sum. */
static void *put_space(struct writer *w, size_t n)
{
	if (w->failed)
		return NULL;
	if (n > w->capacity - w->n) {
		size_t capacity = 2 * w->capacity + n + PAGE_BYTES;
		uint8_t *grown = realloc(w->bytes, capacity);
		if (!grown) {
			w->failed = true;
			return NULL;
		}
		w->bytes = grown;
		w->capacity = capacity;
	}
	w->n += n;
	return w->bytes + w->n - n;
}

static void put(struct writer *w, const void *bytes, size_t n)
{
	void *to = put_space(w, n);

	if (to && n)
		memcpy(to, bytes, n);
}

static void put_number(struct writer *w, uint64_t n)
{
	put(w, &n, sizeof n);
}

static bool differs(const uint8_t *a, const uint8_t *b, size_t i)
{
	return memcmp(a + i * WORD, b + i * WORD, WORD) != 0;
}

/* Words of the image that differ from the prepared state, and no others: an equal word may be an address. */
static void put_words(struct writer *w, const uint8_t *image, const uint8_t *prepared, size_t words)
{
	size_t i = 0, end;

	for (;;) {
		while (i < words && !differs(image, prepared, i))
			i++;
		if (i == words)
			break;
		for (end = i + 1; end < words && differs(image, prepared, end); end++)
			;
		put_number(w, i);
		put_number(w, end - i);
		put(w, image + i * WORD, (end - i) * WORD);
		i = end;
	}
	put_number(w, 0);
	put_number(w, 0);
}

static bool put_state(struct writer *w, const struct wb_launch *l)
{
	size_t n = state_bytes(&l->machine);
	uint8_t *image = calloc(1, n);

	if (!image)
		return false;
	state_image(&l->machine, image);
	put_words(w, image, l->saving->prepared, n / WORD);
	free(image);
	put(w, &l->machine.run, sizeof l->machine.run);
	if (l->plan.timed)
		put(w, l->machine.next_cycle, l->plan.nmps * sizeof *l->machine.next_cycle);
	return true;
}

static void put_rows(struct writer *w, const struct wb_launch *l)
{
	const struct warp_rows *r = l->rows;

	for (uint32_t i = 0; r && i < r->n; i++) {
		struct wb_warp_report row = r->row[i];
		if (!row.stalls)
			continue;
		put_number(w, i);
		put_number(w, (uint64_t)row.block << 32 | row.warp);
		put_number(w, row.issues);
		put_number(w, row.cycles);
		if (l->plan.timed)
			put(w, &r->stalls[i], sizeof r->stalls[i]);
	}
	put_number(w, UINT64_MAX);
}

static int by_number(const void *a, const void *b)
{
	const struct global_page *const *p = a, *const *q = b;

	return (*p)->number < (*q)->number ? -1 : (*p)->number > (*q)->number;
}

static void put_page(struct writer *w, const struct global_page *p)
{
	static const uint8_t zero[PIECE];
	uint64_t pieces = 0;

	for (unsigned i = 0; i < PIECES; i++)
		pieces |= (uint64_t)(memcmp(p->bytes + i * PIECE, zero, PIECE) != 0) << i;
	put_number(w, p->number);
	put_number(w, pieces);
	for (unsigned i = 0; i < PIECES; i++)
		if (pieces >> i & 1)
			put(w, p->bytes + i * PIECE, PIECE);
}

static bool put_memory(struct writer *w, const struct global *g)
{
	size_t n = g->npages, i = 0;
	const struct global_page **page = malloc((n + 1) * sizeof *page);

	if (!page)
		return false;
	for (const struct global_page *p = g->pages; p; p = p->next)
		page[i++] = p;
	qsort(page, n, sizeof *page, by_number);
	put_number(w, n);
	for (i = 0; i < n; i++)
		put_page(w, page[i]);
	free(page);
	return true;
}

/* Results of threads: `out`, `emitted` and `ends` of a stream (core/program.h), in bytes. */
struct results {
	void *bytes[3];
	size_t n[3];
};

static struct results results_of(const struct wb_launch *l)
{
	const struct stream *s = l->plan.code.stream;
	size_t most, words;

	if (!s)
		return (struct results){ .n = { 0 } };
	most = s->emit_most ? s->emit_most : 1;
	words = s->out_words + (s->planes != NULL);
	return (struct results){
		.bytes = { s->out, s->emitted, s->ends },
		.n = { s->out ? s->threads * most * words * sizeof *s->out : 0,
		       s->emitted ? s->threads * sizeof *s->emitted : 0, s->ends ? s->threads * most : 0 },
	};
}

static void put_results(struct writer *w, const struct wb_launch *l)
{
	const struct vertices *v = &l->inputs->vertices;
	struct results r = results_of(l);
	size_t n = l->machine.run.nprimitives;

	for (int i = 0; i < 3; i++)
		put(w, r.bytes[i], r.n[i]);
	put_number(w, n);
	for (size_t i = 0; i < n; i++)
		put_number(w, (uint64_t)v->primitive[i].thread << 1 | v->primitive[i].winding);
	put(w, v->emitted, 3 * n * v->out_words * sizeof *v->emitted);
}

bool saving_write(const struct wb_launch *l, uint8_t **bytes, size_t *n, struct diag *d)
{
	struct writer w = { .bytes = NULL };
	struct sha256 sum;
	bool good;

	put(&w, magic, sizeof magic);
	put_number(&w, state_layout(&l->machine));
	put_number(&w, clock_issues(&l->machine));
	good = put_state(&w, l);
	put_rows(&w, l);
	good = good && put_memory(&w, l->machine.global);
	put_results(&w, l);
	sha256_begin(&sum);
	sha256_add(&sum, w.bytes, w.n);
	uint8_t *digest = put_space(&w, SHA256_BYTES);
	if (good && digest) {
		sha256_end(&sum, digest);
		*bytes = w.bytes;
		*n = w.n;
		return true;
	}
	free(w.bytes);
	return diag_set(d, DIAG_ENV, "out of memory for the bytes of a run");
}

/* ---- reading ---- */

static bool take_bytes(struct reader *r, void *to, size_t n)
{
	const uint8_t *from = reader_take(r, n);

	if (from && n)
		memcpy(to, from, n);
	return from;
}

static bool take_number(struct reader *r, uint64_t *n)
{
	return take_bytes(r, n, sizeof *n);
}

static bool take_words(struct reader *r, uint8_t *image, size_t words)
{
	uint64_t first, n;

	while (take_number(r, &first) && take_number(r, &n)) {
		if (!n)
			return true;
		if (first > words || n > words - first)
			return reader_bad(r, "words beyond the state");
		if (!take_bytes(r, image + first * WORD, n * WORD))
			return false;
	}
	return false;
}

/* The image is made of the prepared one, so that all members without a word in the bytes stay. */
static bool take_image(struct reader *r, struct wb_launch *l, uint8_t *image, uint8_t *good, struct run_state *run)
{
	size_t n = state_bytes(&l->machine);
	const char *wrong;

	memcpy(image, l->saving->prepared, n);
	memcpy(good, image, n);
	if (!take_words(r, image, n / WORD) || !take_bytes(r, run, sizeof *run))
		return false;
	wrong = saving_wrong(l, image, good, run);
	return wrong ? reader_bad(r, wrong) : state_from_image(&l->machine, image, l->saving->prepared) ||
					      reader_bad(r, "a number of no object");
}

static bool take_state(struct reader *r, struct wb_launch *l)
{
	size_t n = state_bytes(&l->machine);
	uint8_t *image = malloc(2 * n);
	struct run_state run;
	const char *wrong;
	bool good;

	if (!image)
		return diag_set(r->d, DIAG_ENV, "out of memory for a state of %zu bytes", n);
	good = take_image(r, l, image, image + n, &run);
	free(image);
	if (!good)
		return false;
	l->machine.run = run;
	if (l->plan.timed && !take_bytes(r, l->machine.next_cycle, l->plan.nmps * sizeof *l->machine.next_cycle))
		return false;
	wrong = saving_wrong_clock(&l->machine);
	return !wrong || reader_bad(r, wrong);
}

/* Stalls of a warp without timing. */
static const struct stall_row no_stalls;

static bool take_rows(struct reader *r, const struct wb_launch *l)
{
	const struct warp_rows *rows = l->rows;
	uint64_t i, place, issues, cycles;

	while (take_number(r, &i) && i != UINT64_MAX) {
		if (!rows || i >= rows->n)
			return reader_bad(r, "a row of no warp");
		if (!take_number(r, &place) || !take_number(r, &issues) || !take_number(r, &cycles) ||
		    (l->plan.timed && !take_bytes(r, &rows->stalls[i], sizeof rows->stalls[i])))
			return false;
		if (place >> 32 >= l->plan.dim.blocks || (uint32_t)place >= l->plan.dim.warps)
			return reader_bad(r, "a row of no warp");
		rows->row[i] = (struct wb_warp_report){
			.block = (uint32_t)(place >> 32), .warp = (uint32_t)place, .issues = issues, .cycles = cycles,
			.stalls = l->plan.timed ? rows->stalls[i].cycles : no_stalls.cycles,
		};
	}
	return i == UINT64_MAX;
}

/* ---- the memory before the first instruction ---- */

struct first_page {
	struct first_page *next;
	struct global_page *page;
	const uint8_t *bytes;           /* NULL: zeros */
};

static bool keep_page(struct wb_launch *l, struct global_page *p)
{
	static const uint8_t zero[PIECE];
	struct first_page *f = ARENA_NEW(&l->arena, struct first_page);
	uint8_t *bytes = NULL;
	bool zeros = true;

	for (unsigned i = 0; i < PIECES && zeros; i++)
		zeros = !memcmp(p->bytes + i * PIECE, zero, PIECE);
	if (!f || (!zeros && !(bytes = arena_space(&l->arena, PAGE_BYTES, WORD))))
		return false;
	if (bytes)
		memcpy(bytes, p->bytes, PAGE_BYTES);
	*f = (struct first_page){ l->saving->first_page, p, bytes };
	l->saving->first_page = f;
	return true;
}

/* Once, and only where the run may have to begin again at its first instruction. */
static bool keep_memory(struct wb_launch *l, struct diag *d)
{
	bool kept = true;

	if (!l->machine.run.unwatched || l->saving->first_page)
		return true;
	for (struct global_page *p = l->machine.global->pages; p && kept; p = p->next)
		kept = keep_page(l, p);
	return kept || diag_set(d, DIAG_ENV, "out of memory for the memory before the first instruction");
}

static void forget(struct machine *m)
{
	struct saving *s = launch_of(m)->saving;

	for (struct first_page *f = s->first_page; f; f = f->next)
		if (f->bytes)
			memcpy(f->page->bytes, f->bytes, PAGE_BYTES);
		else
			memset(f->page->bytes, 0, PAGE_BYTES);
	s->bytes = NULL;
}

static bool take_memory(struct reader *r, const struct global *g)
{
	uint64_t n, number, pieces;

	if (!take_number(r, &n))
		return false;
	while (n--) {
		if (!take_number(r, &number) || !take_number(r, &pieces))
			return false;
		struct global_page *p = number <= UINT32_MAX ? global_page_find(g, (uint32_t)number) : NULL;
		if (!p || pieces >> PIECES)
			return reader_bad(r, "a page that the launch has not");
		for (unsigned i = 0; i < PIECES; i++)
			if (!(pieces >> i & 1))
				memset(p->bytes + i * PIECE, 0, PIECE);
			else if (!take_bytes(r, p->bytes + i * PIECE, PIECE))
				return false;
	}
	return true;
}

/* Memory for n primitives, which the run then extends. */
static bool primitives_space(struct vertices *v, size_t n, struct diag *d)
{
	free(v->primitive);
	free(v->emitted);
	v->primitive = calloc(n + 1, sizeof *v->primitive);
	v->emitted = calloc(3 * n * v->out_words + 1, sizeof *v->emitted);
	v->capacity = n;
	return (v->primitive && v->emitted) || diag_set(d, DIAG_ENV, "out of memory for %zu primitives", n);
}

static bool take_results(struct reader *r, struct wb_launch *l)
{
	struct vertices *v = &l->inputs->vertices;
	struct results to = results_of(l);
	uint64_t n, one;

	for (int i = 0; i < 3; i++)
		if (!take_bytes(r, to.bytes[i], to.n[i]))
			return false;
	if (!take_number(r, &n))
		return false;
	if (n != l->machine.run.nprimitives || n > (r->size - r->position) / sizeof one)
		return reader_bad(r, "another number of primitives");
	if (!n)
		return true;
	if (!primitives_space(v, n, r->d))
		return false;
	for (uint64_t i = 0; i < n; i++) {
		if (!take_number(r, &one))
			return false;
		if (one >> 1 >= l->plan.code.stream->threads)
			return reader_bad(r, "a primitive of no thread");
		v->primitive[i] = (struct wb_primitive){ .thread = (uint32_t)(one >> 1), .winding = one & 1 };
	}
	return take_bytes(r, v->emitted, 3 * n * v->out_words * sizeof *v->emitted);
}

static bool take_head(struct reader *r, uint64_t *layout, uint64_t *instructions)
{
	return reader_take(r, sizeof magic) && take_number(r, layout) && take_number(r, instructions);
}

static bool go_on(struct wb_launch *l, struct diag *d)
{
	struct reader r = { .bytes = l->saving->bytes, .size = l->saving->size - SHA256_BYTES, .of = "the saved run",
			    .d = d };
	uint64_t layout, instructions;

	if (!take_head(&r, &layout, &instructions))
		return false;
	if (layout != state_layout(&l->machine))
		return diag_set(d, DIAG_INPUT, "the saved run is another launch's, or of another build of Warpbeam");
	if (!take_state(&r, l) || !take_rows(&r, l) || !keep_memory(l, d) ||
	    !take_memory(&r, l->machine.global) || !take_results(&r, l))
		return false;
	l->machine.work_done.instructions = instructions;
	return r.position == r.size || reader_bad(&r, "bytes behind the end");
}

bool saving_check(const uint8_t *bytes, size_t n, struct diag *d)
{
	uint8_t digest[SHA256_BYTES];
	struct sha256 sum;

	if (n < sizeof magic || memcmp(bytes, magic, sizeof magic - 1))
		return diag_set(d, DIAG_INPUT, "found no saved run, expected the bytes of wb_launch_save");
	if (bytes[sizeof magic - 1] != magic[sizeof magic - 1])
		return diag_set(d, DIAG_INPUT,
				"found a saved run in form %u, expected form %u, which this version reads",
				bytes[sizeof magic - 1], magic[sizeof magic - 1]);
	if (n < sizeof magic + SHA256_BYTES)
		return diag_set(d, DIAG_INPUT, "the saved run is damaged: it ends too early");
	sha256_begin(&sum);
	sha256_add(&sum, bytes, n - SHA256_BYTES);
	sha256_end(&sum, digest);
	return !memcmp(digest, bytes + n - SHA256_BYTES, SHA256_BYTES) ||
	       diag_set(d, DIAG_INPUT, "the saved run is damaged: its checksum does not hold");
}

/* ---- the launch ---- */

static bool begin(struct machine *m, struct diag *d)
{
	struct wb_launch *l = launch_of(m);
	struct saving *s = l->saving;
	size_t n = state_bytes(m);

	for (unsigned i = 0; l->plan.timed && i < l->plan.nmps; i++)
		memset(m->mp[i].request, 0, epoch_requests(m) * sizeof *m->mp[i].request);
	if (!s->prepared)       /* else the launch begins again, with a state of the same size */
		s->prepared = arena_alloc(&l->arena, n, WORD);
	if (!s->prepared)
		return diag_set(d, DIAG_ENV, "out of memory for a state of %zu bytes", n);
	state_image(m, s->prepared);
	if (s->bytes && !go_on(l, d))
		return false;
	if (s->stop <= clock_issues(m))
		return diag_set(d, DIAG_USAGE, "the run has issued %" PRIu64 " instructions already, and cannot be "
				"saved after %" PRIu64, clock_issues(m), s->stop);
	return true;
}

/* Why a launch cannot be saved, or NULL. */
static const char *why_not(const struct wb_launch *l)
{
	if (l->machine.result || l->watch)
		return "it has run already, or is stepped";
	if (l->recorder)
		return "it is recorded";
	if (l->prepared && l->machine.counts_reach)
		return "it was prepared before";
	if (l->plan.own_policy.pick)
		return "its policy is the caller's";
	return NULL;
}

static const struct run_saver saver = { .begin = begin, .stops = stops, .forget = forget };

struct saving *saving_of(struct wb_launch *l, struct diag *d)
{
	const char *why = why_not(l);

	if (why) {
		diag_set(d, DIAG_USAGE, "this launch can neither be saved nor go on: %s", why);
		return NULL;
	}
	if (l->saving)
		return l->saving;
	l->saving = ARENA_NEW(&l->arena, struct saving);
	if (!l->saving) {
		diag_set(d, DIAG_ENV, "out of memory");
		return NULL;
	}
	*l->saving = (struct saving){ .paused = paused, .stop = UINT64_MAX };
	l->machine.saver = &saver;
	return l->saving;
}
