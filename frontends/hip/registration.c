/* What clang registers in HIP's own way: wrappers of offload bundles, and managed variables. */
#include <string.h>

#include "frontends/runtime/runtime.h"

enum { WRAPPER_MAGIC = 0x48495046, HEADER = 32, ENTRY = 24, ENTRIES_MAX = 64 };     /* "HIPF" */
static const char magic[] = "__CLANG_OFFLOAD_BUNDLE__";

/* The wrapper of clang around an offload bundle. */
struct wrapper {
	uint32_t magic, version;
	const uint8_t *bytes;
	void *unused;
};

static uint64_t number_at(const uint8_t *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof v);
	return v;
}

/* A bundle's own header says where its last entry ends (core/load/offload_bundle.c has the layout). */
bool find_binary(const void *p, struct module *m)
{
	const struct wrapper *w = p;
	uint64_t place = HEADER, end = HEADER, n;

	if (!w || w->magic != WRAPPER_MAGIC || !w->bytes || memcmp(w->bytes, magic, sizeof magic - 1))
		return false;
	n = number_at(w->bytes + sizeof magic - 1);
	for (uint64_t i = 0; i < n && i < ENTRIES_MAX; i++) {
		uint64_t stop = number_at(w->bytes + place) + number_at(w->bytes + place + 8);
		end = stop > end ? stop : end;
		place += ENTRY + number_at(w->bytes + place + 16);
	}
	m->bytes = w->bytes;
	m->size = (size_t)(end > place ? end : place);
	return true;
}

CALL void __hipRegisterFatBinaryEnd(void **handle);
CALL char __hipInitModule(void **handle);
void __hipRegisterFatBinaryEnd(void **handle) { (void)handle; }
char __hipInitModule(void **handle) { return handle != NULL; }

/* The variable of the device is a pointer of the same name. */
cudaError_t load_variable(struct runtime *r, struct variable *v)
{
	struct wb_diag d;

	if (!v->managed.host)
		return cudaSuccess;
	return error_of(r, wb_device_write_variable(r->device, v->module->program, v->name, 0, v->managed.host,
						    sizeof *v->managed.host, &d), v->name, &d);
}

CALL void __hipRegisterManagedVar(void *handle, void **host, void *value, const char *name, size_t bytes,
				  unsigned alignment);

/* The variable of the device is a pointer of that name, written when the module is loaded. The host may use the memory
 * before any call, so the memory is made here. */
void __hipRegisterManagedVar(void *handle, void **host, void *value, const char *name, size_t bytes, unsigned alignment)
{
	struct variable *v = register_variable(handle, host, name, bytes);

	cudaError_t e = cudaErrorMemoryAllocation;
	struct runtime *r = v ? begin(&e) : NULL;

	(void)alignment;
	if (!r)
		return;
	e = allocate_managed(r, host, bytes);
	if (e == cudaSuccess) {
		memcpy(*host, value, bytes);
		v->managed = (struct managed_variable){ host, value };
	}
	end(r, e);
}
