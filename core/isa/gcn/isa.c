/* The GCN machine, as the core sees it. */
#include "core/isa/gcn/clrx_asm.h"
#include "core/isa/gcn/gcn.h"
#include "core/isa/gcn/lint.h"
#include "core/isa/gcn/run.h"

#ifndef __wasm__
extern const struct native_machine gcn_native;  /* native.c */
#endif

static const struct isa_name endings[] = { { ".gcn", 1 }, { NULL, 0 } };

static const char *const options[] = {
	"check", "slice", "smem", "lmem", "store-winner", "printf-bytes", "hw-strict", "syntax", "buggy-fp-lit", NULL
};
static const char *const reasons[] = {
	"reconverge: a wavefront has one pc and one set of scalar registers, and the program itself says, by EXEC, "
	"which lanes run", NULL
};

const struct isa_ops gcn_isa = {
	.name = "gcn",
	.table = &gcn_table,
	.lanes = 64,
	.reg = {
		.most = 256, .started = 3, .awaited = GCN_PORTS, .mask = "EXEC",
		.word = gcn_reg, .peek = gcn_peek, .scope = gcn_scope, .port_name = gcn_port_name,
	},
	.global_first = 0x7f0000000000 >> 4,
	.options = options,
	.reasons = reasons,
	.decode = gcn_decode,
	.text = { .print = gcn_print, .parse = gcn_parse, .endings = endings, .owns = clrx_sniff,
		  .assemble = clrx_assemble },
	.prepare = gcn_prepare,
	.bind = gcn_bind,
	.launch = gcn_launch,
	.edges = gcn_edges,
	.lines = gcn_lines,
	.lint = gcn_lint,
	.warp_bytes = gcn_warp_bytes,
#ifndef __wasm__
	.check_state = gcn_check_state,
	.native = &gcn_native,
#endif
	.start_block = gcn_start_block,
	.start_warp = gcn_start_warp,
	.ports = gcn_ports,
	.stack = gcn_stack,
#ifndef __wasm__ /* a page runs no image instructions */
	.descriptors = &gcn_descriptors,
#endif
};
