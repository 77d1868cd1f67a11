/* Every cubin of others (../shared): kernel names, registers, shared bytes, constants and parameters are what the files
 * say. The expectations are the counts and values that a plain look at the files gives, not what the loader found. */
#include "tests/kit/cmocka_all.h"

#include <dirent.h>
#include <string.h>

#include "core/base/diag.h"
#include "core/image.h"
#include "core/load/load.h"
#include "tests/kit/shared.h"

static char root[512];

static char *read_file(const char *path, size_t *size)
{
	FILE *f = fopen(path, "rb");
	if (!f)
		fail_msg("%s cannot be opened", path);
	fseek(f, 0, SEEK_END);
	*size = (size_t)ftell(f);
	rewind(f);
	char *bytes = calloc(1, *size + 1);
	assert_int_equal(fread(bytes, 1, *size, f), *size);
	fclose(f);
	return bytes;
}

static struct image *load(const char *path, char **text)
{
	size_t size;
	struct image *im;
	struct diag d;
	char *bytes = read_file(path, &size);
	if (!image_load(bytes, size, path, NULL, &im, &d))
		fail_msg("%s: line %d: %s", path, d.line, d.text);
	if (text)
		*text = bytes;
	else
		free(bytes);
	return im;
}

/* The number after "key = " of the text from `from` on. */
static uint32_t said(const char *from, const char *key)
{
	char line[32];
	snprintf(line, sizeof line, "\t%s = ", key);
	const char *p = strstr(from, line);
	assert_non_null(p);
	return (uint32_t)strtoul(p + strlen(line), NULL, 10);
}

static uint32_t word(const uint8_t *p)
{
	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static void check_text(const char *path)
{
	char *text, name[64];
	struct image *im = load(path, &text);
	const struct image_kernel *k = &im->kernels[0];
	const char *code = strstr(text, "code  {");
	assert_string_equal(im->format, "cubin-text");
	assert_string_equal(im->chip, "sm_10");
	assert_int_equal(im->nkernels, 1);
	assert_int_equal(sscanf(code, "code { name = %63s", name), 1);
	assert_string_equal(k->name, name);
	assert_int_equal(k->regs, said(code, "reg"));
	assert_int_equal(k->smem, said(code, "smem"));
	assert_int_equal(k->lmem, said(code, "lmem"));
	uint32_t words = 0, first = (uint32_t)strtoul(strstr(code, "bincode") + 10, NULL, 16);
	const char *end = strchr(strstr(code, "bincode"), '}');
	for (const char *p = strstr(code, "bincode") + 9; p < end; p++)
		words += (p[0] == ' ' || p[0] == '\t' || p[0] == '\n') && p[1] == '0';
	assert_int_equal(k->code_bytes, 4 * words);
	assert_int_equal(word(k->code), first);
	assert_int_equal(k->nconsts, !!strstr(code, "\tconst  {"));
	image_free(im);
	free(text);
}

static void every_text_cubin(void **state)
{
	(void)state;
	char path[1024];
	unsigned files = 0;
	skip_without("tesla/decuda");
	snprintf(path, sizeof path, "%s/decuda", root);
	DIR *dir = opendir(path);
	assert_non_null(dir);
	for (struct dirent *e; (e = readdir(dir)); ) {
		if (!strstr(e->d_name, ".cubin"))
			continue;
		snprintf(path, sizeof path, "%s/decuda/%s", root, e->d_name);
		check_text(path);
		files++;
	}
	closedir(dir);
	assert_int_equal(files, 92);
}

static void relocations_and_module_constants(void **state)
{
	(void)state;
	char path[1024];
	skip_without("tesla/decuda");
	snprintf(path, sizeof path, "%s/decuda/test36.cubin", root);
	struct image *im = load(path, NULL);
	assert_int_equal(im->nconsts, 3);
	assert_string_equal(im->consts[0].name, "ww");
	assert_int_equal(im->consts[0].size, 40);
	assert_int_equal(im->nglobals, 2);
	assert_string_equal(im->globals[0].name, "xx2");
	assert_int_equal(im->globals[0].size, 8);
	assert_int_equal(im->relocs[0].offset, 4);
	assert_int_equal(im->relocs[1].offset, 0);
	assert_int_equal(im->relocs[1].bank, 14);
	image_free(im);
}

static void elf_cubin(void **state)
{
	(void)state;
	char path[1024];
	skip_without("tesla/gpgpusim");
	snprintf(path, sizeof path, "%s/gpgpusim/add.sm_10.elf.cubin", root);
	struct image *im = load(path, NULL);
	static const struct { uint32_t offset, size; } params[] = { { 0, 8 }, { 8, 8 }, { 16, 8 }, { 24, 4 } };
	const struct image_kernel *k = &im->kernels[0];
	assert_string_equal(im->format, "cubin-elf");
	assert_string_equal(im->chip, "sm_10");
	assert_int_equal(im->pointer_bytes, 8);
	assert_int_equal(im->nkernels, 1);
	assert_string_equal(k->name, "_Z3addPiS_S_i");
	assert_int_equal(k->code_bytes, 0x1e0);
	assert_int_equal(k->entry, 0);
	assert_int_equal(k->regs, 6);
	assert_int_equal(k->smem, 44);
	assert_int_equal(k->lmem, 0);
	assert_int_equal(k->param_bytes, 28);
	assert_int_equal(k->nparams, 4);
	for (uint16_t i = 0; i < 4; i++) {
		assert_int_equal(k->params[i].ordinal, i);
		assert_int_equal(k->params[i].offset, params[i].offset);
		assert_int_equal(k->params[i].size, params[i].size);
	}
	image_free(im);
}

static void hex_words(void **state)
{
	(void)state;
	char path[1024];
	snprintf(path, sizeof path, "%s/nouveau/own_comp_reduce_shared.a0.hex", root);
	char *text;
	struct image *im = load(path, &text);
	assert_string_equal(im->format, "hex");
	assert_int_equal(word(im->kernels[0].code), strtoul(text, NULL, 16));
	free(text);
	image_free(im);
}

int main(void)
{
	shared_path(root, sizeof root, "corpus/tesla");
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_text_cubin),
		cmocka_unit_test(relocations_and_module_constants),
		cmocka_unit_test(elf_cubin),
		cmocka_unit_test(hex_words),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
