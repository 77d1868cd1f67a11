/* The OpenCL platform: what the files of this folder share.
 *
 * Objects. A handle points to a struct that begins with a `struct object`: dispatch table, kind and
 * references. All live objects are in a table (object.c), where every handle from a program is looked up.
 *
 * The house. One lock, held by every entry point from HOUSE to its return, guards all objects. Commands run without the
 * lock, under the lock of their context (queue.c); callbacks run without any lock when an entry point is left.
 *
 * Memory. Each context has a device of Warpbeam (struct place) for each of its devices, and buffers live there alone;
 * a buffer that another device of the context uses moves. Pointers of the program are read and written by copying. */
#ifndef WB_FRONTENDS_OPENCL_OPENCL_H
#define WB_FRONTENDS_OPENCL_OPENCL_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl_icd.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "frontends/program/program.h"
#include "warpbeam.h"

/* ---- objects (object.c) ---- */

enum kind {
	KIND_PLATFORM, KIND_DEVICE, KIND_CONTEXT, KIND_QUEUE, KIND_MEM, KIND_SAMPLER, KIND_PROGRAM, KIND_KERNEL,
	KIND_EVENT, KINDS
};

struct object {
	const struct _cl_icd_dispatch *dispatch;        /* for loaders: before all else */
	enum kind kind;
	cl_uint references;
	struct object *self;            /* key of the table of live objects */
	UT_hash_handle hh;
};
/* A new object of `bytes` bytes, all 0, with one reference. NULL: no memory. */
void *object_new(enum kind kind, size_t bytes);
bool object_is(const void *handle, enum kind kind);
/* The error for a handle that is no object of the kind. */
cl_int object_wrong(enum kind kind);
/* One reference more or less; without references an object ends by its kind's function, below. */
void *object_keep(void *handle);
void object_drop(void *handle);
/* The entry points clRetain… and clRelease…. */
cl_int object_retain(void *handle, enum kind kind);
cl_int object_release(void *handle, enum kind kind);

void context_end(void *object);
void queue_end(void *object);
void mem_end(void *object);
void sampler_end(void *object);
void program_end(void *object);
void kernel_end(void *object);
void event_end(void *object);

/* ---- the house (house.c) ---- */

/* Enter the house until the end of the scope, or return `refusal`: in a forked child, or without memory. */
#define HOUSE(refusal) \
	__attribute__((cleanup(house_leave), unused)) bool inside = house_enter(); \
	if (!inside) \
		return refusal
bool house_enter(void);
void house_leave(bool *inside);
/* Out of the house and back, for work that takes long. */
void house_out(void);
void house_in(void);
/* Wait until an event or a queue has changed, or a callback was called. */
void house_wait(void);
void house_changed(void);
struct program *house_program(void);

/* A call into the program, once the house is left: one of the function types below. */
struct call {
	struct call *next;
	void (CL_CALLBACK *event)(cl_event, cl_int, void *);
	void (CL_CALLBACK *mem)(cl_mem, void *);
	void (CL_CALLBACK *built)(cl_program, void *);
	void *handle;                   /* the object of the call; an event or program is kept until the call */
	cl_int status;                  /* of the event */
	void *user_data;
};
void house_call(struct call *c);

/* Set *errcode_ret, which may be NULL, and return NULL. */
void *refuse(cl_int *errcode_ret, cl_int error);
/* Set *errcode_ret to CL_SUCCESS and return the object. */
void *grant(cl_int *errcode_ret, void *object);

/* An answer of clGet…Info: n bytes to the program, as far as it asks for them. */
struct query {
	size_t size;                    /* bytes of `value` */
	void *value;
	size_t *size_ret;
};
cl_int answer(const struct query *q, const void *bytes, size_t n);
cl_int answer_text(const struct query *q, const char *text);
#define ANSWER(q, type, ...) answer(q, &(type){ __VA_ARGS__ }, sizeof(type))

/* ---- platform.c, device.c ---- */

extern struct _cl_icd_dispatch dispatch_table;

struct _cl_platform_id { struct object object; };
struct _cl_device_id {
	struct object object;
	const char *chip;
	const char *extensions;
	uint64_t memory_bytes, pointer_bytes, parameter_bytes;
	uint64_t block_most[3], grid_most[3];   /* threads of a block, blocks of a grid */
	uint64_t shared_most;           /* bytes that a block shares */
};
enum {
	DEVICES_MOST = 16,              /* devices of the platform */
	BASE_ALIGN = 128,               /* bytes, of a sub-buffer's origin */
	/* texels and layers of images, and images of a kernel: the format of images bounds none of them */
	IMAGE_SIDE_MOST = 16384, IMAGE_DEPTH_MOST = 2048, IMAGE_LAYERS_MOST = 2048, IMAGE_BUFFER_MOST = 1 << 27,
	IMAGES_READ_MOST = 128, IMAGES_WRITTEN_MOST = 64, SAMPLERS_MOST = 16
};
cl_platform_id platform_get(void);
/* The devices of the platform, in order; returns their number. */
cl_uint devices_get(cl_device_id out[DEVICES_MOST]);
/* The devices of a type; returns their number. */
cl_uint devices_of_type(cl_device_type type, cl_device_id out[DEVICES_MOST]);
/* The number that wb_chip_fact has under the key; 0: none. */
uint64_t chip_number(const char *chip, const char *key);
const char *chip_text(const char *chip, const char *key);

