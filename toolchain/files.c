/* core/load reads the files; assembly text goes through the same door, with the assembler as a function. */
#include "toolchain/files.h"

#include <stdlib.h>

#include "core/isa.h"
#include "core/load/image_file.h"
#include "core/load/load.h"
#include "core/load/loader.h"
#include "core/machines/registry.h"
#include "toolchain/assembly.h"
#include "toolchain/explain.h"
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

bool assembly_make(struct build *b)
{
	if (file_make(b))
		return true;
	if (!b->image && b->diag->kind == DIAG_INPUT && !has_own_languages(b))
		languages_explain(b->bytes, b->size, false, b->diag);
	return false;
}
