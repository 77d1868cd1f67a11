// Handles of textures and surfaces that kernels load or compute, against the words that the arrays were given and
// against the same texture by a parameter. "0 wrong words".
#include <cstdio>
#include <cuda_runtime.h>

enum { TEXTURES = 6, SIZE = 16, THREADS = 64 };

struct scene {
	int n;
	cudaTextureObject_t texture[TEXTURES];
};
__constant__ scene kept;
__device__ cudaTextureObject_t chosen;

__global__ void of_memory(const cudaTextureObject_t *t, float *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = tex2D<float>(t[i % TEXTURES], i % SIZE + 0.5f, i / SIZE % SIZE + 0.5f);
}
__global__ void of_constants(float *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i % 3)
		out[i] = tex2D<float>(kept.texture[i / 2 % kept.n], i % SIZE + 0.5f, i / SIZE % SIZE + 0.5f);
}
__global__ void of_parameter(scene s, float *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = tex2D<float>(s.texture[i * 7 % s.n], i % SIZE + 0.5f, i / SIZE % SIZE + 0.5f);
}
__global__ void of_choice(cudaTextureObject_t a, cudaTextureObject_t b, float *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	cudaTextureObject_t t = i % 5 > 1 ? a : b;
	float4 v = tex2D<float4>(chosen, i * 0.37f, i * 0.11f);
	out[i] = tex2D<float>(t, i % SIZE + 0.5f, i / SIZE % SIZE + 0.5f) + tex2D<float>(a, 0.5f, 0.5f) + v.x * 0;
}
__global__ void filtered(const cudaTextureObject_t *t, cudaTextureObject_t same, float4 *out, float4 *want)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = tex2D<float4>(t[1], i * 0.37f, i * 0.11f);
	want[i] = tex2D<float4>(same, i * 0.37f, i * 0.11f);
}
__global__ void surfaces(const cudaSurfaceObject_t *s, int *out)
{
	int i = threadIdx.x;
	int v = surf2Dread<int>(s[i % 2], i % SIZE * 4, i / SIZE);
	surf2Dwrite(v + 1000, s[1 - i % 2], i % SIZE * 4, i / SIZE);
	out[i] = v;
}

static cudaArray_t arrays[TEXTURES], pair[2];
static cudaTextureObject_t textures[TEXTURES];
static float texels[TEXTURES][SIZE * SIZE];
static int wrong;

template <typename T> static cudaArray_t make_array(const T *from)
{
	cudaChannelFormatDesc d = cudaCreateChannelDesc<T>();
	cudaArray_t a;
	cudaMallocArray(&a, &d, SIZE, SIZE);
	cudaMemcpy2DToArray(a, 0, 0, from, SIZE * sizeof(T), SIZE * sizeof(T), SIZE, cudaMemcpyHostToDevice);
	return a;
}
static cudaTextureObject_t make_texture(cudaArray_t a, bool linear)
{
	cudaResourceDesc r = {};
	cudaTextureDesc way = {};
	cudaTextureObject_t t = 0;
	r.resType = cudaResourceTypeArray;
	r.res.array.array = a;
	way.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
	way.addressMode[0] = way.addressMode[1] = cudaAddressModeClamp;
	if (cudaCreateTextureObject(&t, &r, &way, NULL) != cudaSuccess)
		wrong++;
	return t;
}
static float texel(int k, int i) { return texels[k][i / SIZE % SIZE * SIZE + i % SIZE]; }
static void check(const char *what, bool right)
{
	if (!right)
		printf("wrong: %s\n", what);
	wrong += !right;
}

