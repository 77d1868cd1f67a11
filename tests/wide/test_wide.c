/* The test machine (64 lanes, 64-bit addresses) in every room, through the public header. Random programs are compared
 * with a reference in this file that runs a lane at a time. */
#include "core/base/rng.h"
#include "tests/kit/launches.h"

enum { LANES = 64, THREADS = 200, BLOCKS = 5, REGISTERS = 256, WORDS_A_THREAD = 16, CODE_MAX = 1024, SEEDS = 100 };
enum { RESULT_FIRST = 16, RESULTS = 8, HIGH_FIRST = 248 };   /* registers for computations in bodies */

/* ---- programs ---- */

enum op { ADD, ADDI, ADDW, MUL, XOR, MOV, LT, EQ, LD, ST, LDS, STS, LDC, LDSC, WAIT, SSY, BRA, JOIN, BAR, EXIT };

struct ins {
	enum op op;
	int d, a, b;            /* b: register or number; of a jump, the target instruction */
};

struct text {
	struct ins insn[CODE_MAX];
	unsigned n;
	uint64_t seed;
	unsigned counters;      /* loops so far */
};

static unsigned emit(struct text *t, enum op op, int d, int a, int b)
{
	assert_true(t->n < CODE_MAX);
	t->insn[t->n] = (struct ins){ op, d, a, b };
	return t->n++;
}

static int any(struct text *t, unsigned n)
{
	return (int)rng_below(&t->seed, n);
}

/* Low and high register numbers alike. */
static int reg(struct text *t)
{
	int i = any(t, RESULTS);

	return any(t, 3) ? RESULT_FIRST + i : HIGH_FIRST + i;
}

static void statement(struct text *t, unsigned depth);

static void statements(struct text *t, unsigned depth)
{
	for (int n = 1 + any(t, 4); n; n--)
		statement(t, depth);
}

static int compare(struct text *t)
{
	int m = any(t, 7);

	emit(t, any(t, 4) ? LT : EQ, m, any(t, 4) ? reg(t) : 0, reg(t));
	return m;
}

static void if_else(struct text *t, unsigned depth, bool exits)
{
	int m = compare(t);
	unsigned ssy = emit(t, SSY, 0, 0, 0), bra = emit(t, BRA, 0, m, 0), skip;

	if (any(t, 2))
		statements(t, depth + 1);
	skip = emit(t, BRA, 0, 7, 0);
	t->insn[bra].b = (int)t->n;
	statements(t, depth + 1);
	if (exits)
		emit(t, EXIT, 0, 0, 0);
	t->insn[skip].b = t->insn[ssy].b = (int)t->n;
	emit(t, JOIN, 0, 0, 0);
}

/* Loop v11 times, a number that differs from lane to lane. */
static void loop(struct text *t, unsigned depth)
{
	int counter = 32 + (int)t->counters++ % 16;
	unsigned ssy, top;

	emit(t, MOV, counter, 0, 0);
	ssy = emit(t, SSY, 0, 0, 0);
	top = t->n;
	statements(t, depth + 1);
	emit(t, ADDI, counter, counter, 1);
	emit(t, LT, 6, counter, 11);
	emit(t, BRA, 0, 6, (int)top);
	t->insn[ssy].b = (int)t->n;
	emit(t, JOIN, 0, 0, 0);
}

/* Access a word of the thread's piece of g[], at the address in v8 and v9. */
static void global_access(struct text *t)
{
	emit(t, MOV, 7, 0, 4 * any(t, WORDS_A_THREAD));
	emit(t, ADDW, 14, 8, 7);
	if (any(t, 2))
		emit(t, ST, 0, 14, reg(t));
	else
		emit(t, any(t, 2) ? LD : LDC, reg(t), 14, 0);
	if (!any(t, 3))
		emit(t, WAIT, 0, any(t, 4), any(t, 4));
}

/* Pairs of threads of neighbouring warps exchange a word. */
static void exchange(struct text *t)
{
	emit(t, STS, 0, 10, reg(t));
	emit(t, BAR, 0, 0, 0);
	emit(t, any(t, 2) ? LDS : LDSC, reg(t), 13, 0);
	emit(t, BAR, 0, 0, 0);
}

static void statement(struct text *t, unsigned depth)
{
	switch (any(t, depth < 3 ? 14 : 9)) {
	case 0: emit(t, ADD, reg(t), reg(t), reg(t)); break;
	case 1: emit(t, ADDI, reg(t), reg(t), any(t, 256) - 128); break;
	case 2: emit(t, MUL, reg(t), reg(t), reg(t)); break;
	case 3: case 4: emit(t, XOR, reg(t), reg(t), reg(t)); break;
	case 5: emit(t, ADD, reg(t), reg(t), 0); break;
	case 6: emit(t, MOV, reg(t), 0, any(t, 65536)); break;
	case 7: case 8: global_access(t); break;
	case 9: case 10: if_else(t, depth, false); break;
	case 11: if_else(t, depth, !any(t, 4)); break;
	case 12: loop(t, depth); break;
	default:
		if (!depth)
			exchange(t);
		else
			emit(t, ADD, reg(t), reg(t), 0);
	}
}

