/* Loaders, on files made here: the contents of each kind arrive in the image, and bad files give a diagnostic. */
#include "tests/kit/cmocka_all.h"

#include <string.h>

#include "core/base/diag.h"
#include "core/image.h"
#include "core/load/load.h"
#include "tests/kit/elf_make.h"

#define HEAD "architecture {sm_10}\nabiversion {0}\nmodname {cubin}\n"
#define CODE \
	"code {\n\tname = k\n\tlmem = 8\n\tsmem = 24\n\treg = 2\n\tbar = 1\n" \
	"\tbincode {\n\t\t0x1000c805 0000000000\n\t}\n"

static struct image *load(const void *bytes, size_t size, const struct load_options *o)
{
	struct image *im = NULL;
	struct diag d;
	diag_clear(&d);
	if (!image_load(bytes, size, "file", o, &im, &d))
		fail_msg("%s line %d offset %d", d.text, d.line, (int)d.offset);
	return im;
}

static struct image *load_text(const char *text)
{
	return load(text, strlen(text), NULL);
}

static void refused(const void *bytes, size_t size, const struct load_options *o, const char *part)
{
	struct image *im;
	struct diag d;
	diag_clear(&d);
	assert_false(image_load(bytes, size, "file", o, &im, &d));
	if (!strstr(d.text, part))
		fail_msg("message `%s`, expected `%s`", d.text, part);
	assert_string_equal(d.file, "file");
	assert_false(image_load(bytes, size, NULL, o, &im, NULL));
}

static void text_cubin(void **state)
{
	(void)state;
	struct image *im = load_text(HEAD
		"consts { name = z segname = const segnum = 0 offset = 80 bytes = 56000 }\n"
		"consts { name = v segname = const segnum = 0 offset = 4 bytes = 6 mem { 0x04030201 0x605 } }\n"
		"reloc { name = a segname = reloc segnum = 14 offset = 4 bytes = 8 }\n"
		"reloc { name = b segname = reloc segnum = 14 offset = 0 bytes = 4 }\n"
		"sampler { name = t texunit = 1 }\n"
		CODE "const { segname = const segnum = 1 offset = 0 bytes = 4 mem { 0x4048f5c3 } } }\n"
		"code { name = other smem = 16 reg = 128 bincode { 0x1 } }\n");
	assert_string_equal(im->format, "cubin-text");
	assert_string_equal(im->machine, "tesla");
	assert_string_equal(im->chip, "sm_10");
	assert_string_equal(im->mode, "cp");
	assert_int_equal(im->pointer_bytes, 4);
	assert_int_equal(im->nkernels, 2);
	const struct image_kernel *k = &im->kernels[0];
	assert_string_equal(k->name, "k");
	assert_int_equal(k->lmem, 8);
	assert_int_equal(k->smem, 24);
	assert_int_equal(k->regs, 2);
	assert_int_equal(k->barriers, 1);
	assert_int_equal(k->code_bytes, 8);
	assert_memory_equal(k->code, "\x05\xc8\x00\x10\0\0\0\0", 8);
	assert_int_equal(k->nconsts, 1);
	assert_int_equal(k->consts[0].bank, 1);
	assert_memory_equal(k->consts[0].bytes, "\xc3\xf5\x48\x40", 4);
	assert_int_equal(im->nconsts, 2);
	assert_null(im->consts[0].bytes);
	assert_int_equal(im->consts[0].size, 56000);
	assert_int_equal(im->consts[1].offset, 4);
	assert_int_equal(im->consts[1].size, 6);
	assert_memory_equal(im->consts[1].bytes, "\1\2\3\4\5\6", 6);
	assert_int_equal(im->nglobals, 2);
	assert_string_equal(im->globals[0].name, "a");
	assert_int_equal(im->globals[0].size, 8);
	assert_int_equal(im->nrelocs, 2);
	assert_int_equal(im->relocs[0].bank, 14);
	assert_int_equal(im->relocs[0].offset, 4);
	assert_int_equal(im->relocs[1].global, 1);
	assert_string_equal(im->kernels[1].name, "other");
	image_free(im);
}

