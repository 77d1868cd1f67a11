/* Formats of a build without libelf, libdw and libmpack, the module of a page, where compiled programs stand as images
 * (image_file.c): ELF is recognised and refused; texts of cubins, and cubins inside other files, are not looked for. */
#include <string.h>

#include "core/load/loader.h"

enum { MACHINE_AT = 18, MACHINE_CUBIN = 190, MACHINE_CODE_OBJECT = 224 };

static bool is_elf(const uint8_t *bytes, size_t size, unsigned machine)
{
	return size > MACHINE_AT + 1 && !memcmp(bytes, "\177ELF", 4) && le16(bytes + MACHINE_AT) == machine;
}

static bool refuse(struct load *l)
{
	return diag_set(l->diag, DIAG_INPUT, "this build reads no ELF files; found one, expected assembly text");
}

bool cubin_elf_matches(const uint8_t *bytes, size_t size)
{
	return is_elf(bytes, size, MACHINE_CUBIN);
}

bool cubin_elf_load(struct load *l)
{
	return refuse(l);
}

bool code_object_matches(const uint8_t *bytes, size_t size)
{
	return is_elf(bytes, size, MACHINE_CODE_OBJECT);
}

bool code_object_load(struct load *l)
{
	return refuse(l);
}

bool cubin_text_matches(const uint8_t *bytes, size_t size)
{
	(void)bytes, (void)size;
	return false;
}

bool cubin_text_load(struct load *l)
{
	return refuse(l);
}

bool embedded_matches(const uint8_t *bytes, size_t size)
{
	(void)bytes, (void)size;
	return false;
}

bool embedded_load(struct load *l)
{
	return refuse(l);
}
