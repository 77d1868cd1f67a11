/* Addresses apart from memory. A reservation lies in an allocation of the device. The bytes of a piece of memory are in
 * a reservation while the piece is mapped, in one place at a time, and on the host otherwise. The emulator checks
 * accesses by allocations: an access to a part of a reservation without a piece is not noticed. */
#include <stdlib.h>
#include <string.h>

#include "frontends/cuda/driver/driver.h"

cudaError_t cudaMemGetInfo(size_t *left, size_t *total);

enum { GRAIN = 2 << 20 };        /* bytes, as NVIDIA's: sizes and addresses are multiples */

struct reservation {
	struct reservation *next;
	uint64_t base, address, bytes;   /* the device's allocation; the program's part */
};

struct piece {
	struct piece *next;
	uint64_t handle, bytes;
	unsigned held;                   /* releases to come from the program */
	uint64_t address, mapped;        /* place and bytes; 0: nowhere */
	unsigned access;                 /* enum CUmemAccess_flags */
	uint8_t *saved;                  /* bytes while the piece is nowhere; NULL: none were ever written */
	CUmemAllocationProp prop;
};

/* Of one thread at a time: between enter() and leave(). */
static struct reservation *reservations;
static struct piece *pieces;
static uint64_t last_handle;

static struct reservation *reservation_at(uint64_t address, uint64_t bytes)
{
	struct reservation *v = reservations;

	while (v && !(address >= v->address && bytes <= v->bytes && address - v->address <= v->bytes - bytes))
		v = v->next;
	return v;
}

static struct piece *piece_of(CUmemGenericAllocationHandle handle)
{
	struct piece *p = pieces;

	while (p && !(p->handle == handle && p->held))
		p = p->next;
	return p;
}

static bool overlaps(const struct piece *p, uint64_t address, uint64_t bytes)
{
	return p->mapped && p->address < address + bytes && address < p->address + p->mapped;
}

/* Pieces fill the range, and none is in part outside. */
static bool is_mapped(uint64_t address, uint64_t bytes)
{
	uint64_t all = 0;

	for (const struct piece *p = pieces; p; p = p->next) {
		if (!overlaps(p, address, bytes))
			continue;
		if (p->address < address || p->address + p->mapped > address + bytes)
			return false;
		all += p->mapped;
	}
	return bytes && all == bytes;
}

static void forget(struct piece *gone)
{
	struct piece **p = &pieces;

	if (gone->held || gone->mapped)
		return;
	while (*p != gone)
		p = &(*p)->next;
	*p = gone->next;
	free(gone->saved);
	free(gone);
}

static bool is_grained(uint64_t n) { return n && n % GRAIN == 0; }

/* ---- addresses ---- */

/* An address of the caller's choice is a wish. */
CALL CUresult cuMemAddressReserve(CUdeviceptr *p, size_t bytes, size_t alignment, CUdeviceptr wish, cuuint64_t flags)
{
	uint64_t align = alignment > GRAIN ? alignment : GRAIN;
	bool fits = bytes <= UINT32_MAX && align <= UINT32_MAX - bytes;
	struct reservation *v;
	struct wb_diag d;
	cudaError_t made;
	CUresult e;
	struct runtime *r = enter(&e);

	(void)wish;
	if (!r)
		return e;
	if (!p || !is_grained(bytes) || (alignment & (alignment - 1)) || flags)
		return leave(r, cudaErrorInvalidValue);
	v = fits ? calloc(1, sizeof *v) : NULL;
	made = v ? error_of(r, wb_memory_alloc(r->device, bytes + align, &v->base, &d), "a range of addresses", &d)
		 : cudaErrorMemoryAllocation;
	if (made != cudaSuccess) {
		free(v);
		return leave(r, made);
	}
	wb_memory_allow(r->device, v->base, 0, &d);
	v->address = (v->base | (align - 1)) + 1; /* behind the allocation's begin, which cuMemFree would take */
	v->bytes = bytes;
	v->next = reservations;
	reservations = v;
	*p = v->address;
	return leave(r, cudaSuccess);
}

