/* Cubins inside other files: executables and archives of the CUDA toolkit carry whole cubins, as ELF images or as
 * NUL-terminated texts, anywhere in the file; found by their first bytes. */
#include <string.h>

#include "core/load/loader.h"

enum { LIMIT_FOUND = 4096 };

struct search {
	struct load *l;
	struct image *chain_end; /* of the chain */
	struct diag first_error; /* of a place that began like a cubin */
	unsigned tries, found;
	uint32_t pointer_bytes;  /* of the host code around the place; 0: the host does not say */
};

/* The pointers of kernels are as wide as those of the launching code, whatever the cubin's own class: the class of the
 * executable, in an archive that of the member. */
static void note_host(struct search *f, size_t at)
{
	enum { EI_CLASS = 4, CLASS_32 = 1, CLASS_64 = 2, MACHINE = 18, MACHINE_CUBIN = 190, LEAST = 20 };
	const uint8_t *p = f->l->bytes + at;
	bool member = at >= 2 && p[-2] == '`' && p[-1] == '\n';     /* right after an archive's member header */
	if ((at && !member) || f->l->size - at < LEAST || memcmp(p, "\177ELF", 4) || le16(p + MACHINE) == MACHINE_CUBIN)
		return;
	f->pointer_bytes = p[EI_CLASS] == CLASS_64 ? 8 : p[EI_CLASS] == CLASS_32 ? 4 : 0;
}

/* Try to load at a place: on success the image joins the chain. *used: bytes that the search may skip. */
static bool try_at(struct search *f, size_t at, size_t size, bool elf, size_t *used)
{
	struct load one = *f->l;
	struct diag d;
	one.bytes += at;
	one.size = size;
	one.offset += at;
	one.diag = &d;
	one.image = image_new(f->l->image->file, elf ? "cubin-elf" : "cubin-text", f->l->image->machine);
	if (!one.image)
		return load_no_memory(f->l);
	diag_clear(&d);
	*used = 1;
	if (elf ? cubin_elf_load(&one) : cubin_text_part(&one, used)) {
		one.image->offset = one.offset;
		if (f->pointer_bytes)
			one.image->pointer_bytes = f->pointer_bytes;
		f->chain_end->next = one.image;
		f->chain_end = one.image;
		f->found++;
		return true;
	}
	image_free(one.image);
	if (d.kind == DIAG_ENV) {
		if (f->l->diag)
			*f->l->diag = d;
		return false;
	}
	if (!f->first_error.kind) {
		d.offset = d.offset < 0 ? (int64_t)one.offset : d.offset;
		f->first_error = d;
	}
	return true;
}

static bool text_at(const uint8_t *p, size_t left)
{
	static const char start[] = "architecture {sm_";
	return left >= sizeof start - 1 && !memcmp(p, start, sizeof start - 1);
}

static bool search(struct search *f)
{
	const uint8_t *bytes = f->l->bytes;
	size_t size = f->l->size;
	for (size_t at = 0, used; at < size; at += used) {
		size_t left = size - at;
		const uint8_t *p = bytes + at;
		used = 1;
		if (*p == 0x7f)
			note_host(f, at);
		bool elf = *p == 0x7f && cubin_elf_matches(p, left), text = *p == 'a' && text_at(p, left);
		if (!elf && !text)
			continue;
		if (f->tries++ == LIMIT_FOUND)
			return diag_at(f->l->diag, (int64_t)at, "more than %d places that begin like a cubin",
				       LIMIT_FOUND);
		const uint8_t *nul = text ? memchr(p, 0, left) : NULL;
		if (!try_at(f, at, nul ? (size_t)(nul - p) : left, elf, &used))
			return false;
		used = used ? used : 1;
	}
	return true;
}

bool embedded_matches(const uint8_t *bytes, size_t size)
{
	return size >= 20 && (!memcmp(bytes, "\177ELF", 4) || !memcmp(bytes, "!<arch>\n", 8));
}

/* Binaries of AMD's Catalyst and PRO drivers, by the ELF header's machine (facts: CLRX, amdbin): OpenCL 2.0's, and
 * OpenCL 1.2's with a number for each device. */
static const char *amd_driver(const struct load *l)
{
	if (!embedded_matches(l->bytes, l->size) || memcmp(l->bytes, "\177ELF", 4) != 0)
		return NULL;
	unsigned machine = l->bytes[18] | l->bytes[19] << 8;
	return machine == 0xaf5b || machine == 0xaf5a ? "amdcl2" : machine >= 0x3fd && machine < 0x440 ? "amd" : NULL;
}

bool embedded_load(struct load *l)
{
	struct search f = { .l = l, .chain_end = l->image };
	const char *driver = amd_driver(l);

	if (driver)
		return diag_set(l->diag, DIAG_INPUT, "a binary of AMD's Catalyst or PRO driver (CLRX calls its format "
				"%s), which is not read; CLRX's disassembler makes a text of it that is: clrxdisasm "
				"--config FILE >FILE.asm", driver);
	if (!search(&f))
		return false;
	if (f.found)
		return true;
	if (!f.first_error.kind)
		return diag_set(l->diag, DIAG_INPUT, "no cubin in the file, neither ELF (machine 190) nor "
				"text: a host's program or object; nvcc -ptx makes a file of CUDA kernels, and "
				"warpbeam run -- PROGRAM starts a program that uses OpenCL, CUDA or HIP");
	if (l->diag)
		*l->diag = f.first_error;
	return false;
}
