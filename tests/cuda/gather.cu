// tex2Dgather of each component and tex2DGrad against a plain model. Built by clang, and by nvcc where there is one.
#include <cstdio>
#include <cuda_runtime.h>

enum { WIDTH = 16, HEIGHT = 8, N = WIDTH * HEIGHT, LEVELS = 4 };

// Coordinates are a quarter right of and below the middle of a texel.
__global__ void gather(float4 *out, cudaTextureObject_t t)
{
	float x = threadIdx.x + 0.75f, y = threadIdx.y + 0.75f;
	float4 *to = out + 4 * (threadIdx.y * WIDTH + threadIdx.x);

	to[0] = tex2Dgather<float4>(t, x, y, 0);
	to[1] = tex2Dgather<float4>(t, x, y, 1);
	to[2] = tex2Dgather<float4>(t, x, y, 2);
	to[3] = tex2Dgather<float4>(t, x, y, 3);
}

// All texels of a level are the level's number: the length of the longer gradient is 2^n texels.
__global__ void levels(float *out, cudaTextureObject_t t)
{
	float d = (float)(1 << threadIdx.x) / WIDTH;

	out[threadIdx.x] = tex2DGrad<float>(t, 0.5f, 0.5f, make_float2(0, 0.01f), make_float2(-d, 0));
}

static float texel(int x, int y, int c)
{
	x = x < WIDTH ? x : WIDTH - 1;
	y = y < HEIGHT ? y : HEIGHT - 1;
	return (float)(1000 * c + 100 * y + x);
}

static cudaTextureObject_t texture_of(cudaResourceDesc *r, bool normalized)
{
	cudaTextureDesc d = {};
	cudaTextureObject_t t = 0;

	d.addressMode[0] = d.addressMode[1] = cudaAddressModeClamp;
	d.filterMode = normalized ? cudaFilterModePoint : cudaFilterModeLinear;
	d.mipmapFilterMode = cudaFilterModeLinear;
	d.normalizedCoords = normalized;
	d.maxMipmapLevelClamp = LEVELS - 1;
	cudaCreateTextureObject(&t, r, &d, nullptr);
	return t;
}

static int gathers()
{
	static const int right[4] = { 0, 1, 1, 0 }, below[4] = { 1, 1, 0, 0 };
	static float4 texels[N], *out;
	cudaChannelFormatDesc kind = cudaCreateChannelDesc<float4>();
	cudaResourceDesc r = {};
	int wrong = 0;

	for (int i = 0; i < N; i++)
		texels[i] = make_float4(texel(i % WIDTH, i / WIDTH, 0), texel(i % WIDTH, i / WIDTH, 1),
					texel(i % WIDTH, i / WIDTH, 2), texel(i % WIDTH, i / WIDTH, 3));
	r.resType = cudaResourceTypeArray;
	cudaMallocArray(&r.res.array.array, &kind, WIDTH, HEIGHT, cudaArrayTextureGather);
	cudaMemcpy2DToArray(r.res.array.array, 0, 0, texels, sizeof *texels * WIDTH, sizeof *texels * WIDTH, HEIGHT,
			    cudaMemcpyHostToDevice);
	cudaMallocManaged(&out, 4 * N * sizeof *out);
	gather<<<1, dim3(WIDTH, HEIGHT)>>>(out, texture_of(&r, false));
	cudaDeviceSynchronize();
	for (int i = 0; i < 4 * N; i++)
		for (int k = 0; k < 4; k++)
			wrong += (&out[i].x)[k] != texel(i / 4 % WIDTH + right[k], i / 4 / WIDTH + below[k], i % 4);
	return wrong;
}

static int gradients()
{
	static float texels[N], *out;
	cudaChannelFormatDesc kind = cudaCreateChannelDesc<float>();
	cudaResourceDesc r = {};
	int wrong = 0;

	r.resType = cudaResourceTypeMipmappedArray;
	cudaMallocMipmappedArray(&r.res.mipmap.mipmap, &kind, make_cudaExtent(WIDTH, HEIGHT, 0), LEVELS);
	for (unsigned l = 0; l < LEVELS; l++) {
		cudaArray_t level;
		for (int i = 0; i < N; i++)
			texels[i] = (float)l;
		cudaGetMipmappedArrayLevel(&level, r.res.mipmap.mipmap, l);
		cudaMemcpy2DToArray(level, 0, 0, texels, (WIDTH >> l) * sizeof *texels, (WIDTH >> l) * sizeof *texels,
				    HEIGHT >> l, cudaMemcpyHostToDevice);
	}
	cudaMallocManaged(&out, 32 * sizeof *out);
	levels<<<1, 5>>>(out, texture_of(&r, true));
	cudaDeviceSynchronize();
	for (int i = 0; i < 5; i++)
		wrong += out[i] != (float)(i < LEVELS ? i : LEVELS - 1);
	return wrong;
}

int main()
{
	int wrong = gathers() + gradients();

	printf("%s, %d wrong\n", cudaGetErrorName(cudaGetLastError()), wrong);
	return wrong != 0;
}
