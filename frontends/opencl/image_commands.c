/* Reading, writing, copying, filling and mapping images: boxes of texels as boxes of bytes. */
#include "frontends/opencl/image.h"
#include "frontends/opencl/transfer.h"

/* A box of an image, in rows and slices as the descriptor has them. */
struct box { size_t origin[3], region[3]; };

/* CL_SUCCESS, or the error of a bad queue or image, or of one with a forbidden flag. */
static cl_int check_image(cl_command_queue q, cl_mem m, cl_mem_flags forbidden)
{
	cl_int error;

	if (!object_is(q, KIND_QUEUE))
		return CL_INVALID_COMMAND_QUEUE;
	if ((error = mem_check(q->context, m)))
		return error;
	if (!m->image)
		return CL_INVALID_MEM_OBJECT;
	return m->flags & forbidden ? CL_INVALID_OPERATION : CL_SUCCESS;
}

/* Take a box in the program's order, where the second number of a 1D array is the layer. False: not within. */
static bool take_box(struct box *b, const struct _cl_mem *m, const size_t *origin, const size_t *region)
{
	const struct wb_image *s = &m->image->shape;
	const size_t size[3] = { s->width, s->height, s->depth };
	bool swaps = m->image->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;

	if (!origin || !region)
		return false;
	for (int i = 0; i < 3; i++) {
		int from = swaps && i ? 3 - i : i;
		b->origin[i] = origin[from];
		b->region[i] = region[from];
		if (!b->region[i] || b->origin[i] > size[i] || b->region[i] > size[i] - b->origin[i])
			return false;
	}
	return true;
}

/* The box on the image's side, with the region as bytes. */
static struct side side_of(cl_mem m, const struct box *b, size_t region[3])
{
	const struct wb_image *s = &m->image->shape;

	memcpy(region, b->region, sizeof b->region);
	region[0] *= s->texel;
	return (struct side){ .mem = m, .row = s->row, .slice = s->slice,
			      .offset = b->origin[2] * s->slice + b->origin[1] * s->row + b->origin[0] * s->texel };
}

/* Pitches of the program's memory, 0: those of a dense box. False: too small. */
static bool take_pitches(struct side *s, const struct _cl_mem *m, const size_t region[3])
{
	bool has_slices = image_is_array(m->image->type) || m->image->type == CL_MEM_OBJECT_IMAGE3D;
	size_t dense;

	s->row = s->row ? s->row : region[0];
	if (__builtin_mul_overflow(s->row, region[1], &dense))
		return false;
	if (s->slice && !has_slices)
		return false;
	s->slice = s->slice ? s->slice : dense;
	return s->row >= region[0] && s->slice >= dense;
}

static cl_int transfer(cl_command_queue q, const struct order *o, cl_mem m, const size_t *origin, const size_t *region,
		       struct side host, bool writes)
{
	cl_mem_flags forbidden = CL_MEM_HOST_NO_ACCESS | (writes ? CL_MEM_HOST_READ_ONLY : CL_MEM_HOST_WRITE_ONLY);
	cl_int error = check_image(q, m, forbidden);
	size_t bytes[3];
	struct box b;

	if (error)
		return error;
	if (!host.host || !take_box(&b, m, origin, region))
		return CL_INVALID_VALUE;
	const struct side mem = side_of(m, &b, bytes);
	if (!take_pitches(&host, m, bytes))
		return CL_INVALID_VALUE;
	return transfer_enqueue(q, o, writes ? &mem : &host, writes ? &host : &mem, bytes);
}

cl_int CL_API_CALL clEnqueueReadImage(cl_command_queue q, cl_mem m, cl_bool blocking, const size_t *origin,
				      const size_t *region, size_t row, size_t slice, void *host, cl_uint nwait,
				      const cl_event *wait, cl_event *event)
{
	const struct order o = { CL_COMMAND_READ_IMAGE, blocking, nwait, wait, event };

	HOUSE(CL_OUT_OF_RESOURCES);
	return transfer(q, &o, m, origin, region, (struct side){ NULL, host, 0, row, slice }, false);
}

