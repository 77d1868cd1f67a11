/* The interface between the readers of AMD code objects: the file's headers, segments, symbols and notes
 * (code_object.c), and the kernels that the metadata describes (code_object_kernels.c). */
#ifndef WB_CORE_LOAD_CODE_OBJECT_H
#define WB_CORE_LOAD_CODE_OBJECT_H

#include <gelf.h>
#include <libelf.h>

#include "core/load/loader.h"

/* Contents of a note in the file; NULL: the file has no such note. */
struct note {
	const uint8_t *bytes;
	size_t size;
};

struct object {
	struct load *l;
	struct image *im;
	Elf *elf;
	Elf_Data *symbols;              /* the static symbol table, or else the dynamic table */
	size_t nsymbols, names;         /* names: index of the section with the symbols' names */
	uint8_t *memory;                /* the segments as loaded, from address 0 on; `filled` bytes */
	uint64_t filled, size;          /* size: with the zeros behind `filled` */
	uint64_t code_at;               /* address of the code */
	const uint8_t *code;
	uint32_t code_bytes;
	uint32_t flags;                 /* e_flags */
	struct note metadata;           /* version 3 and later: MessagePack */
	struct note metadata_v2;        /* version 2: YAML */
	struct note target_v2;          /* version 2: chip */
	bool variables_read;            /* the debug information has been read, once for all kernels */
	struct source_variables *variables;     /* NULL: none */
};

/* Type of version 2's symbols for kernels; a symbol is at the kernel's amd_kernel_code_t, AMD_KERNEL_CODE_BYTES in
 * front of the code. */
enum { STT_AMDGPU_HSA_KERNEL = 10, AMD_KERNEL_CODE_BYTES = 256 };

/* Read everything but the kernels of a load's file; object_close afterwards, also on failure. */
bool object_open(struct object *o, struct load *l);
void object_close(struct object *o);
/* The name of a symbol, NULL for none; the n bytes of `name` among the defined symbols, false for none. */
const char *object_symbol_name(const struct object *o, const GElf_Sym *sym);
bool object_symbol(const struct object *o, const char *name, size_t n, GElf_Sym *sym);
/* Fill the labels and lines of a kernel whose code is set. */
bool object_labels(struct object *o, struct image_kernel *k);
bool object_lines(struct object *o, struct image_kernel *k);
/* Set the variables of a kernel, which all kernels of the object share (code_object_variables.c). */
bool object_variables(struct object *o, struct image_kernel *k);

#endif
