/* Reading a scene: JSON values with their path in the document, for errors ("fp.rect[2]"). */
#ifndef WB_DEVICE_INPUTS_SCENE_H
#define WB_DEVICE_INPUTS_SCENE_H

#include <jansson.h>

#include "device/launch.h"

struct scene {
	struct wb_launch *l;
	const char *name;               /* name of the scene; other files are relative to its folder */
	struct diag *d;
};

/* A path: a member of the object, or an element of the list, at `up`; NULL: the document. */
struct scene_at {
	const struct scene_at *up;
	const char *key;                /* NULL: `index` */
	size_t index;
};

#define AT_KEY(up, name) (&(struct scene_at){ (up), (name), 0 })
#define AT_INDEX(up, i) (&(struct scene_at){ (up), NULL, (i) })

/* "FILE: fp.rect[2]: found -1, expected …". Returns false. */
bool scene_refuse(const struct scene *s, const struct scene_at *at, const json_t *found, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
bool scene_no_memory(const struct scene *s, const char *what);
/* Whether an object has no other members than `keys`, a text separated by blanks. */
bool scene_keys(const struct scene *s, const struct scene_at *at, const json_t *object, const char *keys);
/* Read a value of a JSON type; a missing value or null is accepted. False: a value of another type, or out of range. */
bool scene_list(const struct scene *s, const struct scene_at *at, const json_t *v, size_t least, size_t most);
bool scene_integer(const struct scene *s, const struct scene_at *at, const json_t *v, int64_t least, int64_t most,
		   int64_t *out);
bool scene_number(const struct scene *s, const struct scene_at *at, const json_t *v, double *out);
bool scene_truth(const struct scene *s, const struct scene_at *at, const json_t *v, bool *out);
/* Read up to eight hex digits, or a number, as a float. */
bool scene_word(const struct scene *s, const struct scene_at *at, const json_t *v, uint32_t *out);
/* Read hex digits. */
bool scene_hex(const struct scene *s, const struct scene_at *at, const json_t *v, uint32_t most, uint32_t *out);
/* Read a word of `choices`, separated by bars, as its index. */
bool scene_choice(const struct scene *s, const struct scene_at *at, const json_t *v, const char *choices,
		  unsigned *out);
/* Read a file named in the scene into the launch's arena. */
bool scene_file(const struct scene *s, const struct scene_at *at, const json_t *v, uint8_t **bytes, size_t *size);
/* Zeroed memory for n elements, within --max-memory. NULL: refused. */
void *scene_memory(const struct scene *s, uint64_t n, size_t size, const char *what);

/* Whether a launch can have this many threads; `found` is the value to blame. */
bool scene_fits(const struct scene *s, const struct scene_at *at, const json_t *found, uint64_t threads);

/* "fp" of a document: quads over a rectangle. */
bool scene_fragments(struct scene *s, const struct scene_at *at, const json_t *fp, struct stream *out);

#endif
