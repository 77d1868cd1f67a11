/* The text of a call of OpenCL C's printf (1.2, 6.12.13), from the call's meaning in the code object and the bytes of
 * the call's arguments. */
#ifndef WB_CORE_PRINT_TEXT_H
#define WB_CORE_PRINT_TEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* A precision that begins with these digits makes f and a of a format F and A (toolchain/opencl/formats.h). */
#define PRINT_CAPITALS "00000000"

/* In programs of PTX that print: name of the .global variable of 8 bytes for the buffer's address (device/prints.c). */
#define PRINT_VARIABLE "$prints"

/* Number of the call in records with the address of a format (core/image.h). */
enum { PRINT_NUMBER_BY_FORMAT = 0 };

/* Write the meaning of a call with a format of C, whose integers have 4 bytes without a longer length, and an @ behind
 * the BYTES of the address of a string (device/prints.c). */
void print_meaning(FILE *f, const char *format);

/* Bytes of a record that no store has reached. */
enum { PRINT_UNWRITTEN = 0xf5 };

/* The number of words of 4 bytes, at the end of a call's arguments, that no store has reached. LLVM 16 to 19 count for
 * a literal of 4, 8, 12 … characters a word of zeros, and do not store the word: the arguments behind are nearer. */
uint32_t print_unwritten(const uint8_t *arguments, uint32_t size);

/* Whether a call has a literal among its arguments whose zeros LLVM may leave out. */
bool print_has_literals(const char *meaning);

/* Print the text. meaning: ":ARGUMENTS:BYTES:…:FORMAT", a colon in the format as \72; ends with a zero. arguments:
 * `size` bytes, each argument in the BYTES of its own, with `unwritten` words less, as of print_unwritten. Text that is
 * no conversion of the language is printed unchanged; a call without the arguments, lost by the compiler, is printed
 * with a note. */
void print_text(FILE *f, const char *meaning, const uint8_t *arguments, uint32_t size,
		uint32_t unwritten);

#endif
