/* A runtime of CUDA or HIP over warpbeam.h: what the files of this folder, of frontends/cuda and of frontends/hip
 * share. The two interfaces have the same calls under two names, and the same numbers of errors and of kinds of copies:
 * the files here are compiled once for each, with CUDA's types, and RT(Malloc) is cudaMalloc or hipMalloc.
 *
 * A process has one device, one lock and one state (struct runtime), which all libraries of an interface share (struct
 * shared): the runtime's of each version, and the driver's. Every call takes the lock with begin(), and gives the lock
 * back with end(), which keeps the call's error. Streams are in order and empty: a call is done when it
 * returns. Pointers to device memory are addresses of the emulator's memory, which the host never follows. */
#ifndef WB_FRONTENDS_RUNTIME_RUNTIME_H
#define WB_FRONTENDS_RUNTIME_RUNTIME_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "frontends/program/program.h"
#include "include/warpbeam/cuda/driver_types.h"

#ifdef RUNTIME_HIP
#include "include/warpbeam/hip/hip/driver_types.h"
#define INTERFACE "HIP"
#define RT_VERSION 50221153
#define DEFAULT_CHIP "gfx900"
#define RT(name) hip##name
#define RT_HIDDEN(name) __hip##name
#define RT_NAME(name) "hip" #name
enum { MAPS_ALL = 1 };   /* pinned memory of the host is the device's as well */
enum { EXTRA_END = 3 };  /* the last word of a list of pairs (read_extra) */
#else
#define INTERFACE "CUDA"
#define RT_VERSION (CUDA_RUNTIME * 1000)
#define DEFAULT_CHIP "g200"
#define RT(name) cuda##name
#define RT_HIDDEN(name) __cuda##name
#define RT_NAME(name) "cuda" #name
enum { MAPS_ALL = 0, EXTRA_END = 0 };
#endif
#define CALL __attribute__((visibility("default")))

/* A source's programs, as the host registers them when it is loaded. */
struct module {
	struct module *next;
	const uint8_t *bytes;            /* of the fat binary, in the host's memory */
	size_t size;
	struct wb_program *program;      /* NULL: not loaded yet, or refused */
	struct wb_config *config;        /* the program's */
	cudaError_t error;               /* of loading; cudaSuccess */
	bool tried;
	bool variables;                  /* the host has registered some */
	struct link_part *parts;         /* texts that become one when the module is loaded; NULL: bytes are all */
	size_t nparts;
};

struct function {
	struct function *next;
	const void *host;                /* the host's function that stands for the kernel */
	const char *name;                /* symbol of the kernel */
	struct module *module;
	size_t part;                     /* of the module: which of its parts has registered the kernel */
	struct wb_program *alone;        /* the kernel without the module's others, which were refused; else NULL */
	struct program_kernel *kernel;   /* NULL: not prepared yet */
	cudaError_t error;               /* of preparing */
	uint64_t textures;               /* changes of the list of textures that the kernel's variables have */
};

/* A variable of HIP's that is a pointer to managed memory: the host's pointer, and the first value. */
struct managed_variable {
	void **host;
	const void *value;
};

struct variable {
	struct variable *next;
	const void *host;                /* the host's variable that stands for the device's */
	const char *name;
	struct module *module;
	size_t part;                     /* as a kernel's */
	size_t bytes;
	struct managed_variable managed;         /* all 0: the variable has the bytes itself */
	struct managed *mirror;          /* of a __managed__ variable of CUDA, once the module is loaded; else NULL */
};

/* Memory of the host that the device has as well: the host's bytes are the truth between launches, and a launch begins
 * and ends with a copy. Both are at one address, but for a __managed__ variable of clang's, which has two. */
struct managed {
	struct managed *next;
	void *host;
	uint64_t address, bytes, mapped; /* of the device; mapped: whole pages */
	uint64_t allocation;             /* of the device, with pages to spare; 0: a variable's */
	bool host_alone;                 /* no kernel sees the bytes */
	uint64_t stream;                 /* whose kernels alone see the bytes; 0: every stream's do */
};