/* v1: number of the block. v4, v5: address of the buffer. v8, v9: address of the thread's words in the buffer. v10: s[]
 * address of the thread's word, v13: of its neighbour's in another warp. v11: 1 to 4, by the lane. */
static void prologue(struct text *t)
{
	emit(t, MOV, 2, 0, 0);
	emit(t, LDS, 1, 2, 0);
	emit(t, MOV, 2, 0, 0x10);
	emit(t, LDS, 4, 2, 0);
	emit(t, MOV, 2, 0, 0x14);
	emit(t, LDS, 5, 2, 0);
	emit(t, MOV, 7, 0, THREADS);
	emit(t, MUL, 6, 1, 7);
	emit(t, ADD, 6, 6, 0);
	emit(t, MOV, 7, 0, 4 * WORDS_A_THREAD);
	emit(t, MUL, 6, 6, 7);
	emit(t, ADDW, 8, 4, 6);
	emit(t, MOV, 7, 0, 4);
	emit(t, MUL, 10, 0, 7);
	emit(t, MOV, 7, 0, LANES);
	emit(t, XOR, 13, 0, 7);
	emit(t, MOV, 7, 0, 4);
	emit(t, MUL, 13, 13, 7);
	emit(t, MOV, 7, 0, 0x40);
	emit(t, ADD, 10, 10, 7);
	emit(t, ADD, 13, 13, 7);
	emit(t, MOV, 11, 0, 1);
	for (int i = 0; i < 3; i++) {
		emit(t, MOV, 7, 0, any(t, THREADS));
		emit(t, LT, 0, 0, 7);
		emit(t, SSY, 0, 0, (int)t->n + 4);
		emit(t, BRA, 0, 0, (int)t->n + 2);
		emit(t, BRA, 0, 7, (int)t->n + 2);
		emit(t, ADDI, 11, 11, 1);
		emit(t, JOIN, 0, 0, 0);
	}
	for (int i = 0; i < RESULTS; i++) {
		emit(t, MOV, RESULT_FIRST + i, 0, any(t, 65536));
		emit(t, MUL, RESULT_FIRST + i, RESULT_FIRST + i, i % 2 ? 0 : 6);
		emit(t, ADD, HIGH_FIRST + i, 0, RESULT_FIRST + i);
	}
}

static void generate(struct text *t, uint64_t seed)
{
	*t = (struct text){ .seed = seed };
	prologue(t);
	for (int n = 3 + any(t, 8); n; n--)
		statement(t, 0);
	for (int i = 0; i < RESULTS; i++) {
		emit(t, MOV, 7, 0, 4 * i);
		emit(t, ADDW, 14, 8, 7);
		emit(t, ST, 0, 14, i % 2 ? HIGH_FIRST + i : RESULT_FIRST + i);
	}
	emit(t, EXIT, 0, 0, 0);
}

static void print_ins(FILE *f, const struct ins *in)
{
	switch (in->op) {
	case ADD: fprintf(f, "add v%d v%d v%d\n", in->d, in->a, in->b); break;
	case ADDI: fprintf(f, "addi v%d v%d %s0x%x\n", in->d, in->a, in->b < 0 ? "-" : "", abs(in->b)); break;
	case ADDW: fprintf(f, "addw v%d v%d v%d\n", in->d, in->a, in->b); break;
	case MUL: fprintf(f, "mul v%d v%d v%d\n", in->d, in->a, in->b); break;
	case XOR: fprintf(f, "xor v%d v%d v%d\n", in->d, in->a, in->b); break;
	case MOV: fprintf(f, "mov v%d 0x%x\n", in->d, in->b); break;
	case LT: fprintf(f, "lt m%d v%d v%d\n", in->d, in->a, in->b); break;
	case EQ: fprintf(f, "eq m%d v%d v%d\n", in->d, in->a, in->b); break;
	case LD: fprintf(f, "ld v%d g[v%d]\n", in->d, in->a); break;
	case ST: fprintf(f, "st g[v%d] v%d\n", in->a, in->b); break;
	case LDS: fprintf(f, "ld v%d s[v%d]\n", in->d, in->a); break;
	case LDC: fprintf(f, "ldc v%d g[v%d]\n", in->d, in->a); break;
	case LDSC: fprintf(f, "ldc v%d s[v%d]\n", in->d, in->a); break;
	case WAIT: fprintf(f, "wait 0x%x 0x%x\n", in->a, in->b); break;
	case STS: fprintf(f, "st s[v%d] v%d\n", in->a, in->b); break;
	case SSY: fprintf(f, "ssy #l%d\n", in->b); break;
	case BRA: fprintf(f, "bra m%d #l%d\n", in->a, in->b); break;
	case JOIN: fprintf(f, "join\n"); break;
	case BAR: fprintf(f, "bar\n"); break;
	default: fprintf(f, "exit\n");
	}
}

static char *print(const struct text *t)
{
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	fprintf(f, ".kernel random\n.grid %d\n.block %d\n.regs %d\n.smem 0x800\n", BLOCKS, THREADS, REGISTERS);
	for (unsigned i = 0; i < t->n; i++) {
		fprintf(f, "l%u:\n\t", i);
		print_ins(f, &t->insn[i]);
	}
	fclose(f);
	return text;
}

