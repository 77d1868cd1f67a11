/* The layout, little-endian: the magic text, u64 number of entries, and for each entry { u64 offset from the magic
 * text, u64 bytes, u64 bytes of the target's name, the name }. An entry of the host has no bytes. The documentation
 * is clang's page about its offload bundler. */
#include "core/load/offload_bundle.h"

#include <string.h>

#include "core/load/loader.h"

static const char magic[] = "__CLANG_OFFLOAD_BUNDLE__";
enum { MAGIC = sizeof magic - 1, HEADER = MAGIC + 8, ENTRY = 24, ENTRIES_MAX = 64, TARGET_MAX = 128 };

/* Read the description at `place` of a bundle of `space` bytes. False: the description leaves the bundle. */
static bool read_entry(const uint8_t *bundle, size_t space, size_t place, struct bundle_entry *out)
{
	uint64_t offset, size, name;

	if (place > space || space - place < ENTRY)
		return false;
	offset = le64(bundle + place);
	size = le64(bundle + place + 8);
	name = le64(bundle + place + 16);
	if (name > TARGET_MAX || name > space - place - ENTRY || offset > space || size > space - offset)
		return false;
	*out = (struct bundle_entry){ .target = (const char *)bundle + place + ENTRY, .target_size = (size_t)name,
				      .bytes = bundle + offset, .size = (size_t)size, .offset = (size_t)offset };
	return true;
}

bool bundle_begins(const uint8_t *bytes, size_t size)
{
	return size >= MAGIC && !memcmp(bytes, magic, MAGIC);
}

size_t bundle_size(const uint8_t *bytes, size_t size)
{
	size_t place = HEADER, end = HEADER;
	struct bundle_entry e;
	uint64_t n;

	if (size < HEADER || !bundle_begins(bytes, size) || !(n = le64(bytes + MAGIC)) || n > ENTRIES_MAX)
		return 0;
	for (; n; n--) {
		if (!read_entry(bytes, size, place, &e))
			return 0;
		place += ENTRY + e.target_size;
		end = place > end ? place : end;
		end = e.offset + e.size > end ? e.offset + e.size : end;
	}
	return end;
}

/* Go to the next bundle. */
static bool next_bundle(struct bundle_search *s)
{
	size_t from = s->next ? s->begin + MAGIC : 0;
	const uint8_t *p;

	while (from < s->size && (p = memmem(s->bytes + from, s->size - from, magic, MAGIC))) {
		s->begin = (size_t)(p - s->bytes);
		if (bundle_size(p, s->size - s->begin)) {
			s->next = HEADER;
			s->entries_left = le64(p + MAGIC);
			s->bundles++;
			return true;
		}
		from = s->begin + MAGIC;
	}
	return false;
}

bool bundle_next(struct bundle_search *s, struct bundle_entry *out)
{
	while (s->entries_left || next_bundle(s)) {
		read_entry(s->bytes + s->begin, s->size - s->begin, s->next, out);
		s->next += ENTRY + out->target_size;
		s->entries_left--;
		out->offset += s->begin;
		out->bundle = s->bundles - 1;
		if (out->size && memmem(out->target, out->target_size, "amdgcn", 6))
			return true;
	}
	return false;
}