/* A variable in a constant bank whose address a program has asked for: no address of the device or of the host, but
 * copies take it. */
struct constant {
	struct constant *next;
	const struct wb_program *program;
	const char *name;
	uint64_t address, bytes;
};

struct runtime {
	struct program *program;
	struct wb_config *config;
	struct wb_device *device;        /* NULL: none could be made */
	const char *chip;
	uint64_t max_threads, max_grid[3];       /* of a block, and of a grid in blocks: looked up once */
	bool told_of_memory;                     /* that an allocation failed, and why */
	struct managed *managed;
	struct constant *constants;
	cudaError_t sticky;              /* of a launch that failed: every later call's */
	uint64_t now;                    /* ns of the device's time: what all launches took */
	uint64_t launches;               /* calls that launch */
};

/* Of the device: bytes of a thread's stack, of the buffer of prints, of the heap of kernels; the others have no meaning
 * here. */
enum { LIMIT_HEAP = 2, LIMITS = 7 };

/* What the libraries of an interface have in common in a process: memory and streams of one are the others'. */
struct shared {
	pthread_mutex_t lock;                    /* lock of the runtime, the arrays and the objects; the first taken */
	struct runtime runtime;
	struct program *(*open)(const char *interface);      /* program_open of the library that was first called */
	bool by_runtime;                         /* a call of the runtime, not of the driver, has been made */
	size_t limits[LIMITS];
	bool sized_heap;                         /* the program has set the heap's limit */
	bool has_heap;                           /* a module on the device has a heap */
	struct cudaArray *arrays;
	struct cudaMipmappedArray *mipmapped;
	struct object *objects;                  /* textures and surfaces */
	uint64_t changes;                        /* textures made and destroyed so far */
	pthread_mutex_t registry_lock;           /* lock of the next four members */
	struct module *modules;
	struct function *functions;
	struct variable *variables;
	struct loaded *loaded;
	pthread_mutex_t stream_lock;             /* lock of the next three members */
	struct CUstream_st *streams;
	uint64_t streams_made;
	struct CUevent_st *events;
	pthread_mutex_t graph_lock;              /* lock of the next members (graph.h) */
	struct CUgraph_st *graphs;
	struct CUgraphExec_st *executables;
	struct capture *captures;
	uint64_t captures_begun;
	struct graph_memory *graph_memory;
	struct CUmemPool_st *pools;              /* the first is the device's own */
	struct CUmemPool_st *pool;               /* of cudaMallocAsync; NULL: the device's own */
};
/* shared.c, of CUDA a library of its own. */
struct shared *warpbeam_runtime_shared(void);

/* Take the lock. NULL: a forked child, or no device; *e is the call's error. */
struct runtime *begin(cudaError_t *e);
/* Give the lock back, and keep an error for cudaGetLastError. */
cudaError_t end(struct runtime *r, cudaError_t e);
/* As end, where begin has failed. */
cudaError_t keep_error(cudaError_t e);
/* The error of a status of the library's; the diagnostic has been told by program_say_diag where `what` is not NULL. */
cudaError_t error_of(struct runtime *r, enum wb_status s, const char *what, const struct wb_diag *d);

/* Begin, do, end: the shape of most calls. */
#define WITH_RUNTIME(work) \
	do { \
		cudaError_t e; \
		struct runtime *r = begin(&e); \
		if (!r) \
			return keep_error(e); \
		if (e == cudaSuccess) \
			e = (work); \
		return end(r, e); \
	} while (0)

/* Pointers of the device are numbers of the emulator's memory. */
static inline uint64_t number(const void *p) { return (uint64_t)(uintptr_t)p; }
static inline void *pointer(uint64_t a) { return (void *)(uintptr_t)a; }

