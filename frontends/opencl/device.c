/* The devices of the platform, one for each chip of chips.def, that of WARPBEAM_CHIP first, and their properties. */
#include "frontends/opencl/opencl.h"

static const struct { const char *chip; uint64_t parameter_bytes; const char *extensions; } chips[] = {
#define CHIP(name, parameter_bytes, extensions) { name, parameter_bytes, extensions },
#include "frontends/opencl/chips.def"
#undef CHIP
};
enum { CHIPS = sizeof chips / sizeof *chips };
_Static_assert((int)CHIPS <= (int)DEVICES_MOST, "the arrays of devices have a place for each chip");

/* Memory of a device, at most: buffers have the host's memory behind them. */
static const uint64_t memory_most = 4ull << 30;

uint64_t chip_number(const char *chip, const char *key)
{
	struct wb_chip_fact f;

	return wb_chip_find_fact(chip, key, &f, NULL) == WB_OK ? f.number : 0;
}

const char *chip_text(const char *chip, const char *key)
{
	struct wb_chip_fact f;

	return wb_chip_find_fact(chip, key, &f, NULL) == WB_OK ? f.text : "";
}

/* Bytes of an option's text, "64M"; 0: none. */
static uint64_t bytes_of(const char *text)
{
	char *end = NULL;
	uint64_t n = text ? strtoull(text, &end, 0) : 0;

	return n << (!end ? 0 : *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0);
}

/* Memory of a chip's device, within memory_most and the option "max-memory". */
static uint64_t device_memory(const char *chip)
{
	struct wb_config *c = program_config(house_program(), chip, NULL);
	const char *given = c ? wb_config_get(c, "max-memory") : NULL;
	uint64_t bound = bytes_of(given), memory = chip_number(chip, "memory");

	wb_config_free(c);
	memory = memory < memory_most ? memory : memory_most;
	return bound && bound < memory ? bound : memory;
}

static cl_device_id device_new(unsigned number)
{
	cl_device_id d = object_new(KIND_DEVICE, sizeof *d);
	const char *chip = chips[number].chip;

	if (!d)
		return NULL;
	d->chip = chip;
	d->extensions = chips[number].extensions;
	d->parameter_bytes = chips[number].parameter_bytes;
	d->memory_bytes = device_memory(chip);
	d->pointer_bytes = chip_number(chip, "pointer");
	for (int i = 0; i < 3; i++) {
		static const char *const block[] = { "max_block_x", "max_block_y", "max_block_z" };
		static const char *const grid[] = { "max_grid_x", "max_grid_y", "max_grid_z" };
		d->block_most[i] = chip_number(chip, block[i]);
		d->grid_most[i] = chip_number(chip, grid[i]);
	}
	d->shared_most = chip_number(chip, "shared_bytes");
	return d;
}

cl_uint devices_get(cl_device_id out[DEVICES_MOST])
{
	static cl_device_id all[CHIPS];
	static cl_uint n;
	const char *first = program_chip(house_program(), chips[0].chip);
	const char *name = chip_text(first, "name");
	unsigned chosen = 0;

	for (unsigned i = 0; i < CHIPS; i++)
		if (!strcmp(chips[i].chip, *name ? name : first))
			chosen = i;
	for (cl_uint most = program_has_one_device(house_program()) ? 1 : CHIPS; n < most; n++) {
		/* the chosen, then the others in order */
		unsigned i = !n ? chosen : n - 1 + (n - 1 >= chosen);
		if (!(all[n] = device_new(i)))
			break;
	}
	memcpy(out, all, n * sizeof *out);
	return n;
}

cl_uint devices_of_type(cl_device_type type, cl_device_id out[DEVICES_MOST])
{
	cl_uint n = devices_get(out);

	if (type == CL_DEVICE_TYPE_ALL || type == CL_DEVICE_TYPE_CPU ||
	    (type & (CL_DEVICE_TYPE_GPU | CL_DEVICE_TYPE_ACCELERATOR)))
		return n;
	return type & CL_DEVICE_TYPE_DEFAULT ? n > 0 : 0;
}

