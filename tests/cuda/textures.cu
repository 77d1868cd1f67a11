// Textures and surfaces against a plain model of sampling: shapes, address modes, filters, normalized coordinates, read
// modes, resources, copies. Coordinates are multiples of 1/64 of a texel, where the 8 bits of a filter's weight are
// exact. Built by clang, and by nvcc where there is one; texture references are clang's alone.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
#include <cuda_runtime.h>

enum { N = 128, WIDTH = 16, HEIGHT = 8, DEPTH = 4 };
static int bad, cases;

#define CHECK(call) check(call, #call, __LINE__)
static void check(cudaError_t e, const char *call, int line)
{
	if (e == cudaSuccess)
		return;
	printf("line %d: %s: %s\n", line, call, cudaGetErrorName(e));
	exit(1);
}

// ---- the model ----

struct way {
	cudaTextureAddressMode address;
	bool linear, normalized;
};

static int wrapped(const way &w, int i, int n)          // -1: the border
{
	if (w.address == cudaAddressModeBorder)
		return i < 0 || i >= n ? -1 : i;
	if (!w.normalized || w.address == cudaAddressModeClamp)
		return i < 0 ? 0 : i >= n ? n - 1 : i;
	int period = w.address == cudaAddressModeWrap ? n : 2 * n, k = (i % period + period) % period;
	return k < n ? k : 2 * n - 1 - k;
}

// The sample at c, of up to three coordinates, of texels value(x, y, z).
template <typename F> static double sample(const way &w, const float *c, int dims, const int *size, F value)
{
	int first[3] = { 0, 0, 0 };
	double part[3] = { 0, 0, 0 }, sum = 0;

	for (int k = 0; k < dims; k++) {
		double x = w.normalized ? (double)c[k] * size[k] : c[k];
		x -= w.linear ? 0.5 : 0;
		first[k] = (int)floor(x);
		part[k] = w.linear ? x - floor(x) : 0;
	}
	for (int corner = 0; corner < 1 << dims; corner++) {
		double weight = 1;
		int at[3] = { 0, 0, 0 };
		bool border = false;
		for (int k = 0; k < dims; k++) {
			int far = corner >> k & 1;
			weight *= far ? part[k] : 1 - part[k];
			at[k] = wrapped(w, first[k] + far, size[k]);
			border |= at[k] < 0;
		}
		if (weight)
			sum += weight * (border ? 0.0 : value(at[0], at[1], at[2]));
	}
	return sum;
}

static int raw(int x, int y, int z) { return (x * 37 + y * 101 + z * 59 + x * y) % 251; }
static double fraction(int x, int y, int z) { return raw(x, y, z) / 255.0; }
static double same(int x, int y, int z) { return raw(x, y, z); }
static double negative(int x, int y, int z) { return -raw(x, y, z) / 32767.0; }

// ---- kernels ----

