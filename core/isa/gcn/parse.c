#include "core/isa/parse.h"

#include "core/base/diag.h"
#include "core/isa/gcn/gcn.h"

bool gcn_parse(const struct isa_target *t, const char *text, const struct isa_symbols *symbols, struct isa_code *out,
	       struct diag *d)
{
	return diag_text(d, 1, 1, "this machine's instructions can be disassembled, not assembled yet");
}