/* registry.c */
/* Make a function known by f->host, or unknown. */
void add_function(struct function *f);
/* Whether a handle is a function's. */
bool is_function(const struct function *f);
struct variable *register_variable(void **handle, const void *host, const char *name, size_t bytes);
/* Whether some variable of the module is one that `is` says yes to. */
bool has_variable(const struct module *m, bool (*is)(const void *host));
struct function *find_function(struct runtime *r, const void *host);
struct variable *find_variable(struct runtime *r, const void *host);
/* Load the module's program where needed, and prepare the kernel. */
cudaError_t load_module(struct runtime *r, struct module *m);
cudaError_t prepare_function(struct runtime *r, struct function *f);

/* heap.c: memory of the limit's size for the heap of a program that is on the device, where the host has set the
 * limit. */
cudaError_t place_heap(struct runtime *r, const struct module *m, const struct wb_program *p);

/* memory.c */
cudaError_t allocate(struct runtime *r, void **p, size_t bytes);
cudaError_t release(struct runtime *r, void *p);
/* The address of a variable, for copies, and its size checked for n bytes at an offset. */
cudaError_t symbol_place(struct runtime *r, const void *symbol, size_t offset, size_t n, void **p);
/* Whether all n bytes at an address belong to device memory. */
bool is_device(struct runtime *r, const void *p, size_t n);
struct managed *find_managed(struct runtime *r, const void *p, size_t n);
/* Copy all managed memory to the device, or back. */
cudaError_t copy_managed(struct runtime *r, const struct CUstream_st *s, bool to_device);
/* The number of a stream in the process, 0 of the legacy one and of a stale handle; whether the stream of a number
 * lives. */
uint64_t stream_number(const struct CUstream_st *s);
bool is_stream_number(uint64_t number);
/* Copy between two places of any kinds. */
cudaError_t copy_bytes(struct runtime *r, void *to, const void *from, size_t n, enum cudaMemcpyKind kind);
/* Where a box of bytes begins; bytes from row to row and from slice to slice. */
struct place {
	uint8_t *begin;
	size_t row, slice;
};
struct box { size_t width, height, depth; };    /* bytes of a row, rows, slices */
/* Copy a box, or set its bytes. No byte moves unless all of a device's are there. */
cudaError_t copy_box(struct runtime *r, const struct place *to, const struct place *from, const struct box *b,
		     enum cudaMemcpyKind kind);
/* Fill with a value of 1, 2 or 4 bytes. */
cudaError_t fill_values(struct runtime *r, void *p, uint32_t value, size_t bytes, size_t count);
cudaError_t fill_box(struct runtime *r, const struct place *to, const struct box *b, int value);

/* Address of a variable of a loaded module, in global memory. */
cudaError_t variable_address(struct runtime *r, const struct variable *v, uint64_t *address);
/* Address and bytes of a variable by name, in either memory: a constant has an address for copies alone. */
cudaError_t find_address(struct runtime *r, const struct wb_program *program, const char *name, uint64_t *address,
			 uint64_t *bytes);
/* Managed memory of that many bytes, *p of host and device. */
cudaError_t allocate_managed(struct runtime *r, void **p, size_t bytes);

/* launch.c */
/* Values of a kernel's parameters: pointers to each of them, or all as the kernel finds them. */
struct values {
	void **each;
	const void *whole;       /* `bytes` of them; NULL: there are pointers */
	size_t bytes;
};
/* The parameters as the kernel finds them. False: one is missing. */
bool gather(const struct wb_prepared *k, const struct values *v, uint8_t *bytes);
cudaError_t launch(struct function *f, dim3 grid, dim3 block, const struct values *values, size_t shared_bytes,
		   cudaStream_t stream, const char *call);

/* A launch of blocks that must be there at once. */
cudaError_t launch_together(struct function *f, dim3 grid, dim3 block, const struct values *values,
			    size_t shared_bytes, cudaStream_t stream, const char *call);
/* The list of pairs that a launch may have in the place of pointers: a word for the meaning, and the value. False: an
 * unknown word, or no buffer. */
bool read_extra(void **extra, struct values *v);

/* module.c: modules that a program loads by itself, with handles in a list: a stale handle is an error, never
 * followed. */