template <typename T> __global__ void sample1(cudaTextureObject_t t, const float4 *c, float *out)
{
	out[threadIdx.x] = (float)tex1D<T>(t, c[threadIdx.x].x);
}
template <typename T> __global__ void sample2(cudaTextureObject_t t, const float4 *c, float *out)
{
	out[threadIdx.x] = (float)tex2D<T>(t, c[threadIdx.x].x, c[threadIdx.x].y);
}
template <typename T> __global__ void sample3(cudaTextureObject_t t, const float4 *c, float *out)
{
	out[threadIdx.x] = (float)tex3D<T>(t, c[threadIdx.x].x, c[threadIdx.x].y, c[threadIdx.x].z);
}
__global__ void layers(cudaTextureObject_t one, cudaTextureObject_t two, const float4 *c, float *out)
{
	float4 p = c[threadIdx.x];

	out[threadIdx.x] = tex1DLayered<float>(one, p.x, threadIdx.x % DEPTH) +
			   1000 * tex2DLayered<float>(two, p.x, p.y, threadIdx.x % DEPTH);
}
__global__ void cubes(cudaTextureObject_t t, cudaTextureObject_t many, const float4 *c, float *out)
{
	float4 p = c[threadIdx.x];

	out[threadIdx.x] = texCubemap<float>(t, p.x, p.y, p.z) +
			   1000 * texCubemapLayered<float>(many, p.x, p.y, p.z, threadIdx.x & 1);
}
__global__ void linear(cudaTextureObject_t t, cudaTextureObject_t vectors, float *out)
{
	int i = (int)threadIdx.x - 4;
	short4 v = tex1Dfetch<short4>(vectors, i);

	out[threadIdx.x] = tex1Dfetch<float>(t, i) + v.x + 2 * v.y + 3 * v.z + 4 * v.w;
}
__global__ void levels(cudaTextureObject_t t, float *out)
{
	out[threadIdx.x] = tex2DLod<float>(t, 0.5f, 0.5f, threadIdx.x * 0.25f);
}
__global__ void turn(cudaSurfaceObject_t from, cudaSurfaceObject_t to)
{
	int x = threadIdx.x, y = blockIdx.x;
	float v = surf2Dread<float>(from, 4 * x, y);
	float outside = surf2Dread<float>(from, 4 * x - 32, y, cudaBoundaryModeZero);
	float edge = surf2Dread<float>(from, 4 * x + 32, y + 2, cudaBoundaryModeClamp);

	surf2Dwrite(v + 1000 * outside, to, 4 * (WIDTH - 1 - x), y);
	surf2Dwrite(edge, to, 4 * x, y + HEIGHT, cudaBoundaryModeZero);
	if (y == 0)
		surf2Dwrite(edge, to, 4 * (x + WIDTH), y, cudaBoundaryModeZero);
}
template <typename T> __global__ void through(cudaSurfaceObject_t one, cudaSurfaceObject_t three,
					      cudaSurfaceObject_t layered, T *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x, bytes = sizeof(T);
	int x = i % WIDTH, y = i / WIDTH % HEIGHT, z = i / WIDTH / HEIGHT;
	T v, u;

	surf3Dread(&v, three, x * bytes, y, z);
	surf2DLayeredwrite(v, layered, x * bytes, y, z);
	surf2DLayeredread(&u, layered, x * bytes, y, z);
	if (!y && !z)
		surf1Dwrite(u, one, x * bytes);
	surf3Dwrite(u, three, x * bytes, y, z);
	out[i] = u;
}

#if defined(__clang__)
#define REFERENCES 1
texture<float, 2> of_array;
texture<unsigned char, cudaTextureType2D, cudaReadModeNormalizedFloat> of_rows;
texture<int4> of_memory(0, cudaFilterModePoint, cudaAddressModeClamp);
__global__ void references(float *out)
{
	int x = threadIdx.x % WIDTH, y = threadIdx.x / WIDTH;
	int4 v = tex1Dfetch(of_memory, x);

	out[threadIdx.x] = tex2D(of_array, x + 0.5f, y + 0.5f) + 1000 * tex2D(of_rows, x + 0.5f, y + 0.5f) + v.x - v.w;
}
#endif

// ---- the host ----

static float4 *coords, *coords_device;
static float *out;

static void random_coords(bool normalized)
{
	static const int size[3] = { WIDTH, HEIGHT, DEPTH };

	for (int i = 0; i < N; i++) {
		float c[3];
		for (int k = 0; k < 3; k++) {
			c[k] = (rand() % (160 * size[k]) - 48 * size[k]) / 64.0f;
			if (normalized)
				c[k] /= size[k];
		}
		coords[i] = make_float4(c[0], c[1], c[2], 0);
	}
	CHECK(cudaMemcpy(coords_device, coords, N * sizeof *coords, cudaMemcpyHostToDevice));
}

