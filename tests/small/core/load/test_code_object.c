/* AMD code objects: two.hsaco of tests/gcn, compiled from the source beside, loads to the source's kernels (the numbers
 * are those of `llvm-readobj --notes` and `readelf`); cut short or with any byte changed the object loads or is
 * refused, nothing else; versions-v2.hsaco to versions-v6.hsaco have the same arguments; the corpus beside the project
 * has the arguments and block sizes of the manifest. */
#include "tests/kit/cmocka_all.h"

#include <elf.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/base/diag.h"
#include "core/load/metadata.h"
#include "core/image.h"
#include "core/load/load.h"
#include "tests/kit/shared.h"

static const char *folder;

static uint8_t *read_file(const char *path, size_t *size)
{
	FILE *f = fopen(path, "rb");
	uint8_t *bytes;

	if (!f)
		fail_msg("%s cannot be opened", path);
	fseek(f, 0, SEEK_END);
	*size = (size_t)ftell(f);
	rewind(f);
	bytes = malloc(*size + 1);
	assert_int_equal(fread(bytes, 1, *size, f), *size);
	fclose(f);
	return bytes;
}

static struct image *load_file(const char *path)
{
	struct image *im;
	struct diag d = { 0 };
	size_t size;
	uint8_t *bytes = read_file(path, &size);

	if (!image_load(bytes, size, path, NULL, &im, &d))
		fail_msg("%s: %s", path, d.text);
	free(bytes);
	return im;
}

static const char *path_of(const char *name)
{
	static char path[512];

	snprintf(path, sizeof path, "%s/%s", folder, name);
	return path;
}

static void test_two_kernels(void **state)
{
	struct image *im = load_file(path_of("two.hsaco"));
	const struct image_kernel *add = &im->kernels[0], *fill = &im->kernels[1];

	(void)state;
	assert_string_equal(im->machine, "gcn");
	assert_string_equal(im->chip, "gfx900");
	assert_int_equal(im->nkernels, 2);
	assert_string_equal(add->name, "add");
	assert_int_equal(add->launch.block[0], 64);
	assert_int_equal(fill->launch.block[0], 0);
	assert_int_equal(add->nparams, 3);
	assert_string_equal(add->params[0].kind, "global_buffer");
	assert_string_equal(add->params[1].kind, "by_value");
	assert_string_equal(add->params[1].type, "int");
	assert_string_equal(add->params[2].kind, "dynamic_shared_pointer");
	assert_int_equal(fill->params[2].offset, 16);
	assert_int_equal(fill->params[2].size, 8);
	assert_int_equal(add->nhidden, 7);
	assert_string_equal(add->hidden[0].kind, "hidden_global_offset_x");
	assert_int_equal(add->hidden[0].offset, 16);
	assert_int_equal(add->code_bytes, 0x1a8);
	assert_int_equal(im->code_offset, 0x1c00);
	assert_true(fill->entry % 256 == 0 && fill->entry < fill->code_bytes);
	assert_int_equal(im->npointers, 2);
	assert_int_equal(im->pointers[0].offset, 0x2da8);
	assert_int_equal(im->pointers[1].addend - im->pointers[0].addend, 16);
	assert_int_equal(im->globals[0].bytes[im->pointers[1].addend], 5);
	image_free(im);
}

static void damage(const char *name)
{
	size_t size;
	uint8_t *bytes = read_file(path_of(name), &size);
	struct image *im;
	unsigned refused = 0;

	for (size_t n = 1; n < size; n += 7) {
		struct diag d = { 0 };
		if (image_load(bytes, n, "cut", &(struct load_options){ .format = "code-object" }, &im, &d))
			image_free(im);
		else
			assert_true(d.text[0]);
	}
	for (size_t i = 0; i < size; i++) {
		struct diag d = { 0 };
		uint8_t was = bytes[i];
		bytes[i] ^= (uint8_t)(1u << i % 8 | 0x80);
		if (image_load(bytes, size, "changed", &(struct load_options){ .format = "code-object" }, &im, &d)) {
			image_free(im);
		} else {
			assert_true(d.text[0]);
			refused++;
		}
		bytes[i] = was;
	}
	assert_true(refused > 100);
	free(bytes);
}

static void test_damaged(void **state)
{
	(void)state;
	damage("two.hsaco");
	damage("versions-v2.hsaco");
}