/* ---- the reference: a lane at a time ---- */

struct thread {
	uint32_t v[REGISTERS];
	bool m[8], done;
	unsigned pc;
};

struct reference {
	uint64_t buffer;                        /* address of the buffer */
	uint32_t memory[BLOCKS * THREADS * WORDS_A_THREAD];
	uint32_t shared[0x200];
	struct thread thread[BLOCKS][THREADS];
};

static uint32_t *global_word(struct reference *r, const struct thread *t, int pair)
{
	uint64_t at = ((uint64_t)t->v[pair + 1] << 32 | t->v[pair]) - r->buffer;

	assert_true(at % 4 == 0 && at < sizeof r->memory);
	return &r->memory[at / 4];
}

/* Up to the next barrier or the end. */
static void run_thread(struct reference *r, const struct text *p, struct thread *t)
{
	for (unsigned steps = 0; !t->done; steps++) {
		const struct ins *in = &p->insn[t->pc++];
		uint32_t a = t->v[in->a & 255], b = t->v[in->b & 255];
		uint64_t wide;
		assert_true(steps < 1000000 && t->pc <= p->n);
		switch (in->op) {
		case ADD: t->v[in->d] = a + b; break;
		case ADDI: t->v[in->d] = a + (uint32_t)in->b; break;
		case ADDW:
			wide = ((uint64_t)t->v[in->a + 1] << 32 | a) + b;
			t->v[in->d] = (uint32_t)wide;
			t->v[in->d + 1] = (uint32_t)(wide >> 32);
			break;
		case MUL: t->v[in->d] = a * b; break;
		case XOR: t->v[in->d] = a ^ b; break;
		case MOV: t->v[in->d] = (uint32_t)in->b; break;
		case LT: t->m[in->d] = a < b; break;
		case EQ: t->m[in->d] = a == b; break;
		case LD: case LDC: t->v[in->d] = *global_word(r, t, in->a); break;
		case ST: *global_word(r, t, in->a) = b; break;
		case LDS: case LDSC: t->v[in->d] = r->shared[a / 4]; break;
		case STS: r->shared[a / 4] = b; break;
		case BRA: t->pc = in->a == 7 || t->m[in->a] ? (unsigned)in->b : t->pc; break;
		case BAR: return;
		case EXIT: t->done = true; break;
		default: break;
		}
	}
}

static void run_reference(struct reference *r, const struct text *p, uint64_t buffer)
{
	memset(r, 0, sizeof *r);
	r->buffer = buffer;
	for (unsigned b = 0; b < BLOCKS; b++) {
		memset(r->shared, 0, sizeof r->shared);
		r->shared[0] = b;
		memcpy(r->shared + 4, &buffer, sizeof buffer);
		for (unsigned i = 0; i < THREADS; i++)
			r->thread[b][i].v[0] = i;
		for (bool left = true; left;) {
			left = false;
			for (unsigned i = 0; i < THREADS; i++) {
				run_thread(r, p, &r->thread[b][i]);
				left |= !r->thread[b][i].done;
			}
		}
	}
}

/* ---- launches ---- */

static struct wb_program *load_wide(const char *text)
{
	struct wb_config *c = wb_config_new();
	struct wb_program *p;
	struct wb_diag d = { 0 };

	assert_int_equal(wb_config_set(c, "isa", "wide", &d), WB_OK);
	assert_int_equal(wb_config_set(c, "format", "asm", &d), WB_OK);
	if (wb_program_load(text, strlen(text), "test", c, &p, &d) != WB_OK)
		fail_msg("line %d: %s", d.line, d.text);
	wb_config_free(c);
	return p;
}

static struct wb_launch *launch_wide(const struct wb_program *p, const struct setting *s)
{
	struct wb_launch *l = launch(p, s);
	struct wb_diag d = { 0 };
	char arg[32];

	snprintf(arg, sizeof arg, "zero=%d", BLOCKS * THREADS * WORDS_A_THREAD * 4);
	if (wb_launch_arg(l, arg, &d) != WB_OK)
		fail_msg("%s", d.text);
	return l;
}

/* The buffer's address, in shared memory for the program. */
static const uint64_t BUFFER = 0x7f200100000;

static const struct setting untimed[] = { { "timing", "off" }, { NULL, NULL } };
static const struct setting precise[] = { { "in-order", "on" }, { NULL, NULL } };
static const struct setting traced[] = { { NULL, NULL } };
static const struct setting two_threads[] = { { "threads", "2" }, { NULL, NULL } };
static const struct setting *const ways[] = { untimed, precise, traced, two_threads };
static const struct setting simds_untimed[] = { { "chip", "wide64s" }, { "timing", "off" }, { NULL, NULL } };
static const struct setting simds_precise[] = { { "chip", "wide64s" }, { "in-order", "on" }, { NULL, NULL } };
static const struct setting simds_traced[] = { { "chip", "wide64s" }, { NULL, NULL } };
static const struct setting simds_threads[] = { { "chip", "wide64s" }, { "threads", "2" }, { NULL, NULL } };
static const struct setting *const ways_on_simds[] = { simds_untimed, simds_precise, simds_traced, simds_threads };

