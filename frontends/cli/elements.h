/* Values of memory as text: the element types u8 … f64 that `--show` and expectations name. */
#ifndef WB_FRONTENDS_CLI_ELEMENTS_H
#define WB_FRONTENDS_CLI_ELEMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum element_kind { ELEMENT_UNSIGNED, ELEMENT_SIGNED, ELEMENT_HEX, ELEMENT_FLOAT };

struct element_type {
	const char *name;
	enum element_kind kind;
	uint8_t size;  /* bytes */
	uint64_t mask; /* the bits of an element */
};

/* The type of that name, or NULL. */
const struct element_type *element_type(const char *name);
/* The bit pattern of one element at p, little-endian, zero-extended. */
uint64_t element_load(const struct element_type *t, const void *p);
/* A text as a bit pattern: integers decimal or hex; floats decimal, C hex float, nan, inf, and a plain hex integer is
 * the pattern itself. False: the text is none. */
bool element_parse(const struct element_type *t, const char *text, uint64_t *bits);
/* The element's value; above 2^53 rounded to a double. */
double element_number(const struct element_type *t, uint64_t bits);
/* The element as text, in `text`, which is returned. */
const char *element_format(const struct element_type *t, uint64_t bits, char *text, size_t size);

#endif
