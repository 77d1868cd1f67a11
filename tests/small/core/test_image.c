/* Program images: growing arrays, and finding a kernel in a chain. */
#include "tests/kit/cmocka_all.h"

#include <string.h>

#include "core/base/diag.h"
#include "core/image.h"

static void arrays_grow_and_keep(void **state)
{
	(void)state;
	struct image *im = image_new("x", "raw", "m");
	for (uint32_t i = 0; i < 1000; i++) {
		struct image_const *c = image_push(&im->arena, &im->consts, &im->nconsts);
		assert_non_null(c);
		assert_int_equal(c->size, 0);
		c->size = i + 1;
	}
	assert_int_equal(im->nconsts, 1000);
	for (uint32_t i = 0; i < 1000; i++)
		assert_int_equal(im->consts[i].size, i + 1);
	image_free(im);
}

static void add(struct image *im, const char *name)
{
	struct image_kernel *k = image_push(&im->arena, &im->kernels, &im->nkernels);
	k->name = name;
}

static unsigned named(const struct image *im, const void *chip)
{
	return !strcmp(im->chip, chip);
}

static void kernels_are_found(void **state)
{
	(void)state;
	struct image *a = image_new("f", "cubin-elf", "m"), *b = image_new("f", "cubin-elf", "m");
	const struct image *owner;
	struct diag d;
	a->next = b;
	a->chip = "sm_10";
	b->chip = "sm_13";
	assert_null(image_find(a, NULL, NULL, NULL, &owner, &d));
	assert_int_equal(d.kind, DIAG_INPUT);
	add(a, "one");
	add(b, "one");
	assert_ptr_equal(image_find(a, NULL, NULL, NULL, &owner, &d), &a->kernels[0]);
	assert_ptr_equal(image_find(a, "one", named, "sm_13", &owner, &d), &b->kernels[0]);
	assert_ptr_equal(owner, b);
	assert_ptr_equal(image_find(a, "one", named, "sm_12", &owner, &d), &a->kernels[0]);
	add(b, "on");
	assert_null(image_find(a, NULL, NULL, NULL, &owner, &d));
	assert_int_equal(d.kind, DIAG_USAGE);
	assert_string_equal(d.text, "several kernels; choose one with --kernel: one, on");
	assert_string_equal(d.file, "f");
	assert_ptr_equal(image_find(a, "on", NULL, NULL, NULL, &d), &b->kernels[1]);
	assert_null(image_find(a, "two", NULL, NULL, &owner, &d));
	assert_string_equal(d.text, "no kernel `two`; there is: one, on");
	image_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(arrays_grow_and_keep),
		cmocka_unit_test(kernels_are_found),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
