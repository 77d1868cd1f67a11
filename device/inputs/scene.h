/* Reading a scene: JSON values with their path in the document, for errors ("fp.rect[2]"). */
#ifndef WB_DEVICE_INPUTS_SCENE_H
#define WB_DEVICE_INPUTS_SCENE_H

#include <jansson.h>

#include "device/launch.h"
#include "mem/texture.h"

enum { ATTRIBUTES = 16 };

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

/* ---- the objects of a scene, whose members are the rows of scene.def; NULL: a member is missing ---- */

struct scene_root {
	const json_t *banks, *textures, *samplers, *tic, *tsc, *memory;
	const json_t *threads[4];       /* members by enum isa_stage */
	uint32_t schema;
};

struct scene_vp {
	const json_t *vertices;
	bool vertex_id, instance_id;
	uint32_t masks[2], first_vertex, instance;
};

struct scene_gp {
	const json_t *vertices, *indices;
	uint8_t masks[ATTRIBUTES];
	uint32_t input, output, max_vertices, id0;
};

struct scene_fp {
	const json_t *rect, *cover, *vertices, *position, *varyings, *sample, *centroids;
	bool front, depth, samplemask;
	uint8_t mode[ATTRIBUTES], mask[ATTRIBUTES];
	uint32_t results;
};

struct scene_corner {
	double pos[4];
	const json_t *attr;
};

struct scene_varying {
	const json_t *what;
	uint32_t address, word[3];
};

struct scene_sample {
	double position[2];
	uint32_t id;
};

struct scene_texture {
	const json_t *data;
	uint32_t number;
	uint8_t normalised;
	struct texture t;
};

struct scene_sampler {
	uint32_t number, mip, compare;
	struct sampler s;
};

struct scene_bytes {
	const json_t *address, *file;
};

enum scene_object {
	OF_root, OF_vp, OF_gp, OF_fp, OF_corner, OF_varying, OF_sample, OF_texture, OF_sampler, OF_bytes
};

/* Read the members of an object into its struct, in which a missing member leaves what is there. False: no object, an
 * unknown member (the document may have any), or a value of another type or out of its row's bounds. */
bool scene_read(const struct scene *s, const struct scene_at *at, const json_t *object, enum scene_object which,
		void *out);
/* Read a value of a JSON type. False: a value of another type, or out of range. */
bool scene_list(const struct scene *s, const struct scene_at *at, const json_t *v, size_t least, size_t most);
bool scene_integer(const struct scene *s, const struct scene_at *at, const json_t *v, int64_t least, int64_t most,
		   int64_t *out);
bool scene_number(const struct scene *s, const struct scene_at *at, const json_t *v, double *out);
/* Read up to eight hex digits, or a number, as a float. */
bool scene_word(const struct scene *s, const struct scene_at *at, const json_t *v, uint32_t *out);
/* Read a file named in the scene into the launch's arena. */
bool scene_file(const struct scene *s, const struct scene_at *at, const json_t *v, uint8_t **bytes, size_t *size);
/* Zeroed memory for n elements, within --max-memory. NULL: refused. */
void *scene_memory(const struct scene *s, uint64_t n, size_t size, const char *what);

/* Whether a launch can have this many threads; `found` is the value to blame. */
bool scene_fits(const struct scene *s, const struct scene_at *at, const json_t *found, uint64_t threads);

/* "fp" of a document: quads over a rectangle. */
bool scene_fragments(struct scene *s, const struct scene_at *at, const json_t *fp, struct stream *out);

#endif