static void bad_text_cubins(void **state)
{
	(void)state;
	static const struct { const char *text, *part; int line; } bad[] = {
		{ "architecture {sm_20}\n" CODE "}", "found `sm_20`; expected sm_10, sm_11, sm_12 or sm_13", 1 },
		{ "architecture {", "ends inside `architecture`", 1 },
		{ HEAD, "ends without a kernel", 4 },
		{ HEAD CODE, "ends inside `code`; expected its closing }", 13 },
		{ HEAD CODE "}\n" HEAD, "one architecture only", 14 },
		{ HEAD CODE "} code", "expected a block in { }", 13 },
		{ HEAD CODE "reg = 3 }", "`reg` is given twice", 13 },
		{ HEAD CODE "bincode { 0x1 } }", "`bincode` is given twice", 13 },
		{ HEAD CODE "}" CODE "}", "a second kernel `k`", 13 },
		{ HEAD "code { name = k smem = 16 reg = 2 }", "kernel `k` has no bincode", 4 },
		{ HEAD "code { name = k smem = 16 reg = 2 bincode { } }", "kernel `k` has no bincode", 4 },
		{ HEAD "code { name = k smem = 16 bincode { 0x1 } }", "ends without `reg`", 4 },
		{ HEAD "code { smem = 16 reg = 1 bincode { 0x1 } }", "ends without `name`", 4 },
		{ HEAD "code { name = k reg = 129 }", "reg = 129; expected a number from 0 to 128", 4 },
		{ HEAD "code { name = k smem = 0x4001 }", "smem = 0x4001; expected a number from 0 to 16384", 4 },
		{ HEAD "code { name = k lmem = -4 }", "lmem = -4; expected a number", 4 },
		{ HEAD "code { name = k lmem = 99999999999 }", "lmem = 99999999999; expected", 4 },
		{ HEAD "code { name = = k }", "expected a value after =", 4 },
		{ HEAD "code { name k }", "found `k`; expected = or {", 4 },
		{ HEAD "code { = k }", "found `=`; expected a key or }", 4 },
		{ HEAD "code { name = k bincode { 0x123456789 } }", "found `0x123456789`; expected a 32-bit", 4 },
		{ HEAD "code { name = k bincode { 0x1\n{ } }", "found `{`; expected a 32-bit word", 5 },
		{ HEAD "consts { segnum = 16 offset = 0 bytes = 4 }", "segnum = 16; expected a number from", 4 },
		{ HEAD "consts { segnum = 0 offset = 65533 bytes = 4 }", "4 bytes at offset 65533; a bank has", 4 },
		{ HEAD "consts { segnum = 0 offset = 0 bytes = 8 mem { 0x1 } }", "1 words in mem; bytes = 8", 4 },
		{ HEAD "consts { offset = 0 bytes = 8 }", "consts ends without `segnum`", 4 },
		{ HEAD "reloc { segnum = 14 offset = 65535 bytes = 8 }", "an address at offset 65535", 4 },
		{ HEAD "reloc { segnum = 14 offset = 0 bytes = 4294967295 }", "bytes = 4294967295; expected", 4 },
		{ HEAD "odd { { } ", "ends inside `block`", 4 },
	};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct image *im;
		struct diag d;
		diag_clear(&d);
		refused(bad[i].text, strlen(bad[i].text), NULL, bad[i].part);
		image_load(bad[i].text, strlen(bad[i].text), "file", NULL, &im, &d);
		assert_int_equal(d.line, bad[i].line);
		assert_int_equal(d.kind, DIAG_INPUT);
	}
	struct load_options o = { .format = "cubin-text" };
	refused(CODE "}", strlen(CODE "}"), &o, "no architecture block");
}