struct loaded {
	struct module registered;
	struct loaded *next;
	uint8_t *bytes;                 /* from malloc */
};
bool is_loaded(const struct loaded *m);
/* Load a module from bytes of malloc's, which become the module's. c: configuration that becomes the module's; NULL:
 * the program's. d gets the diagnostic, which is told where d is NULL. */
cudaError_t load_bytes(struct runtime *r, uint8_t *bytes, size_t size, struct wb_config *c, struct loaded **out,
		       struct wb_diag *d);
/* A file as bytes of malloc's, with a NUL behind. */
cudaError_t read_module(const char *path, uint8_t **bytes, size_t *size);
/* Handles of the module and of its functions end; the program stays on the device, since launches may have left
 * pointers into the program. False: no such module. */
bool unload_module(const struct loaded *m);
/* A kernel of a module, prepared; the same handle each time. */
cudaError_t loaded_function(struct runtime *r, struct loaded *m, const char *name, struct function **out);
cudaError_t loaded_variable(struct runtime *r, const struct loaded *m, const char *name, uint64_t *address,
			    uint64_t *bytes);

/* stream.c */
bool is_stream(const struct CUstream_st *s);
bool is_event(const struct CUevent_st *e);
/* Dependencies of a made stream's, or an event's, in a capture (graph.h). NULL: none is made so. */
struct tail *stream_tail(cudaStream_t s);
struct tail *event_tail(cudaEvent_t e);
/* Whether the stream does not wait for the legacy one. */
bool is_apart(const struct CUstream_st *s);
/* Flags and priority that the stream was made with. False: no stream. */
bool stream_facts(const struct CUstream_st *s, unsigned *flags, int *priority);

/* capture.c */
/* Whether a call in a stream becomes a node in place of work, or is forbidden: *e is the call's error. */
bool is_captured(cudaStream_t s, cudaError_t *e);
/* A wait for a stream (`all`: for all), or a query of a stream, ends a capture. True: *e is the call's error. */
bool breaks_capture(cudaStream_t s, bool all, cudaError_t *e);
/* The nodes in place of calls, as a call's error. */
cudaError_t capture_kernel(cudaStream_t s, struct function *f, dim3 grid, dim3 block, const struct values *values,
			   size_t shared_bytes, bool together);
cudaError_t capture_copy(cudaStream_t s, void *to, const void *from, size_t n, enum cudaMemcpyKind kind);
cudaError_t capture_box(cudaStream_t s, const struct cudaMemcpy3DParms *p);
cudaError_t capture_fill(cudaStream_t s, const struct cudaMemsetParams *p);
cudaError_t capture_host(cudaStream_t s, cudaHostFn_t call, void *context);
cudaError_t capture_alloc(cudaStream_t s, void **p, size_t bytes);
cudaError_t capture_free(cudaStream_t s, void *p);
/* A call without a node. */
#define REFUSE_CAPTURE(s) \
	do { \
		cudaError_t captured; \
		if (breaks_capture(s, false, &captured)) \
			return keep_error(captured); \
	} while (0)
/* A call with a node for the work in a capture. */
#define MAY_CAPTURE(s, node) \
	do { \
		cudaError_t captured; \
		if (is_captured(s, &captured)) \
			return captured == cudaSuccess ? (node) : keep_error(captured); \
	} while (0)

/* graph_work.c: whether an address is of a graph's memory, freed here; *e: the call's error. */
bool free_graph_memory(void *p, cudaError_t *e);

/* pool.c: the pool of an address, if any, counts the bytes as freed. */
void pool_forgets(uint64_t address);

/* device.c */
uint64_t chip_fact(const struct runtime *r, const char *key);
int int_fact(const struct runtime *r, const char *key);
void board_name(const struct runtime *r, char name[256]);

/* Of each interface: the bytes and size of what a registered wrapper wraps; false: no wrapper of the interface. */
bool find_binary(const void *wrapper, struct module *m);
/* Of each interface: what the variables of a prepared kernel get before a launch. */
cudaError_t write_textures(struct runtime *r, struct function *f);
/* Of each interface: what a module's __managed__ variable wants once the module is loaded. */
cudaError_t load_variable(struct runtime *r, struct variable *v);

#endif
