/* Binding of instructions before a program runs, and the initial state of its warps. */
#include <stddef.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/isa/pica/exec.h"
#include "core/isa/pica/lint.h"
#include "core/isa/pica/scope.h"
#include "core/isa/simd_built.h"

static const struct pica_build *const builds[SIMD_LEVELS][F24_MODES] = {
#define BUILDS(index, level) \
	[index] = { &pica_build_##level##_TRUNC, &pica_build_##level##_RNE, &pica_build_##level##_OFF },
	SIMD_BUILT(BUILDS)
#undef BUILDS
};

bool pica_bind(struct program *p, unsigned simd, const struct rules *rules, struct arena *a)
{
	const struct pica_build *build = builds[simd][pica_rounding(p)];
	struct pica_code *code = ARENA_NEW(a, struct pica_code);

	if (!code)
		return false;
	code->engine.execute = pica_execute;
	p->threaded = &code->engine;
	p->run = rules->slow_path ? pica_run_precise : pica_run;
	p->run_observed = pica_run_precise;
	p->build = build;
	p->traces = !rules->slow_path;
	if (reconverge_policy(rules) && reconverge_policy(rules)->meets && !reconverge_points(p, a))
		return false;
	for (uint32_t i = 0; i < p->code_bytes / 4; i++) {
		struct insn *in = &p->insn[i];
		unsigned exec = in->row->exec;
		in->exec = exec < PICA_EXEC_nop ? build->flow->compute : build->flow->exec[exec];
		in->marks = pica_table.exec[exec].traits & STEERS ? MOVES : 0;
		in->plain = !in->marks && !in->loose;
	}
	return pica_translate(p, code, build, rules, a);
}

void pica_start_block(struct block *b, const struct launch_params *params)
{
}

/* Fill each lane's uniforms: the inputs of its thread, and the common uniforms. Returns whether all are ordinary
 * numbers. */
static bool fill_uniforms(struct warp *w, const struct program *p, uint32_t first, uint32_t lanes)
{
	struct pica_uniforms *u = (struct pica_uniforms *)((char *)w->state + pica_uniforms_offset());
	enum f24_mode mode = pica_rounding(p);
	const struct stream *stream = p->stream;

	memcpy(u, p->uniforms, sizeof *u);
	pica_state(w)->uniforms = u;
	for (uint32_t l = 0; l < lanes; l++) {
		const uint32_t *in = stream->in + (size_t)stream->in_words * (first + l);
		uint32_t words = stream->used ? 4u * stream->used[first + l] : stream->in_words;
		for (uint32_t i = 0; i < words; i++) {
			uint32_t value = f24_from_float(in[i], mode);
			u->f[u->receives + i / 4][i % 4].lane[l] = value;
			u->ordinary &= f24_ordinary(value);
		}
	}
	return u->ordinary;
}

/* Lanes beyond the last vertex do not exist. Returns whether all inputs and uniforms are ordinary
 * numbers. */
static bool take_inputs(struct warp *w, const struct program *p, uint32_t first)
{
	const struct pica_build *build = p->build;
	const struct stream *stream = p->stream;
	uint32_t left = stream->threads - first, free_lanes = (uint32_t)__builtin_popcountll(w->launched);
	uint32_t lanes = left < free_lanes ? left : free_lanes;
	bool ordinary = pica_state(w)->uniforms->ordinary;

	if (lanes < free_lanes)
		warp_start(w, (int)lanes, w->pc);
	if (stream->out)        /* on the way while the warp runs */
		pica_prefetch(stream->out + (size_t)ROWS_VECTORS * first, pica_state(w)->uniforms->writes);
	if (pica_receives(p))
		return fill_uniforms(w, p, first, lanes);
	FOR_SET_LANES(reg, (uint64_t)pica_state(w)->uniforms->reads) {
		struct row *to = &w->reg[4 * reg];
		if (lanes < LANES)
			memset(to, 0, 4 * sizeof *to);
		ordinary &= build->take(to, stream->in + (size_t)ROWS_VECTORS * first + 4 * reg, lanes);
	}
	return ordinary;
}

/* The registers changed by programs with the uniforms' masks: r, o, and v without inputs. */
void pica_clear_warp(struct warp *w, const struct program *p)
{
	const struct pica_uniforms *u = p->uniforms;
	const struct pica_build *build = p->build;

	build->clear(&w->reg[4 * SRC_TEMPORARY], u->temporaries);
	build->clear(output_rows(w), u->writes);
}

void pica_start_warp(struct block *b, struct warp *w, const struct program *p, const struct rules *rules)
{
	struct pica_warp *s = pica_state(w);

	memset(s, 0, offsetof(struct pica_warp, waiting));
	s->uniforms = p->uniforms;
	s->first_thread = b->index * b->threads + w->id * (uint32_t)LANES;
	s->ordinary = p->stream ? take_inputs(w, p, s->first_thread) : s->uniforms->ordinary;
	s->now.lanes = w->active;
	s->now.pc = w->pc;
	memset(s->watch, 0xff, sizeof s->watch);
	if (reconverge_policy(rules))
		groups_start((struct groups *)((char *)s + pica_groups_offset(p)), rules, LANES);
	if (p->target.mode == PICA_GS) {
		s->geometry = (struct geometry *)((char *)s + pica_geometry_offset());
		memset(s->geometry, 0, sizeof *s->geometry);
	}
}

/* Vectors are v, r, o and c with four words a register; a is a0.x, a0.y, aL. */
uint32_t *pica_reg(struct warp *w, const char *file, unsigned reg, unsigned lane)
{
	static const struct { char name; unsigned first; } vectors[] = {
		{ 'v', 0 }, { 'r', 4 * SRC_TEMPORARY }, { 'o', ROWS_OUTPUT },
	};

	if (lane >= LANES || !file[0] || file[1])
		return NULL;
	for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
		if (file[0] == vectors[i].name && reg < ROWS_VECTORS)
			return &w->reg[vectors[i].first + reg].lane[lane];
	if (file[0] == 'c' && reg < 4 * SHADER_FLOATS)
		return (uint32_t *)&pica_state(w)->uniforms->f[reg / 4][reg % 4].lane[lane];
	return file[0] == 'a' && reg < 3 ? &pica_state(w)->address[reg].lane[lane] : NULL;
}

/* Address registers by name: texts of instructions write a0, a1 and lcnt. */
static bool address_name(const char *name, unsigned *reg)
{
	static const struct { const char *name; unsigned reg; } names[] = {
		{ "a0.x", 0 }, { "a0.y", 1 }, { "aL", 2 }, { "a0", 0 }, { "a1", 1 }, { "lcnt", 2 },
	};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(names[i].name, name)) {
			*reg = names[i].reg;
			return true;
		}
	return false;
}

