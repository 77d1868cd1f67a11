/* Images: creation, properties, and the descriptor that kernels have of one. */
#include "frontends/opencl/image.h"

void picture_free(struct image *m)
{
	free(m);
}

uint64_t image_address(cl_mem m, cl_uint place)
{
	struct wb_device *v = m->context->places[place].memory;
	struct wb_image shape = m->image->shape;
	uint64_t *at = &m->image->descriptor[place];

	if (!(shape.texels = mem_address(m, place)))
		return 0;
	if (!*at && wb_memory_alloc(v, sizeof shape, at, NULL) != WB_OK)
		*at = 0;
	return *at && wb_memory_write(v, *at, &shape, sizeof shape, NULL) == WB_OK ? *at : 0;
}

/* ---- shapes ---- */

/* Take the sizes of a description: CL_SUCCESS, or the error of a size of 0 or one that is too large. */
static cl_int take_sizes(struct wb_image *s, const cl_image_desc *d)
{
	bool is_1d = d->image_type == CL_MEM_OBJECT_IMAGE1D || d->image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY ||
		     d->image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER, array = image_is_array(d->image_type);
	bool is_3d = d->image_type == CL_MEM_OBJECT_IMAGE3D;
	size_t width = d->image_width, height = is_1d ? 1 : d->image_height;
	size_t depth = is_3d ? d->image_depth : array ? d->image_array_size : 1;
	size_t side = is_3d ? IMAGE_DEPTH_MOST : d->image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER ? IMAGE_BUFFER_MOST :
		      IMAGE_SIDE_MOST;

	if (!width || !height || !depth)
		return CL_INVALID_IMAGE_DESCRIPTOR;
	if (width > side || height > side || depth > (array ? IMAGE_LAYERS_MOST : IMAGE_DEPTH_MOST))
		return CL_INVALID_IMAGE_SIZE;
	s->width = (uint32_t)width;
	s->height = (uint32_t)height;
	s->depth = (uint32_t)depth;
	return CL_SUCCESS;
}

/* Pitches of the program's memory, which has to be there for them; 0: those of a dense image. */
static bool take_pitches(struct image *m, const cl_image_desc *d, bool host)
{
	size_t row = (size_t)m->shape.width * m->shape.texel, slice;

	if (!host)
		return !d->image_row_pitch && !d->image_slice_pitch;
	m->host_row = d->image_row_pitch ? d->image_row_pitch : row;
	if (m->host_row < row || m->host_row % m->shape.texel || m->host_row > SIZE_MAX / m->shape.height)
		return false;
	slice = m->host_row * m->shape.height;
	m->host_slice = m->shape.depth > 1 && d->image_slice_pitch ? d->image_slice_pitch : slice;
	return m->host_slice >= slice && m->host_slice % m->host_row == 0;
}

/* Check what a description says beside sizes and pitches. */
static bool is_description(const cl_image_desc *d)
{
	return d && d->image_type >= CL_MEM_OBJECT_IMAGE2D && d->image_type <= CL_MEM_OBJECT_IMAGE1D_BUFFER &&
	       !d->num_mip_levels && !d->num_samples &&
	       (d->image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER) == (d->buffer != NULL);
}

static cl_int take_shape(struct image *m, const cl_image_format *f, const cl_image_desc *d, bool host)
{
	struct wb_image *s = &m->shape;
	cl_int error = f ? image_take_format(s, f) : CL_INVALID_IMAGE_FORMAT_DESCRIPTOR;

	if (error)
		return error;
	if (!is_description(d))
		return CL_INVALID_IMAGE_DESCRIPTOR;
	if ((error = take_sizes(s, d)))
		return error;
	if (!take_pitches(m, d, host))
		return CL_INVALID_IMAGE_DESCRIPTOR;
	m->type = d->image_type;
	m->format = *f;
	s->row = s->width * s->texel;
	s->slice = s->row * s->height;
	return CL_SUCCESS;
}

/* ---- creation ---- */

