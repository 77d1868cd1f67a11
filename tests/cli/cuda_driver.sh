#!/bin/sh
# CUDA's driver interface: the example, right and wrong calls, addresses of constants, every name of the interface; with
# nvcc's own cuda.h and stub library where there are some.
# cuda_driver.sh WARPBEAM SOURCE_FOLDER
. "$(dirname "$0")/../kit/check.sh"
warpbeam=$(realpath "$1")
source=$2
library=$(dirname "$warpbeam")/../cuda/driver/libcuda.so.1
for cc in clang-19 clang-14 clang; do
	command -v $cc >/dev/null && break
done
command -v $cc >/dev/null && [ -r /usr/lib/clc/nvptx64--nvidiacl.bc ] || {
	echo "skipped: no clang, or no libclc for nvptx64"
	exit 77
}
[ -r "$library" ] || {
	echo "skipped: no build tree around $warpbeam"
	exit 77
}
cd "$work" || exit 1
headers=$source/include/warpbeam/cuda

# Without a context and a call of the runtime nothing of the host's compiler is needed.
ok 'build driver.c' $cc -Wall -Werror -I"$headers" "$source/examples/programs/driver.c" -o driver "$library"
check 0 out '^1000 sums on Warpbeam g200 .* are right, 0 wrong' "$warpbeam" run -- ./driver
check 0 err '^  add  *8  *128  *1 ' "$warpbeam" run -- ./driver
check 0 err 'the latest on v100' "$warpbeam" run --chip v100 -- ./driver
check 0 out 'are right' "$warpbeam" run --check race,bounds --strict --launches one -- ./driver
grep -q '"call":"cuLaunchKernel"' one
result $? 'the launch names its call' || outputs
check 0 err 'add  *8 ' "$warpbeam" run --only add -- ./driver

ok 'build driver.cu' "$warpbeam" build "$source/tests/cuda/driver.cu" -o calls
check 0 out '^316 calls, 0 wrong answers' "$warpbeam" run -- ./calls
check 0 err '1 failed' "$warpbeam" run -- ./calls
check 0 out '^131 calls, 0 wrong answers' "$warpbeam" run "$source/tests/cuda/driver_graphs.cu" --
check 0 out '^90 calls, 0 wrong answers' "$warpbeam" run "$source/tests/cuda/driver_virtual.cu" --
for cc in clang-14 clang-19; do
	command -v $cc >/dev/null || continue
	ok "cuda.h for C++ by $cc" $cc -x c++ -std=c++11 -Wall -Wextra -Werror -I"$headers" -fsyntax-only \
		"$source/examples/programs/driver.c"
done

# NVRTC: a kernel template of a text, by the host compiler and in a source without kernels of its own.
rtc=$(dirname "$warpbeam")/../rtc/12/libnvrtc.so.12
ok 'build nvrtc.c' $cc -Wall -Werror -I"$headers" "$source/examples/programs/nvrtc.c" -o nvrtc "$library" "$rtc"
check 0 out '^256 numbers are right, 0 wrong' "$warpbeam" run -- ./nvrtc
check 0 err 'scale<float, 3>' "$warpbeam" run -- ./nvrtc
ok 'build nvrtc.cu' "$warpbeam" build "$source/tests/cuda/nvrtc.cu" -o rtc_calls
check 0 out '^72 calls, 0 wrong answers' "$warpbeam" run -- ./rtc_calls
for cc in clang-14 clang-19; do
	command -v $cc >/dev/null && check 0 out '^256 numbers are right' env WARPBEAM_CC=$cc "$warpbeam" run -- ./nvrtc
done

# Constants: an address for copies, by either interface.
cat >constants.cu <<'END'
#include <cuda.h>
#include <cstdio>
__constant__ int table[4];
__global__ void k(int *p) { p[threadIdx.x] = table[threadIdx.x & 3]; }
int main()
{
	int h[4] = { 4, 3, 2, 1 }, *p, back[4], n;
	void *address;
	cudaMalloc(&p, 128);
	n = cudaGetSymbolAddress(&address, table);
	n |= cuMemcpyHtoD((CUdeviceptr)address, h, sizeof h);
	k<<<1, 32>>>(p);
	n |= cuMemcpyDtoH(h, (CUdeviceptr)p, sizeof h);
	n |= cudaMemcpy(back, address, sizeof back, cudaMemcpyDeviceToHost);
	n |= cudaMemcpy(back, (char *)address + 4, sizeof back, cudaMemcpyDeviceToHost) != cudaErrorInvalidValue;
	printf("%d: %d %d, %d %d\n", n, h[0], h[3], back[0], back[3]);
}
END
check 0 out '^0: 4 1, 4 1' "$warpbeam" run constants.cu --

