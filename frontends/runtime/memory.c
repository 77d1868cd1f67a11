/* Device memory, memory of the host that a program may want to be special, managed memory, copies, and variables. Every
 * range of the device is checked before a byte moves. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "frontends/runtime/runtime.h"

bool is_device(struct runtime *r, const void *p, size_t n)
{
	uint64_t start, bytes;

	return wb_memory_find(r->device, number(p), &start, &bytes) && n <= bytes && number(p) - start <= bytes - n;
}

struct managed *find_managed(struct runtime *r, const void *p, size_t n)
{
	for (struct managed *m = r->managed; m; m = m->next)
		if (number(p) >= number(m->host) && n <= m->bytes && number(p) - number(m->host) <= m->bytes - n)
			return m;
	return NULL;
}

/* Memory of another stream's kernels may be what a thread of the host writes meanwhile. */
static bool is_seen(const struct managed *m, uint64_t stream)
{
	return !m->host_alone && (!m->stream || m->stream == stream || !is_stream_number(m->stream));
}

cudaError_t copy_managed(struct runtime *r, const struct CUstream_st *stream, bool to_device)
{
	uint64_t id = r->managed ? stream_number(stream) : 0;
	struct wb_diag d;
	enum wb_status s = WB_OK;

	for (struct managed *m = r->managed; m && s == WB_OK; m = m->next)
		if (is_seen(m, id))
			s = to_device ? wb_memory_write(r->device, m->address, m->host, m->bytes, &d)
				      : wb_memory_read(r->device, m->address, m->host, m->bytes, &d);
	return error_of(r, s, "managed memory", &d);
}

static bool begins_in_device(struct runtime *r, const void *p)
{
	uint64_t start, bytes;

	return wb_memory_find(r->device, number(p), &start, &bytes);
}

/* Ends of the device's addresses, and of a program's on the hosts of today. */
#define LOW_END (UINT64_C(1) << 44)
#define ADDRESSES_END (UINT64_C(1) << 48)

static bool is_page(uint64_t address)
{
	unsigned char resident;

	return !mincore(pointer(address & ~(uint64_t)(sysconf(_SC_PAGESIZE) - 1)), 1, &resident);
}

/* Whether the host has the bytes, by the first and the last page, asked of low addresses alone: these may be of device
 * memory that was freed, and most programs have none. */
static bool is_host(const void *p, size_t n)
{
	uint64_t last = number(p) + n - 1;

	return last >= number(p) && last < ADDRESSES_END &&
	       (number(p) >= LOW_END || (is_page(number(p)) && is_page(last)));
}

/* Whether bytes are the device's, by the kind of a copy; managed memory is the host's between launches. False: the
 * bytes can be neither, or are the device's in part. */
static bool find_side(struct runtime *r, const void *p, size_t n, bool said_device, bool open, bool *device)
{
	bool managed = find_managed(r, p, n);

	*device = !managed && is_device(r, p, n);
	if (!managed && !*device && (begins_in_device(r, p) || !is_host(p, n)))
		return false;
	return open || *device == said_device || managed;
}

/* ---- addresses of constants ---- */

#define CONSTANTS (UINT64_C(1) << 60)   /* no host and no device has such an address */

static struct constant *find_constant(struct runtime *r, const void *p, size_t n)
{
	struct constant *c = r->constants;

	while (c && !(number(p) >= c->address && n <= c->bytes && number(p) - c->address <= c->bytes - n))
		c = c->next;
	return c;
}

static cudaError_t add_constant(struct runtime *r, const struct wb_program *program,
				const struct wb_variable_place *place, uint64_t *address)
{
	enum { ALIGNMENT = 256 };
	struct constant *c = r->constants;
	uint64_t end = c ? c->address + c->bytes : CONSTANTS;

	while (c && (c->program != program || strcmp(c->name, place->name)))
		c = c->next;
	if (!c) {
		c = calloc(1, sizeof *c);
		if (!c || !(c->name = strdup(place->name))) {
			free(c);
			return cudaErrorMemoryAllocation;
		}
		c->program = program;
		c->address = (end + ALIGNMENT - 1) & -(uint64_t)ALIGNMENT;
		c->bytes = place->bytes;
		c->next = r->constants;
		r->constants = c;
	}
	*address = c->address;
	return cudaSuccess;
}

