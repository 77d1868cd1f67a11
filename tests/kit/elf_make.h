/* A writer of small ELF files for tests: little-endian, class 32 or 64, sections packed without alignment, as cubins
 * have them. */
#ifndef WB_TESTS_UNIT_ELF_MAKE_H
#define WB_TESTS_UNIT_ELF_MAKE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { MAKE_BYTES = 8192, MAKE_PROGBITS = 1, MAKE_SYMTAB = 2, MAKE_NOBITS = 8, MAKE_REL = 9 };

struct make_section {
	const char *name;
	uint64_t type;           /* and the section's flags from bit 32 up */
	uint32_t info;
	const void *data;        /* NULL: NOBITS or zeros not stored */
	uint32_t size;
};

struct make_elf {
	uint8_t bytes[MAKE_BYTES];
	size_t size;
	int wide;                /* class 64 */
};

static inline void make_put(struct make_elf *f, size_t at, uint64_t value, int bytes)
{
	for (int i = 0; i < bytes; i++, value >>= 8)
		f->bytes[at + (size_t)i] = (uint8_t)value;
}

static inline size_t make_add(struct make_elf *f, uint64_t value, int bytes)
{
	size_t at = f->size;
	make_put(f, at, value, bytes);
	f->size += (size_t)bytes;
	return at;
}

static inline size_t make_data(struct make_elf *f, const void *data, size_t n)
{
	size_t at = f->size;
	if (n)
		memcpy(f->bytes + at, data, n);
	f->size += n;
	return at;
}

/* One symbol's bytes appended to `to`; returns how many. */
static inline uint32_t make_symbol(uint8_t *to, int wide, uint32_t section, uint32_t value)
{
	struct make_elf s = { .size = 0 };
	make_add(&s, 0, 4);
	if (wide) {
		make_add(&s, 0, 2);
		make_add(&s, section, 2);
		make_add(&s, value, 8);
		make_add(&s, 0, 8);
	} else {
		make_add(&s, value, 4);
		make_add(&s, 0, 4);
		make_add(&s, 0, 2);
		make_add(&s, section, 2);
	}
	memcpy(to, s.bytes, s.size);
	return (uint32_t)s.size;
}

static inline uint32_t make_rel(uint8_t *to, int wide, uint32_t offset, uint32_t symbol, uint32_t type)
{
	struct make_elf s = { .size = 0 };
	make_add(&s, offset, wide ? 8 : 4);
	make_add(&s, wide ? (uint64_t)symbol << 32 | type : symbol << 8 | type, wide ? 8 : 4);
	memcpy(to, s.bytes, s.size);
	return (uint32_t)s.size;
}

static inline void make_header(struct make_elf *f, uint32_t machine, uint32_t flags)
{
	int word = f->wide ? 8 : 4;
	const uint8_t ident[16] = { 0x7f, 'E', 'L', 'F', f->wide ? 2 : 1, 1, 1, 0x33, 2 };
	make_data(f, ident, 16);
	make_add(f, 2, 2);
	make_add(f, machine, 2);
	make_add(f, 1, 4);
	make_add(f, 0, 3 * word);     /* entry, program and section headers: the last is set at the end */
	make_add(f, flags, 4);
	make_add(f, f->wide ? 64 : 52, 2);
	make_add(f, 0, 4);
	make_add(f, f->wide ? 64 : 40, 2);
	make_add(f, 0, 4);            /* section count, index of the names: likewise */
}

static inline void make_section_header(struct make_elf *f, uint32_t name, const struct make_section *s, uint64_t at)
{
	int word = f->wide ? 8 : 4;
	make_add(f, name, 4);
	uint32_t type = (uint32_t)s->type;
	make_add(f, type, 4);
	make_add(f, s->type >> 32, word);
	make_add(f, 0, word);
	make_add(f, at, word);
	make_add(f, s->size, word);
	make_add(f, 0, 4);
	make_add(f, s->info, 4);
	make_add(f, 1, word);
	make_add(f, type == MAKE_SYMTAB ? (f->wide ? 24 : 16) : type == MAKE_REL ? (f->wide ? 16 : 8) : 0, word);
}

/* Sections are numbered from 1 in their order; the name table comes last. */
static inline void make_cubin(struct make_elf *f, int wide, uint32_t machine, uint32_t flags,
			      const struct make_section *s, unsigned n)
{
	size_t at[16], names[17], table;
	*f = (struct make_elf){ .wide = wide };
	make_header(f, machine, flags);
	make_add(f, 0xaa, 1);         /* an odd byte: sections are not aligned */
	for (unsigned i = 0; i < n; i++)
		at[i] = make_data(f, s[i].data, s[i].data ? s[i].size : 0);
	table = f->size;
	make_add(f, 0, 1);
	for (unsigned i = 0; i < n; i++)
		names[i] = make_data(f, s[i].name, strlen(s[i].name) + 1) - table;
	names[n] = make_data(f, ".shstrtab", 10) - table;
	struct make_section none = { 0 }, last = { .type = 3, .size = (uint32_t)(f->size - table) };
	size_t headers = f->size;
	make_section_header(f, 0, &none, 0);
	for (unsigned i = 0; i < n; i++)
		make_section_header(f, (uint32_t)names[i], &s[i], at[i]);
	make_section_header(f, (uint32_t)names[n], &last, table);
	make_put(f, wide ? 40 : 32, headers, wide ? 8 : 4);
	make_put(f, wide ? 60 : 48, n + 2, 2);
	make_put(f, wide ? 62 : 50, n + 1, 2);
}

#endif
