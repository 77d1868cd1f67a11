/* The Tesla machine, as the core sees it. */
#include "core/isa/table.h"
#include "core/isa/tesla/bind.h"
#include "core/isa/tesla/reconverge.h"
#include "core/isa/tesla/stage.h"
#include "core/isa/tesla/state.h"
#include "core/isa/tesla/tesla.h"

static const char *const options[] = {
	/* control flow, barriers and locks */
	"reconverge", "minpc-fair", "diverge", "join", "call-limit", "stack-depth", "bar-unit", "lock", "lock-entries",
	/* memory and parameters */
	"check", "slice", "smem", "lmem", "store-winner", "printf-bytes", "global", "const", "param-base",
	/* the compiler of PTX */
	"max-regs", "contract", "fma",
	/* counters and modes */
	"pm", "mp-mode",
	/* graphics */
	"scene", "discard", "quad-order", "share-vertices", "vertex-slots", "tex-weights", "seamless", "linked-tsc",
	"lodq-bits", NULL
};

extern const struct native_machine tesla_native;        /* native.c */

const struct isa_ops tesla_isa = {
	.name = "tesla",
	.table = &tesla_table,
	.lanes = 32,
	.options = options,
	.reg = {
		.most = 128, .awaited = TESLA_SCOREBOARD,
		.word = tesla_reg, .port_name = tesla_port_name,
	},
	.decode = isa_decode_at,
	.bind = tesla_bind,
	.ready = tesla_ready,
	.fits = tesla_fits,
	.edges = tesla_edges,
	.leads = tesla_leads,
	.warp_bytes = tesla_warp_bytes,
#ifndef __wasm__
	.check_state = tesla_check_state,
#endif
	.warp_addresses = { offsetof(struct tesla_warp, stack), TESLA_WARP_ADDRESSES },
	.start_block = tesla_start_block,
	.start_warp = tesla_start_warp,
	.ports = tesla_ports,
	.stack = tesla_stack,
	.threads = tesla_threads,
#ifndef __wasm__
	.native = &tesla_native,
#endif
};