/* ---- context.c ---- */

/* A device of a context. */
struct place {
	cl_device_id device;
	struct wb_device *memory;
	struct wb_config *config;       /* of `memory`, and of programs built for the device */
	cl_ulong clock;                 /* nanoseconds of all commands up to now, and 1 */
};
struct _cl_context {
	struct object object;
	pthread_mutex_t running;        /* held by a command that runs, and by preparing kernels */
	cl_uint nplaces;
	struct place *places;           /* nplaces of them */
	cl_context_properties *properties;      /* nproperties, the last 0 */
	size_t nproperties;
	struct wb_program **loaded;     /* nloaded programs that places may have loaded, which they must outlive */
	size_t nloaded;
};
/* The number of the device's place in the context; nplaces: none. */
cl_uint context_place(cl_context c, cl_device_id d);
/* Keep a program until the places are gone. False: no memory. */
bool context_adopt(cl_context c, struct wb_program *p);

/* ---- queue.c, event.c ---- */

struct command;
struct _cl_command_queue {
	struct object object;
	cl_context context;
	cl_uint place_number;           /* place of the context */
	cl_command_queue_properties properties;
	struct command *head, **tail;   /* commands that wait, in order */
	bool busy;                      /* a thread runs a command */
	bool listed;                    /* in the list of queues with commands */
	bool failed;                    /* a command has run and failed since the last clFinish */
	struct _cl_command_queue *next; /* in that list */
};

struct watch {                          /* a callback of an event */
	struct watch *next;
	cl_int status;
	struct call *call;
};
struct _cl_event {
	struct object object;
	cl_context context;
	cl_command_queue queue;         /* NULL: a user event */
	cl_command_type type;
	cl_int status;                  /* CL_QUEUED … CL_COMPLETE, or an error below 0 */
	bool set;                       /* a user event has its last status */
	cl_ulong time[4];               /* nanoseconds: queued, submitted, started, ended */
	struct watch *watches;
};
cl_event event_new(cl_context c, cl_command_queue q, cl_command_type type);
/* Give an event a later status: callbacks, waiting threads. */
void event_advance(cl_event e, cl_int status);
bool event_over(const struct _cl_event *e);
/* The error of a wait list; events must be of the context (NULL: any). */
cl_int events_check(cl_context c, cl_uint n, const cl_event *list);

/* A command of a queue. Members of a command's own follow in a struct that begins with this. */
struct command {
	struct command *next;
	/* Do the work, outside the house: CL_SUCCESS or an error. */
	cl_int (*run)(struct command *c, struct place *p);
	/* Drop what the command keeps; NULL: nothing. */
	void (*end)(struct command *c);
	cl_command_queue queue;
	cl_event event;
	struct _cl_event own_event;     /* `event` of an order that asks for none: no object, no handle, no callbacks */
	cl_event *wait;                 /* nwait events that come first */
	cl_uint nwait;
	bool barrier;                   /* waits for all commands before, and all commands after wait */
	bool held;                      /* the thread that has enqueued it still reads its event */
	bool over;                      /* it has run, and waits to be freed */
	cl_ulong nanoseconds;           /* of the device, from `run` */
};
/* What entry points that enqueue have in common. */
struct order {
	cl_command_type type;
	bool blocking;
	cl_uint nwait;
	const cl_event *wait;
	cl_event *event;                /* place for the command's event; NULL: none */
};
/* A command of `bytes` bytes for the queue. NULL with *error: bad wait list, no memory. */
void *command_new(cl_command_queue q, const struct order *o, size_t bytes, cl_int *error);
/* Enqueue, run what can run, and wait where the order is blocking. The command is the queue's from here on. */
cl_int command_enqueue(struct command *c, const struct order *o);
/* A command that is not to be enqueued after all; returns the error. */
cl_int command_refuse(struct command *c, cl_int error);
/* Run every command that can run, of all queues. */
void commands_run(void);

/* ---- mem.c ---- */