static void compare(const char *what, int i, double want)
{
	static float found[N];

	if (!i) {
		CHECK(cudaDeviceSynchronize());
		CHECK(cudaMemcpy(found, out, sizeof found, cudaMemcpyDeviceToHost));
	}
	cases++;
	if (fabs(found[i] - want) > 1e-6 * fabs(want) + 1e-6 && bad++ < 10)
		printf("%s: %d: found %.9g, expected %.9g\n", what, i, found[i], want);
}

static cudaTextureDesc texture_desc(const way &w, bool fractions)
{
	cudaTextureDesc d;

	memset(&d, 0, sizeof d);
	d.addressMode[0] = d.addressMode[1] = d.addressMode[2] = w.address;
	d.filterMode = w.linear ? cudaFilterModeLinear : cudaFilterModePoint;
	d.readMode = fractions ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
	d.normalizedCoords = w.normalized;
	return d;
}

static cudaResourceDesc array_desc(cudaArray_t a)
{
	cudaResourceDesc d;

	memset(&d, 0, sizeof d);
	d.resType = cudaResourceTypeArray;
	d.res.array.array = a;
	return d;
}

static cudaTextureObject_t texture_of(cudaArray_t a, const way &w, bool fractions)
{
	cudaResourceDesc r = array_desc(a);
	cudaTextureDesc d = texture_desc(w, fractions);
	cudaTextureObject_t t;

	CHECK(cudaCreateTextureObject(&t, &r, &d, nullptr));
	return t;
}

static cudaSurfaceObject_t surface_of(cudaArray_t a)
{
	cudaResourceDesc r = array_desc(a);
	cudaSurfaceObject_t s;

	CHECK(cudaCreateSurfaceObject(&s, &r));
	return s;
}

template <typename T> static T texel(int v) { return (T)v; }
template <> float2 texel<float2>(int v) { return make_float2(v, -v); }
template <> int4 texel<int4>(int v) { return make_int4(v, -v, 2 * v, 3 * v); }

// An array of texels value(x, y, z) * scale; sizes of 0: the array has no such size.
template <typename T> static cudaArray_t array_of(int width, int height, int depth, unsigned flags, int scale)
{
	cudaChannelFormatDesc desc = cudaCreateChannelDesc<T>();
	int rows = height ? height : 1, slices = depth ? depth : 1;
	std::vector<T> texels(width * rows * slices);
	cudaMemcpy3DParms p;
	cudaArray_t a;

	for (int i = 0; i < (int)texels.size(); i++)
		texels[i] = texel<T>(scale * raw(i % width, i / width % rows, i / width / rows));
	CHECK(cudaMalloc3DArray(&a, &desc, make_cudaExtent(width, height, depth), flags));
	memset(&p, 0, sizeof p);
	p.srcPtr = make_cudaPitchedPtr(texels.data(), width * sizeof(T), width, rows);
	p.dstArray = a;
	p.extent = make_cudaExtent(width, rows, slices);
	p.kind = cudaMemcpyHostToDevice;
	CHECK(cudaMemcpy3D(&p));
	return a;
}

template <typename F> static void run(const char *what, int dims, const way &w, F value,
				      void (*kernel)(cudaTextureObject_t, const float4 *, float *),
				      cudaTextureObject_t t)
{
	static const int size[3] = { WIDTH, HEIGHT, DEPTH };

	random_coords(w.normalized);
	kernel<<<1, N>>>(t, coords_device, out);
	for (int i = 0; i < N; i++)
		compare(what, i, sample(w, &coords[i].x, dims, size, value));
	CHECK(cudaDestroyTextureObject(t));
}

