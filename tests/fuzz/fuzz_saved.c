/* Forged saved runs: the bytes of a stopped launch, with changes. The run ends like any program's, or is refused. The
 * first byte of an input picks the launch, the second the number of changes, of eight bytes each: the kind of word, the
 * kind of change, a place, an argument.
 *
 * A launch is prepared once in a process, and goes back to the prepared state before each input, as the machine does
 * after an attempt that was given up. The checksum of the bytes is left out: no forger would miss it (the test `saved
 * runs` has damaged bytes). At the end the number of runs is printed. */
#include <stdlib.h>
#include <string.h>

#include "core/base/rng.h"
#include "core/base/sha256.h"
#include "device/saving.h"
#include "tests/fuzz/fuzz_image.h"
#include "tests/kit/launches.h"
#include "tests/random/generate.h"

enum {
	HEAD_BYTES = 24, SETTINGS = 8, TEXT_MAX = 1 << 16, CHANGES_MAX = 16,
	BEHIND = 700,                   /* instructions behind the stop */
	VERTICES = 300, SELDOM = 8, CHECKED = 1 << 10,
};

/* ---- launches ---- */

static const char gcn[] =
	".kernel k\n.chip tonga\ns_mov_b32 m0, -1\ns_mov_b32 s4, 0\nv_mov_b32 v1, v0\nagain:\n"
	"v_mul_lo_u32 v1, v1, v0\nv_add_f32 v2, v1, v0\ns_add_u32 s4, s4, 1\ns_cmp_lt_u32 s4, 20\n"
	"s_cbranch_scc1 again\nv_lshlrev_b32 v3, 2, v0\nv_cmp_gt_u32 vcc, 33, v0\ns_and_saveexec_b64 s[6:7], vcc\n"
	"ds_write_b32 v3, v1\ns_mov_b64 exec, s[6:7]\ns_barrier\nds_read_b32 v4, v3\ns_waitcnt lgkmcnt(0)\n"
	"s_endpgm\n";
static const char geometry[] =
	".alias centre v0\n.alias outpos o0 as position\n.alias corner c0 as (1.0, -1.0, 0.0, 0.5)\nmain:\n"
	"mul r1, corner, centre.xxxx\nsetemitraw 0\nadd outpos, centre, r1.yyzz\nemit\nsetemitraw 1\n"
	"add outpos, centre, r1.xyzz\nemit\nsetemitraw 2, prim\nadd outpos, centre, r1.yxzz\nemit\nnop\nend\n";
static const char locks[] =
	HEAD ".smem 0x40\njoinat #done\ntry:\nld lock $c0 $r1 b32 s[0x20]\n(l $c0) bra #critical\nbra #again\n"
	"critical:\nadd b32 $r1 $r1 $r0\nst unlock b32 s[0x20] $r1\nagain:\n(geu $c0) bra #try\ndone:\n"
	"join (never) nop\nbar inc wait 0x0 all\nexit (never) nop\n";

