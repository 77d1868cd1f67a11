/* Vectors of one GCN instruction of generation 1.0 each, executed from a state seeded by a number: `bytes seed=N exec=…
 * vcc=… scc=… | changes ; text` (spec gcn). The program sets EXEC, SCC and MODE of the line by instructions, and ends
 * behind the tested instruction; SGPRs, VGPRs, vcc and m0 are set before the launch. */
#include "bench/laboratory/vectors.h"
#include "bench/laboratory/vectors_gcn_state.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "frontends/cli/session.h"

enum { WORDS = 16 };

/* ---- the seeded state ---- */

static uint64_t mix(uint64_t z)
{
	z += 0x9e3779b97f4a7c15;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

static uint64_t seeded(uint64_t seed, unsigned i)
{
	return mix((seed << 32) + i);
}

static uint32_t seeded_word(uint64_t seed, unsigned i)
{
	static const uint32_t special[] = {
		0, 1, 2, 31, 32, 0x3f800000, 0xbf800000, 0x40490fdb, 0x7f800000, 0xff800000, 0x7fc00000, 0x80000000,
		0x7fffffff, 0xffffffff, 0x00ffffff, 0x4b000000, 0x42280000, 0xc2280000, 0x3f000000, 0x3e22f983,
			0x0000ffff,
	};
	uint64_t x = seeded(seed, i), h = x >> 32;
	float number = ((float)(int64_t)(h % 200001) - 100000) / 128;
	uint32_t bits;

	memcpy(&bits, &number, sizeof bits);
	return x % 3 == 0 ? special[h % (sizeof special / sizeof *special)] : x % 3 == 1 ? bits : (uint32_t)h;
}

static void put_pair(struct gcn_state *st, unsigned code, uint64_t v)
{
	st->s[code] = (uint32_t)v;
	st->s[code + 1] = (uint32_t)(v >> 32);
}

static void seed_state(struct gcn_state *st, uint64_t seed)
{
	memset(st, 0, sizeof *st);
	for (unsigned k = 0; k < SCALARS; k++)
		st->s[k] = seeded_word(seed, k);
	for (unsigned k = 0; k < VECTORS; k++)
		for (unsigned l = 0; l < GCN_LANES; l++)
			st->v[k][l] = seeded_word(seed, 1000 + 64 * k + l);
	put_pair(st, CODE_EXEC, seed % 4 ? seeded(seed, 5000) : ~0ull);
	put_pair(st, CODE_VCC, seeded(seed, 5001));
	st->scc = seeded(seed, 5002) & 1;
	st->s[CODE_M0] = seeded(seed, 5003) & 0xffff;
}

/* ---- the line ---- */

struct line {
	uint32_t word[2];
	unsigned nwords;
	struct gcn_state before, after;
	const char *text;       /* the instruction */
	const char *doubt;      /* reason to blame the oracle for a difference; NULL: none */
};

static bool read_words(const char *hex, struct line *l)
{
	size_t digits = strspn(hex, "0123456789abcdef");

	l->nwords = (unsigned)digits / 8;
	if ((digits != 8 && digits != 16) || hex[digits] != ' ')
		return false;
	for (unsigned i = 0; i < digits / 2; i++) {
		char byte[3] = { hex[2 * i], hex[2 * i + 1] };
		l->word[i / 4] |= (uint32_t)strtoul(byte, NULL, 16) << 8 * (i % 4);
	}
	return true;
}

/* "s17=002db1de", "v2.0=c4227580", "vcc=…", "exec=…", "scc=1", "m0=…" */
static bool read_change(const char *text, struct gcn_state *st)
{
	unsigned reg, lane;
	uint64_t v;
	char name[8];

	if (sscanf(text, "v%u.%u=%" SCNx64, &reg, &lane, &v) == 3 && reg < VECTORS && lane < GCN_LANES)
		st->v[reg][lane] = (uint32_t)v;
	else if (sscanf(text, "s%u=%" SCNx64, &reg, &v) == 2 && reg < SCALARS)
		st->s[reg] = (uint32_t)v;
	else if (sscanf(text, "%7[a-z0-9]=%" SCNx64, name, &v) != 2)
		return false;
	else if (!strcmp(name, "scc"))
		st->scc = (uint32_t)v;
	else if (!strcmp(name, "m0"))
		st->s[CODE_M0] = (uint32_t)v;
	else if (!strcmp(name, "vcc") || !strcmp(name, "exec"))
		put_pair(st, *name == 'v' ? CODE_VCC : CODE_EXEC, v);
	else
		return false;
	return true;
}

/* Two mistakes of the oracle that can be corrected. The oracle computes a lane at a time: bits of lanes outside of EXEC
 * stay in the results of compares and in carries, where the machine has zeros (LLVM, SILowerControlFlow, emitIfBreak,
 * relies on the zeros); and v_readfirstlane_b32 ends with the last active lane's word. */
static void correct(struct line *l, const char *text)
{
	uint64_t exec = gcn_state_pair(&l->before, CODE_EXEC);
	unsigned code = CODE_VCC, from;
	const char *pair = strncmp(text, "v_cmp_", 6) ? NULL : strstr(text, " s[");

	if (sscanf(text, "v_readfirstlane_b32 s%u, v%u", &code, &from) == 2)
		l->after.s[code] = l->before.v[from % VECTORS][exec ? __builtin_ctzll(exec) : 0];
	else if (strstr(text, "vcc, ") || (pair && sscanf(pair, " s[%u", &code) == 1))
		put_pair(&l->after, code, gcn_state_pair(&l->after, code) & exec);
}

static bool read_line(char *text, struct line *l)
{
	char *bar = strstr(text, " |"), *seed = strstr(text, "seed="), *rest = NULL, *end = bar ? strstr(bar, "; ")
		: NULL;

	memset(l, 0, sizeof *l);
	if (!seed || !end || seed > bar || !read_words(text, l))
		return false;
	*end = '\0';
	seed_state(&l->before, strtoull(seed + 5, NULL, 10));
	l->after = l->before;
	for (char *w = strtok_r(bar + 2, " ", &rest); w; w = strtok_r(NULL, " ", &rest))
		if (!read_change(w, &l->after))
			return false;
	if (end[2] == 'v')
		correct(l, end + 2);
	l->text = end + 2;
	return true;
}

/* ---- running ---- */

/* s_mov_b32, s_cmp_eq and s_cmp_lg of 0 and 0, s_setreg_imm32_b32 of MODE's bits 9 … 0, s_endpgm of 1.0. MODE: to
 * nearest, with all denormals, NaNs are clamped to 0. */
enum { MOV_LITERAL = 0xbe8003ff, EQUAL = 0xbf008080, UNEQUAL = 0xbf018080, SET_MODE = 0xba804801, END = 0xbf810000,
	MODE = 0x1f0 };

static size_t write_program(const struct line *l, uint32_t code[WORDS])
{
	size_t n = 0;

	code[n++] = SET_MODE;
	code[n++] = MODE;
	for (unsigned i = 0; i < 2; i++) {
		code[n++] = MOV_LITERAL | (CODE_EXEC + i) << 16;
		code[n++] = l->before.s[CODE_EXEC + i];
	}
	code[n++] = l->before.scc ? EQUAL : UNEQUAL;
	for (unsigned i = 0; i < l->nwords; i++)
		code[n++] = l->word[i];
	code[n++] = END;
	return n * sizeof *code;
}

static bool set_state(struct wb_launch *l, const struct gcn_state *st, struct wb_diag *d)
{
	for (unsigned k = 0; k < CODE_EXEC; k++)
		if ((k < SCALARS || k / 2 == CODE_VCC / 2 || k == CODE_M0) &&
		    wb_launch_set_reg(l, 0, 0, "s", k, 0, st->s[k], d) != WB_OK)
			return false;
	for (unsigned k = 0; k < VECTORS; k++)
		for (unsigned lane = 0; lane < GCN_LANES; lane++)
			if (wb_launch_set_reg(l, 0, 0, "v", k, lane, st->v[k][lane], d) != WB_OK)
				return false;
	return true;
}

/* Does register `name` have the wanted value in all of `n` lanes? */
static bool same(struct wb_launch *l, struct line *line, const char *name, const uint32_t *wanted, unsigned n,
	char *why,
		 size_t size)
{
	uint32_t found[WB_LANES];
	struct wb_diag d;

	if (wb_launch_read_register(l, 0, 0, name, found, &d) != WB_OK) {
		snprintf(why, size, "%s", d.text);
		return false;
	}
	for (unsigned lane = 0; lane < n; lane++)
		if (found[lane] != wanted[lane]) {
			const char *doubt = gcn_doubt(&line->before, line->text, name, lane, wanted[lane], found[lane]);
			if (doubt) {
				line->doubt = doubt;
				continue;
			}
			snprintf(why, size, "%s lane %u: expected %08" PRIx32 ", got %08" PRIx32, name, lane,
				wanted[lane],
				 found[lane]);
			return false;
		}
	return true;
}

static bool same_state(struct wb_launch *l, struct line *line, char *why, size_t size)
{
	const struct gcn_state *st = &line->after;
	static const struct {
		const char *name;
		unsigned code;
	} named[] = {
		{"vcc_lo", CODE_VCC}, {"vcc_hi", CODE_VCC + 1}, {"exec_lo", CODE_EXEC}, {"exec_hi", CODE_EXEC + 1},
			{"m0", CODE_M0},
	};
	char name[8];
	bool good = same(l, line, "scc", &st->scc, 1, why, size);

	for (unsigned i = 0; i < sizeof named / sizeof *named; i++)
		good = good && same(l, line, named[i].name, &st->s[named[i].code], 1, why, size);
	for (unsigned k = 0; k < SCALARS; k++) {
		snprintf(name, sizeof name, "s%u", k);
		good = good && same(l, line, name, &st->s[k], 1, why, size);
	}
	for (unsigned k = 0; k < VECTORS; k++) {
		snprintf(name, sizeof name, "v%u", k);
		good = good && same(l, line, name, st->v[k], GCN_LANES, why, size);
	}
	return good;
}

static bool run_line(struct line *l, struct wb_config *config, char *why, size_t size)
{
	uint32_t code[WORDS];
	size_t bytes = write_program(l, code);
	struct wb_program *p = NULL;
	struct wb_launch *launch = NULL;
	struct wb_diag d;
	bool ran = wb_program_load(code, bytes, "vector", config, &p, &d) == WB_OK &&
		   wb_launch_new(p, NULL, config, &launch, &d) == WB_OK && set_state(launch, &l->before, &d) &&
		   wb_launch_run(launch, &d) == WB_OK;

	if (!ran)
		snprintf(why, size, "%s", d.text);
	ran = ran && same_state(launch, l, why, size);
	wb_launch_free(launch);
	wb_program_free(p);
	return ran;
}

static struct wb_config *gcn_config(const struct tally *t)
{
	static const char *const settings[][2] = {
		{"format", "raw"}, {"timing", "off"}, {"stats-level", "none"}, {"regs", "8"}, {"chip", "tahiti"},
			{"block", "64"},
	};
	struct wb_config *config = wb_config_copy(t->cli->config);
	struct wb_diag d;

	for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
		wb_config_set(config, settings[i][0], settings[i][1], &d);
	return config;
}

static bool recognise(const char *text, size_t n)
{
	size_t digits = strspn(text, "0123456789abcdef");

	(void)n;
	return digits >= 8 && !strncmp(text + digits, " seed=", 6);
}

static enum wb_status run(struct tally *t, char *text, size_t n)
{
	struct wb_config *config = gcn_config(t);
	enum wb_status status = WB_OK;
	unsigned long number = 0;
	char *start = text, why[400];

	for (char *next; text && *text && status == WB_OK; text = next) {
		struct line l;
		next = strchr(text, '\n');
		if (next)
			*next++ = '\0';
		number++;
		*why = '\0';
		char *shown = strstr(text, "; ");
		if (!read_line(text, &l))
			status = complain(WB_INPUT, "%s:%lu: expected 'bytes seed=N … | changes ; text'", t->path,
				number);
		else if (run_line(&l, config, why, sizeof why) && l.doubt)
			tally_mismatch(t, DOUBTFUL, number, "%s: the oracle: %s", shown + 2, l.doubt);
		else if (!*why)
			tally_pass(t, GATED);
		else
			tally_mismatch(t, GATED, number, "%s: %s", shown + 2, why);
		vectors_progress(t, "bytes", (size_t)(text - start), n);
	}
	wb_config_free(config);
	return status;
}

const struct vectors_format vectors_gcn_state = {"gcn state", recognise, run};
