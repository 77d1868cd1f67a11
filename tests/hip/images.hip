// Textures and surfaces by the names that AMD's headers have too: each texel or mean is computed here as well.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <hip/hip_runtime.h>

enum { WIDTH = 16, HEIGHT = 8, DEPTH = 4, N = WIDTH * HEIGHT };
static int bad;

__global__ void read(float *out, hipTextureObject_t near, hipTextureObject_t far, hipTextureObject_t volume,
		     hipTextureObject_t row, hipTextureObject_t cube)
{
	int i = threadIdx.x, x = i % WIDTH, y = i / WIDTH;
	float side = i % 3 ? -1 : 1;

	out[i] = tex2D<float>(near, x + 0.25f, y + 0.75f);
	out[N + i] = tex2D<float>(far, (x + 1.0f) / WIDTH, (y + 1.0f) / HEIGHT);
	out[2 * N + i] = tex3D<float>(volume, x + 0.5f, y + 0.5f, i % DEPTH + 0.5f);
	out[3 * N + i] = tex1Dfetch<float>(row, N - 1 - i);
	out[4 * N + i] = texCubemap<float>(cube, i % 3 ? 0.25f : side, i % 3 == 1 ? side : 0.25f, i % 3 == 2 ? side : 0.25f);
}

__global__ void change(hipSurfaceObject_t s, float *out)
{
	int x = threadIdx.x % WIDTH, y = threadIdx.x / WIDTH;
	float v;

	surf2Dread(&v, s, x * 4, y);
	surf2Dwrite(v + 1000, s, x * 4, y);
	surf2Dread(&v, s, x * 4, y);
	out[threadIdx.x] = v;
}

static void check(hipError_t e, const char *what)
{
	if (e != hipSuccess && bad++ < 10)
		printf("%s: %s\n", what, hipGetErrorName(e));
}
#define CHECK(call) check(call, #call)

static void expect(const char *what, int i, float found, float expected)
{
	if (fabsf(found - expected) > 1e-3f && bad++ < 10)
		printf("%s %d: found %g, expected %g\n", what, i, found, expected);
}

static hipTextureObject_t texture_of(const hipResourceDesc &r, hipTextureFilterMode filter, int normalized)
{
	hipTextureDesc d;
	hipTextureObject_t t = 0;

	memset(&d, 0, sizeof d);
	d.addressMode[0] = d.addressMode[1] = d.addressMode[2] = hipAddressModeClamp;
	d.filterMode = filter;
	d.readMode = hipReadModeElementType;
	d.normalizedCoords = normalized;
	CHECK(hipCreateTextureObject(&t, &r, &d, NULL));
	return t;
}

static hipResourceDesc of_array(hipArray *a)
{
	hipResourceDesc r;

	memset(&r, 0, sizeof r);
	r.resType = hipResourceTypeArray;
	r.res.array.array = a;
	return r;
}

static hipArray *filled(const hipChannelFormatDesc &desc, hipExtent e, unsigned flags, float *from)
{
	hipMemcpy3DParms p;
	hipArray *a = NULL;

	CHECK(hipMalloc3DArray(&a, &desc, e, flags));
	memset(&p, 0, sizeof p);
	p.srcPtr = make_hipPitchedPtr(from, e.width * 4, e.width, e.height);
	p.dstArray = a;
	p.extent = e;
	p.kind = hipMemcpyHostToDevice;
	CHECK(hipMemcpy3D(&p));
	return a;
}

int main()
{
	static float texels[N * DEPTH], faces[6 * 16], found[5 * N];
	hipChannelFormatDesc desc = hipCreateChannelDesc(32, 0, 0, 0, hipChannelFormatKindFloat);
	hipArray *flat = NULL, *volume, *cube;
	hipResourceDesc r, row;
	hipSurfaceObject_t s = 0;
	float *out, *memory;

	for (int i = 0; i < N * DEPTH; i++)
		texels[i] = i * 37 % 101;
	for (int i = 0; i < 6 * 16; i++)
		faces[i] = i / 16 * 10;
	CHECK(hipMalloc((void **)&out, sizeof found));
	CHECK(hipMalloc((void **)&memory, N * 4));
	CHECK(hipMemcpy(memory, texels, N * 4, hipMemcpyHostToDevice));
	CHECK(hipMallocArray(&flat, &desc, WIDTH, HEIGHT, 0));
	CHECK(hipMemcpy2DToArray(flat, 0, 0, texels, WIDTH * 4, WIDTH * 4, HEIGHT, hipMemcpyHostToDevice));
	volume = filled(desc, make_hipExtent(WIDTH, HEIGHT, DEPTH), 0, texels);
	cube = filled(desc, make_hipExtent(4, 4, 6), hipArrayCubemap, faces);
	r = of_array(flat);
	memset(&row, 0, sizeof row);
	row.resType = hipResourceTypeLinear;
	row.res.linear.devPtr = memory;
	row.res.linear.desc = desc;
	row.res.linear.sizeInBytes = N * 4;
	read<<<1, N>>>(out, texture_of(r, hipFilterModePoint, 0), texture_of(r, hipFilterModeLinear, 1),
		       texture_of(of_array(volume), hipFilterModePoint, 0), texture_of(row, hipFilterModePoint, 0),
		       texture_of(of_array(cube), hipFilterModePoint, 1));
	CHECK(hipMemcpy(found, out, sizeof found, hipMemcpyDeviceToHost));
	for (int i = 0; i < N; i++) {
		int x = i % WIDTH, y = i / WIDTH, right = x + 1 < WIDTH ? 1 : 0, below = y + 1 < HEIGHT ? WIDTH : 0;
		expect("nearest", i, found[i], texels[i]);
		expect("mean", i, found[N + i], (texels[i] + texels[i + right] + texels[i + below] +
						 texels[i + right + below]) / 4);
		expect("volume", i, found[2 * N + i], texels[i % DEPTH * N + i]);
		expect("row", i, found[3 * N + i], texels[N - 1 - i]);
		expect("cube", i, found[4 * N + i], 10 * (i % 3 * 2 + (i % 3 ? 1 : 0)));
	}
	CHECK(hipCreateSurfaceObject(&s, &r));
	change<<<1, N>>>(s, out);
	CHECK(hipMemcpy(found, out, N * 4, hipMemcpyDeviceToHost));
	for (int i = 0; i < N; i++)
		expect("surface", i, found[i], texels[i] + 1000);
	CHECK(hipDestroySurfaceObject(s));
	CHECK(hipFreeArray(flat));
	printf("%d wrong\n", bad);
	return bad != 0;
}
