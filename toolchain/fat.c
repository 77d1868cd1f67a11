/* Fat binaries, for themselves and inside executables, objects and libraries of CUDA: the first PTX of each is
 * compiled. Cubins of chips since sm_20 have another instruction set; those of the first chips are found by
 * core/load/embedded.c as before. */
#include <string.h>

#include "core/load/fat_binary.h"
#include "core/load/load.h"
#include "toolchain/language.h"
#include "toolchain/ptx.h"
#include "toolchain/source.h"

enum { SM_READ_END = 20 };

bool fat_sniff(const uint8_t *bytes, size_t size)
{
	struct fat_search s = { .bytes = bytes, .size = size };
	struct fat_entry e;
	bool any = false;

	if (!fat_size(bytes, size) && (size < 20 || (memcmp(bytes, "\177ELF", 4) && memcmp(bytes, "!<arch>\n", 8))))
		return false;
	while (fat_next(&s, &e)) {
		if (e.kind == FAT_CUBIN && e.sm < SM_READ_END)
			return false;
		any = true;
	}
	return any;
}

/* A set of fat binaries with PTX taken, and what cubins there are. */
struct taking {
	struct images images;
	unsigned taken_binary;   /* fat binary whose PTX was taken last, + 1 */
	unsigned failed;         /* PTX without the wanted kernel */
	uint32_t cubin_sm;       /* of a cubin; 0: none */
};

/* Whether PTX has an entry that may be the wanted one: other sources of an executable have other kernels. */
static bool may_have(const struct build *b, const char *ptx, size_t n)
{
	const char *kernel = b->options->kernel;

	return memmem(ptx, n, ".entry", 6) && (!kernel || memmem(ptx, n, kernel, strlen(kernel)));
}

static bool take(struct build *b, struct taking *t, const struct fat_entry *e)
{
	size_t n;
	const char *ptx;

	if (e->kind == FAT_CUBIN)
		t->cubin_sm = e->sm;
	if (e->kind != FAT_PTX || t->taken_binary == e->binary + 1)
		return true;
	ptx = fat_bytes(b->arena, e, &n, b->diag);
	if (!ptx)
		return false;
	while (n && !ptx[n - 1])
		n--;
	t->taken_binary = e->binary + 1;
	if (!may_have(b, ptx, n)) {
		t->failed++;
		return true;
	}
	if (!ptx_image(b, ptx, n, NULL) || !source_find(b)) {
		b->diag->offset = (int64_t)e->offset;
		return false;
	}
	b->image->offset = e->offset;
	b->image->format = "fatbin";
	images_take(&t->images, b);
	return true;
}

static bool nothing(struct build *b, const struct taking *t)
{
	if (t->failed && b->options->kernel)
		return diag_set(b->diag, DIAG_USAGE, "no PTX in the file has the kernel `%.60s`", b->options->kernel);
	if (t->failed)
		return diag_set(b->diag, DIAG_INPUT, "the PTX in the file has no kernel");
	return diag_set(b->diag, DIAG_INPUT, "the file has machine code for sm_%u, which no chip here runs, and no "
			"PTX: nvcc -arch=sm_%u puts PTX beside it, or -gencode arch=compute_75,code=compute_75",
			t->cubin_sm, t->cubin_sm);
}

bool fat_make(struct build *b)
{
	struct fat_search s = { .bytes = (const uint8_t *)b->bytes, .size = b->size };
	struct taking t = { 0 };
	struct fat_entry e;
	bool ok = true;

	while (ok && fat_next(&s, &e))
		ok = take(b, &t, &e);
	if (ok && !t.images.begin)
		ok = nothing(b, &t);
	b->image = t.images.begin;
	return ok || diag_in_file(b->diag, b->name);
}
