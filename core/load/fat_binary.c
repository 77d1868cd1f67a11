/* The layout, in bytes, little-endian: a header { u32 magic, u16 version, u16 size of the header, u64 bytes of all
 * entries }, then entries { 0: u16 kind, 4: u32 size of the entry's header, 8: u64 stored bytes with padding, 16: u32
 * stored bytes where compressed, 28: u32 number of the chip, 40: u64 flags, 56: u64 bytes when decompressed }. Read
 * from files of nvcc 13. */
#include "core/load/fat_binary.h"

#include <string.h>

#ifdef WB_LZ4
#include <lz4.h>
#endif
#ifdef WB_ZSTD
#include <zstd.h>
#endif

#include "core/load/loader.h"

enum {
	HEADER = 16, ENTRY = 64, ALIGNMENT = 8,
	COMPRESSED_LZ4 = 0x2000, COMPRESSED_ZSTD = 0x8000, WHOLE_MAX = 64 << 20
};
#define MAGIC UINT32_C(0xBA55ED50)

size_t fat_size(const uint8_t *bytes, size_t size)
{
	uint64_t entries;

	if (size < HEADER || le32(bytes) != MAGIC || le16(bytes + 4) != 1 || le16(bytes + 6) < HEADER)
		return 0;
	entries = le64(bytes + 8);
	return entries <= size && le16(bytes + 6) <= size - entries ? (size_t)entries + le16(bytes + 6) : 0;
}

/* Go to the next fat binary at a multiple of 8 bytes. */
static bool next_binary(struct fat_search *s)
{
	size_t size;

	s->next = (s->next + ALIGNMENT - 1) & -(size_t)ALIGNMENT;
	for (; s->next + HEADER <= s->size; s->next += ALIGNMENT)
		if ((size = fat_size(s->bytes + s->next, s->size - s->next))) {
			s->end = s->next + size;
			s->next += le16(s->bytes + s->next + 6);
			s->binaries++;
			return true;
		}
	return false;
}

static bool read_entry(struct fat_search *s, struct fat_entry *out)
{
	const uint8_t *p = s->bytes + s->next;
	size_t space = s->end - s->next;
	uint64_t padded;
	uint32_t header, stored;

	if (space < ENTRY)
		return false;
	header = le32(p + 4);
	padded = le64(p + 8);
	if (header < ENTRY || header > space || padded > space - header)
		return false;
	*out = (struct fat_entry){ (enum fat_kind)le16(p), le32(p + 28), le64(p + 40), p + header, (size_t)padded,
				   (size_t)padded, s->next + header, s->binaries - 1 };
	stored = le32(p + 16);
	if (out->flags & (COMPRESSED_LZ4 | COMPRESSED_ZSTD)) {
		out->size = stored <= padded ? stored : (size_t)padded;
		out->whole = le64(p + 56) <= SIZE_MAX ? (size_t)le64(p + 56) : SIZE_MAX;
	}
	s->next += header + (size_t)padded;
	return true;
}

bool fat_next(struct fat_search *s, struct fat_entry *out)
{
	for (;;) {
		if (s->next >= s->end && !next_binary(s))
			return false;
		if (!read_entry(s, out))
			s->next = s->end;
		else if (out->kind == FAT_PTX || out->kind == FAT_CUBIN)
			return true;
	}
}

#ifdef WB_LZ4
static bool lz4_whole(const struct fat_entry *e, char *out)
{
	int n = LZ4_decompress_safe((const char *)e->bytes, out, (int)e->size, (int)e->whole);

	return n >= 0 && (size_t)n == e->whole;
}
#endif

#ifdef WB_ZSTD
static bool zstd_whole(const struct fat_entry *e, char *out)
{
	size_t n = ZSTD_decompress(out, e->whole, e->bytes, e->size);

	return !ZSTD_isError(n) && n == e->whole;
}
#endif

/* How the entry's bytes become whole; NULL with the name of the library that this build lacks. */
static bool (*method(const struct fat_entry *e, const char **lacks))(const struct fat_entry *e, char *out)
{
	*lacks = e->flags & COMPRESSED_ZSTD ? "libzstd" : "liblz4";
#ifdef WB_ZSTD
	if (e->flags & COMPRESSED_ZSTD)
		return zstd_whole;
#endif
#ifdef WB_LZ4
	if (!(e->flags & COMPRESSED_ZSTD))
		return lz4_whole;
#endif
	return NULL;
}

const char *fat_bytes(struct arena *a, const struct fat_entry *e, size_t *n, struct diag *d)
{
	const char *lacks;
	bool (*decompress)(const struct fat_entry *e, char *out);
	char *out;

	*n = e->whole;
	if (!(e->flags & (COMPRESSED_LZ4 | COMPRESSED_ZSTD)))
		return (const char *)e->bytes;
	decompress = method(e, &lacks);
	if (!decompress) {
		diag_at(d, (int64_t)e->offset, "a compressed part of a fat binary, and this build has no %s: nvcc "
			"--no-compress leaves parts as they are", lacks);
		return NULL;
	}
	if (e->whole > WHOLE_MAX || e->size > WHOLE_MAX) {
		diag_at(d, (int64_t)e->offset, "a compressed part of a fat binary has %zu bytes; expected at most %d "
			"MiB", e->whole, WHOLE_MAX >> 20);
		return NULL;
	}
	out = arena_alloc(a, e->whole + 1, 1);
	if (!out)
		diag_set(d, DIAG_ENV, "out of memory");
	else if (decompress(e, out))
		return out;
	else
		diag_at(d, (int64_t)e->offset, "a compressed part of a fat binary is broken: expected %zu bytes",
			e->whole);
	return NULL;
}