CALL CUresult cuMemAddressFree(CUdeviceptr p, size_t bytes)
{
	struct reservation **at = &reservations, *v;
	struct wb_diag d;
	bool used = false;
	CUresult e;
	struct runtime *r = enter(&e);

	if (!r)
		return e;
	while ((v = *at) && !(v->address == p && v->bytes == bytes))
		at = &v->next;
	for (const struct piece *x = pieces; x && v; x = x->next)
		used |= overlaps(x, p, bytes);
	if (!v || used)
		return leave(r, cudaErrorInvalidValue);
	*at = v->next;
	wb_memory_free(r->device, v->base, &d);
	free(v);
	return leave(r, cudaSuccess);
}

/* ---- pieces of memory ---- */

static bool is_prop(const CUmemAllocationProp *p)
{
	return p && p->type == CU_MEM_ALLOCATION_TYPE_PINNED && p->location.type == CU_MEM_LOCATION_TYPE_DEVICE;
}

static struct piece *piece_new(size_t bytes, const CUmemAllocationProp *prop)
{
	struct piece *p = calloc(1, sizeof *p);

	if (!p)
		return NULL;
	*p = (struct piece){ .next = pieces, .handle = ++last_handle, .bytes = bytes, .held = 1, .prop = *prop };
	pieces = p;
	return p;
}

CALL CUresult cuMemCreate(CUmemGenericAllocationHandle *handle, size_t bytes, const CUmemAllocationProp *prop,
			  cuuint64_t flags)
{
	size_t left = 0, total = 0;
	struct piece *p;
	CUresult e;
	struct runtime *r;

	NEEDS_CONTEXT;
	if (!handle || !is_prop(prop) || !is_grained(bytes) || flags)
		return CUDA_ERROR_INVALID_VALUE;
	if (prop->location.id)
		return CUDA_ERROR_INVALID_DEVICE;
	if (prop->requestedHandleTypes)
		return missing_call("cuMemCreate of memory for other processes");
	cudaMemGetInfo(&left, &total);
	if (bytes > left)
		return CUDA_ERROR_OUT_OF_MEMORY;
	r = enter(&e);
	if (!r)
		return e;
	p = piece_new(bytes, prop);
	if (p)
		*handle = p->handle;
	return leave(r, p ? cudaSuccess : cudaErrorMemoryAllocation);
}

CALL CUresult cuMemRelease(CUmemGenericAllocationHandle handle)
{
	struct piece *p;
	CUresult e;
	struct runtime *r = enter(&e);

	if (!r)
		return e;
	p = piece_of(handle);
	if (!p)
		return leave(r, cudaErrorInvalidValue);
	p->held--;
	forget(p);
	return leave(r, cudaSuccess);
}

CALL CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *handle, void *address)
{
	struct piece *p;
	CUresult e;
	struct runtime *r = enter(&e);

	if (!r)
		return e;
	for (p = pieces; p && !overlaps(p, number(address), 1);)
		p = p->next;
	if (!handle || !p)
		return leave(r, cudaErrorInvalidValue);
	p->held++;
	*handle = p->handle;
	return leave(r, cudaSuccess);
}

CALL CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *prop, CUmemGenericAllocationHandle handle)
{
	struct piece *p;
	CUresult e;
	struct runtime *r = enter(&e);

	if (!r)
		return e;
	p = piece_of(handle);
	if (!prop || !p)
		return leave(r, cudaErrorInvalidValue);
	*prop = p->prop;
	return leave(r, cudaSuccess);
}

CALL CUresult cuMemGetAllocationGranularity(size_t *bytes, const CUmemAllocationProp *prop,
					    CUmemAllocationGranularity_flags which)
{
	NEEDS_CONTEXT;
	if (!bytes || !is_prop(prop) || (unsigned)which > CU_MEM_ALLOC_GRANULARITY_RECOMMENDED)
		return CUDA_ERROR_INVALID_VALUE;
	*bytes = GRAIN;
	return prop->location.id ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}

/* ---- pieces at addresses ---- */