cudaError_t find_address(struct runtime *r, const struct wb_program *program, const char *name, uint64_t *address,
			 uint64_t *bytes)
{
	const struct wb_variable_place *place;

	for (unsigned i = 0; (place = wb_device_variable(r->device, program, i)); i++)
		if (!strcmp(place->name, name)) {
			*bytes = place->bytes;
			*address = place->address;
			return strcmp(place->space, "g") ? add_constant(r, program, place, address) : cudaSuccess;
		}
	return cudaErrorSymbolNotFound;
}

/* Copy to or from a constant, by way of the host. */
static cudaError_t copy_constant(struct runtime *r, void *to, const void *from, size_t n)
{
	struct constant *c = find_constant(r, to, n);
	bool write = c != NULL;
	void *bytes;
	struct wb_diag d;
	cudaError_t e;

	if (!c)
		c = find_constant(r, from, n);
	bytes = c ? malloc(n) : NULL;
	if (!bytes)
		return c ? cudaErrorMemoryAllocation : cudaErrorInvalidValue;
	if (write) {
		uint64_t offset = number(to) - c->address;
		e = copy_bytes(r, bytes, from, n, cudaMemcpyDefault);
		if (e == cudaSuccess)
			e = error_of(r, wb_device_write_variable(r->device, c->program, c->name, offset, bytes, n, &d),
				     c->name, &d);
	} else {
		uint64_t offset = number(from) - c->address;
		e = error_of(r, wb_device_read_variable(r->device, c->program, c->name, offset, bytes, n, &d), c->name,
			     &d);
		if (e == cudaSuccess)
			e = copy_bytes(r, to, bytes, n, cudaMemcpyDefault);
	}
	free(bytes);
	return e;
}

/* ---- copies of bytes ---- */

cudaError_t copy_bytes(struct runtime *r, void *to, const void *from, size_t n, enum cudaMemcpyKind kind)
{
	bool open = kind == cudaMemcpyDefault, between = kind == cudaMemcpyDeviceToDevice, to_device, from_device;
	struct wb_diag d = { 0 };

	if ((unsigned)kind > cudaMemcpyDefault)
		return cudaErrorInvalidMemcpyDirection;
	if (!n)
		return cudaSuccess;
	if (number(to) >= CONSTANTS || number(from) >= CONSTANTS)
		return copy_constant(r, to, from, n);
	if (!to || !from ||
	    !find_side(r, to, n, kind == cudaMemcpyHostToDevice || between, open, &to_device) ||
	    !find_side(r, from, n, kind == cudaMemcpyDeviceToHost || between, open, &from_device))
		return cudaErrorInvalidValue;
	if (to_device && from_device)
		return error_of(r, wb_memory_copy(r->device, number(to), number(from), n, &d), "a copy", &d);
	if (to_device)
		return error_of(r, wb_memory_write(r->device, number(to), from, n, &d), "a copy", &d);
	if (from_device)
		return error_of(r, wb_memory_read(r->device, number(from), to, n, &d), "a copy", &d);
	memmove(to, from, n);
	return cudaSuccess;
}

/* ---- boxes ---- */

static bool is_empty(const struct box *b) { return !b->width || !b->height || !b->depth; }

/* Whether a box that begins in the device's memory, or in managed memory, is inside; no box comes round, and neither
 * rows nor slices lie upon each other. */