// Every way to read an array of each number of dimensions.
static void ways()
{
	cudaArray_t floats[3], bytes[3], ints = array_of<int>(WIDTH, HEIGHT, 0, 0, 1);
	cudaArray_t shorts = array_of<short>(WIDTH, HEIGHT, 0, 0, -1);

	for (int k = 0; k < 3; k++) {
		floats[k] = array_of<float>(WIDTH, k ? HEIGHT : 0, k > 1 ? DEPTH : 0, 0, 1);
		bytes[k] = array_of<unsigned char>(WIDTH, k ? HEIGHT : 0, k > 1 ? DEPTH : 0, 0, 1);
	}
	for (int i = 0; i < 16; i++) {
		way w = { (cudaTextureAddressMode)(i & 3), (i >> 2 & 1) != 0, i >> 3 != 0 };
		run("1d", 1, w, same, sample1<float>, texture_of(floats[0], w, false));
		run("2d", 2, w, same, sample2<float>, texture_of(floats[1], w, false));
		run("3d", 3, w, same, sample3<float>, texture_of(floats[2], w, false));
		run("1d of bytes", 1, w, fraction, sample1<float>, texture_of(bytes[0], w, true));
		run("2d of bytes", 2, w, fraction, sample2<float>, texture_of(bytes[1], w, true));
		run("3d of bytes", 3, w, fraction, sample3<float>, texture_of(bytes[2], w, true));
		run("2d of shorts", 2, w, negative, sample2<float>, texture_of(shorts, w, true));
		if (w.linear)
			continue;
		run("2d of ints", 2, w, same, sample2<int>, texture_of(ints, w, false));
		run("2d of whole bytes", 2, w, same, sample2<unsigned char>, texture_of(bytes[1], w, false));
	}
}

static void layered()
{
	static const int size[3] = { WIDTH, HEIGHT, 1 };
	way w = { cudaAddressModeMirror, true, true };
	cudaArray_t one = array_of<float>(WIDTH, 0, DEPTH, cudaArrayLayered, 1);
	cudaArray_t two = array_of<float>(WIDTH, HEIGHT, DEPTH, cudaArrayLayered, 1);

	random_coords(true);
	layers<<<1, N>>>(texture_of(one, w, false), texture_of(two, w, false), coords_device, out);
	for (int i = 0; i < N; i++) {
		int layer = i % DEPTH;
		double a = sample(w, &coords[i].x, 1, size, [=](int x, int y, int) { return same(x, y, layer); });
		double b = sample(w, &coords[i].x, 2, size, [=](int x, int y, int) { return same(x, y, layer); });
		compare("layers", i, a + 1000 * b);
	}
}

// The face and the place on the face, by the table of the programming guide.
static double on_cube(float4 p, int cube)
{
	enum { SIDE = 8 };
	float x = p.x, y = p.y, z = p.z, ax = fabsf(x), ay = fabsf(y), az = fabsf(z), m, s, t;
	int face;

	if (ax >= ay && ax >= az) {
		face = x < 0, m = ax, s = x < 0 ? z : -z, t = -y;
	} else if (ay >= az) {
		face = 2 + (y < 0), m = ay, s = x, t = y < 0 ? -z : z;
	} else {
		face = 4 + (z < 0), m = az, s = z < 0 ? -x : x, t = -y;
	}
	int i = (int)((s / m + 1) / 2 * SIDE), j = (int)((t / m + 1) / 2 * SIDE);
	return same(i < SIDE ? i : SIDE - 1, j < SIDE ? j : SIDE - 1, 6 * cube + face);
}

static void cube()
{
	way w = { cudaAddressModeClamp, false, true };
	cudaArray_t one = array_of<float>(8, 8, 6, cudaArrayCubemap, 1);
	cudaArray_t two = array_of<float>(8, 8, 12, cudaArrayCubemap | cudaArrayLayered, 1);

	for (int i = 0; i < N; i++)     // no direction is between two texels or faces
		coords[i] = make_float4(rand() / (float)(1 << 30) - 1, rand() / (float)(1 << 30) - 1,
					rand() / (float)(1 << 30) - 1, 0);
	CHECK(cudaMemcpy(coords_device, coords, N * sizeof *coords, cudaMemcpyHostToDevice));
	cubes<<<1, N>>>(texture_of(one, w, false), texture_of(two, w, false), coords_device, out);
	for (int i = 0; i < N; i++)
		compare("cube", i, on_cube(coords[i], 0) + 1000 * on_cube(coords[i], i & 1));
}

