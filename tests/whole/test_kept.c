/* Launches inherit the device's memory from earlier launches, and nothing else. Two devices go through the same steps:
 * one with kernels prepared once, where launches begin with kept plans (device/kept.h), one with a kernel prepared anew
 * for each launch, where nothing is kept. Reports, addresses and memory are the same. */
#include "tests/kit/launches.h"

/* a[i] += b + a register, a word of s[]: both 0 at the start, and changed at the end */
static const char tesla[] = ".kernel add\n.chip g200\n.smem 0x100\n.regs 12\n"
	"mov b16 $r1l u16 s[0x2]\nadd $r0 (mul u16 u16 s[0xc] $r1l) $r0\nshl b32 $r1 $r0 0x2\n"
	"add b32 $r2 b32 s[0x10] $r1\nld b32 $r3 g14[$r2]\nadd b32 $r3 b32 s[0x14] $r3\n"
	"add b32 $r3 $r3 $r9\nadd b32 $r3 b32 s[0x40] $r3\nst b32 g14[$r2] $r3\n"
	"mov b32 $r9 $r3\nst b32 s[0x40] $r3\nexit nop\n";
/* the same for a vector and a scalar register, LDS, and a word behind the arguments, in the launch's own memory */
static const char gcn[] = ".kernel add\n.chip gfx900\n.regs 12\n.smem 0x100\n"
	"s_load_dwordx2 s[6:7], s[0:1], 0x0\ns_load_dword s5, s[0:1], 0x8\ns_lshl_b32 s2, s2, 8\n"
	"v_lshlrev_b32 v1, 2, v0\nv_add_u32 v1, s2, v1\nv_mov_b32 v6, 0\ns_waitcnt lgkmcnt(0)\n"
	"global_load_dword v2, v1, s[6:7]\nglobal_load_dword v3, v6, s[0:1] offset:128\nds_read_b32 v4, v6\n"
	"s_waitcnt vmcnt(0) lgkmcnt(0)\nv_add_u32 v2, s5, v2\nv_add_u32 v2, v2, v3\nv_add_u32 v2, v2, v4\n"
	"v_add_u32 v2, v2, v9\nv_add_u32 v2, s20, v2\nglobal_store_dword v1, v2, s[6:7]\n"
	"global_store_dword v6, v2, s[0:1] offset:128\nds_write_b32 v6, v2\nv_mov_b32 v9, 7\ns_mov_b32 s20, 9\n"
	"s_endpgm\n";
/* the same for a register, shared and local memory, with a constant and a variable that the program writes to */
static const char ptx[] = ".version 6.0\n.target sm_70\n.address_size 64\n.global .u32 total = 5;\n"
	".const .u32 step = 3;\n"
	".visible .entry add(.param .u64 a, .param .u32 b)\n{\n.reg .u32 %r<12>;\n.reg .u64 %d<4>;\n"
	".shared .u32 word[4];\n.local .u32 own[4];\n"
	"ld.param.u64 %d1, [a];\nld.param.u32 %r1, [b];\nmov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\n"
	"mov.u32 %r4, %tid.x;\nmad.lo.u32 %r2, %r2, %r3, %r4;\nmul.wide.u32 %d2, %r2, 4;\nadd.u64 %d1, %d1, %d2;\n"
	"ld.global.u32 %r5, [%d1];\nadd.u32 %r5, %r5, %r1;\nld.shared.u32 %r6, [word];\nadd.u32 %r5, %r5, %r6;\n"
	"ld.local.u32 %r6, [own];\nadd.u32 %r5, %r5, %r6;\nld.const.u32 %r6, [step];\nadd.u32 %r5, %r5, %r6;\n"
	"ld.global.u32 %r6, [total];\nadd.u32 %r5, %r5, %r6;\nst.global.u32 [%d1], %r5;\n"
	"st.shared.u32 [word], %r5;\nst.local.u32 [own], %r5;\nst.global.u32 [total], %r4;\nret;\n}\n";

struct machine {
	const char *chip, *text;
	bool is_ptx;
	uint32_t pointer;       /* bytes */
};
static const struct machine machines[] = {
	{ "g200", tesla, false, 4 }, { "gfx900", gcn, false, 8 }, { "v100", ptx, true, 8 },
};
enum { MACHINES = sizeof machines / sizeof *machines };

