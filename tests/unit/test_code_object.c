/* AMD code objects: two.hsaco of tests/gcn, compiled from the source beside it, loads to what that source says (the
 * numbers are those of `llvm-readobj --notes` and `readelf`); cut short or with any byte changed it loads or is
 * refused, and nothing else; the corpus beside the project has the arguments and block sizes of its manifest. */
#include "tests/unit/cmocka_all.h"

#include <string.h>

#include "core/base/diag.h"
#include "core/image.h"
#include "core/load/load.h"
#include "tests/unit/shared.h"

static const char *two_path;

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

static void test_two_kernels(void **state)
{
	struct image *im = load_file(two_path);
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

static void test_damaged(void **state)
{
	size_t size;
	uint8_t *bytes = read_file(two_path, &size);
	struct image *im;
	unsigned refused = 0;

	(void)state;
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

/* The object of each kernel of the manifest, for four chips: arguments by size, block. */
static void test_corpus(void **state)
{
	static const char *const chips[] = { "tahiti", "bonaire", "tonga", "gfx900" };
	char path[512], line[256], name[64];
	unsigned grid[2], local[2], objects = 0;
	FILE *manifest;

	(void)state;
	if (!shared_path(path, sizeof path, "corpus/gcn/expected/manifest.txt")) {
		skip();
		return;
	}
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
		cmocka_unit_test(test_corpus),
	};

	two_path = argc > 1 ? argv[1] : "tests/gcn/two.hsaco";
	return cmocka_run_group_tests(tests, NULL, NULL);
}
