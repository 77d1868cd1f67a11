#!/bin/sh
# HIP C++ by clang and the headers of include/warpbeam/hip. Kernels (nvcc/*.cu, which are HIP C++ as well) give the
# words of the same text compiled as plain C++; mathematical functions keep CUDA's bounds; messages
# have the source's lines.
# hip.sh WARPBEAM SOURCE_FOLDER
. "$(dirname "$0")/../kit/check.sh"
warpbeam=$(realpath "$1")
source=$2
compilers=
for n in 14 15 16 19 22; do
	command -v clang-$n >/dev/null && [ -x /usr/lib/llvm-$n/bin/ld.lld ] && compilers="$compilers clang-$n"
done
[ "$compilers" ] && command -v g++ >/dev/null && has_libclc || {
	echo "skipped: no clang with a linker, no g++, or no libclc for amdgcn"
	exit 77
}
cd "$work" || exit 1

awk 'BEGIN {
	x = 12345
	for (i = 0; i < 1024; i++) {
		x = (x * 1103515245 + 12345) % 2147483648
		printf("\\%03o", int(x / 65536) % 256)
	}
}' >octal
printf "$(cat octal)" >in
cp "$source/tests/nvcc/host.h" .
chips=gfx900
[ "${WB_TEST_ALL:-}" ] && chips='bonaire tonga gfx900'
for file in pointers objects; do
	cp "$source/tests/nvcc/$file.cu" $file.hip
	g++ -std=c++17 -O1 -fwrapv -w -x c++ $file.hip -o $file || result 1 "$file: g++"
	for chip in $chips; do
		for kernel in $(./$file | if [ "${WB_TEST_ALL:-}" ]; then cat; else head -n 3; fi); do
			./$file "$kernel" in want 5
			"$warpbeam" run $file.hip --chip $chip --define __CUDACC__ --kernel "$kernel" --grid 4 \
				--block 64 --timing off -q -a in=in -a out=found:1024 -a s32=5 >out 2>err &&
				cmp -s want found
			result $? "$file: $kernel on $chip: $(grep -v warning err | head -n 1)"
		done
	done
done

# Mathematical functions within CUDA's bounds.
cc -O1 -w "$source/tests/cuda/accuracy.c" -o accuracy -lm && ./accuracy >accuracy.in || result 1 'accuracy.c'
cp "$source/tests/cuda/accuracy.def" . && cp "$source/tests/cuda/accuracy.cu" accuracy.hip
ok 'functions on gfx900' "$warpbeam" run accuracy.hip --grid 32 --block 64 --timing off -q -a in=accuracy.in \
	-a "out=accuracy.out:$(wc -c <accuracy.in)"
./accuracy accuracy.out
result $? 'functions within their bounds on gfx900'

# Words of a wave, of a block and of printf, by each compiler.
cat >words.hip <<'END'
#include <hip/hip_runtime.h>
extern __shared__ int tile[];
template <typename T> __device__ T twice(T x) { return x + x; }
__constant__ int weights[4] = { 1, 2, 3, 4 };
__device__ int counter;
__global__ void words(int *out)
{
	int i = threadIdx.x;

	tile[i] = i * weights[i & 3];
	__syncthreads();
	out[i] = twice(tile[blockDim.x - 1 - i]) + __shfl_up(i, 1) * 1000 + __shfl_xor(i, 5, 8) * 100000;
	out[64 + i] = __popcll(__ballot(i % 3 == 0)) + __syncthreads_count(i < 5) * 100 + (__any(i == 9) << 20);
	out[128 + i] = (int)(__shfl_down(i * 0.5, 3) * 2) + warpSize * 1000;
	atomicAdd(&counter, i);
	atomicMax(&counter, 1);
	out[192 + i] = __float_as_int(sqrtf(i)) ^ __clz(i) ^ __ffs(i) << 8 ^ __brev(i);
	float4 v = make_float4(i, 1, 2, 3) * 2.0f + make_float4(1, 1, 1, 1);
	if (i == 7)
		printf("%d %g %lld %s %llx\n", i, v.x, 1LL << 40, "text", __ballot(i & 1));
}
int main() { words<<<1, 64, 256>>>(nullptr); return hipGetLastError() != hipSuccess; }
END
awk 'BEGIN {
	for (i = 0; i < 64; i++) {
		other = i + (i % 8 < 4 ? 4 : -4)
		other += i % 2 ? -1 : 1
		print 2 * (63 - i) * ((63 - i) % 4 + 1) + (i ? i - 1 : 0) * 1000 + other * 100000
	}
	for (i = 0; i < 64; i++)
		print 22 + 500 + 1048576
	for (i = 0; i < 64; i++)
		print (i + 3 > 63 ? i : i + 3) + 64000
}' >want
for cc in $compilers; do
	[ "${WB_TEST_ALL:-}" ] || [ $cc = clang-19 ] || [ $cc = clang-14 ] || [ $cc = clang-22 ] || continue
	ok "words by $cc" "$warpbeam" run words.hip --cc $cc --block 64 --smem 256 --timing off -a out=found:1024
	od -An -v -w4 -t d4 found | head -n 192 | tr -d ' ' >got
	cmp -s got want
	result $? "words of a wave by $cc" || diff got want | head -n 3
	grep -q '^7 15 1099511627776 text 80$' out
	result $? "printf by $cc" || outputs