# A module of a file: PTX, a cubin of the first chips, and the same files cut short. Threads with contexts of their own.
cat >set.ptx <<'END'
.version 6.5
.target sm_70
.address_size 64
.visible .entry set(.param .u64 p, .param .u32 v)
{
	.reg .b32 %r<3>;
	.reg .b64 %q<3>;
	ld.param.u64 %q0, [p];
	ld.param.u32 %r0, [v];
	mov.u32 %r1, %tid.x;
	mul.wide.u32 %q1, %r1, 4;
	add.u64 %q0, %q0, %q1;
	add.u32 %r0, %r0, %r1;
	st.global.u32 [%q0], %r0;
	ret;
}
END
cat >load.c <<'END'
#include <cuda.h>
#include <pthread.h>
#include <stdio.h>
static const char *path;
static int launch(int v)
{
	CUmodule module;
	CUfunction set;
	CUdeviceptr p;
	int h[32] = { 0 }, e;
	void *params[] = { &p, &v };
	if ((e = cuModuleLoad(&module, path)) || (e = cuModuleGetFunction(&set, module, "set")))
		return e;
	e = cuMemAlloc(&p, sizeof h) | cuLaunchKernel(set, 1, 1, 1, 32, 1, 1, 0, NULL, params, NULL);
	e |= cuMemcpyDtoH(h, p, sizeof h);
	return e ? e : h[3] == v + 3 ? 0 : -1;
}
static void *work(void *v)
{
	CUcontext own;
	for (int i = 0; i < 10; i++)
		if (cuCtxCreate(&own, 0, 0) | launch((int)(long)v) | cuCtxDestroy(own))
			return v;
	return NULL;
}
int main(int argc, char **argv)
{
	pthread_t t[4];
	CUcontext c;
	int bad = 0;
	path = argv[1];
	cuInit(0);
	cuCtxCreate(&c, 0, 0);
	printf("%d\n", launch(5));
	for (long i = 0; i < 4 && argc > 2; i++)
		pthread_create(&t[i], NULL, work, (void *)(i + 1));
	for (int i = 0; i < 4 && argc > 2; i++) {
		void *failed;
		pthread_join(t[i], &failed);
		bad += failed != NULL;
	}
	printf("%d threads failed\n", bad);
}
END
ok 'build load.c' $cc -w -I"$headers" load.c -o load "$library" -lpthread
check 0 out '^0$' "$warpbeam" run -- ./load set.ptx threads
check 0 out '^0 threads failed' "$warpbeam" run -- ./load set.ptx threads
ok 'a cubin' "$warpbeam" compile set.ptx --chip g200 -o set.cubin
check 0 out '^0$' "$warpbeam" run -- ./load set.cubin
for file in set.ptx set.cubin; do
	for size in 0 3 15 16 40 60 100 200 300; do
		head -c $size $file >cut
		check 0 out '^\(200\|209\|218\|500\)$' "$warpbeam" run -q -- ./load cut
	done
done

# The public names, with each version and each default stream, are all exported.
PATH=$PATH:/usr/local/cuda/bin
stub=$(dirname "$(command -v nvcc || echo /)")/../lib64/stubs/libcuda.so
if [ -r "$stub" ]; then
	nm -D --defined-only "$stub" | awk '$3 ~ /^cu[A-Z]/ { print $3 }' | sort >names
	nm -D --defined-only "$library" | awk '{ print $3 }' | sort >ours
	[ -z "$(comm -23 names ours)" ]
	result $? 'names of the stub library' || comm -23 names ours
	nm -D --defined-only "$(dirname "$stub")/../libcudart.so" | awk '{ sub(/@.*/, "", $3); print $3 }' |
		grep '^cuda' | sort >names
	nm -D --defined-only "$(dirname "$library")/../13/libcudart.so.13" | awk '{ sub(/@.*/, "", $3); print $3 }' |
		sort >ours
	[ -z "$(comm -23 names ours)" ]
	result $? "names of nvcc's runtime" || comm -23 names ours
	ok 'nvcc --default-stream per-thread' nvcc -cudart shared -arch=sm_75 -w --default-stream per-thread \
		"$source/tests/cuda/per_thread.cu" -o per_thread
	check 0 out '^1010120 no error$' "$warpbeam" run --chip v100 -- ./per_thread
	ok "nvcc's cuda.h" $cc -I"$(dirname "$stub")/../../include" "$source/examples/programs/driver.c" -o with_nvcc \
		"$stub"
	check 0 out 'are right, 0 wrong' "$warpbeam" run -- ./with_nvcc
	check 0 out '^256 numbers are right' env WARPBEAM_CUDA_COMPILER=nvcc "$warpbeam" run -- ./nvrtc
	ok 'NVRTC of nvcc' $cc -I"$(dirname "$stub")/../../include" "$source/examples/programs/nvrtc.c" -o nvrtc_real \
		"$stub" "$(dirname "$stub")/../libnvrtc.so"
	check 0 out '^256 numbers are right' "$warpbeam" run -- ./nvrtc_real
	ok 'nvcc' nvcc -cudart shared -arch=sm_75 -w "$source/tests/cuda/driver.cu" -o by_nvcc -lcuda
	check 0 out '^316 calls, 0 wrong answers' "$warpbeam" run -- ./by_nvcc
	ok '--cuda-compiler nvcc' "$warpbeam" build --cuda-compiler nvcc "$source/tests/cuda/driver.cu" -o built_by_nvcc
	check 0 out '^316 calls, 0 wrong answers' ./built_by_nvcc
fi
finish