static double counter(const struct wb_report *r, const char *name)
{
	for (unsigned i = 0; i < r->ncounters; i++)
		if (!strcmp(r->counters[i].name, name))
			return r->counters[i].value;
	return -1;
}

/* Run a launch that has to end well. */
static const struct wb_report *run_well(struct wb_launch *l)
{
	struct wb_diag d = { 0 };

	if (wb_launch_run(l, &d) != WB_OK)
		fail_msg("%s", d.text);
	return wb_launch_report(l);
}

static uint64_t counted(const struct wb_report *r, const char *name)
{
	return (uint64_t)counter(r, name);
}

static void forward(struct wb_launch *l, const struct wb_goal *goal, struct wb_where *at)
{
	struct wb_diag d = { 0 };

	if (wb_launch_forward(l, goal, at, &d) != WB_OK)
		fail_msg("%s", d.text);
}

static void end_launch(struct wb_launch *l, struct wb_program *p)
{
	wb_launch_free(l);
	wb_program_free(p);
}

/* A random program, and its text, owned by the caller. */
static struct wb_program *random_program(uint64_t seed, char **text)
{
	static struct text t;

	generate(&t, seed);
	*text = print(&t);
	return load_wide(*text);
}

/* v8 and v9: the address of the thread's word of the buffer; v10: its offset. */
#define ADDRESS_IN_V8 \
	"\tmov v2 0x10\n\tld v4 s[v2]\n\tmov v2 0x14\n\tld v5 s[v2]\n\tmov v7 4\n\tmul v10 v0 v7\n\taddw v8 v4 v10\n"

/* Every lane slot is accounted for: 64 of each issue. */
static void bill_balances(const struct wb_report *r)
{
	const struct wb_bill *b = &r->bill;

	assert_int_equal(r->launch.warp_lanes, LANES);
	assert_int_equal(b->lane_slots, counted(r, "instructions") * LANES);
	assert_int_equal(b->useful + b->predicated + b->branched_off + b->brk + b->ret + b->exited + b->absent +
			 b->rejoin, b->lane_slots);
}

static void compare_memory(struct wb_launch *l, const struct reference *want, uint64_t seed, unsigned way)
{
	static uint32_t found[sizeof want->memory / 4];
	struct wb_diag d = { 0 };

	if (wb_launch_read_arg(l, 0, 0, found, sizeof found, &d) != WB_OK)
		fail_msg("%s", d.text);
	for (unsigned i = 0; i < sizeof found / 4; i++)
		if (found[i] != want->memory[i])
			fail_msg("seed %u way %u: thread %u word %u is %08x, alone %08x", (unsigned)seed, way,
				 i / WORDS_A_THREAD, i % WORDS_A_THREAD, found[i], want->memory[i]);
}

/* Compare the registers of the last block on each multiprocessor. */
static void compare_registers(struct wb_launch *l, const struct reference *want, uint64_t seed)
{
	for (unsigned i = 0; i < THREADS; i++)
		for (unsigned k = 0; k < REGISTERS; k++) {
			uint32_t value[WB_LANES], v;
			struct wb_diag d = { 0 };
			char name[8];
			snprintf(name, sizeof name, "v%u", k);
			if (wb_launch_read_register(l, BLOCKS - 1, i / LANES, name, value, &d) != WB_OK)
				fail_msg("%s", d.text);
			v = value[i % LANES];
			if (v != want->thread[BLOCKS - 1][i].v[k])
				fail_msg("seed %u: thread %u v%u is %08x, alone %08x", (unsigned)seed, i, k, v,
					 want->thread[BLOCKS - 1][i].v[k]);
		}
}

/* Print the first line that differs. */
static void different(uint64_t seed, const char *a, const char *b)
{
	size_t at = 0;

	for (size_t i = 0; a[i] == b[i]; i++)
		at = a[i] == '\n' ? i + 1 : at;
	fail_msg("seed %u: precise \"%.*s\", trace-driven \"%.*s\"", (unsigned)seed, (int)strcspn(a + at, "\n"), a + at,
		 (int)strcspn(b + at, "\n"), b + at);
}

/* ---- random programs ---- */

static void run_random(const struct setting *const each[4], unsigned seeds)
{
	static struct text t;
	static struct reference want;

	for (uint64_t seed = 1; seed <= seeds; seed++) {
		generate(&t, seed);
		run_reference(&want, &t, BUFFER);
		char *text = print(&t), *first = NULL;
		struct wb_program *p = load_wide(text);
		for (unsigned way = 0; way < 4; way++) {
			struct wb_launch *l = launch_wide(p, each[way]);
			struct wb_diag d = { 0 };
			enum wb_status status = wb_launch_run(l, &d);
			const struct wb_report *r = wb_launch_report(l);
			if (status != WB_OK)
				fail_msg("seed %u: %s, %s", (unsigned)seed, d.text, r->nwaits ? r->waits[0] : "");
			assert_string_equal(r->execution.kind,
					    !way ? "untimed" : way == 1 ? "precise" : "trace-driven");
			bill_balances(r);
			compare_memory(l, &want, seed, way);
			if (way < 2)
				compare_registers(l, &want, seed);
			char *all = outcome(l, status, &d);
			if (way == 1)
				first = all;
			else if (way > 1 && strcmp(first, all))
				different(seed, first, all);
			if (way != 1)
				free(all);
			wb_launch_free(l);
		}
		free(first);
		free(text);
		wb_program_free(p);
	}
}

