/* A filter on an image, by a sampler. Exit code 77 where the device has no images. */
#include "open.h"

enum { W = 48, H = 32 };

static unsigned clamp(int i, int n)
{
	return (unsigned)(i < 0 ? 0 : i >= n ? n - 1 : i);
}

static cl_mem image(cl_mem_flags flags, void *pixels)
{
	const cl_image_format format = { CL_RGBA, CL_UNSIGNED_INT8 };
	const cl_image_desc desc = { .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = W, .image_height = H };
	cl_int error;
	cl_mem m = clCreateImage(context, flags, &format, &desc, pixels, &error);
	OK(error);
	return m;
}

int main(int argc, char **argv)
{
	static cl_uchar from[H][W][4], to[H][W][4];
	const size_t origin[3] = { 0, 0, 0 }, region[3] = { W, H, 1 };
	cl_platform_id platform;
	cl_bool images;
	int good = 1;

	(void)argc;
	OK(clGetPlatformIDs(1, &platform, NULL));
	OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
	OK(clGetDeviceInfo(device, CL_DEVICE_IMAGE_SUPPORT, sizeof images, &images, NULL));
	if (!images) {
		printf("image filter: skipped, the device has no images\n");
		return 77;
	}
	for (int y = 0; y < H; y++)
		for (int x = 0; x < W; x++)
			for (int c = 0; c < 4; c++)
				from[y][x][c] = (cl_uchar)((x * 5 + y * 11 + c * 60) ^ (x & y));
	open_all(argv[0], "filter.cl");
	cl_kernel k = kernel("blur");
	cl_mem source = image(CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, from), target = image(CL_MEM_WRITE_ONLY, NULL);
	ARG(k, 0, source);
	ARG(k, 1, target);
	launch_2d(k, W, H, 16, 4);
	OK(clEnqueueReadImage(queue, target, CL_TRUE, origin, region, 0, 0, to, 0, NULL, NULL));
	for (int y = 0; y < H; y++)
		for (int x = 0; x < W; x++)
			for (int c = 0; c < 4; c++) {
				unsigned sum = 0;
				for (int i = 0; i < 9; i++)
					sum += from[clamp(y + i / 3 - 1, H)][clamp(x + i % 3 - 1, W)][c];
				good &= to[y][x][c] == sum / 9;
			}
	OK(clReleaseMemObject(source));
	OK(clReleaseMemObject(target));
	OK(clReleaseKernel(k));
	close_all();
	return verdict(good, "image filter");
}
