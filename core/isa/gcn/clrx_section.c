/* CLRX: sections, which grow at their ends. */
#include <string.h>

#include "core/isa/gcn/clrx_impl.h"

int clrx_section(struct clrx *c, const char *name, enum clrx_section_kind kind, int kernel)
{
	struct clrx_section *s;

	for (size_t i = 0; i < c->sections.count; i++)
		if (c->sections.list[i].kernel == kernel && !strcmp(c->sections.list[i].name, name))
			return (int)i;
	s = CLRX_GROW(c, c->sections);
	if (!s)
		return SECTION_NONE;
	s->name = name;
	s->kind = kind;
	s->kernel = kernel;
	return (int)c->sections.count - 1;
}

/* Memory for n more bytes. */
static bool reserve(struct clrx *c, struct clrx_section *s, uint64_t n)
{
	uint64_t capacity = s->capacity ? s->capacity : 256;
	uint8_t *bigger;

	while (capacity < s->size + n)
		capacity *= 2;
	if (capacity == s->capacity)
		return true;
	bigger = arena_alloc(&c->arena, capacity, 16);
	if (!bigger)
		return clrx_no_memory(c);
	if (s->size)
		memcpy(bigger, s->bytes, s->size);
	s->bytes = bigger;
	s->capacity = capacity;
	return true;
}

bool clrx_emit(struct clrx *c, const void *bytes, uint64_t n)
{
	struct clrx_section *s = &c->sections.list[c->here];

	if (s->kind == SECTION_CONFIG)
		return clrx_error(c, NULL, "bytes belong into a section: .text or .data comes before");
	if (n > CLRX_SECTION_BYTES || s->size + n > CLRX_SECTION_BYTES)
		return clrx_error(c, NULL, "the section gets longer than 0x%x bytes", CLRX_SECTION_BYTES);
	if (s->kind == SECTION_ABSOLUTE || s->kind == SECTION_BSS) {
		s->size += n;
		return true;
	}
	if (!reserve(c, s, n))
		return false;
	if (bytes)
		memcpy(s->bytes + s->size, bytes, n);
	s->size += n;
	return true;
}

void clrx_put(uint8_t *to, uint32_t size, uint64_t value)
{
	for (uint32_t i = 0; i < size; i++)
		to[i] = i < 8 ? (uint8_t)(value >> 8 * i) : 0;
}
