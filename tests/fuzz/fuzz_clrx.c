/* Texts in CLRX's language, whatever the bytes: kernels whose code, entry points, arguments and addresses are sound, or
 * a diagnostic with a text. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/diag.h"
#include "core/image.h"
#include "core/isa.h"
#include "core/isa/gcn/clrx_asm.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void check(int holds)
{
	if (!holds)
		abort();
}

static void check_kernel(const struct image *im, const struct image_kernel *k)
{
	uint32_t last = 0;

	check(k->code && k->code_bytes % 4 == 0 && k->entry % 4 == 0 && k->entry < k->code_bytes && k->name[0]);
	for (size_t i = 0; i < k->nparams; i++)
		check(k->params[i].offset + k->params[i].size <= k->param_bytes && k->params[i].name);
	for (size_t i = 0; i < k->nhidden; i++)
		check(k->hidden[i].offset + k->hidden[i].size <= k->param_bytes);
	for (size_t i = 0; i < k->nlines; last = k->lines[i++].pc)
		check(k->lines[i].pc < k->code_bytes && k->lines[i].pc >= last);
	for (size_t i = 0; i < k->nlabels; i++)
		check(k->labels[i].pc <= k->code_bytes);
	for (size_t i = 0; i < k->nliterals; i++)
		check(k->literals[i].offset + 4 <= k->code_bytes && k->literals[i].global < im->nglobals);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct image *im = image_new("fuzz.asm", "asm", "gcn");
	char *text = malloc(size ? size : 1);   /* no byte behind the text */
	struct isa_source source = { .text = text, .size = size };
	struct diag d = { 0 };

	if (!text || !im)
		return 0;
	memcpy(text, bytes, size);
	clrx_sniff(text, size);
	if (clrx_assemble(&source, im, &d)) {
		check(im->nkernels > 0);
		for (size_t i = 0; i < im->nkernels; i++)
			check_kernel(im, &im->kernels[i]);
	} else {
		check(d.kind != DIAG_OK && d.text[0]);
	}
	image_free(im);
	free(text);
	return 0;
}