/* "r3.y" of a file: its letter, number and part; booleans have no part. */
static bool vector_name(const char *name, unsigned *reg, unsigned *part)
{
	static const struct { char letter; unsigned count; } files[] = {
		{ 'v', SHADER_VECTORS }, { 'r', SHADER_VECTORS }, { 'o', SHADER_VECTORS }, { 'c', SHADER_FLOATS },
		{ 'i', SHADER_INTS }, { 'b', SHADER_BOOLS },
	};
	static const char parts[] = "xyzw";
	const char *p = name + 1;

	for (*reg = 0; *p >= '0' && *p <= '9' && p - name < 4; p++)
		*reg = *reg * 10 + (unsigned)(*p - '0');
	const char *at = p[0] == '.' && p[1] ? strchr(parts, p[1]) : NULL;
	*part = at ? (unsigned)(at - parts) : 0;
	for (size_t i = 0; p > name + 1 && i < sizeof files / sizeof *files; i++)
		if (*name == files[i].letter && *reg < files[i].count)
			return *name == 'b' ? !*p : at && !p[2];
	return false;
}

static uint32_t vector_value(const struct warp *w, char file, unsigned reg, unsigned part, unsigned lane)
{
	const struct pica_warp *s = pica_state(w);
	const char name[2] = { file, '\0' };

	if (file == 'b')
		return bool_lanes(s, reg) >> lane & 1;
	if (file == 'i')
		return s->uniforms->i[reg][part];
	return *pica_reg((struct warp *)(uintptr_t)w, name, 4 * reg + part, lane);
}

/* Operands of SETEMIT: "emit.vertex", "emit.primitive", "emit.winding"; without a warp, only whether the name
 * exists. */