// Memory behind pointers: a row, and rows with a pitch.
static void memory()
{
	static const int size[3] = { WIDTH, HEIGHT, 1 };
	float host[64];
	short words[64][4];
	unsigned char rows[HEIGHT][WIDTH];
	void *p, *q, *pitched;
	size_t pitch;
	cudaResourceDesc r;
	cudaTextureDesc d = texture_desc({ cudaAddressModeWrap, false, false }, false);
	cudaTextureObject_t t, v;

	for (int i = 0; i < 64; i++) {
		host[i] = i + 0.5f;
		for (int k = 0; k < 4; k++)
			words[i][k] = (short)(i * (k - 2));
	}
	CHECK(cudaMalloc(&p, sizeof host));
	CHECK(cudaMalloc(&q, sizeof words));
	CHECK(cudaMemcpy(p, host, sizeof host, cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(q, words, sizeof words, cudaMemcpyHostToDevice));
	memset(&r, 0, sizeof r);
	r.resType = cudaResourceTypeLinear;
	r.res.linear.devPtr = p;
	r.res.linear.desc = cudaCreateChannelDesc<float>();
	r.res.linear.sizeInBytes = sizeof host;
	CHECK(cudaCreateTextureObject(&t, &r, &d, nullptr));
	r.res.linear.devPtr = q;
	r.res.linear.desc = cudaCreateChannelDesc<short4>();
	r.res.linear.sizeInBytes = sizeof words;
	CHECK(cudaCreateTextureObject(&v, &r, &d, nullptr));
	linear<<<1, N>>>(t, v, out);
	for (int i = 0; i < N; i++)     // what is outside reads 0
		compare("memory", i, i < 4 || i >= 68 ? 0 : i - 3.5 + (i - 4) * (-2 - 2 + 0 + 4));

	for (int i = 0; i < WIDTH * HEIGHT; i++)
		rows[i / WIDTH][i % WIDTH] = (unsigned char)raw(i % WIDTH, i / WIDTH, 0);
	CHECK(cudaMallocPitch(&pitched, &pitch, WIDTH, HEIGHT));
	CHECK(cudaMemcpy2D(pitched, pitch, rows, WIDTH, WIDTH, HEIGHT, cudaMemcpyHostToDevice));
	r.resType = cudaResourceTypePitch2D;
	r.res.pitch2D.devPtr = pitched;
	r.res.pitch2D.desc = cudaCreateChannelDesc<unsigned char>();
	r.res.pitch2D.width = WIDTH;
	r.res.pitch2D.height = HEIGHT;
	r.res.pitch2D.pitchInBytes = pitch;
	way w = { cudaAddressModeBorder, true, false };
	d = texture_desc(w, true);
	CHECK(cudaCreateTextureObject(&t, &r, &d, nullptr));
	random_coords(false);
	sample2<float><<<1, N>>>(t, coords_device, out);
	for (int i = 0; i < N; i++)
		compare("rows", i, sample(w, &coords[i].x, 2, size, fraction));

#ifdef REFERENCES
	cudaArray_t a = array_of<float>(WIDTH, HEIGHT, 0, 0, 1);
	int fours[WIDTH][4];
	int4 *f;
	for (int i = 0; i < WIDTH; i++)
		fours[i][0] = 3 * i, fours[i][1] = fours[i][2] = 0, fours[i][3] = i;
	CHECK(cudaMalloc(&f, sizeof fours));
	CHECK(cudaMemcpy(f, fours, sizeof fours, cudaMemcpyHostToDevice));
	CHECK(cudaBindTextureToArray(of_array, a));
	CHECK(cudaBindTexture2D(nullptr, of_rows, pitched, WIDTH, HEIGHT, pitch));
	CHECK(cudaBindTexture(nullptr, of_memory, f, sizeof fours));
	references<<<1, N>>>(out);
	for (int i = 0; i < N; i++) {
		int x = i % WIDTH, y = i / WIDTH;
		compare("references", i, same(x, y, 0) + 1000 * (double)(float)fraction(x, y, 0) + 2 * x);
	}
	CHECK(cudaUnbindTexture(of_array));
#endif
}

// Level k of a mipmapped array is all 100 * k: between levels the mean, beyond the last the last.
static void mipmaps()
{
	cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
	cudaMipmappedArray_t m;
	cudaResourceDesc r;
	cudaTextureDesc d = texture_desc({ cudaAddressModeClamp, true, true }, false);
	cudaTextureObject_t t;

	CHECK(cudaMallocMipmappedArray(&m, &desc, make_cudaExtent(WIDTH, HEIGHT, 0), 4));
	for (unsigned k = 0; k < 4; k++) {
		std::vector<float> texels((WIDTH >> k) * (HEIGHT >> k), 100.0f * k);
		cudaArray_t level;
		CHECK(cudaGetMipmappedArrayLevel(&level, m, k));
		CHECK(cudaMemcpy2DToArray(level, 0, 0, texels.data(), (WIDTH >> k) * 4, (WIDTH >> k) * 4, HEIGHT >> k,
					  cudaMemcpyHostToDevice));
	}
	memset(&r, 0, sizeof r);
	r.resType = cudaResourceTypeMipmappedArray;
	r.res.mipmap.mipmap = m;
	d.mipmapFilterMode = cudaFilterModeLinear;
	d.maxMipmapLevelClamp = 3;
	CHECK(cudaCreateTextureObject(&t, &r, &d, nullptr));
	levels<<<1, N>>>(t, out);
	for (int i = 0; i < N; i++)
		compare("levels", i, i < 12 ? 25.0 * i : 300);
	CHECK(cudaDestroyTextureObject(t));
	CHECK(cudaFreeMipmappedArray(m));
}

template <typename T> static void surfaces_of(const char *what)
{
	cudaArray_t one = array_of<T>(WIDTH, 0, 0, cudaArraySurfaceLoadStore, 2);
	cudaArray_t three = array_of<T>(WIDTH, HEIGHT, DEPTH, cudaArraySurfaceLoadStore, 1);
	cudaArray_t layered = array_of<T>(WIDTH, HEIGHT, DEPTH, cudaArraySurfaceLoadStore | cudaArrayLayered, 3);
	enum { ALL = WIDTH * HEIGHT * DEPTH };
	T *device, host[ALL], row[WIDTH];

	CHECK(cudaMalloc((void **)&device, sizeof host));
	through<T><<<ALL / 128, 128>>>(surface_of(one), surface_of(three), surface_of(layered), device);
	CHECK(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost));
	CHECK(cudaMemcpyFromArray(row, one, 0, 0, sizeof row, cudaMemcpyDeviceToHost));
	for (int i = 0; i < ALL; i++) {
		T want = texel<T>(raw(i % WIDTH, i / WIDTH % HEIGHT, i / WIDTH / HEIGHT));
		cases++;
		if ((memcmp(&host[i], &want, sizeof want) || (i < WIDTH && memcmp(&row[i], &want, sizeof want))) &&
		    bad++ < 10)
			printf("%s: %d\n", what, i);
	}
}