cl_int CL_API_CALL clEnqueueWriteImage(cl_command_queue q, cl_mem m, cl_bool blocking, const size_t *origin,
				       const size_t *region, size_t row, size_t slice, const void *host,
				       cl_uint nwait, const cl_event *wait, cl_event *event)
{
	const struct order o = { CL_COMMAND_WRITE_IMAGE, blocking, nwait, wait, event };

	HOUSE(CL_OUT_OF_RESOURCES);
	return transfer(q, &o, m, origin, region, (struct side){ NULL, (void *)(uintptr_t)host, 0, row, slice }, true);
}

/* ---- copies ---- */

cl_int CL_API_CALL clEnqueueCopyImage(cl_command_queue q, cl_mem from, cl_mem to, const size_t *from_origin,
				      const size_t *to_origin, const size_t *region, cl_uint nwait,
				      const cl_event *wait, cl_event *event)
{
	const struct order o = { CL_COMMAND_COPY_IMAGE, false, nwait, wait, event };
	struct box b, c;
	size_t bytes[3];
	cl_int error;

	HOUSE(CL_OUT_OF_RESOURCES);
	if ((error = check_image(q, from, 0)) || (error = check_image(q, to, 0)))
		return error;
	if (memcmp(&from->image->format, &to->image->format, sizeof to->image->format))
		return CL_IMAGE_FORMAT_MISMATCH;
	if (!take_box(&b, from, from_origin, region) || !take_box(&c, to, to_origin, region))
		return CL_INVALID_VALUE;
	/* a slice of a 3D image and rows of a 1D array have the same region in the program's order alone */
	if (memcmp(b.region, c.region, sizeof b.region))
		return CL_INVALID_VALUE;
	const struct side s = side_of(from, &b, bytes), d = side_of(to, &c, bytes);
	if (transfer_overlap(&s, &d, bytes))
		return CL_MEM_COPY_OVERLAP;
	return transfer_enqueue(q, &o, &d, &s, bytes);
}

/* A copy between a box of an image and a range of a buffer. */
static cl_int copy(cl_command_queue q, const struct order *o, cl_mem image, cl_mem buffer, const size_t *origin,
		   const size_t *region, size_t offset, bool to_image)
{
	cl_int error = check_image(q, image, 0);
	size_t bytes[3];
	struct box b;

	if (error || (error = transfer_objects(q, buffer, 0)))
		return error;
	if (!take_box(&b, image, origin, region))
		return CL_INVALID_VALUE;
	const struct side i = side_of(image, &b, bytes);
	const struct side r = { buffer, NULL, offset, bytes[0], bytes[0] * bytes[1] };
	if (!transfer_in_bounds(buffer, offset, bytes[0] * bytes[1] * bytes[2]))
		return CL_INVALID_VALUE;
	if (transfer_overlap(&i, &r, bytes))
		return CL_MEM_COPY_OVERLAP;
	return transfer_enqueue(q, o, to_image ? &i : &r, to_image ? &r : &i, bytes);
}

cl_int CL_API_CALL clEnqueueCopyImageToBuffer(cl_command_queue q, cl_mem from, cl_mem to, const size_t *origin,
					      const size_t *region, size_t offset, cl_uint nwait,
					      const cl_event *wait, cl_event *event)
{
	const struct order o = { CL_COMMAND_COPY_IMAGE_TO_BUFFER, false, nwait, wait, event };

	HOUSE(CL_OUT_OF_RESOURCES);
	return copy(q, &o, from, to, origin, region, offset, false);
}

cl_int CL_API_CALL clEnqueueCopyBufferToImage(cl_command_queue q, cl_mem from, cl_mem to, size_t offset,
					      const size_t *origin, const size_t *region, cl_uint nwait,
					      const cl_event *wait, cl_event *event)
{
	const struct order o = { CL_COMMAND_COPY_BUFFER_TO_IMAGE, false, nwait, wait, event };

	HOUSE(CL_OUT_OF_RESOURCES);
	return copy(q, &o, to, from, origin, region, offset, true);
}

