/* Reading, writing, copying and filling buffers. All are boxes: rows of bytes in slices, with a pitch on each side, of
 * which a plain range is the box of one row. A side is a buffer or the program's memory. */
#include "frontends/opencl/transfer.h"

/* The first byte of a row, from the first byte of the side's memory. */
static size_t row_offset(const struct side *s, size_t y, size_t z)
{
	return s->offset + z * s->slice + y * s->row;
}

static bool copy_row(struct wb_device *v, const struct side *to, uint64_t to_at, const struct side *from,
		     uint64_t from_at, size_t n)
{
	if (to->mem && from->mem)
		return wb_memory_copy(v, to_at, from_at, n, NULL) == WB_OK;
	if (to->mem)
		return wb_memory_write(v, to_at, from->host + from_at, n, NULL) == WB_OK;
	return wb_memory_read(v, from_at, to->host + to_at, n, NULL) == WB_OK;
}

static bool copy_box(const struct transfer *t, struct wb_device *v, uint64_t to, uint64_t from)
{
	const size_t *r = t->region;
	bool whole = t->to.row == r[0] && t->from.row == r[0] && t->to.slice == r[0] * r[1] &&
		     t->from.slice == r[0] * r[1];

	if (whole)
		return copy_row(v, &t->to, to + t->to.offset, &t->from, from + t->from.offset, r[0] * r[1] * r[2]);
	for (size_t z = 0; z < r[2]; z++)
		for (size_t y = 0; y < r[1]; y++)
			if (!copy_row(v, &t->to, to + row_offset(&t->to, y, z), &t->from,
				      from + row_offset(&t->from, y, z), r[0]))
				return false;
	return true;
}

cl_ulong transfer_nanoseconds(size_t bytes)
{
	enum { BYTES_A_NANOSECOND = 8 };        /* PCI Express 2.0 with 16 lanes */

	return 1 + bytes / BYTES_A_NANOSECOND;
}

static cl_int run_transfer(struct command *c, struct place *p)
{
	struct transfer *t = (struct transfer *)c;
	cl_context context = c->queue->context;
	uint64_t to = 0, from = 0;

	pthread_mutex_lock(&context->running);
	bool good = (!t->to.mem || (to = mem_address(t->to.mem, c->queue->place_number))) &&
		    (!t->from.mem || (from = mem_address(t->from.mem, c->queue->place_number))) &&
		    copy_box(t, p->memory, to, from);
	pthread_mutex_unlock(&context->running);
	c->nanoseconds = transfer_nanoseconds(t->region[0] * t->region[1] * t->region[2]);
	return good ? CL_SUCCESS : CL_MEM_OBJECT_ALLOCATION_FAILURE;
}

static void end_transfer(struct command *c)
{
	struct transfer *t = (struct transfer *)c;

	object_drop(t->to.mem);
	object_drop(t->from.mem);
	mapping_free(t->mapping);
}

struct transfer *transfer_new(cl_command_queue q, const struct order *o, const struct side *to,
			      const struct side *from, const size_t region[3], cl_int *error)
{
	struct transfer *t = command_new(q, o, sizeof *t, error);

	if (!t)
		return NULL;
	t->command.run = run_transfer;
	t->command.end = end_transfer;
	t->to = *to;
	t->from = *from;
	object_keep(t->to.mem);
	object_keep(t->from.mem);
	memcpy(t->region, region, sizeof t->region);
	return t;
}

cl_int transfer_enqueue(cl_command_queue q, const struct order *o, const struct side *to, const struct side *from,
			const size_t region[3])
{
	cl_int error;
	struct transfer *t = transfer_new(q, o, to, from, region, &error);

	return t ? command_enqueue(&t->command, o) : error;
}

/* ---- checks ---- */

cl_int transfer_objects(cl_command_queue q, cl_mem m, cl_mem_flags forbidden)
{
	cl_int error;

	if (!object_is(q, KIND_QUEUE))
		return CL_INVALID_COMMAND_QUEUE;
	if ((error = mem_check(q->context, m)))
		return error;
	if (m->image)
		return CL_INVALID_MEM_OBJECT;
	return m->flags & forbidden ? CL_INVALID_OPERATION : CL_SUCCESS;
}