static bool write_image(cl_mem m, struct wb_device *v, uint64_t address, const void *host)
{
	const struct image *i = m->image;
	bool good = true;

	for (uint64_t row = 0; good && row < (uint64_t)i->shape.height * i->shape.depth; row++) {
		const uint8_t *from = (const uint8_t *)host + row / i->shape.height * i->host_slice +
				      row % i->shape.height * i->host_row;
		good = wb_memory_write(v, address + row * i->shape.row, from, i->shape.row, NULL) == WB_OK;
	}
	return good;
}

/* Give the image the memory of a buffer. */
static cl_int take_buffer(cl_mem m, cl_mem_flags flags, cl_mem buffer)
{
	if (!object_is(buffer, KIND_MEM) || buffer->image || buffer->context != m->context)
		return CL_INVALID_IMAGE_DESCRIPTOR;
	if (!mem_part_flags(buffer, flags, &m->flags))
		return CL_INVALID_VALUE;
	if (m->bytes > buffer->bytes)
		return CL_INVALID_IMAGE_SIZE;
	m->parent = object_keep(buffer);
	m->origin = buffer->origin;
	m->host = buffer->host;
	m->image->host_row = m->image->host_slice = m->image->shape.row;
	return CL_SUCCESS;
}

/* Make a memory object of an image, which is freed where that fails. */
static cl_mem make(cl_context c, cl_mem_flags flags, struct image *i, cl_mem buffer, void *host, cl_int *error)
{
	uint64_t bytes = (uint64_t)i->shape.row * i->shape.height * i->shape.depth;
	cl_mem m = mem_fits(c, bytes) ? mem_new(c, flags, bytes) : NULL;

	if (!m) {
		*error = mem_fits(c, bytes) ? CL_OUT_OF_HOST_MEMORY : CL_MEM_OBJECT_ALLOCATION_FAILURE;
		free(i);
		return NULL;
	}
	m->image = i;
	if (flags & CL_MEM_USE_HOST_PTR)
		m->host = host;
	*error = buffer ? take_buffer(m, flags, buffer) : mem_fill_first(m, write_image, host);
	if (!*error)
		return m;
	object_drop(m);
	return NULL;
}

static cl_mem create(cl_context c, cl_mem_flags flags, const cl_image_format *f, const cl_image_desc *d, void *host,
		     cl_int *error)
{
	bool wants_host = flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR);
	struct image *i;

	*error = CL_INVALID_CONTEXT;
	if (!object_is(c, KIND_CONTEXT))
		return NULL;
	*error = CL_INVALID_VALUE;
	if (!mem_are_flags(flags))
		return NULL;
	*error = CL_OUT_OF_HOST_MEMORY;
	if (!(i = calloc(1, sizeof *i + c->nplaces * sizeof *i->descriptor)))
		return NULL;
	*error = take_shape(i, f, d, host);
	if (!*error && wants_host != (host != NULL))
		*error = CL_INVALID_HOST_PTR;
	if (!*error)
		return make(c, flags, i, d->buffer, host, error);
	free(i);
	return NULL;
}

cl_mem CL_API_CALL clCreateImage(cl_context c, cl_mem_flags flags, const cl_image_format *format,
				 const cl_image_desc *description, void *host, cl_int *errcode_ret)
{
	cl_int error;

	HOUSE(refuse(errcode_ret, CL_OUT_OF_RESOURCES));
	cl_mem m = create(c, flags, format, description, host, &error);
	return m ? grant(errcode_ret, m) : refuse(errcode_ret, error);
}

/* The entry points of OpenCL 1.0 and 1.1: a bad size or pitch has one error there. */
static cl_mem create_old(cl_context c, cl_mem_flags flags, const cl_image_format *f, const cl_image_desc *d,
			 void *host, cl_int *errcode_ret)
{
	cl_int error;
	cl_mem m = create(c, flags, f, d, host, &error);

	return m ? grant(errcode_ret, m) :
		   refuse(errcode_ret, error == CL_INVALID_IMAGE_DESCRIPTOR ? CL_INVALID_IMAGE_SIZE : error);
}