static bool is_inside(struct runtime *r, const struct place *p, const struct box *b)
{
	size_t rows, slices, span, end;

	if (__builtin_mul_overflow(b->height - 1, p->row, &rows) ||
	    __builtin_mul_overflow(b->depth - 1, p->slice, &slices) || __builtin_add_overflow(rows, slices, &span) ||
	    __builtin_add_overflow(span, b->width, &span) || __builtin_add_overflow(span, number(p->begin), &end))
		return false;
	if ((b->height > 1 && p->row < b->width) || (b->depth > 1 && p->slice < rows + b->width))
		return false;
	if (find_managed(r, p->begin, 1))
		return find_managed(r, p->begin, span);
	return !begins_in_device(r, p->begin) || is_device(r, p->begin, span);
}

static uint8_t *row_of(const struct place *p, size_t y, size_t z) { return p->begin + z * p->slice + y * p->row; }

cudaError_t copy_box(struct runtime *r, const struct place *to, const struct place *from, const struct box *b,
		     enum cudaMemcpyKind kind)
{
	cudaError_t e = cudaSuccess;

	if ((unsigned)kind > cudaMemcpyDefault)
		return cudaErrorInvalidMemcpyDirection;
	if (is_empty(b))
		return cudaSuccess;
	if (!is_inside(r, to, b) || !is_inside(r, from, b))
		return cudaErrorInvalidValue;
	for (size_t z = 0; z < b->depth && e == cudaSuccess; z++)
		for (size_t y = 0; y < b->height && e == cudaSuccess; y++)
			e = copy_bytes(r, row_of(to, y, z), row_of(from, y, z), b->width, kind);
	return e;
}

static cudaError_t fill_row(struct runtime *r, void *to, int value, size_t width)
{
	uint8_t byte = (uint8_t)value;
	struct wb_diag d;

	if (find_managed(r, to, width)) {
		memset(to, value, width);
		return cudaSuccess;
	}
	return error_of(r, wb_memory_fill(r->device, number(to), &byte, 1, width, &d), RT_NAME(Memset), &d);
}

cudaError_t fill_box(struct runtime *r, const struct place *to, const struct box *b, int value)
{
	cudaError_t e = cudaSuccess;

	if (is_empty(b))
		return cudaSuccess;
	if (!is_inside(r, to, b) || (!begins_in_device(r, to->begin) && !find_managed(r, to->begin, 1)))
		return cudaErrorInvalidValue;
	for (size_t z = 0; z < b->depth && e == cudaSuccess; z++)
		for (size_t y = 0; y < b->height && e == cudaSuccess; y++)
			e = fill_row(r, row_of(to, y, z), value, b->width);
	return e;
}

cudaError_t fill_values(struct runtime *r, void *p, uint32_t value, size_t bytes, size_t count)
{
	struct wb_diag d;
	size_t n;

	if (__builtin_mul_overflow(bytes, count, &n))
		return cudaErrorInvalidValue;
	if (!n)
		return cudaSuccess;
	if (find_managed(r, p, n)) {
		for (size_t i = 0; i < count; i++)
			memcpy((char *)p + i * bytes, &value, bytes);
		return cudaSuccess;
	}
	if (!is_device(r, p, n))
		return cudaErrorInvalidValue;
	return error_of(r, wb_memory_fill(r->device, number(p), &value, bytes, n, &d), RT_NAME(Memset), &d);
}

/* ---- allocation ---- */

cudaError_t allocate(struct runtime *r, void **p, size_t bytes)
{
	struct wb_diag d = { 0 };
	uint64_t address = 0;

	if (!p)
		return cudaErrorInvalidValue;
	*p = NULL;
	if (bytes && wb_memory_alloc(r->device, bytes, &address, &d) != WB_OK) {
		if (!r->told_of_memory)         /* a program may ask until there is no more */
			program_say(r->program, "no %llu bytes of device memory: %s", (unsigned long long)bytes,
				    d.text);
		r->told_of_memory = true;
		return cudaErrorMemoryAllocation;
	}
	*p = pointer(address);
	return cudaSuccess;
}