static void words_as_text_and_bytes(void **state)
{
	(void)state;
	struct load_options o = { .regs = 7, .smem = 100, .lmem = 16, .entry = 4 };
	struct image *im = load("21e97fcb 00000001\n\n", 19, &o);
	assert_string_equal(im->format, "hex");
	assert_memory_equal(im->kernels[0].code, "\xcb\x7f\xe9\x21\1\0\0\0", 8);
	assert_int_equal(im->kernels[0].regs, 7);
	assert_int_equal(im->kernels[0].smem, 100);
	assert_int_equal(im->kernels[0].lmem, 16);
	assert_int_equal(im->kernels[0].entry, 4);
	image_free(im);
	o = (struct load_options){ .format = "raw", .machine = "other" };
	im = load("\xcb\x7f\xe9\x21\1\0\0\0", 8, &o);
	assert_int_equal(im->kernels[0].code_bytes, 8);
	assert_int_equal(im->kernels[0].regs, 64);
	assert_string_equal(im->machine, "other");
	image_free(im);
	refused("\1\2\3\4\5", 5, &o, "raw words end in 1 odd bytes");
	refused("\1\2\3\4", 4, &(struct load_options){ .format = "raw", .entry = 4 }, "entry 0x4; expected");
	refused("\1\2\3\4\5\6\7\10", 8, &(struct load_options){ .format = "raw", .entry = 2 }, "entry 0x2; expected");
	o.format = "hex";
	refused("12345678 1234567g", 17, &o, "found `1234567g`; expected a word of 8 hex digits");
	refused(" ", 1, &o, "no words");
}

static bool assemble(const char *text, size_t size, const struct load_options *o, struct image *im, struct diag *d)
{
	assert_int_equal(strlen(text), size);
	assert_ptr_equal(o->assemble_context, "context");
	struct image_kernel *k = image_push(&im->arena, &im->kernels, &im->nkernels);
	k->name = "assembled";
	return strcmp(text, "bad") ? true : diag_text(d, 1, 1, "bad text");
}

static void kinds_are_told_apart(void **state)
{
	(void)state;
	static const struct { const char *bytes; size_t size; const char *kind; } rows[] = {
		{ "architecture {sm_10}", 20, "cubin-text" },
		{ "\n architecture\n{", 16, "cubin-text" },
		{ "architecture", 12, "asm" },
		{ "mov b32 $r0 $r1", 15, "asm" },
		{ "12345678", 8, "hex" },
		{ "1234567", 7, "asm" },
		{ "!<arch>\nxxxxxxxxxxxx", 20, "embedded" },
		{ "\177ELF\2\1\1\0\0\0\0\0\0\0\0\0\2\0\x3e\0", 20, "embedded" },
		{ "\177ELF\2\1\1\0\0\0\0\0\0\0\0\0\2\0\xbe\0", 20, "cubin-elf" },
		{ "\1\2\3\4", 4, NULL },
		{ "", 0, NULL },
		{ "\177ELF", 4, NULL },
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct load_format *f = load_sniff(rows[i].bytes, rows[i].size);
		assert_int_equal(!f, !rows[i].kind);
		if (f)
			assert_string_equal(f->name, rows[i].kind);
	}
	refused("", 0, NULL, "the file is empty");
	refused("\1\2", 2, NULL, "begins with bytes 01 02 00 00, which is no known kind");
	refused("__CLANG_OFFLOAD_BUNDLE__\1\0\0", 27, NULL, "is a bundle of code objects, as hipcc makes them");
	refused("CCOB\2\0", 6, NULL, "clang-offload-bundler -unbundle");
	refused("x", 1, &(struct load_options){ .format = "elf" },
		"format `elf` is not known; there is cubin, cubin-text, cubin-elf,");
	refused("nop", 3, NULL, "no assembler is at hand");
	struct load_options o = { .assemble = assemble, .assemble_context = "context" };
	refused("bad", 3, &o, "bad text");
	struct image *im = load("nop", 3, &o);
	assert_string_equal(im->format, "asm");
	assert_string_equal(im->source, "nop");
	assert_string_equal(im->kernels[0].name, "assembled");
	image_free(im);
}

