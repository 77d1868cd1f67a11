#!/bin/sh
# CUDA C++ by clang and the headers of include/warpbeam/cuda. Kernels (nvcc/*.cu) give the words of the same text
# compiled as plain C++, sources with host code are programs, and messages have the lines of the source.
# cuda.sh WARPBEAM SOURCE_FOLDER
. "$(dirname "$0")/../kit/check.sh"
warpbeam=$(realpath "$1")
source=$2
compilers=
for cc in clang-14 clang-19; do
	command -v $cc >/dev/null && compilers="$compilers $cc"
done
[ "$compilers" ] && command -v g++ >/dev/null && [ -r /usr/lib/clc/nvptx64--nvidiacl.bc ] || {
	echo "skipped: no clang-14 and no clang-19, no g++, or no libclc for nvptx64"
	exit 77
}
cd "$work" || exit 1

# 256 words of all sizes and both signs
awk 'BEGIN {
	x = 12345
	for (i = 0; i < 256; i++) {
		for (k = 0; k < 4; k++) {
			x = (x * 1103515245 + 12345) % 2147483648
			printf("\\%03o", k > i % 4 ? (i % 3 ? 0 : 255) : int(x / 65536) % 256)
		}
	}
}' >octal
printf "$(cat octal)" >in

# Each kernel of a file: COMPILER, CHIP, OTHER OPTIONS OF WARPBEAM
way() {
	"$warpbeam" info "$source/tests/nvcc/$file.cu" --cc $1 --chip $2 $3 --keep >out 2>err || {
		result 1 "$file.cu by $1: $(cat err)"
		return
	}
	for kernel in $(./"$file"); do
		./"$file" "$kernel" in want 5
		"$warpbeam" run "$file.cu.$2.ptx" --kernel "$kernel" --grid 4 --block 64 --timing off -q \
			-a in=in -a out=found:1024 -a s32=5 >out 2>err && cmp -s want found
		result $? "$file.cu: $kernel, $*: $(grep -v warning err | head -n 1)"
	done
}

for file in pointers objects memories; do
	g++ -std=c++17 -O1 -fwrapv -w -x c++ "$source/tests/nvcc/$file.cu" -o $file || {
		result 1 "$file: g++"
		continue
	}
	for cc in $compilers; do
		way $cc v100 ""
		[ "${WB_TEST_ALL:-}" ] || break
		way $cc g200 ""
		way $cc g200 "--optimize 0"
	done
done

# Mathematical functions within CUDA's bounds.
cc -O1 -w "$source/tests/cuda/accuracy.c" -o accuracy -lm && ./accuracy >accuracy.in || result 1 'accuracy.c'
for chip in v100 g200; do
	ok "functions on $chip" "$warpbeam" run "$source/tests/cuda/accuracy.cu" --chip $chip --grid 32 --block 64 \
		--timing off -q -a in=accuracy.in -a "out=accuracy.out:$(wc -c <accuracy.in)"
	./accuracy accuracy.out
	result $? "functions within their bounds on $chip"
	[ "${WB_TEST_ALL:-}" ] || break
done

# A source as people write it: host code, standard headers, several kernels; messages have the source's lines.
cat >whole.cu <<'END'
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>
#include "cuda_runtime.h"
#include "device_launch_parameters.h"

__constant__ float weights[4] = { 1, 2, 3, 4 };

template <typename T> __device__ T twice(T x) { return x + x; }

namespace apart {
__global__ void scale(float *p, int n)
{
	extern __shared__ float s[];
	int i = threadIdx.x + blockIdx.x * blockDim.x;

	s[threadIdx.x] = p[i];
	__syncthreads();
	if (i < n)
		p[i] = std::max(twice(s[threadIdx.x ^ 1]) * weights[i & 3], std::fabs(-1.0f));
}
}

__global__ void fill(float4 *p) { p[threadIdx.x] = make_float4(1, 2, 3, warpSize); }
template <typename T> __global__ void copy(T *to, const T *from) { to[threadIdx.x] = __ldg(&from[threadIdx.x]); }
template __global__ void copy<int>(int *, const int *);
template __global__ void copy<double>(double *, const double *);