/* A source in five versions: the same arguments at the same offsets, and each version's implicit arguments. */
static void test_versions(void **state)
{
	static const char *const kinds[] = { "global_buffer", "by_value", "by_value", "global_buffer" };
	static const unsigned offsets[] = { 0, 8, 16, 24 }, sizes[] = { 8, 2, 8, 8 };

	(void)state;
	for (unsigned version = 2; version <= 6; version++) {
		char name[32];
		snprintf(name, sizeof name, "versions-v%u.hsaco", version);
		struct image *im = load_file(path_of(name));
		const struct image_kernel *k = im->kernels;
		assert_string_equal(im->chip, "tonga");
		assert_int_equal(im->nkernels, 1);
		assert_string_equal(k->name, "describe");
		assert_int_equal(k->smem, 32);
		assert_int_equal(k->lmem, 48);
		assert_int_equal(k->nparams, 4);
		for (unsigned i = 0; i < 4; i++) {
			assert_string_equal(k->params[i].kind, kinds[i]);
			assert_int_equal(k->params[i].offset, offsets[i]);
			assert_int_equal(k->params[i].size, sizes[i]);
		}
		assert_string_equal(k->params[2].type, "ulong");
		if (version >= 5) {
			assert_string_equal(k->hidden[0].kind, "hidden_block_count_x");
			assert_int_equal(k->hidden[0].offset, 32);
			assert_string_equal(k->hidden[8].kind, "hidden_remainder_z");
			assert_int_equal(k->hidden[8].offset, 32 + 22);
			assert_int_equal(k->hidden[8].size, 2);
		}
		assert_int_equal(k->entry, version == 2 ? k->labels[0].pc : k->entry);
		image_free(im);
	}
}

/* An object of version 2 with e_flags of no chip, and without metadata. */
static void test_version_2_without(void **state)
{
	static const char owner[] = "AMD\0---\nVersion";
	size_t size;
	uint8_t *bytes = read_file(path_of("versions-v2.hsaco"), &size), *metadata;
	struct image *im;
	struct diag d = { 0 };

	(void)state;
	((Elf64_Ehdr *)bytes)->e_flags = 2;
	assert_true(image_load(bytes, size, "flags", NULL, &im, &d));
	assert_string_equal(im->chip, "tonga");
	assert_int_equal(im->kernels[0].nparams, 4);
	image_free(im);
	metadata = memmem(bytes, size, owner, sizeof owner - 1);
	assert_non_null(metadata);
	assert_int_equal(metadata[-4], 10);
	metadata[-4] = 12;
	assert_true(image_load(bytes, size, "no metadata", NULL, &im, &d));
	assert_int_equal(im->nkernels, 1);
	assert_string_equal(im->kernels[0].name, "describe");
	assert_int_equal(im->kernels[0].nparams, 0);
	assert_int_equal(im->kernels[0].param_bytes, 32);
	image_free(im);
	free(bytes);
}

/* The first section of a type. */
static Elf64_Shdr *section(uint8_t *bytes, unsigned type)
{
	const Elf64_Ehdr *h = (Elf64_Ehdr *)bytes;

	for (unsigned i = 0; i < h->e_shnum; i++)
		if (((Elf64_Shdr *)(bytes + h->e_shoff))[i].sh_type == type)
			return (Elf64_Shdr *)(bytes + h->e_shoff) + i;
	fail();
	return NULL;
}

/* A symbol of the object without a definition: missing where an address is made of the symbol, and not weak. */
static void test_undefined(void **state)
{
	size_t size;
	uint8_t *bytes = read_file(path_of("two.hsaco"), &size);
	Elf64_Sym *sym = (Elf64_Sym *)(bytes + section(bytes, SHT_DYNSYM)->sh_offset) + 1;
	Elf64_Rela *pointer = (Elf64_Rela *)(bytes + section(bytes, SHT_RELA)->sh_offset);
	struct image *im;
	struct diag d = { 0 };

	(void)state;
	sym->st_shndx = SHN_UNDEF;
	sym->st_info = ELF64_ST_INFO(STB_GLOBAL, STT_NOTYPE);
	assert_true(image_load(bytes, size, "unused", NULL, &im, &d));
	image_free(im);
	pointer->r_info = ELF64_R_INFO(1, 3);   /* the symbol, absolute, of 64 bits */
	pointer->r_addend = 0;
	assert_false(image_load(bytes, size, "undefined", NULL, &im, &d));
	assert_non_null(strstr(d.text, "\"add\" is used, and the object does not have it"));
	sym->st_info = ELF64_ST_INFO(STB_WEAK, STT_NOTYPE);
	assert_true(image_load(bytes, size, "weak", NULL, &im, &d));
	image_free(im);
	free(bytes);
}