/* ---- ELF ---- */

enum { REGS_5 = 5u << 24 };
#define BARRIERS(n) ((uint64_t)((n) << 20 | 6) << 32)

/* A module with everything: two kernels, parameters, banks, device variables, an address. */
struct module {
	struct make_section s[16];
	unsigned n;
	uint8_t symbols[128], rel[32];
	struct make_elf file;
};

static const uint8_t info[] = {
	1, 1, 0, 0, 4, 0x0a, 2, 0, 9, 9, 3, 0x18, 12, 0,
	4, 0x17, 12, 0, 0xff, 0xff, 0xff, 0xff, 1, 0, 8, 0, 0, 0xf0, 0x13, 0,
	4, 0x17, 12, 0, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 0xf0, 0x23, 0,
};

static void module_sections(struct module *m, int wide)
{
	uint32_t symbols = 0, rel;
	memset(m, 0, sizeof *m);
	symbols += make_symbol(m->symbols + symbols, wide, 0, 0);
	symbols += make_symbol(m->symbols + symbols, wide, 1, 4);     /* 1: entry of one */
	symbols += make_symbol(m->symbols + symbols, wide, 8, 12);    /* 2: a device variable */
	rel = make_rel(m->rel, wide, 4, 2, 1);
	const struct make_section all[] = {
		{ ".text.one", MAKE_PROGBITS | BARRIERS(3), REGS_5 | 1, "\1\2\3\4\5\6\7\10", 8 },
		{ ".nv.info.one", MAKE_PROGBITS, 1, info, sizeof info },
		{ ".nv.shared.one", MAKE_NOBITS, 1, NULL, 44 },
		{ ".nv.local.one", MAKE_NOBITS, 1, NULL, 16 },
		{ ".nv.constant1.one", MAKE_PROGBITS, 1, "abcd", 4 },
		{ ".nv.constant0", MAKE_PROGBITS, 0, "ABCDEFGH", 8 },
		{ ".nv.constant14", MAKE_PROGBITS, 0, "\0\0\0\0\2\0\0\0", 8 },
		{ ".nv.global", MAKE_NOBITS, 0, NULL, 64 },
		{ ".rel.nv.constant14", MAKE_REL, 7, m->rel, rel },
		{ ".symtab", MAKE_SYMTAB, 0, m->symbols, symbols },
		{ ".text.two", MAKE_PROGBITS, 3u << 24, "\1\2\3\4", 4 },
	};
	memcpy(m->s, all, sizeof all);
	m->n = sizeof all / sizeof *all;
}

static void elf_cubin(int wide)
{
	static struct module m;
	module_sections(&m, wide);
	make_cubin(&m.file, wide, 190, 0xa010d, m.s, m.n);
	struct image *im = load(m.file.bytes, m.file.size, NULL);
	assert_string_equal(im->format, "cubin-elf");
	assert_string_equal(im->chip, "sm_13");
	assert_int_equal(im->pointer_bytes, wide ? 8 : 4);
	assert_int_equal(im->nkernels, 2);
	const struct image_kernel *k = &im->kernels[0], *two = &im->kernels[1];
	assert_string_equal(k->name, "one");
	assert_memory_equal(k->code, "\1\2\3\4\5\6\7\10", 8);
	assert_int_equal(k->code_bytes, 8);
	assert_int_equal(k->entry, 4);
	assert_int_equal(k->regs, 5);
	assert_int_equal(k->barriers, 3);
	assert_int_equal(k->smem, 44);
	assert_int_equal(k->lmem, 16);
	assert_int_equal(k->param_bytes, 12);
	assert_int_equal(k->nparams, 2);
	assert_int_equal(k->params[0].size, 8);
	assert_int_equal(k->params[1].ordinal, 1);
	assert_int_equal(k->params[1].offset, 8);
	assert_int_equal(k->params[1].size, 4);
	assert_int_equal(k->nconsts, 1);
	assert_memory_equal(k->consts[0].bytes, "abcd", 4);
	assert_string_equal(two->name, "two");
	assert_int_equal(two->barriers, 0);
	assert_int_equal(two->smem, 16);
	assert_int_equal(im->nconsts, 2);
	assert_int_equal(im->nglobals, 1);
	assert_int_equal(im->globals[0].size, 64);
	assert_int_equal(im->nrelocs, 1);
	assert_int_equal(im->relocs[0].bank, 14);
	assert_int_equal(im->relocs[0].offset, 4);
	assert_int_equal(im->relocs[0].addend, 14);
	image_free(im);
}