/* Kernels may do in a reservation what access to any of the pieces allows. */
static void allow(struct runtime *r, const struct reservation *v)
{
	unsigned uses = 0;
	struct wb_diag d;

	for (const struct piece *p = pieces; p; p = p->next)
		if (overlaps(p, v->address, v->bytes))
			uses |= p->access;
	wb_memory_allow(r->device, v->base,
			(uses & CU_MEM_ACCESS_FLAGS_PROT_READ ? WB_MEMORY_LOADS : 0u) |
			(uses & (CU_MEM_ACCESS_FLAGS_PROT_READWRITE ^ CU_MEM_ACCESS_FLAGS_PROT_READ) ? WB_MEMORY_STORES
												     : 0u), &d);
}

CALL CUresult cuMemMap(CUdeviceptr address, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle,
		       cuuint64_t flags)
{
	struct wb_diag d;
	struct piece *p;
	bool used = false;
	CUresult e;
	struct runtime *r = enter(&e);

	if (!r)
		return e;
	p = piece_of(handle);
	for (const struct piece *x = pieces; x; x = x->next)
		used |= overlaps(x, address, bytes);
	if (!p || offset || flags || !is_grained(bytes) || address % GRAIN || bytes > p->bytes || used ||
	    !reservation_at(address, bytes))
		return leave(r, cudaErrorInvalidValue);
	if (p->mapped) {
		leave(r, cudaSuccess);
		return missing_call("cuMemMap of memory that is mapped elsewhere");
	}
	if (p->saved)
		wb_memory_write(r->device, address, p->saved, bytes, &d);
	p->address = address;
	p->mapped = bytes;
	p->access = CU_MEM_ACCESS_FLAGS_PROT_NONE;
	return leave(r, cudaSuccess);
}

CALL CUresult cuMemUnmap(CUdeviceptr address, size_t bytes)
{
	const struct reservation *v;
	struct wb_diag d;
	CUresult e;
	struct runtime *r = enter(&e);

	if (!r)
		return e;
	v = reservation_at(address, bytes);
	if (!v || !is_mapped(address, bytes))
		return leave(r, cudaErrorInvalidValue);
	for (struct piece *p = pieces, *next; p; p = next) {
		next = p->next;
		if (!overlaps(p, address, bytes))
			continue;
		if (p->held && !p->saved && !(p->saved = calloc(1, p->bytes)))
			return leave(r, cudaErrorMemoryAllocation);
		if (p->held)
			wb_memory_read(r->device, p->address, p->saved, p->mapped, &d);
		p->mapped = 0;
		forget(p);
	}
	allow(r, v);
	return leave(r, cudaSuccess);
}

CALL CUresult cuMemSetAccess(CUdeviceptr address, size_t bytes, const CUmemAccessDesc *list, size_t n)
{
	const struct reservation *v;
	CUresult e;
	struct runtime *r = enter(&e);

	if (!r)
		return e;
	v = reservation_at(address, bytes);
	if (!v || !list || !n || !is_mapped(address, bytes))
		return leave(r, cudaErrorInvalidValue);
	for (size_t k = 0; k < n; k++) {
		if (list[k].location.type != CU_MEM_LOCATION_TYPE_DEVICE || (unsigned)list[k].flags > 3 ||
		    list[k].flags == 2)
			return leave(r, cudaErrorInvalidValue);
		if (list[k].location.id)
			return leave(r, cudaErrorInvalidDevice);
	}
	for (struct piece *p = pieces; p; p = p->next)
		if (overlaps(p, address, bytes))
			p->access = list[n - 1].flags;
	allow(r, v);
	return leave(r, cudaSuccess);
}

CALL CUresult cuMemGetAccess(unsigned long long *flags, const CUmemLocation *place, CUdeviceptr address)
{
	const struct piece *p = NULL;
	CUresult e;
	struct runtime *r = enter(&e);

	if (!r)
		return e;
	for (p = pieces; p && !overlaps(p, address, 1);)
		p = p->next;
	if (!flags || !place || !p || place->type != CU_MEM_LOCATION_TYPE_DEVICE)
		return leave(r, cudaErrorInvalidValue);
	*flags = p->access;
	return leave(r, place->id ? cudaErrorInvalidDevice : cudaSuccess);
}