/* A tree as text: maps in braces, arrays in brackets, numbers bare, texts in quotes. */
static void write_tree(const struct metadata *m, char *to, size_t n)
{
	size_t used = 1;

	if (m->kind == METADATA_NUMBER) {
		snprintf(to, n, "%lu", (unsigned long)m->number);
		return;
	}
	if (m->kind == METADATA_TEXT) {
		snprintf(to, n, "'%.*s'", (int)m->n, m->text);
		return;
	}
	strcpy(to, m->kind == METADATA_LIST ? "[" : m->kind == METADATA_MAP ? "{" : "?");
	for (size_t i = 0; i < m->n; i++, used += strlen(to + used)) {
		const struct metadata *key = &m->node[2 * i];
		if (m->kind == METADATA_MAP)
			used += (size_t)snprintf(to + used, n - used, "%.*s:", (int)key->n, key->text);
		write_tree(m->kind == METADATA_MAP ? key + 1 : &m->node[i], to + used, n - used);
		strcat(to, " ");
	}
	strcat(to, m->kind == METADATA_LIST ? "]" : m->kind == METADATA_MAP ? "}" : "");
}

static void test_yaml(void **state)
{
	static const struct { const char *text, *tree; } cases[] = {
		{ "", "''" },
		{ "---\n...\n", "''" },
		{ "a: 1\nb: x y # z\n", "{a:1 b:'x y' }" },
		{ "---\na:\n  b: 2\n  c:   'it''s: #1'\nd:\n...\n", "{a:{b:2 c:'it's: #1' } d:'' }" },
		{ "a:\n  - x: 1\n    y: 2\n  - x: 3\nb: [ 1, two, \"t,\\\"h\" ]",
		  "{a:[{x:1 y:2 } {x:3 } ] b:[1 'two' 't,\"h' ] }" },
		{ "a: { b: 1 }\nc: |\n  d: 2\n", "{a:{b:1 } c:'d: 2\n' }" },
		{ "1: '2'\n", "{1:'2' }" },
		{ "a:\n- 1\n- - 2\n  - 3\n-\n  4\nb: []\n", "{a:[1 [2 3 ] 4 ] b:[] }" },
		{ "p: [ 'a',\r\n     b ]\r\nq: std::x\r\n", "{p:['a' 'b' ] q:'std::x' }" },
		{ "n: 123456789012345678\nm: 1234567890123456789\n",
		  "{n:123456789012345678 m:'1234567890123456789' }" },
	};
	static const struct { const char *text, *error; } bad[] = {
		{ "a: 1\n  b: 2\n", "line 2 of the metadata, column 4: mapping values are not allowed" },
		{ "a: &b 1\nc: *b\n", "line 2 of the metadata, column 4: expected a text" },
		{ "? [ a ]\n: 1\n", "line 1 of the metadata, column 3: expected a text as key" },
		{ "a: [ 1, 2\n", "expected ',' or ']'" },
		{ "a: 'b\n", "unexpected end of stream" },
		{ "- - - - - - - - - - - - - - - - - x", "expected fewer levels" },
		{ "a\n---\nb\n", "expected the end" },
		{ "a: \xff\n", "invalid leading UTF-8 octet" },
	};
	struct arena arena = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char tree[512] = "";
		struct metadata o;
		struct diag d = { 0 };
		if (!metadata_of_yaml(&arena, cases[i].text, strlen(cases[i].text), &o, &d))
			fail_msg("case %zu: %s", i, d.text);
		write_tree(&o, tree, sizeof tree);
		assert_string_equal(tree, cases[i].tree);
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct metadata o;
		struct diag d = { 0 };
		assert_false(metadata_of_yaml(&arena, bad[i].text, strlen(bad[i].text), &o, &d));
		if (!strstr(d.text, bad[i].error))
			fail_msg("case %zu: %s", i, d.text);
	}
	arena_free(&arena);
}

