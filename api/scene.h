/* Reading a scene: JSON values by their place in the document, which errors name ("fp.rect[2]"). */
#ifndef WB_API_SCENE_H
#define WB_API_SCENE_H

#include <jansson.h>

#include "api/launch.h"

struct scene {
	struct wb_launch *l;
	const char *name;               /* of the file; other files that it names are relative to it */
	struct diag *d;
};

/* A value's place: a member of the object, or an element of the list, that is at `up`; NULL: the document. */
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
/* Does an object have these members alone? `keys` are set apart by blanks. */
bool scene_keys(const struct scene *s, const struct scene_at *at, const json_t *object, const char *keys);
/* A value of that kind; NULL: there is none, or JSON null, and that is right. False: it is of another one. */
bool scene_list(const struct scene *s, const struct scene_at *at, const json_t *v, size_t least, size_t most);
bool scene_integer(const struct scene *s, const struct scene_at *at, const json_t *v, int64_t least, int64_t most,
		   int64_t *out);
bool scene_number(const struct scene *s, const struct scene_at *at, const json_t *v, double *out);
bool scene_truth(const struct scene *s, const struct scene_at *at, const json_t *v, bool *out);
/* Up to eight hex digits, or a number, which is a float. */
bool scene_word(const struct scene *s, const struct scene_at *at, const json_t *v, uint32_t *out);
/* Hex digits alone. */
bool scene_hex(const struct scene *s, const struct scene_at *at, const json_t *v, uint32_t most, uint32_t *out);
/* One of the words of `choices`, set apart by bars: its index. */
bool scene_choice(const struct scene *s, const struct scene_at *at, const json_t *v, const char *choices,
		  unsigned *out);
/* A file that the scene names, in the launch's arena. */
bool scene_file(const struct scene *s, const struct scene_at *at, const json_t *v, uint8_t **bytes, size_t *size);
/* Zeroed memory for n elements, which --max-memory allows. NULL: refused. */
void *scene_memory(const struct scene *s, uint64_t n, size_t size, const char *what);

/* Can a launch have so many threads, which are there for the value `found`? */
bool scene_fits(const struct scene *s, const struct scene_at *at, const json_t *found, uint64_t threads);

/* "fp" of a document: quads over a rectangle. */
bool scene_fragments(struct scene *s, const struct scene_at *at, const json_t *fp, struct stream *out);

#endif
