/* Inputs of a compilation, recorded beside the object: while the files are the same, and no new file stands where the
 * compiler would look first, the compiler would read the same text again. */
#ifndef WB_TOOLCHAIN_OPENCL_INPUTS_H
#define WB_TOOLCHAIN_OPENCL_INPUTS_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/arena.h"
#include "host/child.h"

/* Name and text of a source, and the folders of headers (-I). */
struct opencl_source {
	const char *name, *text;
	size_t size;
	const char *const *folders;
	size_t nfolders;
};

/* Does a text have a word (the time, the presence of a file) whose meaning changes while the text stays? */
bool opencl_inputs_change(const char *text, size_t size);
/* The text that the object of a source alone depends on: a copy of the source and its definitions (-D), from the arena.
 * Empty: the preprocessor might read a file, or make a name that neither text has (##); or the host has no memory. */
struct child_text opencl_alone(struct arena *a, const struct child_text *source, const char *defines);
/* A record of the files named by preprocessed text, from the arena. NULL: a file or the source has a word of
 * opencl_inputs_change, a name is not understood, or the host has no memory. */
char *opencl_inputs(struct arena *a, const struct opencl_source *source, const char *preprocessed, size_t size);
/* Are the files of the record at the head of `text` unchanged? *length: bytes of the record. */
bool opencl_inputs_same(const char *text, size_t size, size_t *length);

#endif