int main()
{
	std::vector<float> v(64, 1.0f);
	float *p;
	cudaMalloc(&p, 256);
	apart::scale<<<2, 32, 128>>>(p, 64);
	fill<<<1, 32>>>((float4 *)p);
	std::printf("%f\n", std::sqrt(v[0]));
	return cudaGetLastError() != cudaSuccess;
}
END
ok 'a kernel of a namespace' "$warpbeam" run whole.cu --kernel scale --grid 2 --block 32 --smem 128 -q -a zero=256 \
	-a s32=64
ok 'a kernel by its symbol' "$warpbeam" run whole.cu --kernel _Z4fillP6float4 -q -a zero=512
check 2 err 'several kernels; choose one with --kernel: .*copyIi' "$warpbeam" run whole.cu --kernel copy \
	-a zero=256 -a zero=256
check 0 out 'whole.cu' "$warpbeam" info whole.cu
check 0 out 'p\[i\] = std::max' "$warpbeam" annotate whole.cu --kernel scale --grid 2 --block 32 --smem 128 \
	-a zero=256 -a s32=64

# printf and assert of kernels: conversions, strings by address, widths as arguments, lines in the order of warps.
cat >print.cu <<'END'
#include <cassert>
#include <cstdio>
__device__ const char *const names[] = { "even", "odd" };
__global__ void print(int n, double scale)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n && i % 3 == 0)
		printf("%d:%s, %*d|%-8.3f|%lld|%c|%5.1f%%|%x\\\n", i, names[i & 1], 4, i * i, i * scale, 1LL << i,
		       'a' + i, 12.5f, i * 17);
}
__global__ void fails(int n) { assert((int)threadIdx.x < n); }
int main()
{
	print<<<2, 4>>>(8, 0.5);
	fails<<<1, 4>>>(3);
	return cudaDeviceSynchronize() != cudaSuccess;
}
END
cat >wanted <<'END'
0:even,    0|0.000   |1|a| 12.5%|0\
3:odd,    9|1.500   |8|d| 12.5%|33\
6:even,   36|3.000   |64|g| 12.5%|66\
END
ok printf "$warpbeam" run print.cu --kernel print --grid 2 --block 4 -a s32=8 -a f64=0.5
head -n 3 out | cmp -s - wanted
result $? "printf: $(diff out wanted)"
check 5 out '^print.cu:11: .*Assertion .* failed' "$warpbeam" run print.cu --kernel fails --block 4 -a s32=3
printf '__global__ void k(const char *format) { printf(format, 1); }\n' >unknown.cu
check 4 err 'unknown.cu:1.*printf: expected a format that is known here' "$warpbeam" run unknown.cu

if [ "${WB_TEST_ALL:-}" ]; then
	{
		printf '#include <cstdio>\n__global__ void k(int n)\n{\n'
		awk 'BEGIN { for (i = 0; i < 1025; i++) print "\tif (n == " i ") printf(\"" i " %d\", n);" }'
		echo '}'
	} >many.cu
	check 4 err 'many.cu:.*more than 1024 calls of printf and assert' "$warpbeam" run many.cu -a s32=8
fi

