/* Calls of the built-in functions of OpenCL C: kernel texts, inputs, and expected results, by exact models independent
 * of the compiler and its library. */
#ifndef WB_TESTS_GCN_BUILTINS_H
#define WB_TESTS_GCN_BUILTINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { ELEMENTS = 4096, ARGUMENTS = 3, RESULTS = 2, SLOTS = RESULTS + ARGUMENTS };

struct kind {
	char letter;            /* builtins.def; capital: signed */
	const char *name;       /* "uchar" */
	unsigned bits;
	bool is_signed, real;
};

struct value { __int128 i; long double f; };    /* i of integers, f of floats */

/* A call with the types of its elements. */
struct form {
	const char *name;       /* of builtins.def */
	const char *call;       /* "@T", "@U": T, U with the width, "@E": T without, "@W": the width, "" for scalars */
	char which;             /* available widths, of the row's types (builtins.def) */
	const struct kind *type;
	struct slot {
		const struct kind *kind;        /* NULL: absent */
		bool scalar;                    /* in calls with vectors, too */
		bool truth;                     /* 1 of scalars, -1 of vectors */
	} slot[SLOTS];          /* r, s, a, b, c */
	double ulp;
	void (*meaning)(struct form *k, const struct value *x, struct value *out);
	/* The present call of the meaning. */
	unsigned width, lane;   /* elements; index of the present element */
	struct value all[ARGUMENTS][16];
	long double tolerance;  /* allowed absolute error, set by the meaning */
	bool any[RESULTS];      /* set by the meaning: every value is right */
	/* conversions */
	bool saturate;
	char rounding;          /* 'e' to nearest even, 'z' to zero, 'p' up, 'n' down */
};

struct row {
	const char *name, *call, *types, *elements;
	double ulp;
	void (*meaning)(struct form *k, const struct value *x, struct value *out);
};

extern const struct row builtin_rows[];
extern const size_t builtin_nrows;
extern const struct kind kinds[];
extern const size_t nkinds;
extern const unsigned widths[6];

const struct kind *kind_of(char letter);
/* The row's form for an element type. */
struct form form_of_row(const struct row *row, const struct kind *type);
/* convert_TYPE from a kind, in a form with its text in `call`, 64 bytes. */
struct form form_of_conversion(const struct kind *to, const struct kind *from, bool saturate, char rounding,
				char *call);
/* Whether the function has the width. */
bool has_width(const struct form *form, unsigned width);
/* Write the kernel `name` of the form at a width. */
void write_kernel(FILE *f, const struct form *form, unsigned width, const char *name);
/* Fill ELEMENTS elements of an argument, 0 to 2. */
void fill_argument(const struct form *form, unsigned argument, void *bytes);

/* Describe the first difference in `text`; true: no difference. in: arguments, out: results, in the machine's layout.
 * flush: denormal floats (not doubles) may be 0. */
bool compare_results(struct form *form, unsigned width, const void *const in[ARGUMENTS], const void *const out[RESULTS],
		     bool flush, char *text, size_t size);

#endif
