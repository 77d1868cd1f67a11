/* Assembly files: whatever the text, a program or a diagnostic, which can be listed; and what an instruction's text was
 * assembled to is an instruction. Words that the text gives as they are (.word) need not be. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/diag.h"
#include "core/isa/asm.h"
#include "core/isa/list.h"
#include "core/isa/tesla/tesla.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* Whether a line of the text has a directive for words; lines count from 1. */
static bool has_words(const uint8_t *text, size_t size, uint32_t line)
{
	const uint8_t *end = text + size, *next;
	while (line-- > 1 && (next = memchr(text, '\n', (size_t)(end - text))))
		text = next + 1;
	next = memchr(text, '\n', (size_t)(end - text));
	return memmem(text, (size_t)((next ? next : end) - text), ".word", 5);
}

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
		bool invalid = isa_list(&t, k->code, k->code_bytes, k->labels, k->nlabels, 0, NULL, nowhere);
		for (size_t n = 0; invalid && n < k->nlines; n++) {
			struct insn in;
			if (!isa_decode_at(&t, k->code, k->code_bytes, k->lines[n].pc, &in) &&
			    !has_words(bytes, size, k->lines[n].line))
				abort();
		}
	}
	if (nowhere)
		fclose(nowhere);
	asm_free(&p);
	return 0;
}