printf '#include <vector>\n__global__ void k(int *p)\n{\n\t*p = nothing;\n}\n' >wrong.cu
check 4 err "wrong.cu:4:7: use of undeclared identifier 'nothing'" "$warpbeam" run wrong.cu
echo '__global__ void k(int *p) { __shared__ alignas(16) int s[4]; s[threadIdx.x] = *p; *p = s[0]; }' >align.cu
check 4 err 'align.cu:1:40: .*(alignas is understood before __shared__)' "$warpbeam" run align.cu
sed -i 's/__shared__ alignas(16)/alignas(16) __shared__/' align.cu
ok 'alignas before __shared__' "$warpbeam" run align.cu --block 4 -a zero=16
echo '#ifdef __NVCC__
__global__ void k(int *p) { *p = 0; }
#endif' >asked.cu
ok '__NVCC__ is defined' "$warpbeam" run asked.cu -a zero=16
echo '#include <cublas_v2.h>' >library.cu
check 4 err 'library.cu:1:10: .*(a library of NVIDIA.s, and not here' "$warpbeam" run library.cu
printf 'int main() { return 0; }\n' >none.cu
check 4 err 'none.cu: the source has no kernel: found no __global__ function' "$warpbeam" run none.cu
ok 'the example' "$warpbeam" run "$source/examples/warp-sum.cu" -q
printf '__global__ void k(int *p) { *p = 1; }\n' >k.cu
check 2 err 'CUDA C++ is compiled for g80, .*; found --chip gfx900' "$warpbeam" run k.cu --chip gfx900
printf '#include "/etc/passwd"\n' >guarded.cu
check 4 err "guarded.cu:1:10: cannot open file '/etc/passwd'.*--files any allows this one" "$warpbeam" run guarded.cu

# --cuda-compiler nvcc where nvcc is missing, is no nvcc, and fails.
check 3 err '"/nowhere/nvcc" cannot be run' "$warpbeam" run k.cu --cuda-compiler nvcc --cc /nowhere/nvcc
check 2 err 'expected nvcc, found a program that says of itself ".*clang version' "$warpbeam" run k.cu \
	--cuda-compiler nvcc --cc ${compilers##* }
mkdir fake && cat >fake/nvcc <<'END'
#!/bin/sh
if [ "$1" = --version ]; then
	echo 'nvcc: NVIDIA (R) Cuda compiler driver'
else
	echo 'k.cu(7): error: identifier "x" is undefined' >&2
	exit 2
fi
END
chmod +x fake/nvcc
for cc in "--cc fake/nvcc" ""; do
	check 4 err 'k.cu:7: identifier "x" is undefined' env PATH=$PWD/fake:/usr/bin:/bin "$warpbeam" run k.cu \
		--cuda-compiler nvcc $cc
done
check 2 err 'this is nvcc, .*give --cuda-compiler nvcc as well' "$warpbeam" run k.cu --cc fake/nvcc
[ -x /usr/bin/nvcc ] || [ -x /usr/local/cuda/bin/nvcc ] || [ -x /opt/cuda/bin/nvcc ] ||
	check 3 err 'nvcc is not here, neither by PATH nor in CUDA_HOME/bin' env CUDA_HOME= CUDA_PATH= \
		PATH=/usr/bin:/bin "$warpbeam" run k.cu --cuda-compiler nvcc

# By an nvcc: results, lines, the guard, and an object that is made once.
PATH=$PATH:/usr/local/cuda/bin
command -v nvcc >/dev/null || {
	finish
	exit
}
check 0 out 'p\[i\] = std::max' env NVCC_APPEND_FLAGS=--expt-relaxed-constexpr "$warpbeam" annotate whole.cu \
	--cuda-compiler nvcc --kernel scale --grid 2 --block 32 --smem 128 -a zero=256 -a s32=64
ok 'printf by nvcc' "$warpbeam" run print.cu --cuda-compiler nvcc --kernel print --grid 2 --block 4 -a s32=8 -a f64=0.5
head -n 3 out | cmp -s - wanted
result $? "printf by nvcc: $(diff out wanted)"
check 4 err 'wrong.cu:4: identifier "nothing" is undefined' "$warpbeam" run wrong.cu --cuda-compiler nvcc
check 4 err 'guarded.cu:1:10: /etc/passwd: Permission denied .*--files any allows this one' "$warpbeam" run guarded.cu \
	--cuda-compiler nvcc
printf '#include "size.h"\n__global__ void k(int *p) { *p = SIZE; }\n' >sized.cu
for size in 3 3 4; do
	echo "#define SIZE $size" >size.h
	check 0 out "mov b32 .* 0x$size\$" env XDG_CACHE_HOME="$PWD/cache" "$warpbeam" dis sized.cu \
		--cuda-compiler nvcc
done
[ "$(find cache -name '*.hsaco' | wc -l)" = 2 ]
result $? 'an object of nvcc is kept'
finish
