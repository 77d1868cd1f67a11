/* Line tables of DWARF 2 to 4: the sections .debug_line and .nv_debug_line_sass of cubins. A table is a program of
 * steps over address and line; the address of a sequence is relocated against a kernel's section. */
#ifndef WB_CORE_LOAD_LINE_TABLE_H
#define WB_CORE_LOAD_LINE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* What the reader of a table is told of. A row holds up to the next; line 0 ends a sequence. */
struct line_reader {
	void *user;
	/* The address at `offset` bytes of the section begins a sequence. False: rows up to the next are left out. */
	bool (*begin)(void *user, uint32_t offset);
	/* False ends the reading: the host has no memory. */
	bool (*row)(void *user, uint32_t address, const char *file, uint32_t line);
};

/* Walk a section of `size` bytes. Bytes that are no table end the walk without an error, since a program runs without
 * its lines. False: `row` said so. */
bool line_table_read(const uint8_t *bytes, size_t size, const struct line_reader *r);

struct line_row { uint32_t pc, line; };
struct line_sequence {
	const struct line_row *rows;     /* by pc; line 0: none */
	size_t nrows;
	uint32_t bytes;                  /* of the code */
};

/* Write a table of DWARF 2 for one source file. address[i] becomes the place in the table of the address of sequence i,
 * 4 bytes that a relocation fills. */
void line_table_write(FILE *out, const char *file, const struct line_sequence *s, size_t n, uint32_t *address);

#endif