static void elf_cubins_of_both_classes(void **state)
{
	(void)state;
	elf_cubin(0);
	elf_cubin(1);
}

/* Each row changes one section of the module: a name of NULL keeps the section's, data NULL keeps data and size. */
static void bad_elf_cubins(void **state)
{
	(void)state;
	enum { KEEP = -1 };
	static const struct { int section; struct make_section to; const char *part; } bad[] = {
		{ 0, { NULL, 1, REGS_5 | 9, NULL, 0 }, "names symbol 9; the file has no such symbol" },
		{ 0, { NULL, 1, REGS_5 | 2, NULL, 0 }, "symbol 2 is no entry of section `.text.one`" },
		{ 0, { NULL, 1, 200u << 24, NULL, 0 }, "says 200 registers; expected at most 128" },
		{ 0, { NULL, 1 | BARRIERS(17), 0, NULL, 0 }, "says 17 barriers; expected at most 16" },
		{ 0, { NULL, 1, 0, "abcdef", 6 }, "has 0x6 bytes of code; expected 32-bit words" },
		{ 0, { NULL, MAKE_NOBITS, 0, NULL, 0 }, "bytes of code; expected 32-bit words" },
		{ 10, { ".text.one", 1, 0, NULL, 0 }, "a second section `.text.one`" },
		{ 1, { NULL, 1, 0, "\4\x17\xff\0", 4 }, "leaves it by 255 bytes" },
		{ 1, { NULL, 1, 0, "\3\x18\xff\xff", 4 }, "says 65535 parameter bytes; expected at most 16368" },
		{ 1, { NULL, 1, 0, "\4\x17", 2 }, "leaves it by 2 bytes" },
		{ 1, { NULL, 1, 0, "\7\x17\0\0", 4 }, "a record of format 7" },
		{ 1, { NULL, 1, 0, "\4\x17\4\0abcd", 8 }, "a parameter record of 4 bytes; expected 12" },
		{ 1, { NULL, 1, 0, "\4\x17\xc\0\0\0\0\0\0\0\0\xff\0\0\xff\xff", 16 }, "a parameter block has at most" },
		{ 1,
		  { NULL, 1, 0, "\3\x18\4\0\4\x17\xc\0\0\0\0\0\0\0\4\0\0\0\x10\0", 20 },
		  "parameter 0 ends at 8; the block has 4" },
		{ 1,
		  { NULL, 1, 0, "\4\x17\xc\0\0\0\0\0\0\0\4\0\0\0\x10\0\4\x17\xc\0\0\0\0\0\0\0\4\0\0\0\x10\0", 32 },
		  "parameter 0 twice" },
		{ 2, { NULL, MAKE_NOBITS, 0, "", 16385 }, "has 0x4001 bytes; expected at most 0x4000" },
		{ 3, { NULL, MAKE_NOBITS, 0, "", 65537 }, "has 0x10001 bytes; expected at most 0x10000" },
		{ 4, { ".nv.constant1.none", 1, 0, NULL, 0 }, "of a kernel without code" },
		{ 5, { ".nv.constant14", 1, 0, NULL, 0 }, "a second section `.nv.constant14`" },
		{ 7, { ".nv.other", 1, 0, NULL, 0 }, "symbol 2, which is no device variable" },
		{ 7, { NULL, MAKE_NOBITS, 0, "", 11 }, "symbol 2 lies 0xc bytes into its section of 0xb" },
		{ 6, { NULL, 1, 0, "abcdefg", 7 }, "puts an address at 0x4; its bank has 0x7 bytes" },
		{ 8, { NULL, MAKE_PROGBITS, 0, NULL, 0 }, "has type 1; expected 9" },
		{ 8, { ".rel.text.one", MAKE_REL, 0, NULL, 0 }, "addresses in code" },
		{ 8, { NULL, MAKE_REL, 0, "\4\0\0\0\2\2\0\0", 8 }, "relocation of type 2; expected 1" },
	};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		static struct module m;
		module_sections(&m, 0);
		struct make_section *s = &m.s[bad[i].section];
		const struct make_section *to = &bad[i].to;
		s->name = to->name ? to->name : s->name;
		s->type = to->type;
		s->info = to->info;
		if (to->data) {
			s->data = s->type == MAKE_NOBITS ? NULL : to->data;
			s->size = to->size;
		}
		make_cubin(&m.file, 0, 190, 10, m.s, m.n);
		refused(m.file.bytes, m.file.size, NULL, bad[i].part);
	}
}

