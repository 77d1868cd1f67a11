/* Modules: code objects or bundles of a file or of memory, and the kernels in them, launched by handle. Handles are in
 * lists: a stale handle is an error, never followed. */
#include <elf.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontends/runtime/runtime.h"

/* A module by handle. */
struct ihipModule_t {
	struct module registered;
	struct ihipModule_t *next;
	uint8_t *bytes;                 /* from malloc */
	struct function *functions;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct ihipModule_t *modules;

/* The place in the list of a module; NULL: no such module. Under the lock. */
static struct ihipModule_t **find(const struct ihipModule_t *m)
{
	for (struct ihipModule_t **p = &modules; *p; p = &(*p)->next)
		if (*p == m)
			return p;
	return NULL;
}

static bool is_function(const struct function *f)
{
	bool found = false;

	pthread_mutex_lock(&lock);
	for (struct ihipModule_t *m = modules; m && !found; m = m->next)
		for (struct function *g = m->functions; g && !found; g = g->next)
			found = g == f;
	pthread_mutex_unlock(&lock);
	return found;
}

CALL cudaError_t hipModuleLoad(struct ihipModule_t **module, const char *path);
CALL cudaError_t hipModuleLoadData(struct ihipModule_t **module, const void *image);
CALL cudaError_t hipModuleLoadDataEx(struct ihipModule_t **module, const void *image, unsigned n, int *options,
				     void **values);
CALL cudaError_t hipModuleUnload(struct ihipModule_t *module);
CALL cudaError_t hipModuleGetFunction(struct function **function, struct ihipModule_t *module, const char *name);
CALL cudaError_t hipModuleGetGlobal(void **p, size_t *bytes, struct ihipModule_t *module, const char *name);
CALL cudaError_t hipModuleLaunchKernel(struct function *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
				       unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
				       cudaStream_t stream, void **arguments, void **extra);

/* Load a module from bytes of malloc's, which become the module's. */
static cudaError_t load(struct ihipModule_t **module, uint8_t *bytes, size_t size)
{
	struct ihipModule_t *m = calloc(1, sizeof *m);
	cudaError_t e = cudaErrorMemoryAllocation;
	struct runtime *r = m ? begin(&e) : NULL;

	if (!r) {
		free(bytes);
		free(m);
		return keep_error(e);
	}
	m->bytes = bytes;
	m->registered.bytes = bytes;
	m->registered.size = size;
	if (e == cudaSuccess)
		e = load_module(r, &m->registered);
	if (e != cudaSuccess) {
		wb_config_free(m->registered.config);
		free(bytes);
		free(m);
		return end(r, e);
	}
	pthread_mutex_lock(&lock);
	m->next = modules;
	modules = m;
	pthread_mutex_unlock(&lock);
	*module = m;
	return end(r, e);
}

cudaError_t hipModuleLoad(struct ihipModule_t **module, const char *path)
{
	FILE *f = module && path ? fopen(path, "rb") : NULL;
	uint8_t *bytes = NULL, chunk[4096];
	size_t size = 0, n;
	FILE *to;

	if (!f)
		return keep_error(module && path ? cudaErrorFileNotFound : cudaErrorInvalidValue);
	to = open_memstream((char **)&bytes, &size);
	while (to && (n = fread(chunk, 1, sizeof chunk, f)))
		fwrite(chunk, 1, n, to);
	fclose(f);
	if (!to || fclose(to))
		return keep_error(cudaErrorMemoryAllocation);
	return load(module, bytes, size);
}

/* The size of an image in memory: of a code object the end of the section headers, which ld.lld puts last. */
static size_t image_size(const void *image)
{
	const Elf64_Ehdr *h = image;
	struct { uint32_t magic, version; const void *bytes, *unused; } wrapper = { 0x48495046, 1, image, NULL };
	struct module m = { .size = 0 };

	if (!memcmp(h->e_ident, ELFMAG, SELFMAG))
		return (size_t)h->e_shoff + (size_t)h->e_shentsize * h->e_shnum;
	return find_binary(&wrapper, &m) ? m.size : 0;
}

cudaError_t hipModuleLoadData(struct ihipModule_t **module, const void *image)
{
	size_t size = module && image ? image_size(image) : 0;
	uint8_t *bytes = size ? malloc(size) : NULL;

	if (!bytes)
		return keep_error(module && image ? cudaErrorInvalidKernelImage : cudaErrorInvalidValue);
	memcpy(bytes, image, size);
	return load(module, bytes, size);
}

cudaError_t hipModuleLoadDataEx(struct ihipModule_t **module, const void *image, unsigned n, int *options,
				void **values)
{
	(void)n, (void)options, (void)values;
	return hipModuleLoadData(module, image);
}

/* The program stays on the device: launches may have left pointers into the program. */
cudaError_t hipModuleUnload(struct ihipModule_t *module)
{
	pthread_mutex_lock(&lock);
	struct ihipModule_t **p = find(module);
	if (p)
		*p = module->next;
	pthread_mutex_unlock(&lock);
	return keep_error(p ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

static cudaError_t get_function(struct runtime *r, struct function **function, struct ihipModule_t *m,
				const char *name)
{
	struct function *f = calloc(1, sizeof *f);
	cudaError_t e;

	if (!f || !(f->name = strdup(name))) {
		free(f);
		return cudaErrorMemoryAllocation;
	}
	f->module = &m->registered;
	f->host = f;
	e = prepare_function(r, f);
	if (e != cudaSuccess) {
		free((char *)(uintptr_t)f->name);
		free(f);
		return e == cudaErrorInvalidDeviceFunction ? cudaErrorSymbolNotFound : e;
	}
	pthread_mutex_lock(&lock);
	f->next = m->functions;
	m->functions = f;
	pthread_mutex_unlock(&lock);
	*function = f;
	return cudaSuccess;
}

/* Begin a call about a module. NULL: *e is the call's error. */
static struct runtime *begin_module(const struct ihipModule_t *m, const void *to, const char *name, cudaError_t *e)
{
	struct runtime *r;
	bool known;

	pthread_mutex_lock(&lock);
	known = find(m);
	pthread_mutex_unlock(&lock);
	if (!known || !to || !name) {
		*e = keep_error(known ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
		return NULL;
	}
	r = begin(e);
	if (!r)
		keep_error(*e);
	return r;
}

cudaError_t hipModuleGetFunction(struct function **function, struct ihipModule_t *module, const char *name)
{
	cudaError_t e;
	struct runtime *r = begin_module(module, function, name, &e);

	if (!r)
		return e;
	return end(r, e == cudaSuccess ? get_function(r, function, module, name) : e);
}

static cudaError_t get_global(struct runtime *r, void **p, size_t *bytes, const struct ihipModule_t *m,
			      const char *name)
{
	const struct wb_variable_place *place;

	for (unsigned i = 0; (place = wb_device_variable(r->device, m->registered.program, i)); i++)
		if (!strcmp(place->name, name)) {
			*p = (void *)(uintptr_t)place->address;
			if (bytes)
				*bytes = place->bytes;
			return cudaSuccess;
		}
	return cudaErrorSymbolNotFound;
}

cudaError_t hipModuleGetGlobal(void **p, size_t *bytes, struct ihipModule_t *module, const char *name)
{
	cudaError_t e;
	struct runtime *r = begin_module(module, p, name, &e);

	if (!r)
		return e;
	return end(r, e == cudaSuccess ? get_global(r, p, bytes, module, name) : e);
}

/* The list of pairs that a launch may have in the place of pointers: a word for the meaning, and the value. */
static bool read_extra(void **extra, struct values *v)
{
	for (; (uintptr_t)*extra != 3; extra += 2)
		if ((uintptr_t)*extra == 1)
			v->whole = extra[1];
		else if ((uintptr_t)*extra == 2)
			v->bytes = *(const size_t *)extra[1];
		else
			return false;
	return v->whole;
}

cudaError_t hipModuleLaunchKernel(struct function *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
				  unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
				  cudaStream_t stream, void **arguments, void **extra)
{
	struct values v = { .each = arguments };

	if (!is_function(function))
		return keep_error(cudaErrorInvalidResourceHandle);
	if (extra && (arguments || !read_extra(extra, &v)))
		return keep_error(cudaErrorInvalidValue);
	return launch(function, (dim3){ grid_x, grid_y, grid_z }, (dim3){ block_x, block_y, block_z }, &v, shared_bytes,
		      stream, "hipModuleLaunchKernel");
}