/* Every form of MessagePack that metadata has, and damaged ones. */
static void test_msgpack(void **state)
{
	static const struct { size_t n; const char *bytes, *tree; } cases[] = {
		{ 1, "\x05", "5" },
		{ 1, "\xc0", "?" },
		{ 2, "\xcc\xff", "255" },
		{ 9, "\xcf\x00\x00\x00\x01\x00\x00\x00\x02", "4294967298" },
		{ 4, "\xa3" "abc", "'abc'" },
		{ 5, "\xd9\x03" "abc", "'abc'" },
		{ 1, "\xa0", "''" },
		{ 4, "\x93\x01\xa0\xff", "[1 '' ? ]" },
		{ 8, "\x82\xa1" "a\x01\xa1" "b\x91\x02", "{a:1 b:[2 ] }" },
		{ 7, "\x92\xc4\x02\x00\x01\xd4\x05", NULL },        /* a byte of an extension is missing */
		{ 8, "\x92\xc4\x02\x00\x01\xd4\x05\x06", "[? ? ]" },
		{ 5, "\x93\xc0\xc3\x90\x80", "[? ? [] ]" },
		{ 3, "\xa3" "ab", NULL },
		{ 5, "\xdd\xff\xff\xff\xff", NULL },                 /* more nodes than bytes */
		{ 5, "\xdf\xff\xff\xff\xff", NULL },
		{ 5, "\xdb\xff\xff\xff\xff", NULL },
		{ 18, "\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x01", NULL },
		{ 1, "\xc1", NULL },
		{ 0, "", NULL },
	};
	struct arena arena = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char tree[512] = "";
		struct metadata m;
		bool ok = metadata_of_msgpack(&arena, cases[i].bytes, cases[i].n, &m);
		if (ok != (cases[i].tree != NULL))
			fail_msg("case %zu: %s", i, ok ? "read" : "refused");
		if (!ok)
			continue;
		write_tree(&m, tree, sizeof tree);
		assert_string_equal(tree, cases[i].tree);
	}
	arena_free(&arena);
}

/* The object of each kernel of the manifest, for four chips: arguments by size, block. */
static void test_corpus(void **state)
{
	static const char *const chips[] = { "tahiti", "bonaire", "tonga", "gfx900" };
	char path[512], line[256], name[64];
	unsigned grid[2], local[2], objects = 0;
	FILE *manifest;

	(void)state;
	shared_path(path, sizeof path, "corpus/gcn/expected/manifest.txt");
	manifest = fopen(path, "r");
	assert_non_null(manifest);
	struct image *im[4] = { NULL };
	unsigned arg = 0;
	while (fgets(line, sizeof line, manifest)) {
		if (sscanf(line, "kernel %63s groups %u %u local %u %u", name, &grid[0], &grid[1], &local[0],
			   &local[1]) == 5) {
			for (unsigned i = 0; i < 4; i++) {
				char file[128];
				if (im[i])
					assert_int_equal(im[i]->kernels[0].nparams, arg);
				image_free(im[i]);
				snprintf(file, sizeof file, "corpus/gcn/%s/%s_O0.hsaco", chips[i], name);
				im[i] = load_file(shared_path(path, sizeof path, file));
				assert_string_equal(im[i]->chip, chips[i]);
				assert_string_equal(im[i]->kernels[0].name, name);
				assert_int_equal(im[i]->kernels[0].launch.block[0], local[0]);
				assert_int_equal(im[i]->kernels[0].launch.block[1], local[1]);
				objects++;
			}
			arg = 0;
		} else if (!strncmp(line, "arg ", 4)) {
			unsigned bytes = strncmp(line + 4, "u32", 3) && strncmp(line + 4, "f32", 3) ? 8 : 4;
			for (unsigned i = 0; i < 4; i++)
				assert_int_equal(im[i]->kernels[0].params[arg].size, bytes);
			arg++;
		}
	}
	for (unsigned i = 0; i < 4; i++)
		image_free(im[i]);
	fclose(manifest);
	assert_int_equal(objects, 4 * 15);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_two_kernels),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_versions),
		cmocka_unit_test(test_version_2_without),
		cmocka_unit_test(test_undefined),
		cmocka_unit_test(test_yaml), cmocka_unit_test(test_msgpack),
		cmocka_unit_test(test_corpus),
	};

	folder = argc > 1 ? argv[1] : "tests/gcn";
	return cmocka_run_group_tests(tests, NULL, NULL);
}
