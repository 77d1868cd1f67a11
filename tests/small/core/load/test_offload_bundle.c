/* Offload bundles: the entries of two in a file, and bundles cut at every byte and with every byte changed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "core/load/offload_bundle.h"

struct file {
	uint8_t bytes[1024];
	size_t n;
};

static void put(struct file *f, const void *bytes, size_t n)
{
	memcpy(f->bytes + f->n, bytes, n);
	f->n += n;
}

static void put_number(struct file *f, uint64_t v)
{
	for (unsigned i = 0; i < 8; i++)
		f->bytes[f->n++] = (uint8_t)(v >> 8 * i);
}

/* A bundle with an entry of the host and one of each text, which is the code's target as well. */
static size_t put_bundle(struct file *f, const char *const *texts, size_t n)
{
	size_t begin = f->n, place = 32 + 24 + 4;

	for (size_t i = 0; i < n; i++)
		place += 24 + strlen(texts[i]);
	put(f, "__CLANG_OFFLOAD_BUNDLE__", 24);
	put_number(f, n + 1);
	put_number(f, place);
	put_number(f, 0);
	put_number(f, 4);
	put(f, "host", 4);
	for (size_t i = 0; i < n; i++) {
		size_t length = strlen(texts[i]);
		put_number(f, place);
		put_number(f, length);
		put_number(f, length);
		put(f, texts[i], length);
		place += length;
	}
	for (size_t i = 0; i < n; i++)
		put(f, texts[i], strlen(texts[i]));
	return f->n - begin;
}

static const char *const chips[] = { "hipv4-amdgcn-amd-amdhsa--gfx900", "hip-amdgcn-amd-amdhsa--gfx802" };

static void entries_come_in_order(void **state)
{
	struct file f = { .n = 3 };
	size_t size = put_bundle(&f, chips, 2);
	struct bundle_search s = { .bytes = f.bytes };
	struct bundle_entry e;

	(void)state;
	assert_int_equal(bundle_size(f.bytes + 3, f.n), size);
	put_bundle(&f, chips + 1, 1);
	s.size = f.n;
	for (unsigned i = 0; i < 3; i++) {
		const char *text = chips[i ? 1 : 0];
		assert_true(bundle_next(&s, &e));
		assert_int_equal(e.bundle, i / 2);
		assert_int_equal(e.size, strlen(text));
		assert_memory_equal(e.bytes, text, e.size);
		assert_memory_equal(e.target, text, e.target_size);
		assert_ptr_equal(e.bytes, f.bytes + e.offset);
	}
	assert_false(bundle_next(&s, &e));
}

/* All entries lie within the file. */
static void stays_inside(const uint8_t *bytes, size_t size)
{
	struct bundle_search s = { .bytes = bytes, .size = size };
	struct bundle_entry e;

	while (bundle_next(&s, &e)) {
		assert_true(e.offset <= size && e.size <= size - e.offset);
		assert_true((const uint8_t *)e.target >= bytes && e.target_size <= size);
	}
}

static void broken_bundles_are_none(void **state)
{
	struct file f = { .n = 0 }, changed;

	(void)state;
	put_bundle(&f, chips, 2);
	for (size_t n = 0; n < f.n; n++) {
		assert_int_equal(bundle_size(f.bytes, n), 0);
		stays_inside(f.bytes, n);
	}
	for (size_t i = 0; i < f.n; i++)
		for (unsigned bit = 1; bit < 256; bit *= 2) {
			changed = f;
			changed.bytes[i] ^= (uint8_t)bit;
			stays_inside(changed.bytes, changed.n);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(entries_come_in_order), cmocka_unit_test(broken_bundles_are_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
