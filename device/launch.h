/* The inputs of a launch: a prepared kernel, a device, and what texts and files give: arguments, vertices, scenes. */
#ifndef WB_DEVICE_LAUNCH_H
#define WB_DEVICE_LAUNCH_H

#include "device/device.h"
#include "inspect/launch.h"

struct wb_program {
	struct arena arena;
	const char *image_name;         /* name of the loaded file */
	struct files files;             /* the loaded file, then the files that it includes */
	struct image *image;            /* first of a chain of images */
	unsigned nkernels;
	struct wb_kernel *kernel;       /* public description of every kernel in the chain */
	const struct image_kernel **source;
	const struct image **owner;
};

struct argument {
	bool     is_buffer;
	uint64_t addr;          /* address of a buffer in global memory */
	uint32_t bytes;
	uint32_t offset, slot;  /* bytes from the start of the parameter block, bytes in the block */
	char    *out_file;      /* file for a buffer's bytes after the run; NULL: none */
	char     type[12];      /* of a value as given, "f32", "float4"; "" otherwise */
};

struct vertices {               /* device/inputs/vertices.c */
	struct stream stream;
	uint32_t *read;                 /* nread vertices from texts; registers of each vertex in `used` */
	uint16_t *used;
	uint32_t nread, read_capacity;
	unsigned numbers;               /* numbers in each vertex that is a list of numbers; 0: by name */
	uint32_t inputs_set;            /* bit n: every vertex has a value for input register n */
	unsigned out_words;
	struct wb_primitive *primitive; /* run.nprimitives triangles, as emitted */
	uint32_t *emitted;              /* vertices of the triangles, three of out_words words each */
	size_t capacity;
	struct wb_primitive *sorted;    /* the first nsorted by thread, for wb_launch_primitive */
	size_t nsorted;
};

/* The threads of a scene (device/inputs/scene.c). */
struct drawn {
	bool read;
	enum isa_stage stage;
	uint32_t rect[4];               /* fragments: x, y, width, height */
	uint32_t *thread;               /* 1 + thread by pixel of `rect`, row by row; 0: no thread */
};

/* What kernels print (device/prints.c). */
struct prints {
	uint64_t address;               /* of the buffer in global memory */
	uint32_t bytes;                 /* of records in the buffer; 0: nothing is printed */
	struct arena arena;             /* of what follows */
	uint32_t strings_left;          /* bytes of strings that texts may still fetch from memory */
	uint8_t *made_of;               /* size bytes of the buffer, of which the texts are made */
	uint32_t size;
	struct wb_print *text;
	size_t n;
};
enum { PRINTS_MOST = 1 << 30 };         /* bytes */

/* What plan_size finds out that is not in the plan; and what a kept launch is known by. */
struct sized {
	uint32_t dynamic_shared;        /* bytes of shared memory that arguments ask for */
	uint32_t offset[3];             /* number of the first thread in x, y and z */
	unsigned dimensions;            /* of the launch, 1 to 3 */
	bool by_caller;                 /* the next two are known */
	struct wb_launch_size size;     /* as the caller gave it */
	uint64_t kernel;                /* wb_prepared.number */
};

struct inputs {
	const struct wb_program *program;
	const struct wb_config *config; /* the prepared kernel's */
	const struct wb_prepared *prepared;
	struct wb_device *device;
	/* Prepared kernel and device of the launch alone, which frees both; NULL: the caller's. */
	struct wb_prepared *own_prepared;
	struct wb_device *own_device;
	uint32_t owner;                 /* of the launch's buffers in the device's memory */
	uint64_t changes;               /* device.changes when the launch was prepared */
	bool params_given;              /* as bytes, by the caller */
	struct const_banks banks;             /* of c[], as the plan has them */
	bool by_program;                /* the arguments come from the program text */
	struct files files;             /* files named by options and arguments */
	struct argument *arg;
	size_t nargs, arg_cap;
	struct argument *bound;         /* --global buffers */
	size_t nbound, bound_cap;
	struct vertices vertices;
	struct drawn drawn;
	struct prints prints;
	struct sized sized;
	struct wb_launch *next_kept;    /* in the device's list of kept launches */
	size_t kept_bytes;              /* of the machine, while the launch is in the list */
};

/* Value for isa_target.syntax (device/target.c) from the configuration. */
uint8_t syntax_of(const struct wb_config *c);
/* The decoder of a kernel under a configuration: instruction set, chip features, program type. */
bool target_of(const struct image *im, const struct wb_config *c, struct isa_target *t, const struct chip **chip,
	       struct diag *d);

/* Set the size of the launch; size NULL: by the options and the file. */
bool plan_size(struct wb_launch *l, const struct wb_launch_size *size, struct diag *d);
/* Bind the program for this launch alone, where the rules or the constants of the launch are others than the prepared
 * kernel's. */
bool plan_bind(struct wb_launch *l, struct diag *d);
/* Take the n bytes of parameters; NULL: none are given. */
bool params_take(struct wb_launch *l, const void *params, size_t n, struct diag *d);
/* Clear a launch but for its plan, to be a launch of k on v. */
void launch_blank(struct wb_launch *l, struct wb_device *v, const struct wb_prepared *k);
/* Arguments, memory, multiprocessors, first blocks; done once. */
bool launch_prepare(struct wb_launch *l, struct diag *d);
/* Whether the arguments fit the file's declared parameters. True without declarations, and with --no-check-args. */
bool params_check(const struct wb_launch *l, struct diag *d);
/* A warning about the first integer given for a float, or float for an integer, in the launch's arena; NULL: none. */
const char *params_types(struct wb_launch *l);
/* Bytes of the declared parameter at `offset`, else of the next declared parameter; 0: none. */
uint32_t params_bytes(const struct image_kernel *k, uint32_t offset);
/* `offset` if a declared parameter covers it, else the offset of the next declared parameter. */
uint32_t params_place(const struct image_kernel *k, uint32_t offset);
/* Whether the parameter at `offset` is a pointer to shared memory of the launch. */
bool params_shared(const struct image_kernel *k, uint32_t offset);
/* Whether that parameter is an image. */
bool params_image(const struct image_kernel *k, uint32_t offset);
/* One -a word: allocate and fill its buffer, put its bytes into the parameter block. */
bool launch_argument(struct wb_launch *l, const char *text, struct diag *d);
/* Apply one --global word to the launch; one --uniform word to a program with the kernel. */
bool launch_bind_global(void *launch, const char *text, struct diag *d);
bool uniform_take(struct program *p, const struct image_kernel *k, const char *text, struct diag *d);
/* Set the number of threads: the number of vertices, or the file's. */
bool vertices_prepare(struct wb_launch *l, struct diag *d);
/* Read the scene named by --scene, unless wb_launch_scene has read a scene. */
bool scene_prepare(struct wb_launch *l, struct diag *d);
/* Copy bytes (NULL: zeros) into constant bank `bank`, of the launch, which grows as needed (device/const_banks.c). */
bool fill_bank(struct wb_launch *l, unsigned bank, uint32_t offset, const void *bytes, size_t size, struct diag *d);
/* Input registers that the program reads and no vertex sets: "v1, v2"; NULL: none. */
const char *vertices_missing(const struct wb_launch *l, struct arena *a);
void vertices_free(struct wb_launch *l);
/* Allocate the buffer of what the program prints. */
bool prints_prepare(struct wb_launch *l, struct diag *d);

#endif
