/* Choice of a loader by a file's first bytes or by name. */
#include "core/load/load.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/text.h"
#include "core/load/image_file.h"
#include "core/load/loader.h"
#include "core/load/shbin.h"

bool text_matches(const uint8_t *bytes, size_t size)
{
	unsigned other = 0;

	for (size_t i = 0; i < size && !other;)
		for (size_t end = size - i < 4096 ? size : i + 4096; i < end; i++)
			other |= (bytes[i] == 0x7f) | ((bytes[i] < ' ') & ((bytes[i] < '\t') | (bytes[i] > '\r')));
	return size && !other;
}

static bool assembly_load(struct load *l)
{
	struct image *im = l->image;
	im->source = arena_lines(&im->arena, (const char *)l->bytes, l->size);
	if (!im->source)
		return load_no_memory(l);
	if (!l->options->assemble)
		return diag_set(l->diag, DIAG_INPUT, "this looks like assembly text, and no assembler is at hand here");
	if (l->options->machine && !(im->machine = arena_strdup(&im->arena, l->options->machine)))
		return load_no_memory(l);
	return l->options->assemble((const char *)l->bytes, l->size, l->options, im, l->diag);
}

static const struct load_format formats[] = {
	{ "cubin-text", "text cubin (architecture {sm_10} …)", cubin_text_matches, cubin_text_load },
	{ "cubin-elf", "ELF cubin (machine 190)", cubin_elf_matches, cubin_elf_load },
	{ "code-object", "AMD code object (ELF, machine 224)", code_object_matches, code_object_load },
	{ "shbin", "shader file (DVLB)", shbin_sniff, shbin_image_load },
	{ "embedded", "cubins inside an executable or archive", embedded_matches, embedded_load },
	{ "image", "compiled program of a lab page", image_file_matches, image_file_load },
	{ "hex", "program words as text, 8 hex digits each", hex_matches, hex_load },
	{ "asm", "assembly text", text_matches, assembly_load },
	{ "raw", "program words as bytes, little-endian", NULL, raw_load },
};

enum { FORMATS = sizeof formats / sizeof *formats };

const struct load_format *load_format(size_t index)
{
	return index < FORMATS ? &formats[index] : NULL;
}

const struct load_format *load_sniff(const void *bytes, size_t size)
{
	for (size_t i = 0; i < FORMATS; i++) {
		if (formats[i].matches && formats[i].matches(bytes, size))
			return &formats[i];
	}
	return NULL;
}

static const struct load_format *unknown_format(const char *name, struct diag *d)
{
	char names[128] = "";
	for (size_t i = 0; i < FORMATS; i++) {
		strncat(names, i ? ", " : "", sizeof names - strlen(names) - 1);
		strncat(names, formats[i].name, sizeof names - strlen(names) - 1);
	}
	diag_set(d, DIAG_USAGE, "format `%.40s` is not known; there is cubin, %s", name, names);
	return NULL;
}

static const struct load_format *format_named(const char *name, const uint8_t *bytes, size_t size, struct diag *d)
{
	if (!strcmp(name, "cubin"))
		name = size >= 4 && !memcmp(bytes, "\177ELF", 4) ? "cubin-elf" : "cubin-text";
	for (size_t i = 0; i < FORMATS; i++) {
		if (!strcmp(formats[i].name, name))
			return &formats[i];
	}
	return unknown_format(name, d);
}

/* Whether the bytes are of clang-offload-bundler, plain (which toolchain/bundle.c takes apart) or compressed. */
static bool bundled(const uint8_t *bytes, size_t size)
{
	static const char plain[] = "__CLANG_OFFLOAD_BUNDLE__", compressed[] = "CCOB";

	return (size >= sizeof plain - 1 && !memcmp(bytes, plain, sizeof plain - 1)) ||
	       (size >= sizeof compressed - 1 && !memcmp(bytes, compressed, sizeof compressed - 1));
}

#ifndef __wasm__
/* Is it a binary of Mesa's Gallium driver? Kernels, in number; the first begins with the length of its name, and the
 * name. */