static void lanes_are_as_if_alone(void **state)
{
	(void)state;
	run_random(ways, sample_of(SEEDS));
	run_random(ways_on_simds, sample_of(SEEDS / 4));
}

/* ---- events ---- */

struct seen {
	uint64_t issues, threads, wide;
	FILE *lines;
	char *text;
	size_t size;
};

static void forget(struct seen *s)
{
	fclose(s->lines);
	free(s->text);
	*s = (struct seen){ 0 };
	s->lines = open_memstream(&s->text, &s->size);
}

static void add_chunk(void *context, const struct wb_chunk *c)
{
	struct seen *s = context;
	struct wb_events *r;
	struct wb_event e;
	bool bad = false;

	if (!c->bytes) {
		forget(s);
		return;
	}
	r = wb_events_open(c->bytes, c->size);
	assert_non_null(r);
	while (wb_events_next(r, &e, &bad)) {
		char line[512];
		wb_event_text(&e, false, line, sizeof line);
		fprintf(s->lines, "%s\n", line);
		if (e.kind != WB_EVENT_ISSUE)
			continue;
		s->issues++;
		if (!(e.flow & WB_FLOW_REJOIN))
			s->threads += (uint64_t)__builtin_popcountll(e.executed);
		s->wide += e.executed >> 32 != 0;
		assert_false(e.executed & ~e.active);
	}
	assert_false(bad);
	wb_events_close(r);
}

static void events_tell_of_all_lanes(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 10; seed++) {
		char *text;
		struct wb_program *p = random_program(seed, &text);
		struct seen seen[2] = { { 0 } };
		for (unsigned i = 0; i < 2; i++) {
			struct wb_launch *l = launch_wide(p, i ? traced : precise);
			struct wb_diag d = { 0 };
			seen[i].lines = open_memstream(&seen[i].text, &seen[i].size);
			assert_int_equal(wb_launch_record(l, 0, add_chunk, &seen[i], &d), WB_OK);
			const struct wb_report *r = run_well(l);
			assert_string_equal(r->execution.kind, i ? "trace-driven" : "precise");
			assert_int_equal(seen[i].issues, counted(r, "instructions"));
			assert_int_equal(seen[i].threads, r->bill.useful);
			assert_true(seen[i].wide);
			wb_launch_free(l);
		}
		fclose(seen[0].lines);
		fclose(seen[1].lines);
		if (strcmp(seen[0].text, seen[1].text))
			different(seed, seen[0].text, seen[1].text);
		free(seen[0].text);
		free(seen[1].text);
		free(text);
		wb_program_free(p);
	}
}

/* ---- steps ---- */

static void steps_lead_back(void **state)
{
	struct wb_where at;
	struct wb_diag d = { 0 };
	uint64_t seed = 7, n = 0, hash[400];
	char *text;
	struct wb_program *p = random_program(3, &text);

	(void)state;
	for (unsigned timed = 0; timed < 2; timed++) {
		struct wb_launch *l = launch_wide(p, timed ? traced : untimed);
		assert_int_equal(wb_launch_start(l, &d), WB_OK);
		for (n = 0; n < 400; n++) {
			hash[n] = wb_launch_state_hash(l);
			forward(l, &(struct wb_goal){ .issues = 1 }, &at);
			assert_int_equal(at.issue, n + 1);
		}
		for (unsigned i = 0; i < 50; i++) {
			uint64_t to = rng_below(&seed, 400);
			assert_int_equal(wb_launch_goto(l, to, &at, &d), WB_OK);
			if (wb_launch_state_hash(l) != hash[to])
				fail_msg("position %u differs on the way back", (unsigned)to);
		}
		wb_launch_free(l);
	}
	free(text);
	wb_program_free(p);
}

