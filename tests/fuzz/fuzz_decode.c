/* Words as programs of every type and chip: each has a length, and the text of an instruction assembles. */
#include <stdint.h>
#include <stdlib.h>

#include "core/base/diag.h"
#include "core/isa/parse.h"
#include "core/isa/print.h"
#include "core/isa/tesla/tesla.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void decode_all(const struct isa_target *t, const uint8_t *bytes, size_t size)
{
	struct insn in;
	for (size_t pc = 0; pc < size; pc += in.length) {
		char text[ISA_LINE];
		struct isa_code code;
		bool known = isa_decode_at(t, bytes, size, (uint32_t)pc, &in);
		if (in.length == 0 || known != (in.row != NULL))
			abort();
		in.loose = 0;
		isa_print(t, &in, text, sizeof(text));
		if (known && !isa_parse(t, text, false, NULL, &code, NULL))
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static const struct isa_ops ops = { .name = "tesla", .table = &tesla_table, .decode = isa_decode_at };
	for (const struct isa_name *chip = tesla_table.chips; chip->name; chip++)
		for (const struct isa_name *mode = tesla_table.modes; mode->name; mode++) {
			struct isa_target t = { .isa = &ops, .features = chip->value, .mode = mode->value };
			t.undoc = true;
			decode_all(&t, bytes, size);
		}
	return 0;
}
