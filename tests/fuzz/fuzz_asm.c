/* Assembly files: whatever the text, a program or a diagnostic, and what was assembled disassembles, but for words that
 * the text gives as they are (.word). */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/diag.h"
#include "core/isa/asm.h"
#include "core/isa/list.h"
#include "core/isa/tesla/tesla.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static const struct isa_ops ops = { .name = "tesla", .table = &tesla_table, .decode = isa_decode_at };
	struct isa_target t = { .isa = &ops, .undoc = true };
	struct asm_program p;
	struct diag d = { 0 };
	if (!asm_assemble(&ops, (const char *)bytes, size, NULL, NULL, 0, &p, &d)) {
		if (d.kind == DIAG_OK || !*d.text)
			abort();
		return 0;
	}
	isa_name_find(tesla_table.chips, p.chip, strlen(p.chip), &t.features);
	isa_name_find(tesla_table.modes, p.mode, strlen(p.mode), &t.mode);
	FILE *nowhere = fopen("/dev/null", "w");
	for (size_t i = 0; nowhere && i < p.nkernels; i++) {
		const struct asm_kernel *k = &p.kernels[i];
		if (isa_list(&t, k->code, k->code_bytes, k->labels, k->nlabels, 0, NULL, nowhere) &&
		    !memmem(bytes, size, ".word", 5))
			abort();
	}
	if (nowhere)
		fclose(nowhere);
	asm_free(&p);
	return 0;
}
