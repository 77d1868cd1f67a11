/* What nvcc and clang register in CUDA's own way: wrappers of fat binaries, and managed variables. */
#include <string.h>

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

CALL void __cudaRegisterManagedVar(void **handle, void **host, char *device, const char *name, int external,
				   size_t bytes, int constant, int global);

/* The host's pointer stays NULL: pages of the host cannot lie at a variable's address. */
void __cudaRegisterManagedVar(void **handle, void **host, char *device, const char *name, int external, size_t bytes,
			      int constant, int global)
{
	(void)device, (void)external, (void)constant, (void)global;
	register_variable(handle, host, name, bytes);
}