static void bad_elf_headers(void **state)
{
	(void)state;
	static struct module m;
	module_sections(&m, 0);
	make_cubin(&m.file, 0, 190, 20, m.s, m.n);
	refused(m.file.bytes, m.file.size, NULL, "a cubin for sm_20; expected sm_10");
	make_cubin(&m.file, 0, 62, 10, m.s, m.n);
	refused(m.file.bytes, m.file.size, &(struct load_options){ .format = "cubin" },
		"machine 62, byte order 1; expected machine 190");
	make_cubin(&m.file, 0, 190, 10, m.s + 1, 3);
	refused(m.file.bytes, m.file.size, NULL, "no kernel; expected a section .text.NAME");
	make_cubin(&m.file, 0, 190, 10, m.s, m.n);
	refused(m.file.bytes, 40, NULL, "");
	m.file.bytes[50] = 0;         /* index of the section names */
	m.file.bytes[51] = 0;
	refused(m.file.bytes, m.file.size, NULL, "section 1: no name");
}

/* No prefix and no single changed byte may do more than load or be refused. */
static void hostile(const uint8_t *bytes, size_t size)
{
	static uint8_t copy[2 * MAKE_BYTES];
	assert_true(size <= sizeof copy);
	for (size_t i = 0; i < 2 * size; i++) {
		struct image *im;
		struct diag d;
		memcpy(copy, bytes, size);
		if (i >= size)
			copy[i - size] ^= (uint8_t)(1u << (i * 7 % 8));
		if (image_load(copy, i < size ? i : size, "hostile", NULL, &im, &d))
			image_free(im);
		else
			assert_true(d.text[0] && d.kind);
	}
}

static void truncated_and_flipped(void **state)
{
	(void)state;
	static struct module m;
	for (int wide = 0; wide < 2; wide++) {
		module_sections(&m, wide);
		make_cubin(&m.file, wide, 190, 12, m.s, m.n);
		hostile(m.file.bytes, m.file.size);
	}
	hostile((const uint8_t *)HEAD CODE "}\n", strlen(HEAD CODE "}\n"));
}

/* ---- cubins inside other files ---- */