/* The upper lanes part; a breakpoint is hit there, registers and masks are read in all 64 lanes. */
static void upper_lanes_can_be_seen(void **state)
{
	static const char text[] =
		".kernel k\n.regs 8\n.block 64\n.smem 0x40\n"
		"\tmov v2 0x28\n\tlt m0 v2 v0\n\tssy #end\n\tbra m0 #upper\n\tmov v3 1\n\tbra m7 #end\n"
		"upper:\n\tmov v3 2\nend:\n\tjoin\n\texit\n";
	struct wb_program *p = load_wide(text);
	struct wb_launch *l = launch_wide(p, untimed);
	struct wb_where at;
	struct wb_warp w;
	struct wb_stack e;
	struct wb_diag d = { 0 };
	uint32_t value[64];
	uint64_t mask;
	int id;

	(void)state;
	assert_int_equal(wb_launch_break(l, WB_STOP_BREAK, "upper if mask == 0xfffffe0000000000", 0, 0, &id, &d),
			 WB_OK);
	forward(l, &(struct wb_goal){ .stops = WB_STOP_BREAK }, &at);
	assert_int_equal(at.id, id);
	assert_true(wb_launch_warp(l, 0, 0, &w));
	assert_int_equal(w.active, 0xfffffe0000000000);
	assert_int_equal(w.branched_off, 0x1ffffffffff);
	assert_int_equal(w.depth, 2);
	assert_true(wb_launch_stack(l, 0, 0, 0, &e));
	assert_string_equal(e.name, "branch");
	assert_int_equal(e.mask, 0x1ffffffffff);
	assert_int_equal(wb_launch_value(l, "full", 0, 0, &mask, &d), WB_OK);
	assert_int_equal(mask, UINT64_MAX);
	assert_int_equal(wb_launch_read_register(l, w.block, w.warp, "v0", value, &d), WB_OK);
	for (unsigned i = 0; i < LANES; i++)
		assert_int_equal(value[i], i);
	assert_int_equal(wb_launch_read_register(l, w.block, w.warp, "m0", value, &d), WB_OK);
	for (unsigned i = 0; i < LANES; i++)
		assert_int_equal(value[i], i > 40);
	forward(l, &(struct wb_goal){ .stops = WB_STOP_REJOINED }, &at);
	assert_int_equal(wb_launch_read_register(l, w.block, w.warp, "v3", value, &d), WB_OK);
	for (unsigned i = 41; i < LANES; i++)
		assert_int_equal(value[i], 2);
	end_launch(l, p);
}

/* ---- addresses ---- */

/* Lanes load from addresses of more than 32 bits; a group is 16 lanes for g[], 32 for s[]. The store to s[] has two
 * lanes of each group in each of 16 banks. */
static void addresses_have_64_bits(void **state)
{
	static const char text[] =
		".kernel k\n.regs 16\n.block 64\n.smem 0x400\n"
		ADDRESS_IN_V8
		"\tst g[v8] v0\n\tmov v7 8\n\tmul v10 v0 v7\n\taddi v10 v10 0x20\n\tst s[v10] v0\n"
		"\texit\n";
	static const struct setting one[] = { { "timing", "off" }, { "stats-level", "full" }, { NULL, NULL } };
	struct wb_program *p = load_wide(text);
	struct wb_launch *l = launch_wide(p, one);
	struct wb_access a;
	struct wb_where at;
	struct wb_machine m;
	struct wb_diag d = { 0 };
	uint32_t word;

	(void)state;
	forward(l, &(struct wb_goal){ .issues = 8 }, &at);
	assert_true(wb_launch_access(l, 0, &a));
	assert_string_equal(a.space, "g0");
	assert_int_equal(a.group_lanes, 16);
	assert_int_equal(a.groups, 4);
	for (unsigned i = 0; i < LANES; i++)
		assert_int_equal(a.addr[i], BUFFER + 4 * i);
	for (unsigned g = 0; g < 4; g++) {
		assert_int_equal(a.transactions[g], 1);
		assert_int_equal(a.bytes[g], 64);
	}
	forward(l, &(struct wb_goal){ .issues = 4 }, &at);
	assert_true(wb_launch_access(l, 0, &a));
	assert_string_equal(a.space, "s");
	assert_int_equal(a.group_lanes, 32);
	assert_int_equal(a.groups, 2);
	assert_int_equal(a.passes[0], 2);
	assert_int_equal(a.passes[1], 2);
	wb_launch_machine(l, &m);
	assert_int_equal(m.shared_banks, 32);
	assert_int_equal(wb_launch_read(l, "g", BUFFER + 4 * 63, &word, sizeof word, &d), WB_OK);
	assert_int_equal(word, 63);
	assert_int_equal(wb_launch_read(l, "g", (uint32_t)BUFFER, &word, sizeof word, &d), WB_USAGE);
	wb_launch_free(l);
	l = launch_wide(p, one);
	assert_int_equal(wb_launch_prepare(l, &d), WB_OK);
	word = 7;
	assert_int_equal(wb_launch_write(l, "g", BUFFER + 4000, &word, sizeof word, &d), WB_OK);
	word = 0;
	assert_int_equal(wb_launch_read_arg(l, 0, 4000, &word, sizeof word, &d), WB_OK);
	assert_int_equal(word, 7);
	end_launch(l, p);
}

/* ---- wait counters ---- */

static const struct setting waits_precise[] = {
	{ "in-order", "on" }, { "timing-set", "g.bytes=100000000" }, { "mps", "1" }, { NULL, NULL }
};
static const struct setting waits_traced[] = {
	{ "timing-set", "g.bytes=100000000" }, { "mps", "1" }, { NULL, NULL }
};

