/* Files named by programs, options and arguments: read from the host or taken from the caller (wb_config_files), and
 * noted, so that a run can be packed up with all its files. */
#ifndef WB_DEVICE_FILES_H
#define WB_DEVICE_FILES_H

#include "core/base/arena.h"
#include "core/base/diag.h"
#include "host/files.h"
#include "host/memory.h"
#include "warpbeam.h"

/* Notes of all files read, in the order of reading; the notes live in an arena. */
struct files {
	struct file_note *first_note, *last_note;
};

/* Note n bytes, which must live as long as the arena. */
bool files_note(struct files *f, struct arena *a, const char *name, const void *bytes, size_t n);
/* The number of notes. */
unsigned files_count(const struct files *f);
/* The index-th note. False: past the end. */
bool files_get(const struct files *f, unsigned index, struct wb_file *out);
/* Bytes of the host's memory that one file, or one launch, may take (--max-memory): as asked for (host/memory.h), and
 * as a number. */
uint64_t memory_asked(const struct wb_config *c);
uint64_t memory_limit(const struct wb_config *c);
/* Whether bytes are within the limit; false sets *most to the limit. */
bool memory_allows(const struct wb_config *c, uint64_t bytes, uint64_t *most);
/* Whether the text of `program` may name a file, for reading or writing (--files). False with a diagnostic. */
bool files_may(const struct wb_config *c, const char *program, const char *path, bool write, struct diag *d);
/* The whole of a file in an arena, noted in f. */
bool read_file(const struct wb_config *c, struct files *f, struct arena *a, const char *path, uint8_t **bytes,
	       size_t *size, struct diag *d);

#endif
