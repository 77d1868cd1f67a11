/* core/load reads the files; assembly text goes through the same door, with the assembler as a function. */
#include "toolchain/files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/isa.h"
#include "core/load/image_file.h"
#include "core/load/load.h"
#include "core/load/loader.h"
#include "core/machines/registry.h"
#include "toolchain/assembly.h"
#include "toolchain/explain.h"
#include "toolchain/language.h"
#include "toolchain/source.h"

bool sniff_none(const uint8_t *bytes, size_t size)
{
	(void)bytes, (void)size;
	return false;
}

bool cubin_sniff(const uint8_t *bytes, size_t size)
{
	return cubin_text_matches(bytes, size) || cubin_elf_matches(bytes, size);
}

bool assembly_sniff(const uint8_t *bytes, size_t size)
{
	return text_matches(bytes, size) && !hex_matches(bytes, size);
}

bool entry_address(const char *text, uint32_t *out)
{
	char *end;
	unsigned long long address = strtoull(text, &end, 0);
	bool good = *text >= '0' && *text <= '9' && !*end && address <= UINT32_MAX;

	if (good)
		*out = (uint32_t)address;
	return good;
}

/* The machine for a program that names no machine: from the caller, the file's ending or the caller's chip; NULL:
 * open. */
static const char *machine_of(const struct build *b)
{
	const struct build_options *o = b->options;
	uint32_t mode;
	const struct isa_ops *isa = isa_of_file(b->name, &mode);

	if (!isa && o->chip)
		isa = isa_of_chip(o->chip);
	return o->isa ? o->isa : isa ? isa->name : NULL;
}

bool file_load(struct build *b, const void *bytes, size_t n, const char *format, const char *machine)
{
	const struct build_options *o = b->options;
	struct load_options load = {
		.format = format ? format : o->format, .machine = machine ? machine : machine_of(b),
		.regs = o->regs, .lmem = o->lmem, .assemble = assemble_image, .assemble_context = b,
	};

	if (o->entry)
		entry_address(o->entry, &load.entry);
	return image_load(bytes, n, b->name, &load, &b->image, b->diag);
}

bool file_make(struct build *b)
{
	return file_load(b, b->bytes, b->size, NULL, NULL) &&
	       (image_file_matches((const uint8_t *)b->bytes, b->size) || source_find(b));
}

/* An assembler with languages of its own says what is wrong by itself. */
static bool has_own_languages(const struct build *b)
{
	const char *machine = machine_of(b);
	const struct isa_ops *isa = machine ? isa_find(machine) : NULL;

	return (isa && isa->text.assemble && !isa->text.owns) || isa_with_language(b->bytes, b->size);
}

/* Is the text taken for assembly only because it is nothing else? Neither name nor option nor a directive says so. The
 * texts of a page are assembly. */
#ifdef __wasm__
static bool doubtful(const struct build *b)
{
	return false;
}
#else
static bool doubtful(const struct build *b)
{
	static const char *const endings[] = { ".s", ".S", ".asm" };
	const char *dot = strrchr(b->name, '.');
	uint32_t mode;

	for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
		if (!strcmp(dot, endings[i]))
			return false;
	if (b->options->format || isa_of_file(b->name, &mode))
		return false;
	for (const char *line = b->bytes; line; line = strchr(line, '\n')) {
		line += strspn(line, " \t\r\n");
		if (*line == '.')
			return false;
	}
	return true;
}
#endif

bool assembly_make(struct build *b)
{
	struct diag *d = b->diag;
	char why[sizeof d->text];

	if (file_make(b))
		return true;
	if (b->image || d->kind != DIAG_INPUT || has_own_languages(b) ||
	    languages_explain(b->bytes, b->size, false, d) || !doubtful(b))
		return false;
	memcpy(why, d->text, sizeof why);
	snprintf(d->text, sizeof d->text, "no known kind of program; as assembly: %.*s",
		 (int)sizeof d->text - 48, why);
	return false;
}
