/* What a launch is made from: a program, a configuration, files, arguments, vertices. api/launch.c makes its plan of
 * them. */
#ifndef WB_API_LAUNCH_H
#define WB_API_LAUNCH_H

#include "api/config.h"
#include "api/files.h"
#include "inspect/launch.h"

struct wb_program {
	struct arena arena;
	const char *image_name;         /* the name it was loaded by */
	struct files files;             /* itself, then what it includes */
	struct image *image;            /* a chain */
	unsigned nkernels;
	struct wb_kernel *kernel;       /* what callers see of every kernel in the chain */
	const struct image_kernel **source;
	const struct image **owner;
};

struct argument {
	bool     is_buffer;
	uint64_t addr;          /* of a buffer in global memory */
	uint32_t bytes;
	uint32_t offset, slot;  /* where it is in the parameter block, and bytes of it there */
	char    *out_file;      /* where a buffer goes after the run, or NULL */
};

struct vertices {               /* api/vertices.c */
	struct stream stream;
	uint32_t *read;                 /* nread of them from texts, and how many registers each gives */
	uint16_t *used;
	uint32_t nread, read_room;
	unsigned numbers;               /* of each that is a list of them */
	uint32_t given;                 /* bit n: all of them give input register n */
	unsigned out_words;
	struct wb_primitive *primitive; /* run.nprimitives of them, as they were emitted */
	uint32_t *emitted;              /* the vertices of each, three of out_words */
	size_t room;
	struct wb_primitive *sorted;    /* the first nsorted by thread, for wb_launch_primitive */
	size_t nsorted;
};

/* What a scene's threads are (api/scene.c). */
struct drawn {
	bool read;
	enum isa_stage stage;
	uint32_t rect[4];               /* fragments: x, y, width, height */
	uint32_t *thread;               /* by pixel of it, row by row: 1 + the thread, 0: none */
};

struct inputs {
	const struct wb_program *program;
	struct wb_config *config;
	bool by_program;                /* the arguments that are being taken are those of the program text */
	struct files files;             /* that options and arguments named */
	struct argument *arg;
	size_t nargs, arg_cap;
	struct argument *bound;         /* --global buffers */
	size_t nbound, bound_cap;
	struct vertices vertices;
	struct drawn drawn;
	uint32_t dynamic_shared;        /* bytes of shared memory that arguments ask for */
};

/* The instruction sets of this build (api/registry.c). NULL: none of that name, or past the last. */
const struct isa_ops *isa_find(const char *name);
const struct isa_ops *isa_at(unsigned index);
/* The instruction set in whose language a file is, by the name's ending, and for which program type. NULL: its name
 * does not say. */
const struct isa_ops *isa_of_file(const char *name, uint32_t *mode);
/* The instruction set that has a chip of this name; NULL: none has. */
const struct isa_ops *isa_of_chip(const char *name);
/* Returns false: there is no machine of that name; these there are. */
bool isa_unknown(const char *name, struct diag *d);

/* isa_target.syntax that a configuration asks for. */
uint8_t syntax_of(const struct wb_config *c);
/* What decodes a kernel of an image under a configuration: the ISA, the chip's features, the program type. */
bool target_of(const struct image *im, const struct wb_config *c, struct isa_target *t, const struct chip **chip,
	       struct diag *d);

/* Make l->plan of what l->inputs holds, for kernel `kernel` (NULL: the only one). */
bool plan_make(struct wb_launch *l, const char *kernel, struct diag *d);
/* Arguments, memory, multiprocessors, first blocks; done once. */
bool launch_prepare(struct wb_launch *l, struct diag *d);
/* The items of a LIST option, one by one. */
bool each_item(struct wb_launch *l, enum option o, bool (*take)(struct wb_launch *, const char *, struct diag *),
	       struct diag *d);
/* Do the arguments fit the parameters that the file declares? True for a file that declares none, and with
 * --no-check-args. */
bool params_check(const struct wb_launch *l, struct diag *d);
/* Bytes of the declared parameter that an argument at `offset` or behind it is for; 0: none is. */
uint32_t params_bytes(const struct image_kernel *k, uint32_t offset);
/* Where an argument for `offset` goes: there, or where the next declared parameter begins if none is there. */
uint32_t params_place(const struct image_kernel *k, uint32_t offset);
/* Is a pointer to shared memory that the launch provides declared at `offset`? */
bool params_shared(const struct image_kernel *k, uint32_t offset);
/* One -a word: allocate and fill its buffer, put its bytes into the parameter block. */
bool launch_argument(struct wb_launch *l, const char *text, struct diag *d);
/* One --global word; one --uniform word; what --f24 says. */
bool launch_bind_global(struct wb_launch *l, const char *text, struct diag *d);
bool launch_uniform(struct wb_launch *l, const char *text, struct diag *d);
bool launch_rounding(struct wb_launch *l, struct diag *d);
/* With --hw-strict: the findings of the launch's program. */
bool launch_lint(struct wb_launch *l, struct diag *d);
/* The launch has as many threads as it was given vertices, or as its file says. */
bool vertices_prepare(struct wb_launch *l, struct diag *d);
/* What --scene names, unless a scene has been read. */
bool scene_prepare(struct wb_launch *l, struct diag *d);
/* Bytes into constant bank `bank`, which grows as far as they reach; NULL: zeros. */
bool fill_bank(struct wb_launch *l, unsigned bank, uint32_t offset, const void *bytes, size_t size, struct diag *d);
/* The input registers that the program reads and that were not given: "v1, v2", or NULL. */
const char *vertices_missing(const struct wb_launch *l, struct arena *a);
void vertices_free(struct wb_launch *l);

#endif
