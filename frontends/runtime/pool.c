/* Memory in the order of a stream, and pools: since a stream's work is done when a call returns, memory is allocated
 * and freed as by cudaMalloc and cudaFree, and a pool holds nothing back; pools count bytes in use. */
#include <stdlib.h>
#include <string.h>

#include "frontends/runtime/graph.h"

struct pool_piece {
	struct pool_piece *next;
	uint64_t address, bytes;
};

struct CUmemPool_st {
	cudaMemPool_t next;
	struct pool_piece *pieces;
	int reuse[3];                    /* in the order of the attributes */
	uint64_t threshold, used, most, most_reserved;
	bool destroyed;                  /* by the program, with pieces in use */
};

/* The device's own pool, made at first use. NULL: the host has no memory. */
static cudaMemPool_t own_pool(struct shared *s)
{
	if (!s->pools && (s->pools = calloc(1, sizeof *s->pools)))
		s->pools->reuse[0] = s->pools->reuse[1] = s->pools->reuse[2] = 1;
	return s->pools;
}

static bool is_pool(struct shared *s, cudaMemPool_t pool)
{
	cudaMemPool_t p = own_pool(s);

	while (p && p != pool)
		p = p->next;
	return p && !p->destroyed;
}

static void pool_free(struct shared *s, cudaMemPool_t pool)
{
	cudaMemPool_t *p = &s->pools;

	while (*p != pool)
		p = &(*p)->next;
	*p = pool->next;
	free(pool);
}

void pool_forgets(uint64_t address)
{
	struct shared *s = warpbeam_runtime_shared();

	if (!__atomic_load_n(&s->pools, __ATOMIC_RELAXED))
		return;
	pthread_mutex_lock(&s->graph_lock);
	for (cudaMemPool_t pool = s->pools; pool; pool = pool->next)
		for (struct pool_piece **p = &pool->pieces; *p; p = &(*p)->next) {
			struct pool_piece *gone = *p;
			if (gone->address != address)
				continue;
			*p = gone->next;
			pool->used -= gone->bytes;
			free(gone);
			if (pool->destroyed && !pool->pieces)
				pool_free(s, pool);
			pthread_mutex_unlock(&s->graph_lock);
			return;
		}
	pthread_mutex_unlock(&s->graph_lock);
}

/* Allocate from a pool; NULL: the device's pool at present. */
static cudaError_t allocate_from(struct shared *s, void **p, size_t bytes, cudaMemPool_t pool)
{
	struct pool_piece *piece = calloc(1, sizeof *piece);
	cudaError_t e;
	struct runtime *r = begin(&e);

	if (!pool)
		pool = s->pool ? s->pool : own_pool(s);
	if (r && e == cudaSuccess)
		e = piece && pool ? allocate(r, p, bytes) : cudaErrorMemoryAllocation;
	if (r)
		end(r, cudaSuccess);
	if (e != cudaSuccess || !*p) {
		free(piece);
		return e;
	}
	*piece = (struct pool_piece){ pool->pieces, number(*p), bytes };
	pool->pieces = piece;
	pool->used += bytes;
	pool->most = pool->used > pool->most ? pool->used : pool->most;
	pool->most_reserved = pool->used > pool->most_reserved ? pool->used : pool->most_reserved;
	return cudaSuccess;
}

CALL cudaError_t RT(Free)(void *p);
CALL cudaError_t RT(MallocAsync)(void **p, size_t bytes, cudaStream_t stream);
CALL cudaError_t RT(MallocFromPoolAsync)(void **p, size_t bytes, cudaMemPool_t pool, cudaStream_t stream);
CALL cudaError_t RT(FreeAsync)(void *p, cudaStream_t stream);
CALL cudaError_t RT(DeviceGetDefaultMemPool)(cudaMemPool_t *pool, int device);
CALL cudaError_t RT(DeviceGetMemPool)(cudaMemPool_t *pool, int device);
CALL cudaError_t RT(DeviceSetMemPool)(int device, cudaMemPool_t pool);
CALL cudaError_t RT(MemPoolCreate)(cudaMemPool_t *pool, const struct cudaMemPoolProps *p);
CALL cudaError_t RT(MemPoolDestroy)(cudaMemPool_t pool);
CALL cudaError_t RT(MemPoolTrimTo)(cudaMemPool_t pool, size_t bytes);
CALL cudaError_t RT(MemPoolSetAttribute)(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value);
CALL cudaError_t RT(MemPoolGetAttribute)(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value);
CALL cudaError_t RT(MemPoolSetAccess)(cudaMemPool_t pool, const struct cudaMemAccessDesc *list, size_t n);
CALL cudaError_t RT(MemPoolGetAccess)(enum cudaMemAccessFlags *flags, cudaMemPool_t pool,
				      struct cudaMemLocation *place);