bool transfer_in_bounds(const struct _cl_mem *m, size_t offset, size_t n)
{
	return n && offset <= m->bytes && n <= m->bytes - offset;
}

/* a + b * n; *good turns false where the sum has no place in a size_t. */
static size_t plus(size_t a, size_t b, size_t n, bool *good)
{
	size_t product = 0, sum = 0;

	*good &= !__builtin_mul_overflow(b, n, &product) && !__builtin_add_overflow(a, product, &sum);
	return sum;
}

/* Place the box on a side: pitches of 0 are those of a dense box. False: bad pitches, or not within the buffer. */
static bool place_box(struct side *s, const size_t origin[3], const size_t region[3])
{
	bool good = region[0] && region[1] && region[2];
	size_t end, dense;

	if (!s->row)
		s->row = region[0];
	dense = plus(0, s->row, region[1], &good);
	if (!s->slice)
		s->slice = dense;
	if (!good || s->row < region[0] || s->slice < dense || s->slice % s->row)
		return false;
	s->offset = plus(plus(origin[0], origin[1], s->row, &good), origin[2], s->slice, &good);
	end = plus(plus(s->offset + region[0], region[1] - 1, s->row, &good), region[2] - 1, s->slice, &good);
	return good && s->offset + region[0] >= region[0] && (!s->mem || end <= s->mem->bytes);
}

/* Whether two boxes of one buffer share a byte: a walk along the rows of both, which ascend. */
bool transfer_overlap(const struct side *a, const struct side *b, const size_t region[3])
{
	size_t n = region[1] * region[2], i = 0, k = 0, shift_a = a->mem->origin, shift_b = b->mem->origin;
	bool same = mem_root(a->mem) == mem_root(b->mem);

	while (same && i < n && k < n) {
		size_t x = shift_a + row_offset(a, i % region[1], i / region[1]);
		size_t y = shift_b + row_offset(b, k % region[1], k / region[1]);
		if (x + region[0] <= y)
			i++;
		else if (y + region[0] <= x)
			k++;
		else
			return true;
	}
	return false;
}

/* ---- entry points ---- */

static cl_int range(cl_command_queue q, const struct order *o, cl_mem m, size_t offset, size_t n, void *host,
		    bool writes)
{
	cl_mem_flags forbidden = CL_MEM_HOST_NO_ACCESS | (writes ? CL_MEM_HOST_READ_ONLY : CL_MEM_HOST_WRITE_ONLY);
	const size_t region[3] = { n, 1, 1 };
	const struct side mem = { m, NULL, offset, n, n }, other = { NULL, host, 0, n, n };
	cl_int error = transfer_objects(q, m, forbidden);

	if (error)
		return error;
	if (!host || !transfer_in_bounds(m, offset, n))
		return CL_INVALID_VALUE;
	return transfer_enqueue(q, o, writes ? &mem : &other, writes ? &other : &mem, region);
}

cl_int CL_API_CALL clEnqueueReadBuffer(cl_command_queue q, cl_mem m, cl_bool blocking, size_t offset, size_t n,
				       void *host, cl_uint nwait, const cl_event *wait, cl_event *event)
{
	const struct order o = { CL_COMMAND_READ_BUFFER, blocking, nwait, wait, event };

	HOUSE(CL_OUT_OF_RESOURCES);
	return range(q, &o, m, offset, n, host, false);
}

cl_int CL_API_CALL clEnqueueWriteBuffer(cl_command_queue q, cl_mem m, cl_bool blocking, size_t offset, size_t n,
					const void *host, cl_uint nwait, const cl_event *wait, cl_event *event)
{
	const struct order o = { CL_COMMAND_WRITE_BUFFER, blocking, nwait, wait, event };

	HOUSE(CL_OUT_OF_RESOURCES);
	return range(q, &o, m, offset, n, (void *)(uintptr_t)host, true);
}

