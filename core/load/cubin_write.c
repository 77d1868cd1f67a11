/* Images as cubin text. */
#include "core/load/cubin_write.h"

#include <inttypes.h>

#include "core/base/diag.h"
#include "core/image.h"

/* Words in rows of four. Bytes beyond the last whole word are filled up with zeros. */
static void write_words(FILE *out, const char *key, const char *indent, const uint8_t *bytes, uint32_t n)
{
	fprintf(out, "%s%s {", indent, key);
	for (uint32_t i = 0; i < n; i += 4) {
		uint32_t word = 0;
		for (uint32_t k = 0; k < 4 && i + k < n; k++)
			word |= (uint32_t)bytes[i + k] << 8 * k;
		if (i % 16 == 0)
			fprintf(out, "\n%s\t", indent);
		fprintf(out, "0x%08" PRIx32 " ", word);
	}
	fprintf(out, "\n%s}\n", indent);
}

static void write_const(FILE *out, const char *block, const char *indent, const struct image_const *c)
{
	fprintf(out,
		"%s%s {\n%s\tsegname = const\n%s\tsegnum = %u\n%s\toffset = %" PRIu32 "\n%s\tbytes = %" PRIu32 "\n",
		indent, block, indent, indent, c->bank, indent, c->offset, indent, c->size);
	if (c->bytes)
		write_words(out, "mem", indent[0] ? "\t\t" : "\t", c->bytes, c->size);
	fprintf(out, "%s}\n", indent);
}

static bool can_be_written(const struct image *im, const struct image_kernel *k, struct diag *d)
{
	if (k->entry)
		return diag_set(d, DIAG_INPUT, "kernel %s begins at 0x%" PRIx32 "; a text cubin's kernels begin at 0",
				k->name, k->entry);
	if (k->nrelocs || im->nrelocs || im->nglobals)
		return diag_set(d, DIAG_INPUT, "kernel %s uses variables in global memory, which are not written",
				k->name);
	return true;
}

static void write_kernel(FILE *out, const struct image_kernel *k)
{
	fprintf(out,
		"code {\n\tname = %s\n\tlmem = %" PRIu32 "\n\tsmem = %" PRIu32 "\n\treg = %" PRIu32 "\n\tbar = %" PRIu32
		"\n",
		k->name, k->lmem, k->smem, k->regs, k->barriers);
	for (size_t i = 0; i < k->nconsts; i++)
		write_const(out, "const", "\t", &k->consts[i]);
	write_words(out, "bincode", "\t", k->code, k->code_bytes);
	fputs("}\n", out);
}

bool cubin_write(const struct image *im, const char *architecture, FILE *out, struct diag *d)
{
	for (size_t i = 0; i < im->nkernels; i++)
		if (!can_be_written(im, &im->kernels[i], d))
			return false;
	fprintf(out, "architecture {%s}\nabiversion {0}\nmodname {cubin}\n", architecture);
	for (size_t i = 0; i < im->nconsts; i++)
		write_const(out, "consts", "", &im->consts[i]);
	for (size_t i = 0; i < im->nkernels; i++)
		write_kernel(out, &im->kernels[i]);
	return true;
}