cudaError_t release(struct runtime *r, void *p)
{
	struct wb_diag d;

	if (!p)
		return cudaSuccess;
	for (struct managed **m = &r->managed; *m; m = &(*m)->next)
		if ((*m)->host == p && (*m)->allocation) {
			struct managed *gone = *m;
			*m = gone->next;
			munmap(p, gone->mapped);
			wb_memory_free(r->device, gone->allocation, &d);
			free(gone);
			return cudaSuccess;
		}
	return wb_memory_free(r->device, number(p), &d) == WB_OK ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t allocate_managed(struct runtime *r, void **p, size_t bytes)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), mapped = (bytes + page - 1) & -page;
	struct managed *m = calloc(1, sizeof *m);
	struct wb_diag d;
	void *host;

	if (!p || !bytes || !m || bytes > UINT32_MAX) {
		free(m);
		return p && bytes ? cudaErrorMemoryAllocation : cudaErrorInvalidValue;
	}
	if (wb_memory_alloc(r->device, mapped + page, &m->allocation, &d) != WB_OK) {
		free(m);
		return cudaErrorMemoryAllocation;
	}
	m->address = (m->allocation + page - 1) & -page;
	m->bytes = bytes;
	m->mapped = mapped;
	host = mmap(pointer(m->address), mapped, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	if (host != pointer(m->address)) {
		if (host != MAP_FAILED)
			munmap(host, mapped);
		wb_memory_free(r->device, m->allocation, &d);
		free(m);
		program_say(r->program, "managed memory: the host has other things at the device's addresses");
		return cudaErrorMemoryAllocation;
	}
	m->host = host;
	m->next = r->managed;
	r->managed = m;
	*p = host;
	return cudaSuccess;
}

CALL cudaError_t RT(Malloc)(void **p, size_t bytes);
CALL cudaError_t RT(Free)(void *p);
CALL cudaError_t RT(MallocPitch)(void **p, size_t *pitch, size_t width, size_t height);
CALL cudaError_t RT(MallocManaged)(void **p, size_t bytes, unsigned flags);
CALL cudaError_t RT(MallocHost)(void **p, size_t bytes);
CALL cudaError_t RT(HostAlloc)(void **p, size_t bytes, unsigned flags);
CALL cudaError_t RT(FreeHost)(void *p);
CALL cudaError_t RT(HostRegister)(void *p, size_t bytes, unsigned flags);
CALL cudaError_t RT(HostUnregister)(void *p);
CALL cudaError_t RT(HostGetDevicePointer)(void **device, void *host, unsigned flags);
CALL cudaError_t RT(MemGetInfo)(size_t *left, size_t *total);

cudaError_t RT(Malloc)(void **p, size_t bytes) { WITH_RUNTIME(allocate(r, p, bytes)); }
cudaError_t RT(Free)(void *p)
{
	cudaError_t freed;

	if (free_graph_memory(p, &freed))
		return keep_error(freed);
	pool_forgets(number(p));
	WITH_RUNTIME(release(r, p));
}

cudaError_t RT(MallocPitch)(void **p, size_t *pitch, size_t width, size_t height)
{
	enum { PITCH = 512 };
	size_t row = (width + PITCH - 1) & -(size_t)PITCH, bytes;

	if (!pitch || row < width || __builtin_mul_overflow(row, height, &bytes))
		return keep_error(cudaErrorInvalidValue);
	*pitch = row;
	return RT(Malloc)(p, bytes);
}

cudaError_t RT(MallocManaged)(void **p, size_t bytes, unsigned flags)
{
	(void)flags;
	WITH_RUNTIME(allocate_managed(r, p, bytes));
}