static cl_int box(cl_command_queue q, const struct order *o, struct side mem, struct side host,
		  const size_t *mem_origin, const size_t *host_origin, const size_t *region, bool writes)
{
	cl_mem_flags forbidden = CL_MEM_HOST_NO_ACCESS | (writes ? CL_MEM_HOST_READ_ONLY : CL_MEM_HOST_WRITE_ONLY);
	cl_int error = transfer_objects(q, mem.mem, forbidden);

	if (error)
		return error;
	if (!host.host || !mem_origin || !host_origin || !region || !place_box(&mem, mem_origin, region) ||
	    !place_box(&host, host_origin, region))
		return CL_INVALID_VALUE;
	return transfer_enqueue(q, o, writes ? &mem : &host, writes ? &host : &mem, region);
}

cl_int CL_API_CALL clEnqueueReadBufferRect(cl_command_queue q, cl_mem m, cl_bool blocking, const size_t *mem_origin,
					   const size_t *host_origin, const size_t *region, size_t mem_row,
					   size_t mem_slice, size_t host_row, size_t host_slice, void *host,
					   cl_uint nwait, const cl_event *wait, cl_event *event)
{
	const struct order o = { CL_COMMAND_READ_BUFFER_RECT, blocking, nwait, wait, event };

	HOUSE(CL_OUT_OF_RESOURCES);
	return box(q, &o, (struct side){ m, NULL, 0, mem_row, mem_slice },
		   (struct side){ NULL, host, 0, host_row, host_slice }, mem_origin, host_origin, region, false);
}

cl_int CL_API_CALL clEnqueueWriteBufferRect(cl_command_queue q, cl_mem m, cl_bool blocking, const size_t *mem_origin,
					    const size_t *host_origin, const size_t *region, size_t mem_row,
					    size_t mem_slice, size_t host_row, size_t host_slice, const void *host,
					    cl_uint nwait, const cl_event *wait, cl_event *event)
{
	const struct order o = { CL_COMMAND_WRITE_BUFFER_RECT, blocking, nwait, wait, event };

	HOUSE(CL_OUT_OF_RESOURCES);
	return box(q, &o, (struct side){ m, NULL, 0, mem_row, mem_slice },
		   (struct side){ NULL, (void *)(uintptr_t)host, 0, host_row, host_slice }, mem_origin, host_origin,
		   region, true);
}

static cl_int check_copy(cl_command_queue q, cl_mem from, cl_mem to)
{
	cl_int error = transfer_objects(q, from, 0);

	return error ? error : transfer_objects(q, to, 0);
}

cl_int CL_API_CALL clEnqueueCopyBuffer(cl_command_queue q, cl_mem from, cl_mem to, size_t from_offset,
				       size_t to_offset, size_t n, cl_uint nwait, const cl_event *wait, cl_event *event)
{
	const struct order o = { CL_COMMAND_COPY_BUFFER, false, nwait, wait, event };
	const struct side a = { from, NULL, from_offset, n, n }, b = { to, NULL, to_offset, n, n };
	const size_t region[3] = { n, 1, 1 };
	cl_int error;

	HOUSE(CL_OUT_OF_RESOURCES);
	if ((error = check_copy(q, from, to)))
		return error;
	if (!transfer_in_bounds(from, from_offset, n) || !transfer_in_bounds(to, to_offset, n))
		return CL_INVALID_VALUE;
	if (transfer_overlap(&a, &b, region))
		return CL_MEM_COPY_OVERLAP;
	return transfer_enqueue(q, &o, &b, &a, region);
}

