// Surface references, of CUDA before 12: bound, read, written, bound to another array. "0 wrong words".
#include <cstdio>
#include <cuda_runtime.h>

enum { SIZE = 16 };
surface<void, cudaSurfaceType2D> from;
surface<void, 2> to;
surface<void, 1> row;

__global__ void copy(int add)
{
	int x = threadIdx.x, y = blockIdx.x, v;
	short s = surf1Dread<short>(row, x * 2, cudaBoundaryModeZero);
	surf2Dread(&v, from, x * 4, y);
	v += surf2Dread<int>(from, -4, y, cudaBoundaryModeZero);
	surf2Dwrite(v + add + s, to, x * 4, y);
	surf2Dwrite(7, to, SIZE * 4, y, cudaBoundaryModeZero);
}

template <typename T> static cudaArray_t make_array(const T *words, int rows)
{
	cudaChannelFormatDesc d = cudaCreateChannelDesc<T>();
	cudaArray_t a;
	cudaMallocArray(&a, &d, SIZE, rows, cudaArraySurfaceLoadStore);
	cudaMemcpyToArray(a, 0, 0, words, SIZE * (rows ? rows : 1) * sizeof(T), cudaMemcpyHostToDevice);
	return a;
}

int main()
{
	int words[2][SIZE * SIZE], found[SIZE * SIZE], wrong = 0;
	short line[SIZE];
	cudaArray_t arrays[2], lines;
	const surfaceReference *r = NULL;

	for (int i = 0; i < SIZE; i++)
		line[i] = -i;
	lines = make_array(line, 0);
	for (int k = 0; k < 2; k++) {
		for (int i = 0; i < SIZE * SIZE; i++)
			words[k][i] = k * 1000 + i;
		arrays[k] = make_array(words[k], SIZE);
	}
	cudaChannelFormatDesc d = cudaCreateChannelDesc<int>();
	wrong += cudaBindSurfaceToArray(row, lines) != cudaSuccess;
	for (int k = 0; k < 2; k++) {
		wrong += cudaBindSurfaceToArray(from, arrays[k], d) != cudaSuccess;
		wrong += cudaGetSurfaceReference(&r, &to) != cudaSuccess;
		wrong += cudaBindSurfaceToArray(r, arrays[1 - k], &d) != cudaSuccess;
		copy<<<SIZE, SIZE>>>(5);
		cudaMemcpyFromArray(found, arrays[1 - k], 0, 0, sizeof found, cudaMemcpyDeviceToHost);
		for (int i = 0; i < SIZE * SIZE; i++)
			wrong += found[i] != i + (k + 1) * (5 - i % SIZE);
	}
	wrong += cudaBindSurfaceToArray((const surfaceReference *)words, lines, &d) != cudaErrorInvalidSurface;
	wrong += cudaGetLastError() != cudaErrorInvalidSurface;
	wrong += cudaBindSurfaceToArray(row, (cudaArray_t)words) != cudaErrorInvalidResourceHandle;
	wrong += cudaGetSurfaceReference(&r, words) != cudaErrorInvalidSurface;
	wrong += cudaGetSurfaceReference(NULL, &to) != cudaErrorInvalidValue;
	cudaGetLastError();
	printf("%s, %d wrong words\n", cudaGetErrorName(cudaDeviceSynchronize()), wrong);
	return wrong != 0;
}