static const struct setting ways[][4] = {
	{ { 0 } }, { { "timing", "off" }, { 0 } }, { { "timing", "off" }, { "stats-level", "none" }, { 0 } },
	{ { "check", "race" }, { 0 } }, { { "check", "bounds" }, { 0 } },
	{ { "threads", "2" }, { 0 } }, { { "in-order", "on" }, { 0 } },
};
enum { WAYS = sizeof ways / sizeof *ways };

#define OK(call) do { \
		struct wb_diag why_ = { 0 }, *d = &why_; \
		if ((call) != WB_OK) \
			fail_msg("%s: %s", #call, why_.text); \
	} while (0)

enum { BUFFERS = 2, WORDS = 512 };

struct world {
	const struct machine *machine;
	struct wb_device *device;
	struct wb_program *program[2];  /* the same text, loaded twice */
	struct wb_prepared *kernel;     /* of the program `loaded`; NULL: prepared for each launch */
	unsigned loaded;
	uint64_t buffer[BUFFERS];
	uint64_t more;                  /* a buffer that comes and goes; 0: none */
};

/* What happens before a launch. */
enum event { NOTHING, WRITE, ALLOC, FREE, CONSTANT, VARIABLE, RELOAD, DROP, STEP, FAULT, BEYOND, POKE };

struct step {
	enum event event;
	unsigned buffer, size;
	uint32_t b;
};

static const struct wb_launch_size sizes[] = {
	{ { 1 }, { 64 }, { 0 }, 0 }, { { 4 }, { 64 }, { 0 }, 0 }, { { 1 }, { 128 }, { 0 }, 0 },
	{ { 1 }, { 64 }, { 0 }, 512 }, { { 2, 1, 1 }, { 32, 1, 1 }, { 0 }, 0 },
};
static const struct step steps[] = {
	{ NOTHING, 0, 0, 1 }, { NOTHING, 0, 0, 1 }, { NOTHING, 0, 0, 2 }, { NOTHING, 1, 0, 2 }, { WRITE, 1, 0, 2 },
	{ NOTHING, 0, 1, 3 }, { NOTHING, 0, 2, 3 }, { NOTHING, 0, 0, 3 }, { NOTHING, 0, 1, 3 }, { NOTHING, 0, 3, 4 },
	{ NOTHING, 0, 3, 4 }, { NOTHING, 0, 4, 4 }, { ALLOC, 0, 0, 5 }, { NOTHING, 0, 1, 5 }, { FREE, 0, 0, 6 },
	{ NOTHING, 1, 1, 6 }, { CONSTANT, 0, 0, 7 }, { NOTHING, 0, 0, 7 }, { VARIABLE, 0, 0, 7 },
	{ RELOAD, 0, 0, 8 }, { NOTHING, 0, 0, 8 }, { NOTHING, 0, 1, 8 }, { RELOAD, 0, 0, 8 }, { DROP, 0, 0, 9 },
	{ NOTHING, 0, 0, 9 }, { STEP, 0, 0, 9 }, { NOTHING, 0, 0, 9 }, { FAULT, 0, 0, 10 }, { NOTHING, 0, 0, 10 },
	{ BEYOND, 1, 0, 10 }, { NOTHING, 1, 0, 10 }, { POKE, 0, 0, 11 },
	{ NOTHING, 0, 0, 11 }, { NOTHING, 0, 0, 12 }, { ALLOC, 1, 2, 12 }, { NOTHING, 1, 2, 12 },
};

static struct wb_program *load_machine(const struct machine *m)
{
	struct wb_diag d = { 0 };
	struct wb_program *p = m->is_ptx ? load_ptx(m->text, m->chip, &d) : load(m->text);

	if (!p)
		fail_msg("line %d: %s", d.line, d.text);
	return p;
}

static struct world begin(const struct machine *m, const struct setting *s, bool kept)
{
	struct world w = { .machine = m };
	struct wb_config *c = wb_config_new();
	uint32_t words[WORDS];

	OK(wb_config_set(c, "chip", m->chip, d));
	for (; s->option; s++)
		OK(wb_config_set(c, s->option, s->value, d));
	OK(wb_device_new(c, &w.device, d));
	wb_config_free(c);
	for (unsigned i = 0; i < 2; i++) {
		w.program[i] = load_machine(m);
		OK(wb_device_load(w.device, w.program[i], d));
	}
	for (unsigned i = 0; i < WORDS; i++)
		words[i] = i;
	for (unsigned i = 0; i < BUFFERS; i++) {
		OK(wb_memory_alloc(w.device, sizeof words, &w.buffer[i], d));
		OK(wb_memory_write(w.device, w.buffer[i], words, sizeof words, d));
	}
	if (kept)
		OK(wb_prepare(w.device, w.program[0], "add", &w.kernel, d));
	return w;
}

