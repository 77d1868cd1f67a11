/* PTX: whatever the text, a program or a diagnostic with a place; and each word of a compiled program is an instruction
 * of the chip. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/diag.h"
#include "core/compile/compile.h"
#include "core/isa/asm.h"
#include "core/isa/tesla/tesla.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static const struct isa_ops ops = { .name = "tesla", .table = &tesla_table, .decode = isa_decode_at };
	static const char *const chips[] = { "g80", "g84", "mcp77", "g200" };
	struct compile_options o = { .chip = chips[size % 4], .max_regs = size % 3 ? 124 : 16,
				     .memory = 1 << 30 };
	struct compile_result r;
	struct insn in;
	struct diag d = { 0 };

	if (size > 1 << 16)
		return 0;
	if (!compile_ptx((const char *)bytes, size, &o, &r, &d)) {
		if (d.kind == DIAG_OK || d.kind == DIAG_INTERNAL || !*d.text)
			abort();
		return 0;
	}
	struct isa_target t = { .isa = &ops, .mode = MODE_CP };
	isa_name_find(tesla_table.chips, r.chip, strlen(r.chip), &t.features);
	for (size_t k = 0; k < r.nkernels; k++)
		for (uint32_t pc = 0; pc < r.kernels[k].code_bytes; pc += in.length)
			if (!isa_decode_at(&t, r.kernels[k].code, r.kernels[k].code_bytes, pc, &in))
				abort();
	compile_free(&r);
	return 0;
}