done
check 0 out 'words.hip' "$warpbeam" info words.hip

# printf and assert of kernels: conversions, strings by address, widths as arguments, lines in the order of waves.
cat >print.hip <<'END'
#include <cassert>
#include <cstdio>
__device__ const char *const names[] = { "even", "odd" };
__global__ void print(int n, double scale)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n && i % 3 == 0)
		printf("%d:%s, %*d|%-8.3f|%lld|%c|%5.1f%%|%x|%hhd|%zu\\\n", i, names[i & 1], 4, i * i, i * scale,
		       1LL << i, 'a' + i, 12.5f, i * 17 - 3, (char)-i, sizeof i);
	if (i == 7)
		std::printf("none\n");
	assert(i != 7);
}
END
cat >wanted <<'END'
0:even,    0|0.000   |1|a| 12.5%|fffffffd|0|4\
3:odd,    9|1.500   |8|d| 12.5%|30|-3|4\
6:even,   36|3.000   |64|g| 12.5%|63|-6|4\
none
print.hip:12: void print(int, double): Device-side assertion `i != 7' failed.
END
for cc in $compilers; do
	[ "${WB_TEST_ALL:-}" ] || [ $cc = clang-19 ] || [ $cc = clang-14 ] || [ $cc = clang-22 ] || continue
	"$warpbeam" run print.hip --cc $cc --grid 2 --block 4 --timing off -a s32=8 -a pad=4 -a f64=0.5 >out 2>err
	[ $? = 5 ] && head -n 5 out | cmp -s - wanted
	result $? "printf and assert by $cc" || outputs
done
check 0 out 'tile\[i\] = i' "$warpbeam" annotate words.hip --block 64 --smem 256 -a zero=1024

echo '__global__ void k(int *p) { *p = undeclared; }' >wrong.hip
check 4 err "wrong.hip:1:34: use of undeclared identifier 'undeclared'" "$warpbeam" info wrong.hip
echo '__global__ void k(int *p) { p[get_global_id(0)] = 1; }' >wrong.hip
check 4 err "'get_global_id' (OpenCL C's; here blockIdx.x \* blockDim.x + threadIdx.x)" "$warpbeam" info wrong.hip
printf 'int ok;\nint f() { return absent; }\n' >header.h
echo '#include "header.h"' >wrong.hip
check 4 err "header.h:2:18: use of undeclared identifier 'absent'" "$warpbeam" info wrong.hip
echo 'int f(int x) { return x; }' >none.hip
check 4 err 'the source has no kernel: found no __global__ function' "$warpbeam" info none.hip
check 2 err 'HIP C++ is compiled for bonaire, tonga or gfx900' "$warpbeam" info words.hip --chip tahiti
check 2 err 'HIP C++ is compiled for bonaire, tonga or gfx900' "$warpbeam" info words.hip --chip g200
finish