static void end(struct world *w)
{
	wb_prepared_free(w->kernel);
	wb_device_free(w->device);
	for (unsigned i = 0; i < 2; i++)
		wb_program_free(w->program[i]);
}

/* Another program, whose kernel may get the address of the freed one. */
static void reload(struct world *w)
{
	w->loaded = !w->loaded;
	if (!w->kernel)
		return;
	wb_prepared_free(w->kernel);
	OK(wb_prepare(w->device, w->program[w->loaded], "add", &w->kernel, d));
}

static void change_memory(struct world *w, const struct step *s)
{
	uint32_t word = 1000 + s->b;

	switch (s->event) {
	case WRITE:
		OK(wb_memory_write(w->device, w->buffer[s->buffer] + 8, &word, 4, d));
		break;
	case ALLOC:
		OK(wb_memory_alloc(w->device, 700, &w->more, d));
		break;
	case FREE:
		OK(wb_memory_free(w->device, w->more, d));
		break;
	case CONSTANT:
	case VARIABLE:
		if (w->machine->is_ptx)
			OK(wb_device_write_variable(w->device, w->program[w->loaded],
						    s->event == CONSTANT ? "step" : "total", 0, &word, 4, d));
		break;
	default:
		break;
	}
}

/* Run in the way of the event: the launch's whole outcome. */
static char *run(struct wb_launch *l, enum event event)
{
	struct wb_diag why = { 0 };
	struct wb_where at;
	uint32_t word = 77;
	enum wb_status status;

	if (event == POKE)
		OK(wb_launch_prepare(l, d));
	if (event == POKE)
		OK(wb_launch_write(l, "s", 0x20, &word, 4, d));
	if (event == STEP)
		for (int i = 0; i < 5; i++)
			wb_launch_forward(l, &(struct wb_goal){ .issues = 3 }, &at, NULL);
	status = event == STEP ? WB_OK : wb_launch_run(l, &why);
	return outcome(l, status, &why);
}

/* The outcome of a step's launch, and the words of its buffer behind. */
static char *take_step(struct world *w, const struct step *s, uint32_t words[WORDS])
{
	uint64_t address = s->event == FAULT ? 0x10 : w->buffer[s->buffer] + (s->event == BEYOND ? 4 * WORDS - 64 : 0);
	struct wb_prepared *k = NULL;
	struct wb_launch *l;
	uint8_t params[12];
	char *text;

	change_memory(w, s);
	if (s->event == RELOAD)
		reload(w);
	if (!w->kernel)
		OK(wb_prepare(w->device, w->program[w->loaded], "add", &k, d));
	memcpy(params, &address, w->machine->pointer);
	memcpy(params + w->machine->pointer, &s->b, 4);
	for (int i = s->event == DROP ? 0 : 1; i < 2; i++) {
		OK(wb_launch_on(w->device, k ? k : w->kernel, &sizes[s->size], params, w->machine->pointer + 4, &l, d));
		if (i)
			text = run(l, s->event);
		wb_launch_free(l);
	}
	wb_prepared_free(k);
	OK(wb_memory_read(w->device, w->buffer[s->buffer], words, WORDS * 4, d));
	return text;
}

static void compare(const struct machine *m, const struct setting *way)
{
	struct world kept = begin(m, way, true), fresh = begin(m, way, false);

	for (unsigned i = 0; i < sizeof steps / sizeof *steps; i++) {
		uint32_t words[2][WORDS];
		char *a = take_step(&kept, &steps[i], words[0]), *b = take_step(&fresh, &steps[i], words[1]);
		if (strcmp(a, b) || memcmp(words[0], words[1], sizeof words[0]) || kept.more != fresh.more)
			fail_msg("%s, %s %s, step %u: found\n%s\nexpected\n%s", m->chip,
				 way->option ? way->option : "", way->option ? way->value : "", i, a, b);
		free(a);
		free(b);
	}
	end(&kept);
	end(&fresh);
}

static void a_launch_sees_nothing_of_those_before(void **state)
{
	(void)state;
	for (unsigned m = 0; m < MACHINES; m++)
		for (unsigned i = 0; i < WAYS; i++)
			compare(&machines[m], ways[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(a_launch_sees_nothing_of_those_before) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