/* Whether a type is a set of the bits of OpenCL 1.2. */
static bool is_type(cl_device_type type)
{
	return type == CL_DEVICE_TYPE_ALL ||
	       (type && !(type & ~(cl_device_type)(CL_DEVICE_TYPE_DEFAULT | CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU |
						   CL_DEVICE_TYPE_ACCELERATOR | CL_DEVICE_TYPE_CUSTOM)));
}

cl_int CL_API_CALL clGetDeviceIDs(cl_platform_id platform, cl_device_type type, cl_uint n, cl_device_id *out,
				  cl_uint *number)
{
	cl_device_id found[DEVICES_MOST];
	cl_uint nfound;

	HOUSE(CL_DEVICE_NOT_FOUND);
	if (platform && !object_is(platform, KIND_PLATFORM))
		return CL_INVALID_PLATFORM;
	if (!is_type(type))
		return CL_INVALID_DEVICE_TYPE;
	if ((!out && !number) || (out && !n))
		return CL_INVALID_VALUE;
	nfound = devices_of_type(type, found);
	if (number)
		*number = nfound;
	if (!nfound)
		return CL_DEVICE_NOT_FOUND;
	for (cl_uint i = 0; out && i < n && i < nfound; i++)
		out[i] = found[i];
	return CL_SUCCESS;
}

/* ---- properties ---- */

/* Identifiers of vendors by the PCI special interest group. */
static cl_uint device_vendor(const struct _cl_device_id *d)
{
	return strcmp(chip_text(d->chip, "vendor"), "AMD") ? 0x10de : 0x1002;
}

/* The multiprocessors that launches have: of the chip, or of the option "mps". */
static cl_uint device_units(const struct _cl_device_id *d)
{
	struct wb_config *c = program_config(house_program(), d->chip, NULL);
	const char *given = c ? wb_config_get(c, "mps") : NULL;
	unsigned long n = given && *given ? strtoul(given, NULL, 0) : 0;

	wb_config_free(c);
	return n ? (cl_uint)n : (cl_uint)chip_number(d->chip, "multiprocessors");
}

/* Images that a kernel can have among its parameters, at most `most`. */
static cl_uint images_most(const struct _cl_device_id *d, cl_uint most)
{
	uint64_t fit = d->parameter_bytes / d->pointer_bytes;

	return fit < most ? (cl_uint)fit : most;
}

#define FACT(key) chip_number(d->chip, key)
#define HAS(name) (strstr(d->extensions, name) != NULL)

cl_int CL_API_CALL clGetDeviceInfo(cl_device_id d, cl_device_info name, size_t size, void *value, size_t *size_ret)
{
	const struct query q = { size, value, size_ret };

	HOUSE(CL_OUT_OF_RESOURCES);
	if (!object_is(d, KIND_DEVICE))
		return CL_INVALID_DEVICE;
	switch (name) {
#define VALUE(query, type, ...) case query: return ANSWER(&q, type, __VA_ARGS__);
#define WORDS(query, text) case query: return answer_text(&q, text);
#define NAMES(query, type, ...) case query: return answer(&q, (type[]){ __VA_ARGS__ }, sizeof (type[]){ __VA_ARGS__ });
#include "frontends/opencl/device.def"
	default:
		return CL_INVALID_VALUE;
	}
}

/* ---- parts of devices: none ---- */

cl_int CL_API_CALL clCreateSubDevices(cl_device_id d, const cl_device_partition_property *properties, cl_uint n,
				      cl_device_id *out, cl_uint *number)
{
	HOUSE(CL_OUT_OF_RESOURCES);
	if (!object_is(d, KIND_DEVICE))
		return CL_INVALID_DEVICE;
	return CL_INVALID_VALUE;        /* no partition scheme is supported */
}

cl_int CL_API_CALL clRetainDevice(cl_device_id d)
{
	return object_retain(d, KIND_DEVICE);
}

cl_int CL_API_CALL clReleaseDevice(cl_device_id d)
{
	return object_release(d, KIND_DEVICE);
}
