/* Files of the host to be read, and the host's memory: what a build without a host (no_files.c) lacks. */
#ifndef WB_HOST_FILES_H
#define WB_HOST_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/diag.h"

/* Values of --files, in the order of its choices: host files that a program's text may name. */
enum files_rule { FILES_INPUT /* below the program's folder */, FILES_ANY, FILES_NONE };

/* A descriptor of a file, pipe or device to be read; -1 with a diagnostic in the file's name. */
int input_open(const char *path, struct diag *d);
/* The whole of a file of the host, at most `most` bytes, in an arena. */
bool host_read(struct arena *a, const char *path, uint64_t most, uint8_t **bytes, size_t *size, struct diag *d);
/* The first bytes of a regular file, at most n. 0: none, or not to be read. */
size_t host_head(const char *path, uint8_t *head, size_t n);
/* Bytes of memory that no process of the host uses; the same without the host's caches, by a single system call. */
uint64_t host_free_bytes(void);
uint64_t host_idle_bytes(void);
/* Whether a path, links followed, leads to a file in the program's folder or below. False with a diagnostic. */
bool host_is_below(const char *program, const char *path, struct diag *d);

#endif
