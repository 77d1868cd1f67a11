/* Modules: PTX, fat binaries and cubins from a file or from memory; libraries of CUDA 12, modules without a context. */
#include <ctype.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontends/cuda/driver/driver.h"
#include "frontends/cuda/driver/jit.h"

/* The driver's modules and whose each one is; NULL: a library. */
struct owned {
	struct owned *next;
	struct loaded *module;
	CUcontext context;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct owned *all;

static struct loaded *module_of(CUmodule m)
{
	struct loaded *l = (struct loaded *)(void *)m;

	return is_loaded(l) ? l : NULL;
}

struct function *function_of(CUfunction f)
{
	struct function *g = (struct function *)(void *)f;

	return is_function(g) ? g : NULL;
}

/* ---- images ---- */

enum { FAT_HEADER = 16 };        /* bytes; no image is smaller */

/* The bytes of a cubin: sections and headers may stand in any order. 0: the image of a file ends within the headers. */
#define CUBIN_SIZE(bits) \
	static size_t cubin_size_##bits(const uint8_t *image, size_t most) \
	{ \
		const Elf##bits##_Ehdr *h = (const void *)image; \
		if (most < sizeof *h || h->e_shoff > most || \
		    most - h->e_shoff < (size_t)h->e_shnum * sizeof(Elf##bits##_Shdr)) \
			return 0; \
		const Elf##bits##_Shdr *s = (const void *)(image + h->e_shoff); \
		size_t end = h->e_shoff + (size_t)h->e_shnum * h->e_shentsize; \
		size_t programs = h->e_phoff + (size_t)h->e_phnum * h->e_phentsize; \
		end = programs > end ? programs : end; \
		for (unsigned i = 0; i < h->e_shnum; i++) \
			if (s[i].sh_type != SHT_NOBITS && s[i].sh_offset + s[i].sh_size > end) \
				end = s[i].sh_offset + s[i].sh_size; \
		return end; \
	}
CUBIN_SIZE(32)
CUBIN_SIZE(64)

/* The size of an image, and the result where a load is refused. most: bytes of a file; SIZE_MAX: the image is the
 * program's, in memory. 0: no image, or one that a file has not in whole. */
static size_t image_size(const void **image, size_t most, CUresult *refused)
{
	const uint8_t *p = *image;
	struct { uint32_t magic, version; const void *bytes, *unused; } wrapper = { 0x466243B1, 1, p, NULL };
	struct module m = { .size = 0 };
	uint32_t magic;

	*refused = CUDA_ERROR_INVALID_IMAGE;
	if (most < FAT_HEADER)
		return 0;
	*refused = CUDA_ERROR_NO_BINARY_FOR_GPU;
	memcpy(&magic, p, sizeof magic);
	if ((magic == wrapper.magic && most == SIZE_MAX) || magic == 0xBA55ED50) {
		find_binary(magic == wrapper.magic ? *image : &wrapper, &m);
		*image = m.bytes;
		return m.size;
	}
	if (!memcmp(p, ELFMAG, SELFMAG))
		return p[EI_CLASS] == ELFCLASS64 ? cubin_size_64(p, most) : cubin_size_32(p, most);
	for (int i = 0; i < 4; i++)
		if (p[i] && !isprint(p[i]) && !isspace(p[i])) {
			*refused = CUDA_ERROR_INVALID_IMAGE;
			return 0;
		}
	*refused = strstr((const char *)p, ".version") ? CUDA_ERROR_INVALID_PTX : CUDA_ERROR_INVALID_IMAGE;
	return strlen((const char *)p);
}

static CUresult own(struct loaded *m, CUcontext context)
{
	struct owned *o = malloc(sizeof *o);

	if (!o)
		return CUDA_ERROR_OUT_OF_MEMORY;
	pthread_mutex_lock(&lock);
	*o = (struct owned){ all, m, context };
	all = o;
	pthread_mutex_unlock(&lock);
	return CUDA_SUCCESS;
}

/* Load bytes of malloc's, which become the module's. */
static CUresult load(struct loaded **out, uint8_t *bytes, size_t size, CUresult refused, struct jit *jit)
{
	struct wb_diag d = { 0 };
	CUresult e;
	struct runtime *r = enter(&e);
	struct wb_config *c = r ? program_config(r->program, r->chip, &d) : NULL;

	if (!c) {
		free(bytes);
		return r ? leave(r, cudaErrorMemoryAllocation) : e;
	}
	jit_prepare(jit, c);
	e = result(load_bytes(r, bytes, size, c, out, &d));
	if (e == CUDA_SUCCESS)
		jit_forget_log(*out);
	else
		program_say_diag(r->program, "loading a module", &d);
	leave(r, cudaSuccess);
	jit_finish(jit, e == CUDA_SUCCESS ? NULL : &d);
	return e == CUDA_ERROR_NO_BINARY_FOR_GPU ? refused : e;
}

static CUresult load_image(struct loaded **out, const void *image, size_t most, struct jit *jit)
{
	CUresult refused;
	size_t size = image_size(&image, most, &refused);
	uint8_t *bytes = size && size <= most ? malloc(size + 1) : NULL;

	if (!size || size > most)
		return refused == CUDA_ERROR_NO_BINARY_FOR_GPU ? CUDA_ERROR_INVALID_IMAGE : refused;
	if (!bytes)
		return CUDA_ERROR_OUT_OF_MEMORY;
	memcpy(bytes, image, size);
	bytes[size] = '\0';
	return load(out, bytes, size, refused, jit);
}

static CUresult load_owned(void **module, const void *image, size_t most, struct jit *jit, CUcontext context)
{
	struct loaded *m;
	CUresult e = load_image(&m, image, most, jit);

	if (e == CUDA_SUCCESS)
		e = own(m, context);
	if (e == CUDA_SUCCESS)
		*module = m;
	return e;
}

/* ---- modules ---- */

CALL CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned n, CUjit_option *options, void **values)
{
	struct jit jit;

	NEEDS_CONTEXT;
	if (!module || !image || !jit_read(&jit, n, options, values))
		return CUDA_ERROR_INVALID_VALUE;
	return load_owned((void **)module, image, SIZE_MAX, &jit, current_context());
}

CALL CUresult cuModuleLoadData(CUmodule *module, const void *image)
{
	return cuModuleLoadDataEx(module, image, 0, NULL, NULL);
}

CALL CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image)
{
	return cuModuleLoadDataEx(module, image, 0, NULL, NULL);
}

static CUresult load_file(void **module, const char *path, struct jit *jit, CUcontext context)
{
	uint8_t *bytes;
	size_t size;
	CUresult e = result(read_module(path, &bytes, &size));

	if (e == CUDA_SUCCESS)
		e = load_owned(module, bytes, size, jit, context);
	free(bytes);
	return e;
}

CALL CUresult cuModuleLoad(CUmodule *module, const char *path)
{
	struct jit none;

	NEEDS_CONTEXT;
	if (!module || !path || !jit_read(&none, 0, NULL, NULL))
		return CUDA_ERROR_INVALID_VALUE;
	return load_file((void **)module, path, &none, current_context());
}

static CUresult unload(struct loaded *m)
{
	struct owned **p, *gone;

	pthread_mutex_lock(&lock);
	for (p = &all; *p && (*p)->module != m; p = &(*p)->next)
		;
	gone = *p;
	if (gone)
		*p = gone->next;
	pthread_mutex_unlock(&lock);
	free(gone);
	return gone && unload_module(m) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CALL CUresult cuModuleUnload(CUmodule module)
{
	NEEDS_CONTEXT;
	return unload((struct loaded *)(void *)module);
}

void unload_modules_of(CUcontext c)
{
	struct owned *o;

	do {
		pthread_mutex_lock(&lock);
		for (o = all; o && o->context != c; o = o->next)
			;
		pthread_mutex_unlock(&lock);
		if (o)
			unload(o->module);
	} while (o);
}

static CUresult find_function_in(void **function, struct loaded *m, const char *name)
{
	struct function *f;
	CUresult e;
	struct runtime *r = enter(&e);

	if (!r)
		return e;
	if (!m)
		return leave(r, cudaErrorInvalidResourceHandle);
	if (!function || !name)
		return leave(r, cudaErrorInvalidValue);
	e = leave(r, loaded_function(r, m, name, &f));
	if (e == CUDA_SUCCESS)
		*function = f;
	return e;
}

CALL CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
	return find_function_in((void **)function, module_of(module), name);
}

static CUresult find_global(CUdeviceptr *p, size_t *bytes, const struct loaded *m, const char *name)
{
	uint64_t address, n;
	CUresult e;
	struct runtime *r = enter(&e);

	if (!r)
		return e;
	if (!m)
		return leave(r, cudaErrorInvalidResourceHandle);
	if (!name)
		return leave(r, cudaErrorInvalidValue);
	e = leave(r, loaded_variable(r, m, name, &address, &n));
	if (e == CUDA_SUCCESS && p)
		*p = address;
	if (e == CUDA_SUCCESS && bytes)
		*bytes = (size_t)n;
	return e;
}

CALL CUresult cuModuleGetGlobal_v2(CUdeviceptr *p, size_t *bytes, CUmodule module, const char *name)
{
	return find_global(p, bytes, module_of(module), name);
}

CALL CUresult cuFuncGetModule(CUmodule *module, CUfunction function)
{
	struct function *f = function_of(function);

	NEEDS_CONTEXT;
	if (!module || !f || f->host != f)
		return module ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
	*module = (CUmodule)(void *)((char *)f->module - offsetof(struct loaded, registered));
	return CUDA_SUCCESS;
}

CALL CUresult cuFuncGetName(const char **name, CUfunction function)
{
	struct function *f = function_of(function);

	NEEDS_CONTEXT;
	if (!name || !f)
		return name ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
	*name = f->name;
	return CUDA_SUCCESS;
}

/* ---- libraries ---- */

CALL CUresult cuLibraryLoadData(CUlibrary *library, const void *image, CUjit_option *jit_options, void **jit_values,
				unsigned njit, CUlibraryOption *options, void **values, unsigned n)
{
	struct jit jit;

	(void)options, (void)values, (void)n;
	NEEDS_CONTEXT;
	if (!library || !image || !jit_read(&jit, njit, jit_options, jit_values))
		return CUDA_ERROR_INVALID_VALUE;
	return load_owned((void **)library, image, SIZE_MAX, &jit, NULL);
}

CALL CUresult cuLibraryLoadFromFile(CUlibrary *library, const char *path, CUjit_option *jit_options, void **jit_values,
				    unsigned njit, CUlibraryOption *options, void **values, unsigned n)
{
	struct jit jit;

	(void)options, (void)values, (void)n;
	NEEDS_CONTEXT;
	if (!library || !path || !jit_read(&jit, njit, jit_options, jit_values))
		return CUDA_ERROR_INVALID_VALUE;
	return load_file((void **)library, path, &jit, NULL);
}

CALL CUresult cuLibraryUnload(CUlibrary library) { return cuModuleUnload((CUmodule)(void *)library); }
CALL CUresult cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name)
{
	return find_function_in((void **)kernel, module_of((CUmodule)(void *)library), name);
}

CALL CUresult cuLibraryGetModule(CUmodule *module, CUlibrary library)
{
	NEEDS_CONTEXT;
	if (!module || !module_of((CUmodule)(void *)library))
		return module ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
	*module = (CUmodule)(void *)library;
	return CUDA_SUCCESS;
}

CALL CUresult cuLibraryGetGlobal(CUdeviceptr *p, size_t *bytes, CUlibrary library, const char *name)
{
	return find_global(p, bytes, module_of((CUmodule)(void *)library), name);
}

CALL CUresult cuKernelGetFunction(CUfunction *function, CUkernel kernel)
{
	NEEDS_CONTEXT;
	if (!function || !function_of((CUfunction)(void *)kernel))
		return function ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
	*function = (CUfunction)(void *)kernel;
	return CUDA_SUCCESS;
}