static bool emit_value(const struct warp *w, const char *name, unsigned lane, uint32_t *value)
{
	const struct geometry *g = w ? pica_state(w)->geometry : NULL;
	const struct { const char *name; const struct row *row; } rows[] = {
		{ "emit.vertex", g ? &g->vertex : NULL }, { "emit.primitive", g ? &g->prim : NULL },
		{ "emit.winding", g ? &g->winding : NULL },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (!strcmp(rows[i].name, name)) {
			if (g)
				*value = rows[i].row->lane[lane];
			return !w || g;
		}
	return false;
}

bool pica_peek(const struct warp *w, const char *name, unsigned lane, uint32_t *value)
{
	unsigned reg, part;
	bool flags = !strncmp(name, "cmp.", 4) || !strncmp(name, "cc.", 3);
	const char *flag = flags ? strchr(name, '.') + 1 : "";

	if (flags && (!strcmp(flag, "x") || !strcmp(flag, "y"))) {
		if (w)
			*value = pica_state(w)->flag[*flag == 'y'] >> lane & 1;
	} else if (address_name(name, &reg)) {
		if (w)
			*value = pica_state(w)->address[reg].lane[lane];
	} else if (vector_name(name, &reg, &part)) {
		if (w)
			*value = vector_value(w, *name, reg, part, lane);
	} else {
		return emit_value(w, name, lane, value);
	}
	return true;
}

/* Uniforms belong to the warp, or to each thread (struct pica_uniforms). */
enum isa_scope pica_scope(const struct warp *w, const char *name)
{
	unsigned reg, part;
	bool uniform = vector_name(name, &reg, &part) && strchr("cib", *name);

	return uniform && !pica_state(w)->geometry ? SCOPE_WARP : SCOPE_LANES;
}

/* The running path's stacks, each from its top, as the targets of the entries; then the waiting paths. */
unsigned pica_stack(const struct warp *w, unsigned level, struct isa_stack_entry *out)
{
	const struct pica_warp *p = pica_state(w);
	const struct scopes *s = &p->now.scopes;
	struct isa_stack_entry e = { NULL, 0, p->now.lanes };
	unsigned n = level;

	if (n < s->nloop) {
		e.name = "loop", e.pc = s->loop[s->nloop - 1 - n].begin;
	} else if ((n -= s->nloop) < s->nif) {
		e.name = "if", e.pc = s->cond[s->nif - 1 - n].to;
	} else if ((n -= s->nif) < s->ncall) {
		e.name = "call", e.pc = s->call[s->ncall - 1 - n].back;
	} else if ((n -= s->ncall) < p->nwaiting) {
		e = (struct isa_stack_entry){ "path", p->waiting[n].pc, p->waiting[n].lanes };
	}
	if (out && e.name)
		*out = e;
	return s->nloop + s->nif + s->ncall + p->nwaiting;
}

static const struct isa_name roundings[] = {
	{ "trunc", 0 }, { "rne", PICA_RNE }, { "off", PICA_BINARY32 }, { NULL, 0 }
};

static const struct isa_name endings[] = {
	{ ".vsh", PICA_VS }, { ".gsh", PICA_GS }, { ".pica", PICA_VS }, { NULL, 0 }
};

static const char *const options[] = { "reconverge", "minpc-fair", "hw-strict", "stage", NULL };

/* A shader unit a lane; the float rounding is a feature of the target (PICA_RNE, PICA_BINARY32). */
const struct isa_ops pica_isa = {
	.name = "pica",
	.table = &pica_table,
	.lanes = LANES,
	.reg = {
		.most = SHADER_ROWS, .awaited = PICA_SCOREBOARD,
		.word = pica_reg, .peek = pica_peek, .scope = pica_scope, .port_name = pica_port_name,
	},
	.inputs = pica_inputs,
	.roundings = roundings,
	.options = options,
	.decode = pica_decode,
	.text = { .endings = endings, .assemble = pica_assemble },
	.prepare = pica_prepare,
	.uniform = pica_uniform,
	.bind = pica_bind,
	.edges = pica_edges,
	.lint = pica_lint,
	.warp_bytes = pica_warp_bytes,
#ifndef __wasm__
	.check_state = pica_check_state,
#endif
	.warp_addresses = { offsetof(struct pica_warp, uniforms), PICA_WARP_ADDRESSES },
	.start_block = pica_start_block,
	.clear_warp = pica_clear_warp,
	.start_warp = pica_start_warp,
	.stack = pica_stack,
	.ports = pica_ports,
};