/* ---- fill ---- */

struct fill {
	struct command command;
	cl_mem mem;
	struct side side;
	size_t region[3];               /* bytes of a row, rows, slices */
	uint8_t texel[16];
};

static cl_int run_fill(struct command *c, struct place *p)
{
	struct fill *f = (struct fill *)c;
	cl_context context = c->queue->context;
	const size_t *r = f->region;

	pthread_mutex_lock(&context->running);
	uint64_t at = mem_address(f->mem, c->queue->place_number);
	bool good = at;
	for (size_t row = 0; good && row < r[1] * r[2]; row++) {
		uint64_t to = at + f->side.offset + row / r[1] * f->side.slice + row % r[1] * f->side.row;
		good = wb_memory_fill(p->memory, to, f->texel, f->mem->image->shape.texel, r[0], NULL) == WB_OK;
	}
	pthread_mutex_unlock(&context->running);
	c->nanoseconds = transfer_nanoseconds(r[0] * r[1] * r[2]);
	return good ? CL_SUCCESS : CL_MEM_OBJECT_ALLOCATION_FAILURE;
}

static void end_fill(struct command *c)
{
	object_drop(((struct fill *)c)->mem);
}

cl_int CL_API_CALL clEnqueueFillImage(cl_command_queue q, cl_mem m, const void *color, const size_t *origin,
				      const size_t *region, cl_uint nwait, const cl_event *wait, cl_event *event)
{
	const struct order o = { CL_COMMAND_FILL_IMAGE, false, nwait, wait, event };
	struct box b;
	cl_int error;

	HOUSE(CL_OUT_OF_RESOURCES);
	if ((error = check_image(q, m, 0)))
		return error;
	if (!color || !take_box(&b, m, origin, region))
		return CL_INVALID_VALUE;
	struct fill *f = command_new(q, &o, sizeof *f, &error);
	if (!f)
		return error;
	f->command.run = run_fill;
	f->command.end = end_fill;
	f->mem = object_keep(m);
	f->side = side_of(m, &b, f->region);
	image_texel(&m->image->shape, color, f->texel);
	return command_enqueue(&f->command, &o);
}

/* ---- mapping ---- */

void *CL_API_CALL clEnqueueMapImage(cl_command_queue q, cl_mem m, cl_bool blocking, cl_map_flags flags,
				    const size_t *origin, const size_t *region, size_t *row, size_t *slice,
				    cl_uint nwait, const cl_event *wait, cl_event *event, cl_int *errcode_ret)
{
	const struct order o = { CL_COMMAND_MAP_IMAGE, blocking, nwait, wait, event };
	size_t bytes[3];
	struct box b;
	cl_int error;

	HOUSE(refuse(errcode_ret, CL_OUT_OF_RESOURCES));
	if ((error = check_image(q, m, 0)) || (error = events_check(q->context, nwait, wait)))
		return refuse(errcode_ret, error);
	bool has_slices = image_is_array(m->image->type) || m->image->type == CL_MEM_OBJECT_IMAGE3D;
	if (!take_box(&b, m, origin, region) || !row || (has_slices && !slice))
		return refuse(errcode_ret, CL_INVALID_VALUE);
	if ((error = transfer_map_flags(m, flags)))
		return refuse(errcode_ret, error);
	const struct image *i = m->image;
	const struct side object = side_of(m, &b, bytes);
	struct side there = { 0 };
	if (m->host)
		there = (struct side){ .host = m->host, .row = i->host_row, .slice = i->host_slice,
				       .offset = b.origin[2] * i->host_slice + b.origin[1] * i->host_row +
						 b.origin[0] * i->shape.texel };
	void *pointer = transfer_map(q, &o, flags, &object, &there, bytes, errcode_ret);
	*row = there.row;
	if (slice)
		*slice = has_slices ? there.slice : 0;
	return pointer;
}
