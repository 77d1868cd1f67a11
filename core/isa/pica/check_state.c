/* Rules for a warp's private state that was read from outside. */
#include "core/isa/pica/scope.h"
#include "core/state_check.h"

static void check_scopes(struct state_check *c, const struct path *read)
{
	const struct scopes *s = &read->scopes;

	state_must(c, s->ncall <= CALL_DEPTH && s->nif <= IF_DEPTH && s->nloop <= LOOP_DEPTH,
		   "the depth of a path's stack");
	for (uint32_t i = 0; i < s->ncall && i < CALL_DEPTH; i++)
		state_goes_to(c, s->call[i].back);
	for (uint32_t i = 0; i < s->nif && i < IF_DEPTH; i++)
		state_goes_to(c, s->cond[i].to);
	for (uint32_t i = 0; i < s->nloop && i < LOOP_DEPTH; i++) {
		state_goes_to(c, s->loop[i].begin);
		state_goes_to(c, s->loop[i].end);
	}
	state_must(c, read->cause < c->code_bytes, "the branch of a path");
}

/* Paths that wait have lanes of their own. Under a policy over groups only the stacks count. */
static void check_paths(struct state_check *c, const struct pica_warp *s, const struct pica_warp *own,
			const struct warp *read)
{
	lane_mask seen = own->now.lanes;

	STATE_ANY(c, s->now);
	STATE_ANY(c, s->waiting);
	state_must(c, own->now.lanes == read->active, "a path that is not the lanes that run");
	check_scopes(c, &own->now);
	state_goes_to(c, own->now.pc);
	for (unsigned i = 0; i < LANES; i++) {
		const struct path *path = &own->waiting[i];
		check_scopes(c, path);
		if (i >= own->nwaiting)
			continue;
		state_must(c, path->lanes && !(path->lanes & (seen | ~read->launched)),
			   "a lane on two paths, or on none");
		state_goes_to(c, path->pc);
		seen |= path->lanes;
	}
}

static void check_geometry(struct state_check *c, const struct geometry *g)
{
	state_most(c, &g->vertex, sizeof(uint32_t), LANES, 3, "the place of a vertex");
	STATE_ANY(c, g->prim);
	STATE_ANY(c, g->winding);
	STATE_ANY(c, g->bank);
	STATE_ANY(c, g->vertices);
}

static void check_uniforms(struct state_check *c, const struct pica_uniforms *u)
{
	STATE_ANY(c, u->f);
	STATE_ANY(c, u->alike);
	STATE_ANY(c, u->i);
	STATE_ANY(c, u->b);
	STATE_MOST(c, u->ordinary, 1, "a mark of uniforms");
}

void pica_check_state(struct state_check *c, const struct program *p, const struct rules *rules, const struct block *b,
		      const struct warp *w, const struct warp *read)
{
	const struct pica_warp *s = pica_state(w);
	struct pica_warp own;

	STATE_GET(c, s, &own);
	state_must(c, read->active || !warp_runs(b, read), "a warp without a lane that runs");
	STATE_ANY(c, s->address);
	STATE_ANY(c, s->flag);
	STATE_ANY(c, s->watch);
	STATE_ANY(c, s->first_thread);
	STATE_ANY(c, s->outer_loop);
	STATE_ANY(c, s->made);
	STATE_MOST(c, s->nwaiting, LANES - 1, "the number of paths");
	STATE_MOST(c, s->ordinary, 1, "a mark of a warp");
	STATE_MOST(c, s->single, 1, "a mark of a warp");
	state_must(c, own.first_thread == b->index * b->threads + read->id * (uint32_t)LANES, "the threads of a warp");
	check_paths(c, s, &own, read);
	if (s->geometry)
		check_geometry(c, s->geometry);
	if (pica_receives(p))
		check_uniforms(c, (const struct pica_uniforms *)((const char *)s + pica_uniforms_offset()));
	if (reconverge_policy(rules))
		groups_check(c, (const struct groups *)((const char *)s + pica_groups_offset(p)), rules, read->active,
			     read->launched);
}
