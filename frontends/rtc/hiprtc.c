/* hipRTC: code objects of HIP C++. */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontends/rtc/rtc.h"

/* "gfx900", also with features behind a colon, as the chip that runs the code. */
static bool arch(struct rtc_program *p, const char *name, const char **chip)
{
	static const char *const chips[][2] = {
		{ "gfx900", "gfx900" }, { "gfx802", "tonga" }, { "gfx803", "tonga" }, { "gfx704", "bonaire" },
	};
	size_t n = strcspn(name, ":");

	(void)p;
	for (size_t i = 0; i < sizeof chips / sizeof *chips; i++)
		if (strlen(chips[i][0]) == n && !strncmp(name, chips[i][0], n)) {
			*chip = chips[i][1];
			return true;
		}
	return false;
}

/* ---- name expressions: what the variables of a code object point to ---- */

/* A code object as clang and the linker have made it here, with its sections inside. */
struct object {
	const uint8_t *bytes;
	size_t size;
	const Elf64_Shdr *sections;
	unsigned nsections;
};

static bool open_object(const struct rtc_program *p, struct object *o)
{
	const Elf64_Ehdr *h = (const void *)p->object;

	if (p->object_bytes < sizeof *h || memcmp(h->e_ident, ELFMAG, SELFMAG) || h->e_shoff > p->object_bytes ||
	    (p->object_bytes - h->e_shoff) / sizeof(Elf64_Shdr) < h->e_shnum)
		return false;
	*o = (struct object){ p->object, p->object_bytes, (const void *)(p->object + h->e_shoff), h->e_shnum };
	for (unsigned i = 0; i < o->nsections; i++) {
		const Elf64_Shdr *s = &o->sections[i];
		if (s->sh_type != SHT_NOBITS && (s->sh_offset > o->size || s->sh_size > o->size - s->sh_offset))
			return false;
		if (s->sh_link >= o->nsections)
			return false;
	}
	return true;
}

static const char *name_of(const struct object *o, const Elf64_Shdr *symbols, const Elf64_Sym *s)
{
	const Elf64_Shdr *names = &o->sections[symbols->sh_link];

	return s->st_name < names->sh_size ? (const char *)o->bytes + names->sh_offset + s->st_name : "";
}

/* The symbol with a name, or, where that is NULL, the function or variable at an address. */
static const Elf64_Sym *find_symbol(const struct object *o, const char *name, uint64_t address, const char **found)
{
	for (unsigned i = 0; i < o->nsections; i++) {
		const Elf64_Shdr *t = &o->sections[i];
		const Elf64_Sym *s = (const void *)(o->bytes + t->sh_offset);
		if (t->sh_type != SHT_DYNSYM && t->sh_type != SHT_SYMTAB)
			continue;
		for (size_t k = 1; k < t->sh_size / sizeof *s; k++) {
			*found = name_of(o, t, &s[k]);
			unsigned type = ELF64_ST_TYPE(s[k].st_info);
			bool right = s[k].st_value == address && s[k].st_shndx &&
				     (type == STT_FUNC || type == STT_OBJECT);
			if (name ? !strcmp(*found, name) : right)
				return &s[k];
		}
	}
	return NULL;
}

/* The name of the symbol that a relocation puts at an address. */
static const char *pointed_to(const struct object *o, uint64_t address)
{
	const char *name;

	for (unsigned i = 0; i < o->nsections; i++) {
		const Elf64_Shdr *t = &o->sections[i], *symbols = &o->sections[t->sh_link];
		const Elf64_Rela *r = (const void *)(o->bytes + t->sh_offset);
		for (size_t k = 0; t->sh_type == SHT_RELA && k < t->sh_size / sizeof *r; k++) {
			uint64_t index = ELF64_R_SYM(r[k].r_info);
			if (r[k].r_offset != address)
				continue;
			if (index && index < symbols->sh_size / sizeof(Elf64_Sym))
				return name_of(o, symbols, (const Elf64_Sym *)(const void *)(o->bytes +
					       symbols->sh_offset) + index);
			return find_symbol(o, NULL, (uint64_t)r[k].r_addend, &name) ? name : NULL;
		}
	}
	return NULL;
}

static bool find_names(struct rtc_program *p)
{
	struct object o;
	const char *name;
	char variable[64];

	if (!open_object(p, &o))
		return false;
	for (size_t i = 0; i < p->nnames; i++) {
		snprintf(variable, sizeof variable, RTC_VARIABLE "%zu", i);
		const Elf64_Sym *s = find_symbol(&o, variable, 0, &name);
		name = s ? pointed_to(&o, s->st_value) : NULL;
		free(p->names[i].symbol);
		p->names[i].symbol = name ? strdup(name) : NULL;
		if (!p->names[i].symbol)
			return false;
	}
	return true;
}

static const struct rtc_language language = { "hip", NULL, ".hsaco", 0, arch, find_names };

#define RTC(name) hiprtc##name
#define RTC_TEXT(name) "HIPRTC_" #name
enum { RTC_MAJOR = 9, RTC_MINOR = 0 };  /* ROCm 5.2's */
#include "frontends/rtc/calls.h"

CALL enum rtc_result hiprtcGetCodeSize(struct rtc_program *p, size_t *bytes);
CALL enum rtc_result hiprtcGetCode(struct rtc_program *p, char *code);

enum rtc_result hiprtcGetCodeSize(struct rtc_program *p, size_t *bytes)
{
	NEEDS_PROGRAM(p);
	return rtc_object_size(p, &language, bytes);
}

enum rtc_result hiprtcGetCode(struct rtc_program *p, char *code)
{
	NEEDS_PROGRAM(p);
	return rtc_object(p, &language, code);
}
