/* The GCN machine, as the core sees it: texts, not runs yet. */
#include "core/isa/gcn/gcn.h"

static const struct isa_name endings[] = { { ".gcn", 1 }, { NULL, 0 } };

const struct isa_ops gcn_isa = {
	.name = "gcn",
	.lanes = 64,
	.registers = 256,
	.endings = endings,
	.table = &gcn_table,
	.decode = gcn_decode,
	.print = gcn_print,
	.parse = gcn_parse,
};