int main()
{
	float *out, host[THREADS];
	float4 *samples, four[2][THREADS];
	cudaTextureObject_t *handles;
	scene s = { TEXTURES, {} };

	for (int k = 0; k < TEXTURES; k++) {
		for (int i = 0; i < SIZE * SIZE; i++)
			texels[k][i] = k * 1000 + i;
		arrays[k] = make_array(texels[k]);
		textures[k] = make_texture(arrays[k], false);
	}
	cudaDestroyTextureObject(textures[2]);          // a number that is free again
	cudaTextureObject_t extra = make_texture(arrays[0], false);
	textures[2] = make_texture(arrays[2], false);
	for (int k = 0; k < TEXTURES; k++)
		s.texture[k] = textures[k];
	cudaMalloc(&out, sizeof host);
	cudaMalloc(&samples, sizeof four);
	cudaMalloc(&handles, sizeof textures);
	cudaMemcpy(handles, textures, sizeof textures, cudaMemcpyHostToDevice);
	cudaMemcpyToSymbol(kept, &s, sizeof s);
	cudaMemcpyToSymbol(chosen, &extra, sizeof extra);

	of_memory<<<2, THREADS / 2>>>(handles, out);
	cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
	for (int i = 0; i < THREADS; i++)
		check("of_memory", host[i] == texel(i % TEXTURES, i));
	cudaMemset(out, 0, sizeof host);
	of_constants<<<2, THREADS / 2>>>(out);
	cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
	for (int i = 0; i < THREADS; i++)
		check("of_constants", host[i] == (i % 3 ? texel(i / 2 % TEXTURES, i) : 0));
	of_parameter<<<2, THREADS / 2>>>(s, out);
	cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
	for (int i = 0; i < THREADS; i++)
		check("of_parameter", host[i] == texel(i * 7 % TEXTURES, i));
	of_choice<<<2, THREADS / 2>>>(textures[3], textures[4], out);
	cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
	for (int i = 0; i < THREADS; i++)
		check("of_choice", host[i] == texel(i % 5 > 1 ? 3 : 4, i) + texel(3, 0));

	float4 colours[SIZE * SIZE];
	for (int i = 0; i < SIZE * SIZE; i++)
		colours[i] = make_float4(i, i * i % 31, -i, 1.0f / (i + 1));
	cudaArray_t coloured = make_array(colours);
	cudaTextureObject_t smooth = make_texture(coloured, true);
	cudaMemcpy(handles + 1, &smooth, sizeof smooth, cudaMemcpyHostToDevice);
	filtered<<<2, THREADS / 2>>>(handles, smooth, samples, samples + THREADS);
	cudaMemcpy(four, samples, sizeof four, cudaMemcpyDeviceToHost);
	for (int i = 0; i < THREADS; i++)
		check("filtered", four[0][i].x == four[1][i].x && four[0][i].y == four[1][i].y &&
		      four[0][i].z == four[1][i].z && four[0][i].w == four[1][i].w && four[0][i].x + four[0][i].z == 0);

	int words[2][SIZE * SIZE], found[SIZE * SIZE];
	cudaSurfaceObject_t of[2];
	for (int k = 0; k < 2; k++) {
		cudaResourceDesc r = {};
		for (int i = 0; i < SIZE * SIZE; i++)
			words[k][i] = k * 500 + i;
		r.resType = cudaResourceTypeArray;
		r.res.array.array = pair[k] = make_array(words[k]);
		cudaCreateSurfaceObject(&of[k], &r);
	}
	cudaMemcpy(handles, of, sizeof of, cudaMemcpyHostToDevice);
	surfaces<<<1, THREADS>>>((cudaSurfaceObject_t *)handles, (int *)out);
	cudaMemcpy(found, out, sizeof host, cudaMemcpyDeviceToHost);
	for (int i = 0; i < THREADS; i++)
		check("surfaces", found[i] == words[i % 2][i]);
	cudaMemcpy2DFromArray(found, SIZE * 4, pair[0], 0, 0, SIZE * 4, SIZE, cudaMemcpyDeviceToHost);
	for (int i = 0; i < THREADS; i++)
		check("surfaces written", found[i] == (i % 2 ? 1000 + words[1][i] : words[0][i]));
	printf("%s, %d wrong words\n", cudaGetErrorString(cudaGetLastError()), wrong);

	cudaDestroyTextureObject(textures[1]);          // a stale handle ends the launch
	cudaMemcpy(handles, textures, sizeof textures, cudaMemcpyHostToDevice);
	of_memory<<<2, THREADS / 2>>>(handles, out);
	printf("stale: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
	return wrong != 0;
}