cl_mem CL_API_CALL clCreateImage2D(cl_context c, cl_mem_flags flags, const cl_image_format *format, size_t width,
				   size_t height, size_t row, void *host, cl_int *errcode_ret)
{
	HOUSE(refuse(errcode_ret, CL_OUT_OF_RESOURCES));
	return create_old(c, flags, format, &(cl_image_desc){
		.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = width, .image_height = height,
		.image_row_pitch = row }, host, errcode_ret);
}

cl_mem CL_API_CALL clCreateImage3D(cl_context c, cl_mem_flags flags, const cl_image_format *format, size_t width,
				   size_t height, size_t depth, size_t row, size_t slice, void *host,
				   cl_int *errcode_ret)
{
	HOUSE(refuse(errcode_ret, CL_OUT_OF_RESOURCES));
	return create_old(c, flags, format, &(cl_image_desc){
		.image_type = CL_MEM_OBJECT_IMAGE3D, .image_width = width, .image_height = height,
		.image_depth = depth, .image_row_pitch = row, .image_slice_pitch = slice }, host, errcode_ret);
}

/* ---- properties ---- */

cl_int CL_API_CALL clGetSupportedImageFormats(cl_context c, cl_mem_flags flags, cl_mem_object_type type, cl_uint n,
					      cl_image_format *formats, cl_uint *number)
{
	cl_image_format f;
	cl_uint all = 0;

	HOUSE(CL_OUT_OF_RESOURCES);
	if (!object_is(c, KIND_CONTEXT))
		return CL_INVALID_CONTEXT;
	if (!mem_are_flags(flags) || type < CL_MEM_OBJECT_IMAGE2D || type > CL_MEM_OBJECT_IMAGE1D_BUFFER ||
	    (formats && !n))
		return CL_INVALID_VALUE;
	for (; image_format(all, &f); all++)
		if (formats && all < n)
			formats[all] = f;
	if (number)
		*number = all;
	return CL_SUCCESS;
}

cl_int CL_API_CALL clGetImageInfo(cl_mem m, cl_image_info name, size_t size, void *value, size_t *size_ret)
{
	const struct query q = { size, value, size_ret };

	HOUSE(CL_OUT_OF_RESOURCES);
	if (!object_is(m, KIND_MEM) || !m->image)
		return CL_INVALID_MEM_OBJECT;
	const struct wb_image *s = &m->image->shape;
	cl_mem_object_type t = m->image->type;
	bool array = image_is_array(t), is_3d = t == CL_MEM_OBJECT_IMAGE3D;
	bool is_2d = t == CL_MEM_OBJECT_IMAGE2D || t == CL_MEM_OBJECT_IMAGE2D_ARRAY;
	switch (name) {
	case CL_IMAGE_FORMAT:
		return answer(&q, &m->image->format, sizeof m->image->format);
	case CL_IMAGE_ELEMENT_SIZE:
		return ANSWER(&q, size_t, s->texel);
	case CL_IMAGE_ROW_PITCH:
		return ANSWER(&q, size_t, m->host ? m->image->host_row : s->row);
	case CL_IMAGE_SLICE_PITCH:
		return ANSWER(&q, size_t, !array && !is_3d ? 0 : m->host ? m->image->host_slice : s->slice);
	case CL_IMAGE_WIDTH:
		return ANSWER(&q, size_t, s->width);
	case CL_IMAGE_HEIGHT:
		return ANSWER(&q, size_t, is_2d || is_3d ? s->height : 0);
	case CL_IMAGE_DEPTH:
		return ANSWER(&q, size_t, is_3d ? s->depth : 0);
	case CL_IMAGE_ARRAY_SIZE:
		return ANSWER(&q, size_t, array ? s->depth : 0);
	case CL_IMAGE_BUFFER:
		return ANSWER(&q, cl_mem, m->parent);
	case CL_IMAGE_NUM_MIP_LEVELS:
	case CL_IMAGE_NUM_SAMPLES:
		return ANSWER(&q, cl_uint, 0);
	default:
		return CL_INVALID_VALUE;
	}
}