/* A warp issues n counted loads of g[], and `shared` of s[], then waits for up to `loads` and `words` loads. */
static void waits_for(unsigned n, unsigned shared, unsigned loads, unsigned words, uint64_t want_loads,
		      uint64_t want_words)
{
	static const struct setting *const both[] = { waits_precise, waits_traced };
	char text[2000];
	struct wb_program *p;
	int at = snprintf(text, sizeof text, ".kernel k\n.regs 32\n.block 64\n.smem 0x400\n"
			  ADDRESS_IN_V8
			  "\tmov v2 0\n\tadd v2 v10 v2\n\tbar\n");

	for (unsigned i = 0; i < shared; i++)
		at += snprintf(text + at, sizeof text - (size_t)at, "\tldc v%u s[v2]\n", 20 + i);
	for (unsigned i = 0; i < n; i++)
		at += snprintf(text + at, sizeof text - (size_t)at, "\tldc v%u g[v8]\n", 12 + i);
	snprintf(text + at, sizeof text - (size_t)at, "\twait 0x%x 0x%x\n\texit\n", loads, words);
	p = load_wide(text);
	for (unsigned way = 0; way < 2; way++) {
		struct wb_launch *l = launch_wide(p, both[way]);
		const struct wb_report *r = run_well(l);
		assert_int_equal(counted(r, "wait_loads"), want_loads);
		assert_int_equal(counted(r, "wait_words"), want_words);
		wb_launch_free(l);
	}
	wb_program_free(p);
}

/* The loads issue in cycles 0, 4 and 8 of their unit, each takes 440 cycles (g.latency), and the next instruction can
 * issue 2 cycles (issue.slot) after the last. */
static void counters_wait(void **state)
{
	(void)state;
	waits_for(3, 0, 3, 0, 0, 0);
	waits_for(3, 0, 2, 0, 0 + 440 - (8 + 2), 0);
	waits_for(3, 0, 1, 0, 4 + 440 - (8 + 2), 0);
	waits_for(3, 0, 0, 0, 8 + 440 - (8 + 2), 0);
	waits_for(1, 0, 0, 0, 440 - 2, 0);
	/* Before the fourth load counts, at most 2 may be on the way: the load waits for the first, and the wait for
	 * nothing more. */
	waits_for(4, 0, 3, 0, 0 + 440 - (8 + 2), 0);
	/* As before, then for the fourth load, issued in cycle 440. */
	waits_for(4, 0, 0, 0, 0 + 440 - (8 + 2) + 440 - 2, 0);
	/* s[]: cycles 0 and 4, each 38 (s.latency). */
	waits_for(0, 2, 0, 2, 0, 0);
	waits_for(0, 2, 0, 1, 0, 0 + 38 - (4 + 2));
	waits_for(0, 2, 0, 0, 0, 4 + 38 - (4 + 2));
	/* Both: s[] in cycle 0, g[] in cycle 2. The wait is for the later. */
	waits_for(1, 1, 0, 0, 2 + 440 - (2 + 2), 0);
	waits_for(1, 1, 1, 0, 0, 0 + 38 - (2 + 2));
}

/* ---- SIMDs ---- */

enum { SIMD_WARPS = 8, SIMD_INSTRUCTIONS = 4 };

struct issue_times {
	uint64_t cycle[SIMD_WARPS][SIMD_INSTRUCTIONS];
};

static void add_issues(void *context, const struct wb_chunk *c)
{
	struct issue_times *t = context;
	struct wb_events *r = c->bytes ? wb_events_open(c->bytes, c->size) : NULL;
	struct wb_event e;

	while (r && wb_events_next(r, &e, NULL))
		if (e.kind == WB_EVENT_ISSUE && e.pc / 4 < SIMD_INSTRUCTIONS)
			t->cycle[e.warp][e.pc / 4] = e.cycle;
	wb_events_close(r);
}

/* Eight warps on four SIMDs, both ways to execute: each instruction issues in a cycle worked out by hand. */
static void issues_at(const char *instructions, const uint64_t want[SIMD_WARPS][SIMD_INSTRUCTIONS])
{
	static const struct setting on_simds[2][4] = {
		{ { "chip", "wide64s" }, { "mps", "1" }, { "in-order", "on" }, { NULL, NULL } },
		{ { "chip", "wide64s" }, { "mps", "1" }, { NULL, NULL } },
	};
	char text[400];

	snprintf(text, sizeof text, ".kernel k\n.regs 8\n.block 512\n.smem 0x40\n%s\texit\n", instructions);
	struct wb_program *p = load_wide(text);
	for (unsigned way = 0; way < 2; way++) {
		struct wb_launch *l = launch(p, on_simds[way]);
		struct issue_times t = { 0 };
		struct wb_diag d = { 0 };
		uint64_t sum = 0;
		assert_int_equal(wb_launch_record(l, 0, add_issues, &t, &d), WB_OK);
		const struct wb_report *r = run_well(l);
		assert_string_equal(r->execution.kind, way ? "trace-driven" : "precise");
		for (unsigned w = 0; w < SIMD_WARPS; w++)
			for (unsigned i = 0; i < SIMD_INSTRUCTIONS; i++)
				if (t.cycle[w][i] != want[w][i])
					fail_msg("%s: warp %u instruction %u issued in cycle %u, expected %u",
						 r->execution.kind, w, i, (unsigned)t.cycle[w][i],
						 (unsigned)want[w][i]);
		for (unsigned k = 0; k < wb_stalls(); k++)
			sum += r->time.stalls[k];
		assert_int_equal(sum, r->time.slot_cycles);
		wb_launch_free(l);
	}
	wb_program_free(p);
}