CALL cudaError_t RT(DeviceGraphMemTrim)(int device);
CALL cudaError_t RT(DeviceGetGraphMemAttribute)(int device, enum cudaGraphMemAttributeType attribute, void *value);
CALL cudaError_t RT(DeviceSetGraphMemAttribute)(int device, enum cudaGraphMemAttributeType attribute, void *value);

cudaError_t RT(MallocAsync)(void **p, size_t bytes, cudaStream_t stream)
{
	if (!p || !bytes || !is_stream(stream))
		return keep_error(p && bytes ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue);
	MAY_CAPTURE(stream, capture_alloc(stream, p, bytes));
	struct shared *s = graphs_hold();
	return graphs_let_go(s, allocate_from(s, p, bytes, NULL));
}

cudaError_t RT(MallocFromPoolAsync)(void **p, size_t bytes, cudaMemPool_t pool, cudaStream_t stream)
{
	if (!p || !bytes || !is_stream(stream))
		return keep_error(p && bytes ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue);
	MAY_CAPTURE(stream, capture_alloc(stream, p, bytes));
	struct shared *s = graphs_hold();
	return graphs_let_go(s, is_pool(s, pool) ? allocate_from(s, p, bytes, pool) : cudaErrorInvalidValue);
}

cudaError_t RT(FreeAsync)(void *p, cudaStream_t stream)
{
	if (!is_stream(stream))
		return keep_error(cudaErrorInvalidResourceHandle);
	MAY_CAPTURE(stream, capture_free(stream, p));
	return RT(Free)(p);
}

/* ---- pools ---- */

