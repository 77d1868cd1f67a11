#!/bin/sh
# Kernels whose functions and variables are in other sources: nvcc's -rdc=true, -dc and -dlink, archives; what is
# undefined, and what is defined twice.
# separate.sh WARPBEAM SOURCE_FOLDER
. "$(dirname "$0")/../kit/check.sh"
warpbeam=$(realpath "$1")
source=$2
command -v clang-19 >/dev/null || command -v clang-14 >/dev/null || command -v clang >/dev/null || {
	echo "skipped: no clang"
	exit 77
}
[ -r /usr/lib/clc/nvptx64--nvidiacl.bc ] && command -v objcopy >/dev/null || {
	echo "skipped: no libclc for nvptx64, or no objcopy"
	exit 77
}
cd "$work" || exit 1

cat >parts.h <<'END'
extern __device__ int add(int a, int b);
extern __device__ int table[4];
extern __constant__ int scale;
__device__ void count();
void launch_other(int *d);
END
cat >main.cu <<'END'
#include <cstdio>
#include "parts.h"
static __device__ int times(int x) { return 2 * x; }
__device__ int counted;
__device__ void count() { atomicAdd(&counted, 1); }
__global__ void k(int *out) { int i = threadIdx.x; out[i] = add(times(i), table[i % 4]) + scale; count(); }
int main()
{
	int *d, h[32], wrong = 0, n = 0, s = 100;
	cudaMalloc(&d, sizeof h);
	cudaMemcpyToSymbol(scale, &s, sizeof s);
	k<<<1, 32>>>(d);
	cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
	for (int i = 0; i < 32; i++)
		wrong += h[i] != 2 * i + 10 * (i % 4) + 1 + 100;
	launch_other(d);
	cudaMemcpyFromSymbol(&n, counted, sizeof n);
	cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
	for (int i = 0; i < 32; i++)
		wrong += h[i] != 3 * i + 7;
	printf("%d counted, %d wrong\n", n, wrong);
}
END
cat >other.cu <<'END'
#include "parts.h"
__device__ int table[4] = { 0, 10, 20, 30 };
__constant__ int scale;
static __device__ int times(int x) { return 3 * x; }
static __device__ int counted_not = 5;
__global__ void other(int *out) { out[threadIdx.x] = times(threadIdx.x) + counted_not; count(); }
void launch_other(int *d)
{
	int v = 7;
	cudaMemcpyToSymbol(counted_not, &v, sizeof v);
	other<<<1, 32>>>(d);
}
END
echo '__device__ int add(int a, int b) { return a + b + 1; }' >add.cu    # no kernel
echo '__device__ int add(int a, int b) { return a - b; }' >twice.cu
sed 's/counted_not/counted/' other.cu >same.cu
sed -i 's/^__device__ int counted;/static &/' main.cu

right='^64 counted, 0 wrong'
ok 'in one call' "$warpbeam" nvcc -rdc=true main.cu other.cu add.cu -o whole
check 0 out "$right" "$warpbeam" run -q --chip v100 -- ./whole
check 0 out "$right" "$warpbeam" run -q -- ./whole
ok 'objects' "$warpbeam" nvcc -dc main.cu other.cu same.cu add.cu
ok 'the link of kernels' "$warpbeam" nvcc -dlink main.o other.o add.o -o linked.o
ok 'the program' "$warpbeam" nvcc main.o other.o add.o linked.o -o parts
check 0 out "$right" "$warpbeam" run -q -- ./parts
ok 'variables of two sources with one name' "$warpbeam" nvcc main.o same.o add.o -o same
check 0 out "$right" "$warpbeam" run -q -- ./same
ar rcs libother.a other.o
ok 'an archive' "$warpbeam" nvcc main.o add.o -L. -lother -o archive
check 0 out "$right" "$warpbeam" run -q -- ./archive

check 4 err 'bad: _Z3addii is used by main.cu, and none of the 2 texts defines it' \
	"$warpbeam" nvcc main.o other.o -o bad
ok 'another add' "$warpbeam" nvcc -dc twice.cu
check 4 err 'bad: _Z3addii is defined twice, by add.cu and by twice.cu' \
	"$warpbeam" nvcc main.o other.o add.o twice.o -o bad
[ ! -e bad ]
result $? 'nothing is left of a program with a wrong link'
check 4 err 'main.cu:.*_Z3addii is extern and nothing here defines it' "$warpbeam" nvcc main.cu other.cu add.cu -o bad

# CMake, which takes nvcc for clang here and calls nvlink and fatbinary by itself.
if command -v cmake >/dev/null; then
	mkdir cmake cache
	XDG_CACHE_HOME=$work/cache
	export XDG_CACHE_HOME
	cat >cmake/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.18)
project(separate LANGUAGES CXX CUDA)
set(CMAKE_CUDA_SEPARABLE_COMPILATION ON)
add_library(other STATIC ../other.cu)
set_target_properties(other PROPERTIES CUDA_RESOLVE_DEVICE_SYMBOLS ON)
add_executable(app ../main.cu ../add.cu)
target_link_libraries(app other)
END
	ok 'CMake' "$warpbeam" build -- sh -c 'cmake -S cmake -B in && cmake --build in'
	check 0 out "$right" "$warpbeam" run -q -- in/app
fi
finish
