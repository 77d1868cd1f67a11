/* Textbook kernels: OpenCL C as people write kernels, one file each (NAME.cl, of a kernel NAME), and for each a plain C
 * model without code in common, which says what memory has after a launch. A theme's file (sorting.c, …) has the
 * inputs and models of its kernels and a table of them. test_textbook.c runs the kernels on Warpbeam's machines, peer.c
 * on an OpenCL device. */
#ifndef WB_TESTS_TEXTBOOK_TEXTBOOK_H
#define WB_TESTS_TEXTBOOK_TEXTBOOK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ARGUMENTS_MAX = 12, SHAPES_MAX = 3 };

/* How an argument's memory after a launch agrees with the model's. */
enum agreement {
	EXACT,          /* every byte */
	UNORDERED,      /* the same 32-bit words in any order */
	CLOSE,          /* floats within a tolerance */
	UNCHECKED       /* scratch memory */
};

struct argument {
	char word[40];          /* argument as Warpbeam's -a takes it: of a scalar and of local memory the whole text */
	void *start;            /* bytes of a buffer before the launch; NULL: no buffer */
	void *want;             /* bytes of a buffer after the launch, by the model */
	size_t bytes;           /* bytes of a buffer or of local memory */
	size_t element;         /* bytes of an element, for messages */
	uint32_t scalar[2];     /* bits of a scalar, low word first */
	unsigned scalar_bytes;  /* bytes of a scalar; 0: no scalar */
	enum agreement agreement;
	double tolerance;       /* CLOSE: absolute error, and relative error of numbers beyond 1 */
};

/* A launch with its inputs and the model's outcome. */
struct task {
	unsigned groups[2];
	unsigned local[2];      /* work-items of a group */
	unsigned items;         /* work-items of dimension 0, all groups */
	unsigned narguments;
	struct argument argument[ARGUMENTS_MAX];
	uint64_t random;        /* state of the inputs' generator */
	bool failed;            /* memory was missing */
};

struct shape {
	unsigned groups[2];
	unsigned local[2];
};

struct textbook {
	const char *name;
	void (*setup)(struct task *t);
	struct shape shape[SHAPES_MAX];         /* launches to run; one without groups ends the list */
};

#define LINE(groups, local) { { groups, 1 }, { local, 1 } }
#define PLANE(groups_x, groups_y, local_x, local_y) { { groups_x, groups_y }, { local_x, local_y } }

/* ---- making tasks: arguments in the kernel's order ---- */

/* An input of n elements, which a launch does not change; the caller fills it. */
void *task_in(struct task *t, size_t n, size_t element);
/* An output of n elements, all bytes 0xa5 before the launch; the model fills the returned expectation. */
void *task_out(struct task *t, size_t n, size_t element);
/* A buffer that a launch changes: returns the bytes before the launch, and in *want a second array for the model. Both
 * begin as zeros. */
void *task_inout(struct task *t, size_t n, size_t element, void *want);
/* Zeros that a launch may write as it likes. */
void task_scratch(struct task *t, size_t bytes);
/* The last argument agrees in another way than byte for byte. */
void task_unordered(struct task *t);
void task_close(struct task *t, double tolerance);
void task_u32(struct task *t, uint32_t value);
void task_s32(struct task *t, int32_t value);
void task_f32(struct task *t, float value);
void task_u64(struct task *t, uint64_t value);
/* A pointer to so many bytes of local memory. */
void task_local(struct task *t, size_t bytes);
/* The next random word, and a random number below n. */
uint32_t task_random(struct task *t);
uint32_t task_below(struct task *t, uint32_t n);

/* ---- running tasks ---- */

extern const struct textbook *const themes[];   /* tables of all themes, each ended by a NULL name; NULL at the end */

/* The task of a kernel and a shape; false: no memory. */
bool task_begin(struct task *t, const struct textbook *k, const struct shape *s);
void task_end(struct task *t);
/* Compare the bytes of an argument after a launch; a difference becomes a text. */
bool task_agrees(const struct task *t, unsigned argument, void *found, char *text, size_t size);

#endif