/* SIMD k has its turn in cycles k, k + 4, …, and holds warps k and k + 4. */
static void simds_take_turns(void **state)
{
	uint64_t want[SIMD_WARPS][SIMD_INSTRUCTIONS];

	(void)state;
	/* The VALU of a SIMD takes an instruction for four cycles: the two warps alternate. */
	for (unsigned w = 0; w < SIMD_WARPS; w++)
		for (unsigned i = 0; i < SIMD_INSTRUCTIONS; i++)
			want[w][i] = w % 4 + w / 4 * 4 + 8 * i;
	issues_at("\tadd v1 v0 v0\n\tadd v2 v0 v0\n\tadd v3 v0 v0\n\tadd v4 v0 v0\n", want);
	/* Each warp takes another of two units, both in one cycle. The unit of `wait` is common to all SIMDs and takes
	 * an instruction a cycle. */
	for (unsigned w = 0; w < SIMD_WARPS; w++)
		for (unsigned i = 0; i < SIMD_INSTRUCTIONS; i++)
			want[w][i] = w % 4 + w / 4 * 4 + 4 * i;
	issues_at("\twait 3 0xf\n\tadd v1 v0 v0\n\twait 3 0xf\n\tadd v1 v0 v0\n", want);
	/* s[] has a common unit, which takes an access for four cycles: SIMDs 1 to 3 find the unit busy in each of
	 * their turns as long as SIMD 0 has warps in need of s[]. Then SIMD 1 gets the unit, and so on. A result is
	 * there after 38 cycles, and of use in the next turn: 40 cycles after the access. */
	for (unsigned w = 0; w < SIMD_WARPS; w++) {
		uint64_t first = w % 4 * 9 + w / 4 * 4;
		for (unsigned i = 0; i < SIMD_INSTRUCTIONS; i++)
			want[w][i] = first + (i ? 40 + 8 * (i - 1) : 0);
	}
	issues_at("\tld v1 s[v2]\n\tadd v3 v1 v1\n\tadd v4 v0 v0\n\tadd v5 v0 v0\n", want);
}

/* ---- limits ---- */

/* Numbers of the chip's row where Tesla's chips differ: a block of 1024 threads with 256 registers each. */
static void sizes_are_the_chips(void **state)
{
	static const char text[] = ".kernel k\n.regs 256\n.block 1024\n.smem 0x8000\n\tadd v255 v0 v1\n\texit\n";
	struct wb_program *p = load_wide(text);
	struct wb_occupancy o;
	struct wb_diag d = { 0 };

	(void)state;
	for (unsigned way = 0; way < sizeof ways / sizeof *ways; way++) {
		struct wb_launch *l = launch(p, ways[way]);
		const struct wb_report *r = run_well(l);
		assert_int_equal(r->occupancy.warps_per_block, 16);
		assert_int_equal(counted(r, "instructions"), 32);
		assert_int_equal(r->bill.useful, 2048);
		bill_balances(r);
		wb_launch_free(l);
	}
	assert_int_equal(wb_occupancy("wide64", &(struct wb_block_needs){ 1024, 256, 0, 0 }, NULL, &o, &d), WB_OK);
	assert_int_equal(o.blocks, 1);
	assert_int_equal(o.warps, 16);
	struct wb_config *c = wb_config_new();
	struct wb_launch *l;
	assert_int_equal(wb_config_set(c, "block", "1025", &d), WB_OK);
	assert_int_equal(wb_launch_new(p, NULL, c, &l, &d), WB_USAGE);
	wb_config_free(c);
	wb_program_free(p);
}

/* A perfect machine packs threads into warps of 64. */
static void packing_is_by_64(void **state)
{
	static const char text[] =
		".kernel k\n.regs 8\n.block 128\n.smem 0x40\n"
		"\tmov v2 0x60\n\tlt m0 v2 v0\n\tmov v2 0x20\n\tlt m1 v0 v2\n"
		"\tssy #end\n\tbra m0 #side\n\tbra m1 #side\n\tbra m7 #end\nside:\n\tmov v3 2\nend:\n\tjoin\n\texit\n";
	static const struct setting perfect[] = { { "timing", "off" }, { "perfect", "on" }, { NULL, NULL } };
	struct wb_program *p = load_wide(text);
	struct wb_launch *l = launch(p, perfect);
	const struct wb_report *r = run_well(l);

	(void)state;
	/* 11 instructions of 128, 97 or 65 threads take two issues each, except the instruction of the 63 at the
	 * side. */
	assert_int_equal(counted(r, "perfect_issues"), 21);
	bill_balances(r);
	end_launch(l, p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lanes_are_as_if_alone), cmocka_unit_test(events_tell_of_all_lanes),
		cmocka_unit_test(steps_lead_back),	 cmocka_unit_test(upper_lanes_can_be_seen),
		cmocka_unit_test(sizes_are_the_chips),	 cmocka_unit_test(packing_is_by_64),
		cmocka_unit_test(counters_wait),	 cmocka_unit_test(addresses_have_64_bits),
		cmocka_unit_test(simds_take_turns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