static void surfaces()
{
	cudaArray_t from = array_of<float>(WIDTH, HEIGHT, 0, cudaArraySurfaceLoadStore, 1);
	cudaArray_t to = array_of<float>(WIDTH, HEIGHT, 0, cudaArraySurfaceLoadStore, 1);
	float found[HEIGHT][WIDTH], part[2][4];

	turn<<<HEIGHT, WIDTH>>>(surface_of(from), surface_of(to));
	CHECK(cudaMemcpy2DFromArray(found, sizeof *found, to, 0, 0, sizeof *found, HEIGHT, cudaMemcpyDeviceToHost));
	for (int i = 0; i < WIDTH * HEIGHT; i++) {
		int x = WIDTH - 1 - i % WIDTH, y = i / WIDTH;
		cases++;
		if (found[y][i % WIDTH] != raw(x, y, 0) + 1000 * (x < 8 ? 0 : raw(x - 8, y, 0)) && bad++ < 10)
			printf("surface: %d %d\n", x, y);
	}
	CHECK(cudaMemcpy2DArrayToArray(to, 8, 2, from, 16, 4, 16, 2));
	CHECK(cudaMemcpy2DFromArray(part, sizeof *part, to, 8, 2, 16, 2, cudaMemcpyDeviceToHost));
	for (int i = 0; i < 8; i++)
		bad += part[i / 4][i % 4] != raw(4 + i % 4, 4 + i / 4, 0);
	surfaces_of<unsigned char>("bytes");
	surfaces_of<short>("halves");
	surfaces_of<float>("words");
	surfaces_of<float2>("two words");
	surfaces_of<int4>("four words");
}

