/* Directives of an image as text that the assembler reads back. */
#include "core/load/asm_write.h"

#include <inttypes.h>
#include <string.h>

#include "core/image.h"
#include "core/isa/asm.h"

static void write_extent(const char *name, const uint32_t e[3], unsigned most, FILE *out)
{
	if (!e[0])
		return;
	fprintf(out, ".%s %" PRIu32, name, e[0]);
	for (unsigned i = 1; i < most && (e[1] > 1 || e[2] > 1); i++)
		fprintf(out, ",%" PRIu32, e[i]);
	fputc('\n', out);
}

/* A type of the parameter's size, for files without types. */
static const char *type_of(const struct image_param *p)
{
	static const char *const types[] = { [1] = "b8", [2] = "b16", [4] = "b32", [8] = "b64" };

	if (p->kind && !strcmp(p->kind, "dynamic_shared_pointer") && p->size == 4)
		return "shared";
	if (asm_type_size(p->type) == p->size)
		return p->type;
	return p->size < sizeof types / sizeof *types ? types[p->size] : NULL;
}

static void write_params(const struct image_kernel *k, FILE *out)
{
	uint32_t end = 0;

	for (size_t i = 0; i < k->nparams; i++) {
		const struct image_param *p = &k->params[i];
		const char *type = type_of(p);
		if (type && ((end + p->size - 1) & ~(p->size - 1)) == p->offset)
			fprintf(out, ".param %s ", type);
		else
			fprintf(out, ".param %" PRIu32 " %" PRIu32 " ", p->offset, p->size);
		if (*p->name)
			fprintf(out, "%s\n", p->name);
		else
			fprintf(out, "p%zu\n", i);
		if (p->offset + p->size > end)
			end = p->offset + p->size;
	}
}

static uint32_t word_at(const struct image_const *c, uint32_t at)
{
	uint32_t word = 0;

	for (uint32_t i = 0; c->bytes && i < 4 && at + i < c->size; i++)
		word |= (uint32_t)c->bytes[at + i] << 8 * i;
	return word;
}

static void write_consts(const struct image_const *consts, size_t n, FILE *out)
{
	for (size_t i = 0; i < n; i++)
		for (uint32_t at = 0; at < consts[i].size; at += 4) {
			if (at % 32 == 0)
				fprintf(out, "%s.const %u 0x%" PRIx32 ":", at ? "\n" : "", consts[i].bank,
					consts[i].offset + at);
			fprintf(out, " 0x%" PRIx32 "%s", word_at(&consts[i], at), at + 4 < consts[i].size ? "" : "\n");
		}
}

static void write_size(const char *name, uint32_t n, FILE *out)
{
	if (n)
		fprintf(out, ".%s 0x%" PRIx32 "\n", name, n);
}

static uint32_t descriptor_word(const struct image_kernel *k, unsigned at)
{
	const uint8_t *p = k->descriptor + at;

	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* What a compiler's file says of a kernel besides. */
static void write_description(const struct image *im, const struct image_kernel *k, FILE *out)
{
	if (k->descriptor)
		fprintf(out, ".descriptor 0x%" PRIx32 " 0x%" PRIx32 " 0x%" PRIx32 "\n", descriptor_word(k, 48),
			descriptor_word(k, 52), descriptor_word(k, 56));
	write_size("sregs", k->warp_regs, out);
	for (size_t i = 0; i < k->nhidden; i++)
		fprintf(out, ".hidden %s %" PRIu32 " %" PRIu32 "\n", k->hidden[i].kind, k->hidden[i].offset,
			k->hidden[i].size);
	if (k->descriptor)
		write_size("kernarg", k->param_bytes, out);
	write_size("entry", k->entry, out);
	for (size_t i = 0; i < im->nkernels && &im->kernels[i] != k; i++)
		if (im->kernels[i].code == k->code) {
			fprintf(out, ".code %s\n", im->kernels[i].name);
			break;
		}
}

void asm_write_memory(const struct image *im, FILE *out)
{
	const struct image_global *g = &im->globals[im->code_global];
	uint32_t code = im->code_offset, end = code + im->kernels[0].code_bytes;

	fprintf(out, ".memory 0x%" PRIx32 " 0x%" PRIx32 "\n", (g->size + 3) & ~3u, code);
	for (uint32_t at = 0; at < g->filled; at += 16) {
		struct image_const line = { .bytes = g->bytes + at, .size = g->filled - at };
		uint32_t words[4], any = 0, n = line.size < 16 ? (line.size + 3) / 4 : 4;
		for (uint32_t i = 0; i < n; i++) {
			words[i] = at + 4 * i >= code && at + 4 * i < end ? 0 : word_at(&line, 4 * i);
			any |= words[i];
		}
		if (any)
			fprintf(out, ".data 0x%" PRIx32 ":", at);
		for (uint32_t i = 0; any && i < n; i++)
			fprintf(out, " 0x%" PRIx32 "%s", words[i], i + 1 < n ? "" : "\n");
	}
	for (size_t i = 0; i < im->npointers; i++)
		fprintf(out, ".pointer 0x%" PRIx32 " 0x%" PRIx32 "\n", im->pointers[i].offset, im->pointers[i].addend);
}

void asm_write_kernel(const struct image *im, const struct image_kernel *k, FILE *out)
{
	fprintf(out, ".kernel %s\n", k->name);
	write_size("regs", k->regs, out);
	write_size("smem", k->smem, out);
	write_size("lmem", k->lmem, out);
	write_params(k, out);
	write_consts(im->consts, im->nconsts, out);
	write_consts(k->consts, k->nconsts, out);
	write_extent("grid", k->launch.grid, k->launch.grid[2] > 1 ? 3 : 2, out);
	write_extent("block", k->launch.block, 3, out);
	if (k->launch.mps)
		fprintf(out, ".mps %" PRIu32 "\n", k->launch.mps);
	for (const char *const *a = k->launch.args; a && *a; a++)
		fprintf(out, ".arg %s\n", *a);
	for (const char *const *a = k->launch.scene; a && *a; a++)
		fprintf(out, ".scene %s\n", *a);
	for (const char *const *e = k->launch.expect; e && *e; e++)
		fprintf(out, "// expect: %s\n", *e);
	write_description(im, k, out);
	for (size_t i = 0; i < im->nglobals && !im->code_in_global; i++)
		fprintf(out, "// variable %s, %" PRIu32 " bytes of global memory\n", im->globals[i].name,
			im->globals[i].size);
}