cl_int CL_API_CALL clEnqueueCopyBufferRect(cl_command_queue q, cl_mem from, cl_mem to, const size_t *from_origin,
					   const size_t *to_origin, const size_t *region, size_t from_row,
					   size_t from_slice, size_t to_row, size_t to_slice, cl_uint nwait,
					   const cl_event *wait, cl_event *event)
{
	const struct order o = { CL_COMMAND_COPY_BUFFER_RECT, false, nwait, wait, event };
	struct side a = { from, NULL, 0, from_row, from_slice }, b = { to, NULL, 0, to_row, to_slice };
	cl_int error;

	HOUSE(CL_OUT_OF_RESOURCES);
	if ((error = check_copy(q, from, to)))
		return error;
	if (!from_origin || !to_origin || !region || !place_box(&a, from_origin, region) ||
	    !place_box(&b, to_origin, region))
		return CL_INVALID_VALUE;
	if (from == to && (a.row != b.row || a.slice != b.slice))
		return CL_INVALID_VALUE;
	if (transfer_overlap(&a, &b, region))
		return CL_MEM_COPY_OVERLAP;
	return transfer_enqueue(q, &o, &b, &a, region);
}

/* ---- fill and migrate ---- */

enum { PATTERN_MOST = 128 };
struct fill {
	struct command command;
	cl_mem mem;
	size_t offset, bytes, pattern_bytes;
	uint8_t pattern[PATTERN_MOST];
};

static cl_int run_fill(struct command *c, struct place *p)
{
	struct fill *f = (struct fill *)c;
	cl_context context = c->queue->context;

	pthread_mutex_lock(&context->running);
	uint64_t at = mem_address(f->mem, c->queue->place_number);
	bool good = at && wb_memory_fill(p->memory, at + f->offset, f->pattern, f->pattern_bytes, f->bytes, NULL) ==
		    WB_OK;
	pthread_mutex_unlock(&context->running);
	c->nanoseconds = transfer_nanoseconds(f->bytes);
	return good ? CL_SUCCESS : CL_MEM_OBJECT_ALLOCATION_FAILURE;
}

static void end_fill(struct command *c)
{
	object_drop(((struct fill *)c)->mem);
}

cl_int CL_API_CALL clEnqueueFillBuffer(cl_command_queue q, cl_mem m, const void *pattern, size_t pattern_bytes,
				       size_t offset, size_t n, cl_uint nwait, const cl_event *wait, cl_event *event)
{
	const struct order o = { CL_COMMAND_FILL_BUFFER, false, nwait, wait, event };
	cl_int error;

	HOUSE(CL_OUT_OF_RESOURCES);
	if ((error = transfer_objects(q, m, 0)))
		return error;
	if (!transfer_in_bounds(m, offset, n) || !pattern || !pattern_bytes || pattern_bytes > PATTERN_MOST ||
	    (pattern_bytes & (pattern_bytes - 1)) || offset % pattern_bytes || n % pattern_bytes)
		return CL_INVALID_VALUE;
	struct fill *f = command_new(q, &o, sizeof *f, &error);
	if (!f)
		return error;
	f->command.run = run_fill;
	f->command.end = end_fill;
	f->mem = object_keep(m);
	f->offset = offset;
	f->bytes = n;
	f->pattern_bytes = pattern_bytes;
	memcpy(f->pattern, pattern, pattern_bytes);
	return command_enqueue(&f->command, &o);
}

/* Buffers move to a place when a command there uses them: migration is a promise alone. */
cl_int CL_API_CALL clEnqueueMigrateMemObjects(cl_command_queue q, cl_uint n, const cl_mem *list,
					      cl_mem_migration_flags flags, cl_uint nwait, const cl_event *wait,
					      cl_event *event)
{
	const struct order o = { CL_COMMAND_MIGRATE_MEM_OBJECTS, false, nwait, wait, event };
	cl_int error;

	HOUSE(CL_OUT_OF_RESOURCES);
	if (!object_is(q, KIND_QUEUE))
		return CL_INVALID_COMMAND_QUEUE;
	if (!n || !list || (flags & ~(cl_mem_migration_flags)(CL_MIGRATE_MEM_OBJECT_HOST |
							      CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED)))
		return CL_INVALID_VALUE;
	for (cl_uint i = 0; i < n; i++)
		if ((error = mem_check(q->context, list[i])))
			return error;
	struct command *c = command_new(q, &o, sizeof *c, &error);
	return c ? command_enqueue(c, &o) : error;
}
