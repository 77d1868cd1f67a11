/* The registers of a wavefront at its start (spec gcn, "Loading and launch"), and their names for views. */
#include <string.h>

#include "core/base/clear.h"
#include "core/isa/gcn/launch.h"
#include "core/isa/gcn/run.h"
#include "core/isa/gcn/state.h"

size_t gcn_warp_bytes(const struct program *p, const struct rules *rules)
{
	return sizeof(struct gcn_warp);
}

/* LDS begins as zeros; arguments are in global memory. */
void gcn_start_block(struct block *b, const struct launch_params *params)
{
}

static void start_scalars(const struct block *b, const struct warp *w, const struct gcn_launch *l, struct gcn_warp *g)
{
	enum { FIRST_WAVE = 1u << 31 };
	unsigned n = l->nuser;

	memcpy(g->s, l->user, l->nuser * sizeof *g->s);
	if (l->rsrc2 & GCN_GROUP_X)
		g->s[n++] = b->id[0];
	if (l->rsrc2 & GCN_GROUP_Y)
		g->s[n++] = b->id[1];
	if (l->rsrc2 & GCN_GROUP_Z)
		g->s[n++] = b->id[2];
	if (l->rsrc2 & GCN_GROUP_INFO)
		g->s[n++] = (w->id ? 0 : FIRST_WAVE) | (uint32_t)w->id << 6 | b->nwarps;
	if (l->rsrc2 & GCN_SCRATCH_OFFSET)
		g->s[n++] = 0;          /* each wavefront has its own window */
	g->mode = gcn_mode(l->rsrc1);
	g->code = l->code;
	g->s[CODE_EXEC] = (uint32_t)w->active;
	g->s[CODE_EXEC + 1] = (uint32_t)(w->active >> 32);
}

/* v0, v1, v2: x, y and z of each lane's thread, as requested by the kernel. */
static void start_vectors(const struct block *b, struct warp *w, const struct gcn_launch *l)
{
	unsigned axes = (l->rsrc2 >> 11 & 3) + 1, n = axes < w->nreg ? axes : w->nreg;
	uint32_t t = w->id * (uint32_t)LANES, threads = b->threads - t < LANES ? b->threads - t : LANES;
	uint32_t id[4] = { t % b->ntid[0], t / b->ntid[0] % b->ntid[1], t / b->ntid[0] / b->ntid[1], 0 };

	for (unsigned i = 0; i < n; i++)
		memset(&w->reg[i], 0, sizeof w->reg[i]);
	if (b->ntid[0] == b->threads) {
		for (uint32_t lane = 0; n && lane < threads; lane++)
			w->reg[0].lane[lane] = t + lane;
		return;
	}
	for (uint32_t lane = 0; lane < threads; lane++) {
		for (unsigned i = 0; i < n; i++)
			w->reg[i].lane[lane] = id[i];
		for (unsigned i = 0; i < 3 && ++id[i] == b->ntid[i]; i++)
			id[i] = 0;
	}
}

void gcn_start_warp(struct block *b, struct warp *w, const struct program *p, const struct rules *rules)
{
	struct gcn_warp *g = gcn_warp(w);
	const struct gcn_launch *l = gcn_launch_of(p);

	clear_bytes(g, offsetof(struct gcn_warp, made));
	start_scalars(b, w, l, g);
	start_vectors(b, w, l);
}

/* "v" and "s"; exec is not written here, but by instructions. */
uint32_t *gcn_reg(struct warp *w, const char *file, unsigned reg, unsigned lane)
{
	if (!strcmp(file, "v") && reg < w->nreg && lane < LANES)
		return &w->reg[reg].lane[lane];
	if (!strcmp(file, "s") && reg < CODE_EXEC)
		return &gcn_warp(w)->s[reg];
	return NULL;
}

static bool digits(const char *p, unsigned *value)
{
	const char *end = p;

	for (*value = 0; *end >= '0' && *end <= '9' && end - p < 4; end++)
		*value = *value * 10 + (unsigned)(*end - '0');
	return end != p && !*end;
}

static const struct {
	const char *name;
	uint8_t code;
} named[] = {
	{ "vcc_lo", CODE_VCC }, { "vcc_hi", CODE_VCC + 1 }, { "exec_lo", CODE_EXEC }, { "exec_hi", CODE_EXEC + 1 },
	{ "m0", CODE_M0 },
};

/* "v3", "s12", the names above, "scc"; "vcc" and "exec" as the lane's bit. */
bool gcn_peek(const struct warp *w, const char *name, unsigned lane, uint32_t *value)
{
	const struct gcn_warp *g = w ? gcn_warp(w) : NULL;
	unsigned n;

	if (*name == 'v' && digits(name + 1, &n)) {
		if (w && n < w->nreg)
			*value = w->reg[n].lane[lane];
		return w ? n < w->nreg : n < 256;
	}
	if (*name == 's' && digits(name + 1, &n)) {
		if (g && n < CODE_EXEC)
			*value = g->s[n];
		return n < CODE_EXEC;
	}
	for (size_t i = 0; i < sizeof named / sizeof *named; i++)
		if (!strcmp(name, named[i].name)) {
			if (g)
				*value = g->s[named[i].code];
			return true;
		}
	if (strcmp(name, "scc") && strcmp(name, "vcc") && strcmp(name, "exec"))
		return false;
	if (g)
		*value = *name == 's' ? g->scc :
			 (uint32_t)(gcn_pair(g, *name == 'v' ? CODE_VCC : CODE_EXEC) >> lane) & 1;
	return true;
}

enum isa_scope gcn_scope(const struct warp *w, const char *name)
{
	unsigned n;

	(void)w;
	if (!strcmp(name, "vcc") || !strcmp(name, "exec"))
		return SCOPE_MASK;
	return *name == 'v' && digits(name + 1, &n) ? SCOPE_LANES : SCOPE_WARP;
}

/* The group with lanes of `left` that left last, and of such the one with the lowest lane. */
static unsigned latest_group(const struct warp *w, lane_mask left)
{
	unsigned latest = w->nout;

	for (unsigned i = 0; i < w->nout; i++) {
		lane_mask here = w->out[i] & left, there = latest < w->nout ? w->out[latest] & left : 0;
		if (!here)
			continue;
		if (!there || w->out_since[i] > w->out_since[latest] ||
		    (w->out_since[i] == w->out_since[latest] && (here & -here) < (there & -there)))
			latest = i;
	}
	return latest;
}

/* Lanes left out by EXEC, by the instruction of their leaving, the latest first: the counterpart of other machines'
 * stacks. Forks have a stack, shown above. */
unsigned gcn_stack(const struct warp *w, unsigned level, struct isa_stack_entry *out)
{
	const struct gcn_warp *g = gcn_warp(w);
	unsigned forks = g->mode >> MODE_CSP, n = forks;
	lane_mask left = w->launched & ~w->active & ~w->in_state[LANE_EXITED];

	if (out && level < forks) {
		unsigned at = 4 * (forks - 1 - level);
		*out = (struct isa_stack_entry){ "fork", (uint32_t)(gcn_pair(g, at + 2) - g->code), gcn_pair(g, at) };
	}
	for (; left; n++) {
		unsigned latest = latest_group(w, left);
		lane_mask group = 0;
		for (unsigned i = 0; i < w->nout; i++)
			if (w->out_since[i] == w->out_since[latest] && w->out_pc[i] == w->out_pc[latest])
				group |= w->out[i] & left;
		if (out && level == n)
			*out = (struct isa_stack_entry){ "masked", w->out_pc[latest], group };
		left &= ~group;
	}
	return n;
}