static void wrong_calls()
{
	cudaChannelFormatDesc three = { 8, 8, 8, 0, cudaChannelFormatKindUnsigned }, one = cudaCreateChannelDesc<int>();
	cudaArray_t a, stale;
	cudaResourceDesc r;
	cudaTextureDesc d = texture_desc({ cudaAddressModeClamp, true, false }, false);
	cudaTextureObject_t t = 0;
	float host[4];

#define WRONG(call, error) \
	do { \
		cudaError_t e = call; \
		cases++; \
		if (e != error && bad++ < 10) \
			printf(#call ": found %s, expected " #error "\n", cudaGetErrorName(e)); \
	} while (0)
	CHECK(cudaMallocArray(&a, &one, 4, 4));
	WRONG(cudaMemcpy2DToArray(a, 8, 0, host, 16, 16, 1, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
	WRONG(cudaMemcpy2DToArray(a, 0, 0, host, 8, 16, 1, cudaMemcpyHostToDevice), cudaErrorInvalidPitchValue);
	r = array_desc(a);
	CHECK(cudaFreeArray(a));
	stale = a;
	WRONG(cudaMallocArray(&a, &three, 4, 4), cudaErrorInvalidChannelDescriptor);
#ifdef REFERENCES       // with nvcc's compiler's runtime these are undefined or have other values
	WRONG(cudaFreeArray(stale), cudaErrorInvalidResourceHandle);
	WRONG(cudaCreateTextureObject(&t, &r, &d, nullptr), cudaErrorInvalidResourceHandle);
	WRONG(cudaDestroyTextureObject(12345), cudaErrorInvalidResourceHandle);
	CHECK(cudaMallocArray(&a, &one, 4, 4));
	r = array_desc(a);
	WRONG(cudaCreateTextureObject(&t, &r, &d, nullptr), cudaErrorInvalidFilterSetting);
	d.readMode = cudaReadModeNormalizedFloat;
	WRONG(cudaCreateTextureObject(&t, &r, &d, nullptr), cudaErrorInvalidNormSetting);
#endif
	(void)stale, (void)t;
	cudaGetLastError();
}

int main()
{
	coords = (float4 *)malloc(N * sizeof *coords);
	CHECK(cudaMalloc(&coords_device, N * sizeof *coords));
	CHECK(cudaMalloc(&out, N * sizeof *out));
	ways();
	layered();
	cube();
	memory();
	mipmaps();
	surfaces();
	wrong_calls();
	printf("%d cases, %d wrong\n", cases, bad);
	return bad != 0;
}
