/* Words as GCN programs of every generation: each has a length and a text in both syntaxes; what the assembler takes of
 * the texts is an instruction of the same row. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/diag.h"
#include "core/isa/gcn/layout.h"
#include "core/isa/parse.h"
#include "core/isa/print.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void decode_all(struct isa_target *t, const uint8_t *bytes, size_t size)
{
	struct insn in, again;
	for (size_t pc = 0; pc < size; pc += in.length) {
		char text[ISA_LINE];
		struct isa_code code;
		bool known = t->isa->decode(t, bytes, size, (uint32_t)pc, &in);
		if (in.length == 0 || known != (in.row != NULL))
			abort();
		t->syntax = SYNTAX_LLVM;
		isa_print(t, &in, text, sizeof text);
		t->syntax = SYNTAX_CLRX;
		isa_print(t, &in, text, sizeof text);
		if (strlen(text) + 1 >= sizeof text)
			abort();
		if (!strchr(text, '[') || !strstr(text, "[unknown"))
			if (isa_parse(t, text, false, NULL, &code, NULL) &&
			    (!known || code.row != in.row || !isa_decode_word(t, code.word, &again)))
				abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static const struct isa_ops ops = {
		.name = "gcn", .table = &gcn_table, .decode = gcn_decode,
		.text = { .print = gcn_print, .parse = gcn_parse },
	};
	for (const struct isa_name *chip = gcn_table.chips; chip->name; chip++) {
		struct isa_target t = { .isa = &ops, .features = chip->value, .mode = 1 };
		decode_all(&t, bytes, size);
	}
	return 0;
}
