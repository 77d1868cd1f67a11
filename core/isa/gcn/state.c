/* The scalar side of a wavefront: EXEC and its bill, special registers, LDS direct. */
#include "core/isa/gcn/mask.h"

#include <string.h>

#include "core/isa/gcn/launch.h"
#include "mem/bounds.h"

/* Effect of writing v to EXEC on the launched lanes: lanes part where some are masked and others stay, and rejoin where
 * masked lanes come back; FLOW_POP: in exchange for the running lanes. The last lanes leave together. */
static unsigned flow_of_exec(const struct warp *w, uint64_t v)
{
	lane_mask was = w->active & w->launched, is = v & w->launched, stay = was & is;
	unsigned flow = 0;

	if (was & ~is)
		flow |= FLOW_PUSH | (stay ? FLOW_BRANCH | FLOW_DIVERGED : 0);
	if (is & ~was)
		flow |= FLOW_MERGED | (was && !stay ? FLOW_POP : 0);
	return flow;
}

/* The instruction to charge with lanes that leave for v. Lanes that leave in exchange for others, as at an else, wait
 * for the split that sent the others away. */
static uint32_t cause_of(const struct exec *x, uint64_t v)
{
	const struct warp *w = x->warp;
	lane_mask back = v & ~w->active & w->launched;

	return back && !(v & w->active & w->launched) ? lanes_cause(w, back & -back) : x->step.pc;
}

void gcn_write_exec(struct exec *x, uint64_t v)
{
	struct warp *w = x->warp;
	struct gcn_warp *g = gcn_warp(w);
	lane_mask off = w->active & ~v, on = v & ~w->active;

	x->step.flow |= (uint8_t)flow_of_exec(w, v);
#ifndef __wasm__
	if (gcn_exchange_exec(x, x->step.pc, v))
		return;
#endif
	g->s[CODE_EXEC] = (uint32_t)v;
	g->s[CODE_EXEC + 1] = (uint32_t)(v >> 32);
	if (off & w->launched)
		lanes_leave(w, off & w->launched, LANE_RUNS, cause_of(x, v));
	if (on & w->launched)
		lanes_return(w, x->bill, on & w->launched);
	/* lanes absent from the launch execute, too, if the program says so */
	if (on & ~w->launched)
		lanes_lend(w, x->bill, on & ~w->launched);
	if (off & ~w->launched)
		lanes_give_back(w, off & ~w->launched);
}

/* LDS direct: M0[15:0] is the address, M0[18:16] the type: u8, u16, u32, u32, s8, s16; one value for all lanes (spec
 * gcn); 0 outside of the block's memory. */
static uint32_t lds_direct(const struct exec *x)
{
	static const uint8_t bytes[8] = { 1, 2, 4, 4, 1, 2, 4, 4 };
	uint32_t m0 = gcn_warp(x->warp)->s[CODE_M0], at = m0 & 0xffff, kind = m0 >> 16 & 7, v = 0;

	if (!bytes_inside(at, bytes[kind], x->block->shared_bytes))
		return 0;
	memcpy(&v, x->block->shared + at, bytes[kind]);
	return kind == 4 ? (uint32_t)(int8_t)v : kind == 5 ? (uint32_t)(int16_t)v : v;
}

uint32_t gcn_special(struct exec *x, unsigned code)
{
	const struct gcn_warp *g = gcn_warp(x->warp);

	switch (code) {
	case CODE_VCCZ: return gcn_vcc(g) == 0;
	case CODE_EXECZ: return x->warp->active == 0;
	case CODE_SCC: return g->scc;
	case CODE_LDS: return lds_direct(x);
	/* the high words of 64-bit addresses; the limits are of windows of 4 GiB */
	case CODE_APERTURES: return GCN_SHARED_APERTURE;
	case CODE_APERTURES + 2: return GCN_PRIVATE_APERTURE;
	case CODE_APERTURES + 1:
	case CODE_APERTURES + 3: return UINT32_MAX;
	}
	return 0;
}

uint64_t gcn_special_wide(struct exec *x, unsigned code)
{
	switch (code) {
	case CODE_APERTURES: return (uint64_t)GCN_SHARED_APERTURE << 32;
	case CODE_APERTURES + 1: return (uint64_t)GCN_SHARED_APERTURE << 32 | UINT32_MAX;
	case CODE_APERTURES + 2: return (uint64_t)GCN_PRIVATE_APERTURE << 32;
	case CODE_APERTURES + 3: return (uint64_t)GCN_PRIVATE_APERTURE << 32 | UINT32_MAX;
	}
	return gcn_special(x, code);
}