static cudaError_t give_pool(cudaMemPool_t *out, int device, bool own)
{
	struct shared *s = graphs_hold();
	cudaMemPool_t pool = own_pool(s);

	if (!out || device)
		return graphs_let_go(s, out ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
	*out = s->pool && !own ? s->pool : pool;
	return graphs_let_go(s, pool ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t RT(DeviceGetDefaultMemPool)(cudaMemPool_t *pool, int device) { return give_pool(pool, device, true); }
cudaError_t RT(DeviceGetMemPool)(cudaMemPool_t *pool, int device) { return give_pool(pool, device, false); }

cudaError_t RT(DeviceSetMemPool)(int device, cudaMemPool_t pool)
{
	struct shared *s = graphs_hold();

	if (device || !is_pool(s, pool))
		return graphs_let_go(s, device ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
	s->pool = pool;
	return graphs_let_go(s, cudaSuccess);
}

/* Whether a place is the device. */
static bool is_here(const struct cudaMemLocation *place)
{
	return place->type == cudaMemLocationTypeDevice && !place->id;
}

cudaError_t RT(MemPoolCreate)(cudaMemPool_t *pool, const struct cudaMemPoolProps *p)
{
	struct shared *s = graphs_hold();
	cudaMemPool_t own = own_pool(s), made;

	if (!pool || !p || p->allocType != cudaMemAllocationTypePinned || !is_here(&p->location))
		return graphs_let_go(s, cudaErrorInvalidValue);
	if (p->handleTypes != cudaMemHandleTypeNone)    /* for other processes */
		return graphs_let_go(s, cudaErrorNotSupported);
	made = own ? calloc(1, sizeof *made) : NULL;
	if (!made)
		return graphs_let_go(s, cudaErrorMemoryAllocation);
	made->reuse[0] = made->reuse[1] = made->reuse[2] = 1;
	made->next = own->next;
	own->next = made;
	*pool = made;
	return graphs_let_go(s, cudaSuccess);
}

cudaError_t RT(MemPoolDestroy)(cudaMemPool_t pool)
{
	struct shared *s = graphs_hold();

	if (!is_pool(s, pool) || pool == own_pool(s))
		return graphs_let_go(s, cudaErrorInvalidValue);
	if (s->pool == pool)
		s->pool = NULL;
	if (pool->pieces)
		pool->destroyed = true;
	else
		pool_free(s, pool);
	return graphs_let_go(s, cudaSuccess);
}

cudaError_t RT(MemPoolTrimTo)(cudaMemPool_t pool, size_t bytes)
{
	struct shared *s = graphs_hold();

	(void)bytes;
	return graphs_let_go(s, is_pool(s, pool) ? cudaSuccess : cudaErrorInvalidValue);
}

/* The number of bytes of an attribute. NULL: no such attribute. */
static uint64_t *count_of(cudaMemPool_t pool, enum cudaMemPoolAttr attribute)
{
	switch (attribute) {
	case cudaMemPoolAttrReleaseThreshold: return &pool->threshold;
	case cudaMemPoolAttrReservedMemCurrent:
	case cudaMemPoolAttrUsedMemCurrent: return &pool->used;
	case cudaMemPoolAttrReservedMemHigh: return &pool->most_reserved;
	case cudaMemPoolAttrUsedMemHigh: return &pool->most;
	default: return NULL;
	}
}

static bool is_reuse(enum cudaMemPoolAttr a)
{
	return a >= cudaMemPoolReuseFollowEventDependencies && a <= cudaMemPoolReuseAllowInternalDependencies;
}

cudaError_t RT(MemPoolGetAttribute)(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value)
{
	struct shared *s = graphs_hold();
	uint64_t *count;

	if (!value || !is_pool(s, pool))
		return graphs_let_go(s, cudaErrorInvalidValue);
	count = count_of(pool, attribute);
	if (count)
		memcpy(value, count, sizeof *count);
	else if (is_reuse(attribute))
		memcpy(value, &pool->reuse[attribute - cudaMemPoolReuseFollowEventDependencies], sizeof(int));
	else
		return graphs_let_go(s, cudaErrorInvalidValue);
	return graphs_let_go(s, cudaSuccess);
}

/* A high mark can only be set to 0, for the bytes in use at present. */
static cudaError_t set_count(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, uint64_t v)
{
	if (attribute == cudaMemPoolAttrReleaseThreshold)
		pool->threshold = v;
	else if ((attribute != cudaMemPoolAttrReservedMemHigh && attribute != cudaMemPoolAttrUsedMemHigh) || v)
		return cudaErrorInvalidValue;
	else
		*count_of(pool, attribute) = pool->used;
	return cudaSuccess;
}

cudaError_t RT(MemPoolSetAttribute)(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value)
{
	struct shared *s = graphs_hold();
	uint64_t v;

	if (!value || !is_pool(s, pool))
		return graphs_let_go(s, cudaErrorInvalidValue);
	if (is_reuse(attribute)) {
		memcpy(&pool->reuse[attribute - cudaMemPoolReuseFollowEventDependencies], value, sizeof(int));
		return graphs_let_go(s, cudaSuccess);
	}
	memcpy(&v, value, sizeof v);
	return graphs_let_go(s, set_count(pool, attribute, v));
}

cudaError_t RT(MemPoolSetAccess)(cudaMemPool_t pool, const struct cudaMemAccessDesc *list, size_t n)
{
	struct shared *s = graphs_hold();

	if (!is_pool(s, pool) || (n && !list))
		return graphs_let_go(s, cudaErrorInvalidValue);
	for (size_t i = 0; i < n; i++)
		if (!is_here(&list[i].location) || list[i].flags != cudaMemAccessFlagsProtReadWrite)
			return graphs_let_go(s, cudaErrorInvalidValue);
	return graphs_let_go(s, cudaSuccess);
}

cudaError_t RT(MemPoolGetAccess)(enum cudaMemAccessFlags *flags, cudaMemPool_t pool, struct cudaMemLocation *place)
{
	struct shared *s = graphs_hold();

	if (!flags || !place || !is_pool(s, pool) || !is_here(place))
		return graphs_let_go(s, cudaErrorInvalidValue);
	*flags = cudaMemAccessFlagsProtReadWrite;
	return graphs_let_go(s, cudaSuccess);
}

/* ---- memory of graphs ---- */

cudaError_t RT(DeviceGraphMemTrim)(int device) { return keep_error(device ? cudaErrorInvalidDevice : cudaSuccess); }

cudaError_t RT(DeviceGetGraphMemAttribute)(int device, enum cudaGraphMemAttributeType attribute, void *value)
{
	struct shared *s = graphs_hold();
	bool used = attribute <= cudaGraphMemAttrUsedMemHigh;
	uint64_t bytes = 0;

	if (device || !value || (unsigned)attribute > cudaGraphMemAttrReservedMemHigh)
		return graphs_let_go(s, device ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
	for (struct graph_memory *m = s->graph_memory; m; m = m->next)
		bytes += m->live || !used ? m->bytes : 0;
	memcpy(value, &bytes, sizeof bytes);
	return graphs_let_go(s, cudaSuccess);
}

/* High marks are the present bytes. */
cudaError_t RT(DeviceSetGraphMemAttribute)(int device, enum cudaGraphMemAttributeType attribute, void *value)
{
	bool high = attribute == cudaGraphMemAttrUsedMemHigh || attribute == cudaGraphMemAttrReservedMemHigh;
	uint64_t v = 1;

	if (value)
		memcpy(&v, value, sizeof v);
	return keep_error(device ? cudaErrorInvalidDevice : high && !v ? cudaSuccess : cudaErrorInvalidValue);
}
