/* Entry points by name, and those without a meaning here. */
#include <string.h>

#include "frontends/cuda/driver/driver.h"

CUresult missing_call(const char *name)
{
	cudaError_t e;
	struct runtime *r = begin(&e);

	if (!r)
		return result(e);
	program_say(r->program, "%s is not in this driver: the call returns CUDA_ERROR_NOT_SUPPORTED", name);
	end(r, cudaSuccess);
	return CUDA_ERROR_NOT_SUPPORTED;
}

#define MISSING(name) \
	CALL CUresult name(void); \
	CALL CUresult name(void) { return missing_call(#name); }
#include "frontends/cuda/driver/missing.def"

/* NVIDIA's static runtime is the caller, and asks for tables without a public description. */
CALL CUresult cuGetExportTable(const void **table, const CUuuid *id)
{
	(void)table, (void)id;
	return missing_call("cuGetExportTable of a static CUDA runtime (link with -cudart shared)");
}

static const struct entry {
	const char *name;
	int version;            /* of CUDA, from which on the name means the function */
	void *function;
} entries[] = {
#define ENTRY(name, version, function) { #name, version, (void *)(uintptr_t)function },
#include "frontends/cuda/driver/driver.def"
#define MISSING(name) { #name, 0, (void *)(uintptr_t)name },
#include "frontends/cuda/driver/missing.def"
};

CALL CUresult cuGetProcAddress_v2(const char *name, void **function, int version, cuuint64_t flags,
				  CUdriverProcAddressQueryResult *how)
{
	const struct entry *found = NULL;
	bool later = false;

	if (!name || !function || flags > 7)
		return CUDA_ERROR_INVALID_VALUE;
	for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
		if (strcmp(entries[i].name, name))
			continue;
		if (entries[i].version > version)
			later = true;
		else if (!found || entries[i].version > found->version)
			found = &entries[i];
	}
	*function = found ? found->function : NULL;
	if (how)
		*how = found ? CU_GET_PROC_ADDRESS_SUCCESS : later ? CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
								  : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
	return found || how ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CALL CUresult cuGetProcAddress(const char *name, void **function, int version, cuuint64_t flags)
{
	return cuGetProcAddress_v2(name, function, version, flags, NULL);
}