static bool gallium(const uint8_t *bytes, size_t size)
{
	enum { KERNELS_MAX = 1024, NAME_MAX_BYTES = 255 };
	uint32_t n = size > 8 ? le32(bytes + 4) : 0;

	if (!n || n > NAME_MAX_BYTES || size - 8 <= n || le32(bytes) - 1 >= KERNELS_MAX)
		return false;
	for (uint32_t i = 0; i < n; i++)
		if (!isalnum(bytes[8 + i]) && bytes[8 + i] != '_')
			return false;
	return true;
}

/* Files beside programs, by the first bytes. */
static const struct { const char *magic; uint8_t n; const char *text; } kinds[] = {
#define KERNELS "kernels are read as OpenCL C, CUDA C++, HIP C++, PTX, cubins or code objects"
	{ "\3\2\43\7", 4, "is SPIR-V, which is not read: " KERNELS },
	{ "\7\43\2\3", 4, "is SPIR-V, which is not read: " KERNELS },
	{ "BC\300\336", 4, "is LLVM's bitcode, which is not read: clang -target amdgcn-amd-amdhsa -mcpu=gfx900 "
	  "-nogpulib FILE.bc -o FILE.hsaco makes a program of AMD's chips, llc -march=nvptx64 a file of PTX" },
	{ "DXBC", 4, "is a shader of Direct3D, which is not read: " KERNELS },
	{ "\37\213", 2, "is compressed (gzip): gunzip first" },
	{ "\375\67zXZ", 5, "is compressed (xz): unxz first" },
	{ "\50\265\57\375", 4, "is compressed (zstd): unzstd first" },
	{ "PK\3\4", 4, "is an archive (zip): unzip first" },
	{ "MZ", 2, "is a program of Windows, which is not read: nvcc -ptx makes a file of CUDA kernels" },
	{ "\211PNG", 4, "is a picture (PNG): expected a program" },
	{ "MTLB", 4, "is a library of Metal's shaders, which is not read: " KERNELS },
	{ "\336\300\27\13", 4, "is LLVM's bitcode in a wrapper, as of Metal's compiler, which is not read: "
	  KERNELS },
	{ "\317\372\355\376", 4, "is a program of macOS, which is not read: " KERNELS },
	{ "\312\376\272\276\0\0\0\1", 8, "is a program of macOS, which is not read: " KERNELS },
	{ "\312\376\272\276\0\0\0\2", 8, "is a program of macOS, which is not read: " KERNELS },
	{ "\312\376\272\276", 4, "is a class of Java, which is not run: " KERNELS ", and Aparapi and "
	  "TornadoVM write OpenCL C" },
	{ "\0asm", 4, "is WebAssembly, which is not run: " KERNELS },
	{ "BZh", 3, "is compressed (bzip2): bunzip2 first" },
	{ "7z\274\257", 4, "is an archive (7z): 7z x first" },
	{ "\211HDF", 4, "is data (HDF5): expected a program" },
	{ "\223NUMPY", 6, "is data (NumPy): expected a program; the numbers, without the header, go into "
	  "-a in=FILE" },
	{ "\377\330\377", 3, "is a picture (JPEG): expected a program" },
	{ "%PDF", 4, "is a document (PDF): expected a program" },
#undef KERNELS
};
#endif

/* The kind of a file beside programs, by the first bytes; NULL: unknown. A page opens no such files. */
static const char *other_kind(const uint8_t *bytes, size_t size)
{
#ifndef __wasm__
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (size >= kinds[i].n && !memcmp(bytes, kinds[i].magic, kinds[i].n))
			return kinds[i].text;
	if (size > 8 && bytes[2] == '\r' && bytes[3] == '\n' && (bytes[1] >> 4 == 0xf || bytes[1] < ' '))
		return "is compiled Python, which is not run: Numba's cuda.compile_ptx and the asm[\"ptx\"] of "
		       "Triton's compiled kernels are PTX, and PyOpenCL takes OpenCL C";
	if (gallium(bytes, size))
		return "is a binary of Mesa's driver (CLRX calls its format gallium), which is not read; CLRX's "
		       "disassembler makes a text of it that asm reads: clrxdisasm -a --config FILE";
#endif
	return NULL;
}