/* A random program where there is no text. */
static const struct kind {
	const char *text, *format;
	uint64_t seed, stop;            /* of the random program; instructions before the stop */
	struct setting setting[SETTINGS];
} kinds[] = {
	{ NULL, "asm", 1, 200, { { "grid", "9" }, { "block", "96" } } },
	{ NULL, "asm", 2, 300, { { "grid", "9" }, { "block", "96" }, { "policy", "two-level" } } },
	{ NULL, "asm", 3, 300, { { "grid", "9" }, { "block", "96" }, { "timing", "off" }, { "slice", "70" } } },
	{ NULL, "asm", 4, 300, { { "grid", "9" }, { "block", "96" }, { "reconverge", "minpc" } } },
	{ NULL, "asm", 5, 300, { { "grid", "9" }, { "block", "96" }, { "reconverge", "barriers" } } },
	{ NULL, "asm", 6, 300, { { "grid", "9" }, { "block", "96" }, { "check", "race,uninit,barrier,bounds" },
				 { "mps", "1" } } },
	{ NULL, "asm", 7, 300, { { "grid", "9" }, { "block", "96" }, { "producers", "on" }, { "accesses", "on" },
				 { "perfect", "on" }, { "policy", "random" }, { "diverge", "random" } } },
	{ gcn, "asm", 0, 700, { { "grid", "9" }, { "block", "256" } } },
	{ gcn, "asm", 0, 700, { { "grid", "9" }, { "block", "256" }, { "mps", "1" }, { "timing", "off" },
				{ "slice", "8" }, { "check", "race,uninit" } } },
	{ geometry, "gsh", 0, 60, { { "mps", "2" } } },
	{ locks, "asm", 0, 60, { { "grid", "4" }, { "block", "96" } } },
	{ locks, "asm", 0, 60, { { "grid", "4" }, { "block", "96" }, { "lock", "flag" }, { "lock-entries", "64" },
				 { "timing", "off" } } },
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static struct state {
	struct wb_program *program;
	struct wb_text saved;
	uint64_t most;                  /* the last word with a change */
	struct wb_launch *launch;       /* prepared */
	uint8_t *prepared;              /* the state of its machine, and pages of global memory */
	struct run_state run;
	uint8_t *forged;                /* bytes of the present input */
	char *end;                      /* outcome of the bytes without a change; NULL: not tried yet */
} states[KINDS];

static struct wb_program *program_of(const struct kind *k)
{
	static char text[TEXT_MAX];
	struct wb_config *c = wb_config_new();
	struct wb_program *p = NULL;
	struct wb_diag d = { 0 };
	const char *from = k->text;

	if (!from) {
		text[generate_program(k->seed, text, sizeof text - 1)] = '\0';
		from = text;
	}
	if (!strcmp(k->format, "asm"))
		wb_config_set(c, "format", "asm", &d);
	if (wb_program_load(from, strlen(from), k->text == geometry ? "k.gsh" : "k.s", c, &p, &d) != WB_OK) {
		fprintf(stderr, "%s\n", d.text);
		abort();
	}
	wb_config_free(c);
	return p;
}

static struct wb_launch *launch_of(const struct kind *k, const struct wb_program *p)
{
	static const uint8_t zero[4096];
	static const char *const always[][2] = {
		{ "threads", "1" }, { "in-order", "on" }, { "max-cycles", "4000000" },
	};
	char instructions[24];
	struct wb_config *c = wb_config_new();
	struct wb_launch *l = NULL;
	struct wb_diag d = { 0 };
	bool given = false;

	for (size_t i = 0; i < sizeof always / sizeof *always; i++)
		wb_config_set(c, always[i][0], always[i][1], &d);
	snprintf(instructions, sizeof instructions, "%d", (int)k->stop + BEHIND);
	wb_config_set(c, "max-insns", instructions, &d);
	for (const struct setting *s = k->setting; s < k->setting + SETTINGS && s->option; s++) {
		if (wb_config_set(c, s->option, s->value, &d) != WB_OK) {
			fprintf(stderr, "%s: %s\n", s->option, d.text);
			abort();
		}
		given |= !strcmp(s->option, "mps");
	}
	if (!given)
		wb_config_set(c, "mps", "2", &d);
	if (k->text != geometry)        /* two blocks of a multiprocessor at once: a small state */
		wb_config_set(c, "smem", "7000", &d);
	if (wb_launch_new(p, NULL, c, &l, &d) != WB_OK) {
		fprintf(stderr, "%s\n", d.text);
		abort();
	}
	wb_config_free(c);
	if (k->text == geometry) {
		uint32_t n = VERTICES, words = wb_launch_in_words(l), *in = calloc(n * words, sizeof *in);
		for (uint32_t i = 0; i < n * words; i++)
			in[i] = i;
		wb_launch_vertices(l, in, n, &d);
		free(in);
	} else if (!k->text) {
		wb_launch_write(l, "g", 0, zero, sizeof zero, NULL);
	}
	if (wb_launch_prepare(l, &d) != WB_OK) {
		fprintf(stderr, "%s\n", d.text);
		abort();
	}
	return l;
}

static uint64_t word_at(const uint8_t *at)
{
	uint64_t w;

	memcpy(&w, at, sizeof w);
	return w;
}

/* Offset of the two zeros behind the words of the image. */
static size_t end_of_words(const uint8_t *bytes, uint64_t *most)
{
	size_t at = HEAD_BYTES;

	for (uint64_t n; (n = word_at(bytes + at + 8)); at += 16 + 8 * n)
		*most = word_at(bytes + at) + n - 1;
	return at;
}

/* Copy the machine's state and memory to `bytes`, or back. Returns the number of bytes; NULL: only that. */
static size_t copy(const struct machine *m, uint8_t *bytes, bool back)
{
	struct arena_chunk *at = NULL;
	size_t n, all = 0;
	void *piece;

	for (; (piece = arena_piece(&m->state, &at, &n)); all += n)
		if (bytes)
			memcpy(back ? piece : bytes + all, back ? bytes + all : piece, n);
	for (struct global_page *p = m->global->pages; p; p = p->next, all += PAGE_BYTES)
		if (bytes)
			memcpy(back ? p->bytes : bytes + all, back ? bytes + all : p->bytes, PAGE_BYTES);
	return all;
}

/* Bring the launch back to the prepared state. */
static void go_back(struct state *s)
{
	struct machine *m = &s->launch->machine;

	copy(m, s->prepared, true);
	m->run = s->run;
	m->work_done.instructions = m->work_done.blocks = m->work_done.in_blocks = 0;
	m->why = (struct diag){ .kind = DIAG_OK };
	m->result = NULL;
	m->fault_mp = NULL;
	m->paused = false;
	if (m->next_cycle)
		memset(m->next_cycle, 0, m->plan->nmps * sizeof *m->next_cycle);
	NOTIFY(m, restart);
}

static uint64_t runs;

static void say_runs(void)
{
	fprintf(stderr, "fuzz_saved: %" PRIu64 " runs\n", runs);
}

/* The launch that goes on from forged bytes, prepared. */
static void prepare(struct state *s, const struct kind *k)
{
	struct wb_diag d = { 0 };
	struct machine *m;

	s->launch = launch_of(k, s->program);
	m = &s->launch->machine;
	if (wb_launch_resume(s->launch, s->saved.data, s->saved.size, false, &d) != WB_OK)
		abort();
	s->prepared = malloc(copy(m, NULL, false));
	s->forged = malloc(s->saved.size + CHANGES_MAX * 24);
	s->run = m->run;
	copy(m, s->prepared, false);
}

static struct state *state_of(unsigned i)
{
	struct state *s = &states[i];
	struct wb_diag d = { 0 };
	struct wb_launch *l;

	if (s->program)
		return s;
	if (!runs)
		atexit(say_runs);
	s->program = program_of(&kinds[i]);
	l = launch_of(&kinds[i], s->program);
	wb_launch_save_at(l, kinds[i].stop, &d);
	wb_launch_run(l, &d);
	if (wb_launch_save(l, &s->saved, &d) != WB_OK) {
		fprintf(stderr, "launch %u: %s\n", i, d.text);
		abort();
	}
	end_of_words((const uint8_t *)s->saved.data, &s->most);
	wb_launch_free(l);
	prepare(s, &kinds[i]);
	return s;
}

/* ---- changes ---- */

struct change { uint8_t what, how; uint32_t where; uint16_t argument; } __attribute__((packed));

static uint64_t changed(const struct change *c, uint64_t was)
{
	switch (c->how % 8) {
	case 0: return c->argument;
	case 1: return UINT64_MAX;
	case 2: return 1ull << c->argument % 64;
	case 3: return was + c->argument % 8 + 1;
	case 4: return was - c->argument % 8 - 1;
	case 5: return was ^ 1ull << c->argument % 64;
	case 6: return mix64(c->argument);
	default: return (uint64_t)c->argument << 16;
	}
}

/* Part of a word in place: 1, 2, 4 or 8 bytes. */
static void change_in_place(const struct change *c, uint8_t *at, size_t size)
{
	size_t n = (size_t)1 << c->what / 2 % 4, place = HEAD_BYTES + (size_t)mix64(c->where) % (size - HEAD_BYTES);
	uint64_t w = 0;

	place -= place % n;
	memcpy(&w, at + place, n);
	w = changed(c, w);
	memcpy(at + place, &w, n);
}

/* A word that the run had not changed. */
static void add_word(const struct change *c, const struct state *s, uint64_t add[3])
{
	add[0] = mix64(c->where) % (s->most + s->most / 8 + 1);
	add[1] = 1;
	add[2] = changed(c, 0);
}

/* Make s->forged; returns the number of bytes. */
static size_t forge(const struct state *s, const uint8_t *bytes, size_t size)
{
	uint8_t *own = s->forged;
	uint64_t most, add[3];
	size_t end, body = s->saved.size - SHA256_BYTES;
	unsigned changes = size ? *bytes % CHANGES_MAX : 0;

	memcpy(own, s->saved.data, body);
	end = end_of_words(own, &most);
	bytes += size != 0;
	size -= size != 0;
	/* mostly a change or two: of many one is refused */
	changes = changes < 8 ? 1 : changes < 12 ? 2 : changes;
	for (unsigned k = changes; k && size >= sizeof(struct change); k--) {
		struct change c;
		memcpy(&c, bytes, sizeof c);
		bytes += sizeof c;
		size -= sizeof c;
		if (c.what % 2) {
			change_in_place(&c, own, body);
			continue;
		}
		add_word(&c, s, add);
		memmove(own + end + sizeof add, own + end, body - end);
		memcpy(own + end, add, sizeof add);
		body += sizeof add;
		end += sizeof add;
	}
	return body + SHA256_BYTES;
}

static enum wb_status go_on(const struct state *s, size_t size, struct wb_diag *d)
{
	s->launch->saving->bytes = s->forged;
	s->launch->saving->size = size;
	return wb_launch_run(s->launch, d);
}

/* The bytes without a change come to the same end each time: nothing of an input is left for the next. */
static void try_unchanged(struct state *s)
{
	struct wb_diag d = { 0 };
	size_t size = forge(s, (const uint8_t[]){ 0 }, 0);
	char *text = outcome(s->launch, go_on(s, size, &d), &d);

	if (d.status == WB_INPUT || (s->end && strcmp(text, s->end))) {
		fprintf(stderr, "launch %d: %s\n%s\n", (int)(s - states), d.text, text);
		abort();
	}
	free(s->end);
	s->end = text;
	go_back(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct state *s = state_of(size ? *bytes % KINDS : 0);
	struct wb_diag d = { 0 };
	enum wb_status status;

	if (size < 2 || runs % CHECKED == 0)
		try_unchanged(s);
	runs++;
	status = go_on(s, forge(s, bytes + (size != 0), size ? size - 1 : 0), &d);
	if (status != WB_OK && !*d.text)
		abort();
	if (status != WB_INPUT && size && bytes[size - 1] % SELDOM == 0)
		free(outcome(s->launch, status, &d));
	go_back(s);
	return 0;
}