static void cubins_inside_an_executable(void **state)
{
	(void)state;
	static struct module m;
	static uint8_t host[4 * MAKE_BYTES];
	size_t n = 0, elf_at, text_at;
	memcpy(host, "\177ELF\2\1\1\0\0\0\0\0\0\0\0\0\2\0\x3e\0", n = 20);
	n += 13;
	module_sections(&m, 0);
	make_cubin(&m.file, 0, 190, 20, m.s, m.n);                    /* of a later machine: passed over */
	memcpy(host + n, m.file.bytes, m.file.size);
	n += m.file.size;
	make_cubin(&m.file, 0, 190, 11, m.s, m.n);
	memcpy(host + (elf_at = n), m.file.bytes, m.file.size);
	n += m.file.size;
	strcpy((char *)host + n, "architecture {sm_%d}");             /* some program's own text */
	n += 30;
	strcpy((char *)host + (text_at = n),
	       HEAD CODE "}\n" HEAD "code { name = two smem = 16 reg = 1 bincode { 0x1 } }");
	n += strlen((char *)host + n) + 100;
	struct image *im = load(host, n, NULL);
	assert_string_equal(im->format, "embedded");
	assert_int_equal(im->nkernels, 0);
	const struct image *owner, *first = im->next, *second = first->next, *third = second->next;
	assert_string_equal(first->format, "cubin-elf");
	assert_string_equal(first->chip, "sm_11");
	assert_int_equal(first->offset, elf_at);
	assert_string_equal(second->format, "cubin-text");
	assert_int_equal(second->offset, text_at);
	assert_string_equal(third->kernels[0].name, "two");
	assert_null(third->next);
	assert_non_null(image_find(im, "k", NULL, NULL, &owner, NULL));
	assert_ptr_equal(owner, second);
	image_free(im);
	hostile(host, 400);
	refused(host, elf_at, NULL, "a cubin for sm_20");
	refused(host, 25, NULL, "no cubin in the file");
}

/* The pointers of a kernel are those of the host code around it, whatever the class of the cubin. */
static void pointers_are_the_hosts(void **state)
{
	(void)state;
	static const char wide_host[] = "\177ELF\2\1\1\0\0\0\0\0\0\0\0\0\2\0\x3e\0";
	static const char narrow_host[] = "\177ELF\1\1\1\0\0\0\0\0\0\0\0\0\2\0\3\0";
	static struct module m;
	static uint8_t host[4 * MAKE_BYTES];
	for (int wide = 0; wide < 2; wide++) {
		size_t n = 64;
		memset(host, 0, sizeof host);
		memcpy(host, wide ? wide_host : narrow_host, 20);
		for (int inner = 0; inner < 2; inner++) {
			module_sections(&m, inner);
			make_cubin(&m.file, inner, 190, 11, m.s, m.n);
			memcpy(host + n, m.file.bytes, m.file.size);
			n += m.file.size;
		}
		strcpy((char *)host + n, HEAD CODE "}\n");
		n += strlen((char *)host + n) + 1;
		struct image *im = load(host, n, NULL);
		unsigned found = 0;
		for (const struct image *one = im->next; one; one = one->next, found++)
			assert_int_equal(one->pointer_bytes, wide ? 8 : 4);
		assert_int_equal(found, 3);
		image_free(im);
	}
}

/* In an archive each member has its own. */
static void pointers_are_the_members(void **state)
{
	(void)state;
	static const char header[] = "member.o/       0           0     0     644     100       `\n";
	static uint8_t ar[2048];
	size_t n = 8;
	memcpy(ar, "!<arch>\n", 8);
	for (int wide = 1; wide >= 0; wide--) {
		memcpy(ar + n, header, 60);
		memcpy(ar + n + 60, "\177ELF\1\1\1\0\0\0\0\0\0\0\0\0\1\0\3\0", 20);
		ar[n + 64] = wide ? 2 : 1;
		n += 100;
		strcpy((char *)ar + n, HEAD CODE "}\n");
		n += strlen((char *)ar + n) + 1;
	}
	struct image *im = load(ar, n, NULL);
	assert_int_equal(im->next->pointer_bytes, 8);
	assert_int_equal(im->next->next->pointer_bytes, 4);
	image_free(im);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_cubin),
		cmocka_unit_test(bad_text_cubins),
		cmocka_unit_test(words_as_text_and_bytes),
		cmocka_unit_test(kinds_are_told_apart),
		cmocka_unit_test(elf_cubins_of_both_classes),
		cmocka_unit_test(bad_elf_cubins),
		cmocka_unit_test(bad_elf_headers),
		cmocka_unit_test(truncated_and_flipped),
		cmocka_unit_test(cubins_inside_an_executable),
		cmocka_unit_test(pointers_are_the_hosts),
		cmocka_unit_test(pointers_are_the_members),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