/* Say what the bytes are, and the way out. */
static void explain_bytes(const uint8_t *bytes, size_t size, struct diag *d)
{
	const char *kind = other_kind(bytes, size);

	if (bundled(bytes, size)) {
		diag_at(d, 0, "is a bundle of code objects, as hipcc makes them; take one out first: "
			"clang-offload-bundler -unbundle -type=o -targets=hipv4-amdgcn-amd-amdhsa--gfx900 "
			"-input=FILE -output=FILE.hsaco (-inputs and -outputs up to version 14)");
	} else if (kind) {
		diag_at(d, 0, "%s", kind);
	} else {
		diag_at(d, 0, "begins with bytes %02x %02x %02x %02x, which is no known kind of program; "
			"format raw takes any bytes as program words", bytes[0], size > 1 ? bytes[1] : 0,
			size > 2 ? bytes[2] : 0, size > 3 ? bytes[3] : 0);
	}
}

static const struct load_format *format_of(const uint8_t *bytes, size_t size, const struct load_options *o,
					   struct diag *d)
{
	if (!size) {
		diag_set(d, DIAG_INPUT, "the file is empty; expected a program");
		return NULL;
	}
	if (o->format)
		return format_named(o->format, bytes, size, d);
	const struct load_format *f = load_sniff(bytes, size);
	if (!f)
		explain_bytes(bytes, size, d);
	return f;
}

/* A copy with a NUL at the end, owned by the image; a separate allocation, so that memory checkers see the end. */
static const uint8_t *copy_bytes(struct image *im, const void *bytes, size_t size)
{
	im->bytes = malloc(size + 1);
	if (im->bytes) {
		memcpy(im->bytes, bytes, size);
		im->bytes[size] = '\0';
	}
	return im->bytes;
}

/* Replace a text of the file by its clean form, in the image's arena. */
static bool clean(struct image *im, const char **text)
{
	size_t n = *text ? strlen(*text) : 0;

	if (!n || text_clean(*text, n, "", NULL, 0) == n)
		return true;
	*text = arena_text(&im->arena, *text, n);
	return *text;
}

static bool clean_kernel(struct image *im, struct image_kernel *k)
{
	bool ok = clean(im, &k->name) && clean(im, &k->compiler) && clean(im, &k->vector_hint);

	for (size_t i = 0; i < k->nlabels; i++)
		ok = ok && clean(im, &k->labels[i].name);
	for (size_t i = 0; i < k->nparams; i++)
		ok = ok && clean(im, &k->params[i].name) && clean(im, &k->params[i].type) &&
		     clean(im, &k->params[i].kind) && clean(im, &k->params[i].space) &&
		     clean(im, &k->params[i].access);
	for (size_t i = 0; i < k->nnames; i++)
		ok = ok && clean(im, &k->names[i].name) && clean(im, &k->names[i].value);
	return ok;
}

/* Names from every loader can be shown; texts of launches stay unchanged, with names of the host's files. */
static bool clean_names(struct image *first)
{
	for (struct image *im = first; im; im = im->next)
		for (size_t i = 0; i < im->nkernels; i++)
			if (!clean_kernel(im, &im->kernels[i]))
				return false;
	return true;
}

bool image_load(const void *bytes, size_t size, const char *name, const struct load_options *o, struct image **out,
		struct diag *d)
{
	static const struct load_options none;
	struct load l = { .size = size, .options = o ? o : &none, .diag = d };
	const struct load_format *f = format_of(bytes, size, l.options, d);
	if (!f)
		return diag_in_file(d, name);
	l.image = image_new(name, f->name, "tesla");
	if (!l.image)
		return load_no_memory(&l);
	l.bytes = copy_bytes(l.image, bytes, size);
	if (l.bytes ? f->load(&l) && (clean_names(l.image) || load_no_memory(&l)) : load_no_memory(&l)) {
		*out = l.image;
		return true;
	}
	image_free(l.image);
	return diag_in_file(d, name);
}
