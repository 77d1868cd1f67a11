/* Modules that a program loads by itself, from files or from memory, and the kernels and variables in them by name. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontends/runtime/runtime.h"

/* The place in the list of a module; NULL: no such module. Under the lock. */
static struct loaded **find(struct shared *s, const struct loaded *m)
{
	for (struct loaded **p = &s->loaded; *p; p = &(*p)->next)
		if (*p == m)
			return p;
	return NULL;
}

bool is_loaded(const struct loaded *m)
{
	struct shared *s = warpbeam_runtime_shared();
	bool found;

	pthread_mutex_lock(&s->registry_lock);
	found = find(s, m);
	pthread_mutex_unlock(&s->registry_lock);
	return found;
}

static void forget(struct loaded *m)
{
	wb_program_free(m->registered.program);
	wb_config_free(m->registered.config);
	free(m->bytes);
	free(m);
}

static void list(struct loaded *m)
{
	struct shared *s = warpbeam_runtime_shared();

	pthread_mutex_lock(&s->registry_lock);
	m->next = s->loaded;
	s->loaded = m;
	pthread_mutex_unlock(&s->registry_lock);
}

/* A fault of the file is a diagnostic of another kind than code for another chip. */
static cudaError_t load(struct runtime *r, struct loaded *m, struct wb_diag *d)
{
	struct module *to = &m->registered;
	enum wb_status s = to->config ? wb_program_load(to->bytes, to->size, "module", to->config, &to->program, d)
				      : WB_ENV;

	if (s == WB_OK)
		s = wb_device_load(r->device, to->program, d);
	to->tried = true;
	to->error = s == WB_OK ? place_heap(r, to, to->program) : cudaErrorNoKernelImageForDevice;
	return to->error;
}

cudaError_t load_bytes(struct runtime *r, uint8_t *bytes, size_t size, struct wb_config *c, struct loaded **out,
		       struct wb_diag *d)
{
	struct loaded *m = calloc(1, sizeof *m);
	struct wb_diag own = { 0 }, *to = d ? d : &own;
	cudaError_t e;

	if (!m) {
		free(bytes);
		wb_config_free(c);
		return cudaErrorMemoryAllocation;
	}
	m->bytes = bytes;
	m->registered = (struct module){ .bytes = bytes, .size = size };
	m->registered.config = c ? c : program_config(r->program, r->chip, to);
	e = load(r, m, to);
	if (e != cudaSuccess) {
		if (!d)
			program_say_diag(r->program, "loading kernels", to);
		forget(m);
		return e;
	}
	list(m);
	*out = m;
	return cudaSuccess;
}

cudaError_t read_module(const char *path, uint8_t **bytes, size_t *size)
{
	uint8_t chunk[4096];
	FILE *f = fopen(path, "rb"), *to;
	size_t n;

	*bytes = NULL;
	if (!f)
		return cudaErrorFileNotFound;
	to = open_memstream((char **)bytes, size);
	while (to && (n = fread(chunk, 1, sizeof chunk, f)))
		fwrite(chunk, 1, n, to);
	fclose(f);
	return to && !fclose(to) ? cudaSuccess : cudaErrorMemoryAllocation;
}

bool unload_module(const struct loaded *m)
{
	struct shared *s = warpbeam_runtime_shared();
	struct loaded **p;

	pthread_mutex_lock(&s->registry_lock);
	p = find(s, m);
	if (p) {
		*p = m->next;
		for (struct function **f = &s->functions; *f; )
			if ((*f)->module == &m->registered)
				*f = (*f)->next;
			else
				f = &(*f)->next;
	}
	pthread_mutex_unlock(&s->registry_lock);
	return p;
}

static struct function *function_of(const struct loaded *m, const char *name)
{
	struct shared *s = warpbeam_runtime_shared();
	struct function *f;

	pthread_mutex_lock(&s->registry_lock);
	for (f = s->functions; f && (f->module != &m->registered || strcmp(f->name, name)); f = f->next)
		;
	pthread_mutex_unlock(&s->registry_lock);
	return f;
}

cudaError_t loaded_function(struct runtime *r, struct loaded *m, const char *name, struct function **out)
{
	struct function *f = function_of(m, name);
	cudaError_t e;

	if ((*out = f))
		return cudaSuccess;
	f = calloc(1, sizeof *f);
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
	add_function(f);
	*out = f;
	return cudaSuccess;
}

cudaError_t loaded_variable(struct runtime *r, const struct loaded *m, const char *name, uint64_t *address,
			    uint64_t *bytes)
{
	return find_address(r, m->registered.program, name, address, bytes);
}