struct mapping;                         /* transfer.h */
struct image;                           /* image.h */
struct ending {                         /* a destructor callback, the latest first */
	struct ending *next;
	struct call *call;
};
struct _cl_mem {
	struct object object;
	cl_context context;
	cl_mem_flags flags;
	size_t bytes;
	uint8_t *host;                  /* of CL_MEM_USE_HOST_PTR, from the object's first byte on; else NULL */
	struct image *image;            /* NULL: a buffer */
	cl_mem parent;                  /* of a sub-buffer, or of an image of a buffer; NULL: memory of its own */
	size_t origin;                  /* from the first byte of the buffer that has the memory */
	uint64_t *address;              /* of memory of its own, by place; 0: not there */
	cl_uint owner;                  /* place with the buffer's bytes */
	struct mapping *mappings;
	cl_uint nmappings;
	struct ending *endings;
};
/* The address of the object's first byte in a place, where its bytes are from now on. 0: no memory. Under the context's
 * `running`. */
uint64_t mem_address(cl_mem m, cl_uint place);
/* CL_SUCCESS, or the error of a handle that is no memory object of the context. */
cl_int mem_check(cl_context c, cl_mem m);
/* The object that has the memory. */
cl_mem mem_root(cl_mem m);
/* For creation: whether the flags are some; those of a part, which come from the buffer where `flags` are silent, false
 * where the buffer forbids them; an object of the context, NULL without memory; whether `bytes` fit a device. */
bool mem_are_flags(cl_mem_flags flags);
bool mem_part_flags(const struct _cl_mem *buffer, cl_mem_flags flags, cl_mem_flags *out);
cl_mem mem_new(cl_context c, cl_mem_flags flags, size_t bytes);
bool mem_fits(const struct _cl_context *c, size_t bytes);
/* Do `write` in the object's first place, where its memory is made: CL_SUCCESS or an error. */
cl_int mem_fill_first(cl_mem m, bool (*write)(cl_mem m, struct wb_device *v, uint64_t address, const void *host),
		      const void *host);

/* ---- sampler.c ---- */

struct _cl_sampler {
	struct object object;
	cl_context context;
	cl_bool normalized;
	cl_addressing_mode addressing;
	cl_filter_mode filter;
};
/* The value of a kernel's argument: CLK_… of OpenCL C. */
uint32_t sampler_bits(const struct _cl_sampler *s);

/* ---- program.c, build.c ---- */

/* How an argument becomes a parameter's bytes. */
enum passing { PASS_VALUE, PASS_SHARED, PASS_ADDRESS };
struct parameter {
	enum passing passing;
	uint32_t offset, size;          /* in the parameters, bytes */
};
/* A kernel that is prepared for a place. */
struct prepared {
	struct prepared *next;
	struct program_kernel *kernel;
	const struct wb_prepared_info *info;
	struct parameter parameter[];   /* info->nparams of them */
};
struct build {                          /* a program for one place */
	cl_build_status status;
	cl_program_binary_type type;
	char *options;                  /* as the program gave them; NULL: none */
	char *log;                      /* NULL: empty */
	size_t log_bytes;
	uint8_t *binary;                /* an image, as wb_program_load takes it */
	size_t binary_bytes;
	struct wb_program *program;     /* of the context from here on; NULL: not built */
	struct wb_config *config;       /* `program` was loaded with */
	struct prepared *prepared;
};
struct _cl_program {
	struct object object;
	cl_context context;
	char *source;                   /* NULL: made from binaries, or linked */
	struct build *build;            /* one for each place of the context */
	bool from_binary;               /* of clCreateProgramWithBinary */
	bool *chosen;                   /* places the program is for */
	cl_uint kernels;                /* kernel objects */
};
/* The kernel prepared for a place; NULL with *error. Inside the house. */
struct prepared *program_kernel_get(cl_program p, cl_uint place, const char *name, cl_int *error);
/* Empty a build before the next. */
void build_clear(struct build *b);
void log_add(struct build *b, const char *text, size_t n);
/* Load n bytes of text or of a binary with the program's options into the build; the error of clBuildProgram. */
cl_int build_load(cl_context c, struct place *p, struct build *b, const void *bytes, size_t n, const char *folder);

/* ---- options.c ---- */

/* Apply the build options to c: the error of clBuildProgram. The rest goes to *d. */
cl_int options_apply(struct wb_config *c, const char *options, struct wb_diag *d);

/* ---- kernel.c ---- */

struct argument {
	bool set;
	cl_mem mem;                     /* without a reference, as the standard says; NULL: none */
	bool image;                     /* whether `mem` was an image when set */
	size_t bytes;                   /* of `value`, or of memory that a block shares */
	uint8_t *value;
};
/* Whether the argument is set, and not to a memory object released since. */
bool argument_usable(const struct argument *a, const struct _cl_context *c);
struct _cl_kernel {
	struct object object;
	cl_program program;
	char *name;
	cl_uint narguments;
	struct argument *argument;
	struct prepared **prepared;     /* by place; NULL: not yet */
	struct prepared *shape;         /* one of them, for the kernel's parameters */
};

#endif
