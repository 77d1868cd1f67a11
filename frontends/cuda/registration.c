/* What nvcc and clang register in CUDA's own way: wrappers of fat binaries, and managed variables. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "frontends/runtime/runtime.h"

enum { WRAPPER_MAGIC = 0x466243B1 };

/* The wrapper of nvcc and clang around a fat binary. */
struct wrapper {
	uint32_t magic, version;
	const uint8_t *bytes;
	void *unused;
};

bool find_binary(const void *p, struct module *m)
{
	const struct wrapper *w = p;
	uint64_t entries;
	uint16_t header;

	if (!w || w->magic != WRAPPER_MAGIC || !w->bytes)
		return false;
	memcpy(&header, w->bytes + 6, sizeof header);
	memcpy(&entries, w->bytes + 8, sizeof entries);
	m->bytes = w->bytes;
	m->size = header + (size_t)entries;
	return true;
}

/* ---- __managed__ variables ----
 *
 * The host reaches a variable of nvcc's by a pointer: pages of the host lie at the address that the variable has on the
 * device. Of clang's, the host has another variable, in the section that the headers name, and bytes are copied.
 * Either way the host's bytes begin as the device's. */

/* Sections of the process's objects. */
struct section {
	struct section *next;
	char *begin, *end;
};
static struct section *sections;        /* by constructors, one thread at a time */

CALL void warpbeam_cudaManaged(char *begin, char *end);
CALL void __cudaRegisterManagedVar(void **handle, void **host, char *device, const char *name, int external,
				   size_t bytes, int constant, int global);
CALL void __cudaRegisterFatBinaryEnd(void **handle);
CALL char __cudaInitModule(void **handle);

void warpbeam_cudaManaged(char *begin, char *end)
{
	struct section *s = sections;

	while (s && s->begin != begin)
		s = s->next;
	if (s || !(s = calloc(1, sizeof *s)))
		return;
	*s = (struct section){ sections, begin, end };
	sections = s;
}

static bool in_section(const void *host)
{
	const char *p = host;
	const struct section *s = sections;

	while (s && !(p >= s->begin && p < s->end))
		s = s->next;
	return s;
}

void __cudaRegisterManagedVar(void **handle, void **host, char *device, const char *name, int external, size_t bytes,
			      int constant, int global)
{
	struct variable *v = register_variable(handle, host, name, bytes);

	(void)device, (void)external, (void)constant, (void)global;
	if (v)
		v->managed = (struct managed_variable){ host, NULL };
}

/* Pages of the host at an address of the device; variables share pages. False: the host has other things there. */
static bool map_pages(struct runtime *r, uint64_t address, uint64_t bytes)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), end = (address + bytes + page - 1) & -page;

	for (uint64_t p = address & -page; p < end; p += page) {
		bool ours = false;
		for (const struct managed *m = r->managed; m && !ours; m = m->next)
			ours = number(m->host) == m->address && p + page > m->address && p < m->address + m->bytes;
		if (!ours && mmap(pointer(p), page, PROT_READ | PROT_WRITE,
				  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) != pointer(p))
			return false;
	}
	return true;
}

cudaError_t load_variable(struct runtime *r, struct variable *v)
{
	bool of_clang = in_section(v->host);
	struct managed *m;
	struct wb_diag d;
	cudaError_t e;

	if (!of_clang && !v->managed.host)
		return cudaSuccess;
	m = calloc(1, sizeof *m);
	if (!m)
		return cudaErrorMemoryAllocation;
	e = variable_address(r, v, &m->address);
	if (e == cudaErrorInvalidSymbol) {      /* no kernel uses the variable: only the host has it */
		free(m);
		return cudaSuccess;
	}
	m->bytes = v->bytes;
	m->host = of_clang ? (void *)(uintptr_t)v->host : pointer(m->address);
	if (!of_clang && !map_pages(r, m->address, m->bytes)) {
		program_say(r->program, "__managed__ %s: the host has other things at the device's address", v->name);
		free(m);
		return cudaErrorMemoryAllocation;
	}
	if (v->managed.host)
		*v->managed.host = m->host;
	m->next = r->managed;
	r->managed = v->mirror = m;
	return error_of(r, wb_memory_read(r->device, m->address, m->host, m->bytes, &d), v->name, &d);
}

/* The host may use managed variables before any call: nvcc's code asks at the first use, clang's code never. */
static cudaError_t load_now(struct module *m)
{
	WITH_RUNTIME(load_module(r, m));
}

char __cudaInitModule(void **handle)
{
	return handle && load_now((struct module *)(void *)handle) == cudaSuccess;
}

void __cudaRegisterFatBinaryEnd(void **handle)
{
	if (has_variable((struct module *)(void *)handle, in_section))
		load_now((struct module *)(void *)handle);
}
