/* Modules of HIP: code objects or bundles of a file or of memory, and the kernels in them, launched by handle. */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "frontends/runtime/runtime.h"

CALL cudaError_t hipModuleLoad(struct loaded **module, const char *path);
CALL cudaError_t hipModuleLoadData(struct loaded **module, const void *image);
CALL cudaError_t hipModuleLoadDataEx(struct loaded **module, const void *image, unsigned n, int *options,
				     void **values);
CALL cudaError_t hipModuleUnload(struct loaded *module);
CALL cudaError_t hipModuleGetFunction(struct function **function, struct loaded *module, const char *name);
CALL cudaError_t hipModuleGetGlobal(void **p, size_t *bytes, struct loaded *module, const char *name);
CALL cudaError_t hipModuleLaunchKernel(struct function *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
				       unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
				       cudaStream_t stream, void **arguments, void **extra);

/* Load a module from bytes of malloc's, which become the module's. */
static cudaError_t load(struct loaded **module, uint8_t *bytes, size_t size)
{
	cudaError_t e;
	struct runtime *r = begin(&e);

	if (r && e == cudaSuccess)
		return end(r, load_bytes(r, bytes, size, NULL, module, NULL));
	free(bytes);
	return r ? end(r, e) : keep_error(e);
}

cudaError_t hipModuleLoad(struct loaded **module, const char *path)
{
	uint8_t *bytes;
	size_t size;
	cudaError_t e = module && path ? read_module(path, &bytes, &size) : cudaErrorInvalidValue;

	return e == cudaSuccess ? load(module, bytes, size) : keep_error(e);
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

cudaError_t hipModuleLoadData(struct loaded **module, const void *image)
{
	size_t size = module && image ? image_size(image) : 0;
	uint8_t *bytes = size ? malloc(size) : NULL;

	if (!bytes)
		return keep_error(module && image ? cudaErrorInvalidKernelImage : cudaErrorInvalidValue);
	memcpy(bytes, image, size);
	return load(module, bytes, size);
}

cudaError_t hipModuleLoadDataEx(struct loaded **module, const void *image, unsigned n, int *options,
				void **values)
{
	(void)n, (void)options, (void)values;
	return hipModuleLoadData(module, image);
}

cudaError_t hipModuleUnload(struct loaded *module)
{
	return keep_error(unload_module(module) ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

/* Begin a call about a module. NULL: *e is the call's error. */
static struct runtime *begin_module(const struct loaded *m, const void *to, const char *name, cudaError_t *e)
{
	bool known = is_loaded(m);
	struct runtime *r;

	if (!known || !to || !name) {
		*e = keep_error(known ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle);
		return NULL;
	}
	r = begin(e);
	if (!r)
		keep_error(*e);
	return r;
}

cudaError_t hipModuleGetFunction(struct function **function, struct loaded *module, const char *name)
{
	cudaError_t e;
	struct runtime *r = begin_module(module, function, name, &e);

	if (!r)
		return e;
	return end(r, e == cudaSuccess ? loaded_function(r, module, name, function) : e);
}

static cudaError_t get_global(struct runtime *r, void **p, size_t *bytes, const struct loaded *m, const char *name)
{
	uint64_t address, n;
	cudaError_t e = loaded_variable(r, m, name, &address, &n);

	if (e != cudaSuccess)
		return e;
	*p = pointer(address);
	if (bytes)
		*bytes = (size_t)n;
	return cudaSuccess;
}

cudaError_t hipModuleGetGlobal(void **p, size_t *bytes, struct loaded *module, const char *name)
{
	cudaError_t e;
	struct runtime *r = begin_module(module, p, name, &e);

	if (!r)
		return e;
	return end(r, e == cudaSuccess ? get_global(r, p, bytes, module, name) : e);
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