/* Memory of the host that the device may read is managed; other pinned memory is the host's own. */
cudaError_t RT(HostAlloc)(void **p, size_t bytes, unsigned flags)
{
	if (!p)
		return keep_error(cudaErrorInvalidValue);
	if (flags & cudaHostAllocMapped || MAPS_ALL)
		return RT(MallocManaged)(p, bytes, 0);
	*p = NULL;
	return keep_error(!bytes || !posix_memalign(p, 4096, bytes) ? cudaSuccess : cudaErrorMemoryAllocation);
}

cudaError_t RT(MallocHost)(void **p, size_t bytes) { return RT(HostAlloc)(p, bytes, 0); }

cudaError_t RT(FreeHost)(void *p)
{
	cudaError_t e;
	struct runtime *r = begin(&e);

	if (!r)
		return keep_error(e);
	if (find_managed(r, p, 0))
		e = release(r, p);
	else
		free(p);
	return end(r, e);
}

cudaError_t RT(HostRegister)(void *p, size_t bytes, unsigned flags)
{
	(void)flags;
	return keep_error(p && bytes ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t RT(HostUnregister)(void *p) { return keep_error(p ? cudaSuccess : cudaErrorInvalidValue); }

static cudaError_t device_pointer(struct runtime *r, void **device, void *host)
{
	if (!device || !find_managed(r, host, 0))
		return cudaErrorInvalidValue;
	*device = host;
	return cudaSuccess;
}

cudaError_t RT(HostGetDevicePointer)(void **device, void *host, unsigned flags)
{
	(void)flags;
	WITH_RUNTIME(device_pointer(r, device, host));
}

static cudaError_t memory_info(struct runtime *r, size_t *left, size_t *total)
{
	if (!left || !total)
		return cudaErrorInvalidValue;
	*total = (size_t)chip_fact(r, "memory");
	*left = *total / 16 * 15;
	return cudaSuccess;
}

cudaError_t RT(MemGetInfo)(size_t *left, size_t *total) { WITH_RUNTIME(memory_info(r, left, total)); }

/* ---- copies ---- */

CALL cudaError_t RT(Memcpy)(void *to, const void *from, size_t n, enum cudaMemcpyKind kind);
CALL cudaError_t RT(MemcpyAsync)(void *to, const void *from, size_t n, enum cudaMemcpyKind kind, cudaStream_t stream);
CALL cudaError_t RT(MemcpyPeer)(void *to, int to_device, const void *from, int from_device, size_t n);
CALL cudaError_t RT(Memcpy2D)(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
			      size_t height, enum cudaMemcpyKind kind);
CALL cudaError_t RT(Memcpy2DAsync)(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
				   size_t height, enum cudaMemcpyKind kind, cudaStream_t stream);
CALL cudaError_t RT(Memset)(void *p, int value, size_t n);
CALL cudaError_t RT(MemsetAsync)(void *p, int value, size_t n, cudaStream_t stream);
CALL cudaError_t RT(Memset2D)(void *p, size_t pitch, int value, size_t width, size_t height);
CALL cudaError_t RT(Memset2DAsync)(void *p, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream);
CALL cudaError_t RT(MemAdvise)(const void *p, size_t bytes, int advice, int device);
CALL cudaError_t RT(StreamAttachMemAsync)(cudaStream_t stream, void *p, size_t bytes, unsigned flags);
CALL cudaError_t RT(MemPrefetchAsync)(const void *p, size_t bytes, int device, cudaStream_t stream);

cudaError_t RT(Memcpy)(void *to, const void *from, size_t n, enum cudaMemcpyKind kind)
{
	WITH_RUNTIME(copy_bytes(r, to, from, n, kind));
}

cudaError_t RT(MemcpyAsync)(void *to, const void *from, size_t n, enum cudaMemcpyKind kind, cudaStream_t stream)
{
	MAY_CAPTURE(stream, capture_copy(stream, to, from, n, kind));
	WITH_RUNTIME(is_stream(stream) ? copy_bytes(r, to, from, n, kind) : cudaErrorInvalidResourceHandle);
}

cudaError_t RT(MemcpyPeer)(void *to, int to_device, const void *from, int from_device, size_t n)
{
	if (to_device || from_device)
		return keep_error(cudaErrorInvalidDevice);
	return RT(Memcpy)(to, from, n, cudaMemcpyDeviceToDevice);
}

static cudaError_t copy_rows(struct runtime *r, void *to, size_t to_pitch, const void *from, size_t from_pitch,
			     size_t width, size_t height, enum cudaMemcpyKind kind)
{
	if (width > to_pitch || width > from_pitch)
		return cudaErrorInvalidPitchValue;
	return copy_box(r, &(struct place){ to, to_pitch, 0 },
			&(struct place){ (void *)(uintptr_t)from, from_pitch, 0 }, &(struct box){ width, height, 1 },
			kind);
}

cudaError_t RT(Memcpy2D)(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
			 enum cudaMemcpyKind kind)
{
	WITH_RUNTIME(copy_rows(r, to, to_pitch, from, from_pitch, width, height, kind));
}

cudaError_t RT(Memcpy2DAsync)(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
			      size_t height, enum cudaMemcpyKind kind, cudaStream_t stream)
{
	struct cudaMemcpy3DParms box = { .srcPtr = { (void *)(uintptr_t)from, from_pitch, width, height },
					 .dstPtr = { to, to_pitch, width, height }, .extent = { width, height, 1 },
					 .kind = kind };

	MAY_CAPTURE(stream, width > to_pitch || width > from_pitch ? keep_error(cudaErrorInvalidPitchValue)
		    : capture_box(stream, &box));
	WITH_RUNTIME(is_stream(stream) ? copy_rows(r, to, to_pitch, from, from_pitch, width, height, kind)
				       : cudaErrorInvalidResourceHandle);
}

static cudaError_t fill_rows(struct runtime *r, void *p, size_t pitch, int value, size_t width, size_t height)
{
	if (width > pitch)
		return cudaErrorInvalidPitchValue;
	return fill_box(r, &(struct place){ p, pitch, 0 }, &(struct box){ width, height, 1 }, value);
}

cudaError_t RT(Memset)(void *p, int value, size_t n) { WITH_RUNTIME(fill_rows(r, p, n, value, n, 1)); }
cudaError_t RT(MemsetAsync)(void *p, int value, size_t n, cudaStream_t stream)
{
	struct cudaMemsetParams fill = { .dst = p, .value = (uint8_t)value, .elementSize = 1, .width = n, .height = 1 };

	MAY_CAPTURE(stream, capture_fill(stream, &fill));
	WITH_RUNTIME(is_stream(stream) ? fill_rows(r, p, n, value, n, 1) : cudaErrorInvalidResourceHandle);
}
cudaError_t RT(Memset2D)(void *p, size_t pitch, int value, size_t width, size_t height)
{
	WITH_RUNTIME(fill_rows(r, p, pitch, value, width, height));
}
cudaError_t RT(Memset2DAsync)(void *p, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream)
{
	struct cudaMemsetParams fill = { .dst = p, .pitch = pitch, .value = (uint8_t)value, .elementSize = 1,
					 .width = width, .height = height };

	MAY_CAPTURE(stream, width > pitch ? keep_error(cudaErrorInvalidPitchValue) : capture_fill(stream, &fill));
	WITH_RUNTIME(is_stream(stream) ? fill_rows(r, p, pitch, value, width, height)
				       : cudaErrorInvalidResourceHandle);
}

cudaError_t RT(MemAdvise)(const void *p, size_t bytes, int advice, int device)
{
	(void)advice, (void)device;
	WITH_RUNTIME(find_managed(r, p, bytes) ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t RT(MemPrefetchAsync)(const void *p, size_t bytes, int device, cudaStream_t stream)
{
	(void)device;
	MAY_CAPTURE(stream, cudaSuccess);       /* a hint without effect needs no node */
	WITH_RUNTIME(find_managed(r, p, bytes) && is_stream(stream) ? cudaSuccess : cudaErrorInvalidValue);
}

static cudaError_t attach(struct runtime *r, cudaStream_t stream, void *p, size_t bytes, unsigned flags)
{
	struct managed *m = find_managed(r, p, bytes);
	uint64_t id = flags == cudaMemAttachSingle ? stream_number(stream) : 0;

	if (!is_stream(stream))
		return cudaErrorInvalidResourceHandle;
	if (!m || p != m->host || (bytes && bytes != m->bytes) ||
	    (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost && !id))
		return cudaErrorInvalidValue;
	m->host_alone = flags == cudaMemAttachHost;
	m->stream = id;
	return cudaSuccess;
}

cudaError_t RT(StreamAttachMemAsync)(cudaStream_t stream, void *p, size_t bytes, unsigned flags)
{
	WITH_RUNTIME(attach(r, stream, p, bytes, flags));
}

/* ---- variables ---- */

CALL cudaError_t RT(MemcpyToSymbol)(const void *symbol, const void *from, size_t n, size_t offset,
				    enum cudaMemcpyKind kind);
CALL cudaError_t RT(MemcpyFromSymbol)(void *to, const void *symbol, size_t n, size_t offset, enum cudaMemcpyKind kind);
CALL cudaError_t RT(MemcpyToSymbolAsync)(const void *symbol, const void *from, size_t n, size_t offset,
					 enum cudaMemcpyKind kind, cudaStream_t stream);
CALL cudaError_t RT(MemcpyFromSymbolAsync)(void *to, const void *symbol, size_t n, size_t offset,
					   enum cudaMemcpyKind kind, cudaStream_t stream);
CALL cudaError_t RT(GetSymbolAddress)(void **p, const void *symbol);
CALL cudaError_t RT(GetSymbolSize)(size_t *bytes, const void *symbol);

/* Find a variable whose program is loaded. NULL: *e says why. */
static struct variable *loaded(struct runtime *r, const void *symbol, cudaError_t *e)
{
	struct variable *v = find_variable(r, symbol);

	*e = v ? load_module(r, v->module) : cudaErrorInvalidSymbol;
	return *e == cudaSuccess ? v : NULL;
}

/* Copy between a variable and a place by way of the host. */
static cudaError_t copy_symbol(struct runtime *r, const void *symbol, void *other, size_t n, size_t offset, bool write)
{
	struct wb_diag d;
	cudaError_t e;
	struct variable *v = loaded(r, symbol, &e);
	void *bytes;

	if (!v)
		return e;
	if (offset > v->bytes || n > v->bytes - offset || (n && !other))
		return cudaErrorInvalidValue;
	if (v->mirror && write)
		return copy_bytes(r, (char *)v->mirror->host + offset, other, n, cudaMemcpyDefault);
	if (v->mirror)
		return copy_bytes(r, other, (char *)v->mirror->host + offset, n, cudaMemcpyDefault);
	bytes = malloc(n + 1);
	if (!bytes)
		return cudaErrorMemoryAllocation;
	if (write) {
		e = copy_bytes(r, bytes, other, n, cudaMemcpyDefault);
		if (e == cudaSuccess)
			e = error_of(r, wb_device_write_variable(r->device, v->module->program, v->name, offset, bytes,
								 n, &d), v->name, &d);
	} else {
		e = error_of(r, wb_device_read_variable(r->device, v->module->program, v->name, offset, bytes, n, &d),
			     v->name, &d);
		if (e == cudaSuccess)
			e = copy_bytes(r, other, bytes, n, cudaMemcpyDefault);
	}
	free(bytes);
	return e;
}

cudaError_t RT(MemcpyToSymbol)(const void *symbol, const void *from, size_t n, size_t offset, enum cudaMemcpyKind kind)
{
	(void)kind;
	WITH_RUNTIME(copy_symbol(r, symbol, (void *)(uintptr_t)from, n, offset, true));
}

cudaError_t RT(MemcpyFromSymbol)(void *to, const void *symbol, size_t n, size_t offset, enum cudaMemcpyKind kind)
{
	(void)kind;
	WITH_RUNTIME(copy_symbol(r, symbol, to, n, offset, false));
}

/* A node to copy between a variable and another place. */
static cudaError_t capture_symbol(cudaStream_t stream, const void *symbol, const void *other, size_t n, size_t offset,
				  enum cudaMemcpyKind kind, bool write)
{
	void *p = NULL;
	cudaError_t e;
	struct runtime *r = begin(&e);

	if (!r)
		return keep_error(e);
	if (e == cudaSuccess)
		e = symbol_place(r, symbol, offset, n, &p);
	if (end(r, e) != cudaSuccess)
		return e;
	return write ? capture_copy(stream, p, other, n, kind)
		     : capture_copy(stream, (void *)(uintptr_t)other, p, n, kind);
}

cudaError_t RT(MemcpyToSymbolAsync)(const void *symbol, const void *from, size_t n, size_t offset,
				    enum cudaMemcpyKind kind, cudaStream_t stream)
{
	MAY_CAPTURE(stream, capture_symbol(stream, symbol, from, n, offset, kind, true));
	return is_stream(stream) ? RT(MemcpyToSymbol)(symbol, from, n, offset, kind)
				 : keep_error(cudaErrorInvalidResourceHandle);
}

cudaError_t RT(MemcpyFromSymbolAsync)(void *to, const void *symbol, size_t n, size_t offset, enum cudaMemcpyKind kind,
				      cudaStream_t stream)
{
	MAY_CAPTURE(stream, capture_symbol(stream, symbol, to, n, offset, kind, false));
	return is_stream(stream) ? RT(MemcpyFromSymbol)(to, symbol, n, offset, kind)
				 : keep_error(cudaErrorInvalidResourceHandle);
}

cudaError_t variable_address(struct runtime *r, const struct variable *v, uint64_t *address)
{
	const struct wb_variable_place *at;

	for (unsigned i = 0; (at = wb_device_variable(r->device, v->module->program, i)); i++)
		if (!strcmp(at->name, v->name) && !strcmp(at->space, "g")) {
			*address = at->address;
			return cudaSuccess;
		}
	return cudaErrorInvalidSymbol;
}

static cudaError_t symbol_address(struct runtime *r, void **p, const void *symbol)
{
	cudaError_t e;
	struct variable *v = loaded(r, symbol, &e);
	uint64_t address = 0, bytes;

	if (!v || !p)
		return v ? cudaErrorInvalidValue : e;
	e = find_address(r, v->module->program, v->name, &address, &bytes);
	if (e == cudaErrorSymbolNotFound)
		e = cudaErrorInvalidSymbol;
	*p = e == cudaSuccess ? pointer(address) : *p;
	return e;
}

cudaError_t symbol_place(struct runtime *r, const void *symbol, size_t offset, size_t n, void **p)
{
	struct variable *v = find_variable(r, symbol);
	cudaError_t e = v ? symbol_address(r, p, symbol) : cudaErrorInvalidSymbol;

	if (e == cudaSuccess && (offset > v->bytes || n > v->bytes - offset))
		e = cudaErrorInvalidValue;
	if (e == cudaSuccess && v->mirror)
		*p = v->mirror->host;
	if (e == cudaSuccess)
		*p = (char *)*p + offset;
	return e;
}

cudaError_t RT(GetSymbolAddress)(void **p, const void *symbol) { WITH_RUNTIME(symbol_address(r, p, symbol)); }

cudaError_t RT(GetSymbolSize)(size_t *bytes, const void *symbol)
{
	struct variable *v = find_variable(NULL, symbol);

	if (!v || !bytes)
		return keep_error(v ? cudaErrorInvalidValue : cudaErrorInvalidSymbol);
	*bytes = v->bytes;
	return cudaSuccess;
}
