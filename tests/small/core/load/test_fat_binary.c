/* Fat binaries: entries plain and compressed, several in a file, cut at every byte and with every byte changed. */
#include <lz4.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include <cmocka.h>

#include "core/load/fat_binary.h"

static const char ptx[] = ".version 6.5\n.target sm_70\n.address_size 64\n"
	".visible .entry k() { ret; } // ret ret ret\n";

struct file {
	uint8_t bytes[4096];
	size_t n, header;
};

static void put(struct file *f, uint64_t v, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		f->bytes[f->n++] = (uint8_t)(v >> 8 * i);
}

static void begin(struct file *f)
{
	f->header = f->n;
	put(f, 0xBA55ED50, 4);
	put(f, 1, 2);
	put(f, 16, 2);
	put(f, 0, 8);
}

static void add(struct file *f, unsigned kind, uint32_t sm, uint64_t flags, const void *bytes, size_t n, size_t whole)
{
	size_t padded = (n + 7) & ~(size_t)7, size;
	uint8_t *to = f->bytes + f->header + 8;

	put(f, kind, 2);
	put(f, 0x101, 2);
	put(f, 64, 4);
	put(f, padded, 8);
	put(f, flags & 0xa000 ? n : 0, 4);
	put(f, 0, 8);
	put(f, sm, 4);
	put(f, 0, 8);
	put(f, flags, 8);
	put(f, 0, 8);
	put(f, whole, 8);
	memcpy(f->bytes + f->n, bytes, n);
	memset(f->bytes + f->n + n, 0, padded - n);
	f->n += padded;
	size = f->n - f->header - 16;
	for (unsigned i = 0; i < 8; i++)
		to[i] = (uint8_t)(size >> 8 * i);
}

/* A plain PTX and a cubin; behind bytes of something else, PTX by zstd and by LZ4. */
static void fill(struct file *f)
{
	char packed[512];
	size_t n;

	begin(f);
	add(f, FAT_PTX, 70, 0x11, ptx, sizeof ptx, 0);
	add(f, FAT_CUBIN, 75, 0x11, "\177ELF", 4, 0);
	memset(f->bytes + f->n, 0x55, 40);
	f->n += 40;
	begin(f);
	n = ZSTD_compress(packed, sizeof packed, ptx, sizeof ptx, 3);
	assert_false(ZSTD_isError(n));
	add(f, FAT_PTX, 75, 0x8011, packed, n, sizeof ptx);
	n = (size_t)LZ4_compress_default(ptx, packed, sizeof ptx, sizeof packed);
	add(f, FAT_PTX, 80, 0x2011, packed, n, sizeof ptx);
}

static void entries_are_found(void **state)
{
	static const struct { enum fat_kind kind; uint32_t sm; unsigned binary; } want[] = {
		{ FAT_PTX, 70, 0 }, { FAT_CUBIN, 75, 0 }, { FAT_PTX, 75, 1 }, { FAT_PTX, 80, 1 },
	};
	static struct file f;
	struct arena a = { 0 };
	struct diag d = { 0 };
	struct fat_entry e;

	(void)state;
	fill(&f);
	struct fat_search s = { .bytes = f.bytes, .size = f.n };
	for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
		assert_true(fat_next(&s, &e));
		assert_int_equal(e.kind, want[i].kind);
		assert_int_equal(e.sm, want[i].sm);
		assert_int_equal(e.binary, want[i].binary);
		if (e.kind != FAT_PTX)
			continue;
		size_t n;
		const char *text = fat_bytes(&a, &e, &n, &d);
		if (!text && strstr(d.text, "this build has no"))
			continue;
		assert_non_null(text);
		assert_in_range(n, sizeof ptx, sizeof ptx + 7);
		assert_string_equal(text, ptx);
	}
	assert_false(fat_next(&s, &e));
	arena_free(&a);
}

static void read_all(const uint8_t *bytes, size_t n)
{
	struct fat_search s = { .bytes = bytes, .size = n };
	struct arena a = { 0 };
	struct diag d = { 0 };
	struct fat_entry e;
	size_t size;

	while (fat_next(&s, &e)) {
		assert_true(e.bytes >= bytes && e.size <= n && e.bytes + e.size <= bytes + n);
		if (e.whole < 1 << 16)
			fat_bytes(&a, &e, &size, &d);
	}
	arena_free(&a);
}

static void broken_ones_stay_within_the_file(void **state)
{
	static struct file f;

	(void)state;
	fill(&f);
	for (size_t n = 0; n <= f.n; n++) {
		uint8_t *exact = malloc(n + !n);
		memcpy(exact, f.bytes, n);
		read_all(exact, n);
		free(exact);
	}
	for (size_t i = 0; i < f.n; i++)
		for (unsigned bit = 0; bit < 8; bit++) {
			f.bytes[i] ^= (uint8_t)(1 << bit);
			read_all(f.bytes, f.n);
			f.bytes[i] ^= (uint8_t)(1 << bit);
		}
}

static void sizes_beyond_the_bounds_are_refused(void **state)
{
	static struct file f;
	struct arena a = { 0 };
	struct diag d = { 0 };
	struct fat_entry e;
	size_t n;

	(void)state;
	begin(&f);
	add(&f, FAT_PTX, 75, 0x8011, "abcdefgh", 8, UINT32_MAX);
	struct fat_search s = { .bytes = f.bytes, .size = f.n };
	assert_true(fat_next(&s, &e));
	assert_null(fat_bytes(&a, &e, &n, &d));
	arena_free(&a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(entries_are_found),
		cmocka_unit_test(broken_ones_stay_within_the_file),
		cmocka_unit_test(sizes_beyond_the_bounds_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
