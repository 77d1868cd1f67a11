#!/bin/sh
# Whole programs in CUDA C++: the examples and wrong calls, built by clang; a program of nvcc's with a shared runtime.
# cuda_programs.sh WARPBEAM SOURCE_FOLDER
. "$(dirname "$0")/../kit/check.sh"
warpbeam=$(realpath "$1")
source=$2
command -v clang-19 >/dev/null || command -v clang-14 >/dev/null || command -v clang >/dev/null ||
	command -v clang-22 >/dev/null || {
	echo "skipped: no clang"
	exit 77
}
[ -r /usr/lib/clc/nvptx64--nvidiacl.bc ] || {
	echo "skipped: no libclc for nvptx64"
	exit 77
}
cd "$work" || exit 1

for program in vector_add matmul reduce histogram streams; do
	ok "build $program" "$warpbeam" build "$source/examples/programs/$program.cu" -o $program
	check 0 out 'right\|: found\|wrong elements' "$warpbeam" run -- ./$program
	grep -q ' launch' err
	result $? "$program: the table of launches" || outputs
done
check 0 err 'the latest on v100' "$warpbeam" run --chip v100 -- ./reduce
ok 'without the program run' ./reduce
check 0 err '^  sum .* %' "$warpbeam" run --only sum -- ./reduce
check 0 out '^7 sums are right' "$warpbeam" run "$source/examples/programs/vector_add.cu" -- 7
grep -q 'vector_add.cu: 1 launch,' err && grep -q '^  add  *1 ' err
result $? 'the table names the source, and the kernel as the source does' || outputs
"$warpbeam" run -q --launches one -- ./streams >out 2>err
"$warpbeam" run -q --launches two -- ./streams >out 2>err
cmp -s one two && [ "$(grep -c cudaLaunchKernel one)" = 5 ]
result $? 'launches repeat to the byte'

# An example with clang 14 as well, and with every compiler.
for cc in clang-14 clang-19; do
	command -v $cc >/dev/null || continue
	[ "${WB_TEST_ALL:-}" ] || [ $cc = clang-14 ] || continue
	ok "build by $cc" "$warpbeam" build "$source/examples/programs/reduce.cu" --cc $cc -o by_$cc
	check 0 out 'no error: found' "$warpbeam" run -- ./by_$cc
done

check 0 err 'kept in sum-1.trace' "$warpbeam" run --stop-at sum -- ./reduce
ok 'the name of a function of C++' "$warpbeam" run sum-1.trace

# The first instruction here is of a header, the function behind blockIdx.
cat >first.cu <<'END'
#include <cstdio>
__global__ void k(int *p)
{
	int i = blockIdx.x;
	if (i == 1)
		p[1 << 28] = i;
}
int main()
{
	int *p;
	cudaMalloc(&p, 4);
	k<<<2, 32>>>(p);
	puts(cudaGetErrorString(cudaDeviceSynchronize()));
}
END
ok 'build first.cu' "$warpbeam" build first.cu -o first
check 0 err ': first[.cu]*:6: g\[\] access' "$warpbeam" run --chip v100 -- ./first

ok 'build wrong.cu' "$warpbeam" build "$source/tests/cuda/wrong.cu" -o wrong
check 0 out '^0 wrong answers' "$warpbeam" run -- ./wrong
check 0 err 'has at most 512 threads there, a grid 65535,65535,1 blocks' "$warpbeam" run -- ./wrong

check 0 out '^1010120 no error$' "$warpbeam" run "$source/tests/cuda/per_thread.cu" --
check 0 out '^245 calls, 0 wrong answers' "$warpbeam" run "$source/tests/cuda/graphs.cu" --

ok 'build any_calls.cu' "$warpbeam" build "$source/tests/cuda/any_calls.cu" -o any_calls
check 0 out '^4000 calls, .* right, 0 wrong' "$warpbeam" run -- ./any_calls 4000

# A whole program as a file of kernels: the other way is told, unless a kernel is asked for.
check 2 err "vector_add.cu has a main function: 'warpbeam run .*vector_add.cu --' runs the whole program" \
	"$warpbeam" run "$source/examples/programs/vector_add.cu"
printf '__global__ void k() {}\n// int domain()\nint\nmain (void) { k<<<1, 1>>>(); }\n' >two_ways.cu
check 0 err 'has a main function' "$warpbeam" run two_ways.cu
"$warpbeam" run two_ways.cu --kernel k >out 2>err && "$warpbeam" run two_ways.cu --grid 2 >>out 2>>err &&
	! grep -q 'main function' err
result $? 'a kernel asked for' || outputs
sed -i '2,$d' two_ways.cu
"$warpbeam" run two_ways.cu >out 2>err && ! grep -q 'main function' err
result $? 'a file of kernels' || outputs

# Sums that come round, as a host's loop over squares expects them, and a function of any arguments in device code.
cat >squares.cu <<'END'
#include <cstdio>
__device__ int choose(...) { return 2; }
__device__ int choose(int) { return 1; }
struct thing { int a; };
__global__ void square(int *p)
{
	int i = blockIdx.x * 256 + threadIdx.x;
	p[i] = choose(thing()) == 2 ? p[i] * p[i] + choose(i) : 0;
}
int main()
{
	const int n = 1 << 17;
	int *d, *h = new int[n];
	for (int i = 0; i < n; i++)
		h[i] = i;
	cudaMalloc(&d, n * sizeof *d);
	cudaMemcpy(d, h, n * sizeof *d, cudaMemcpyHostToDevice);
	square<<<n / 256, 256>>>(d);
	cudaMemcpy(h, d, n * sizeof *d, cudaMemcpyDeviceToHost);
	for (int i = 0; i < n; i++)
		if (h[i] != i * i + 1)
			return printf("element %d is %d\n", i, h[i]) ? 1 : 0;
	puts("all are squares");
}
END
ok 'build squares.cu' "$warpbeam" build squares.cu -o squares
check 0 out 'all are squares' "$warpbeam" run -- ./squares

ok 'build ends.cu' "$warpbeam" build "$source/tests/cuda/ends.cu" -o ends
check 0 out '^710 cudaErrorAssert' "$warpbeam" run -- ./ends 0
check 0 out '^719 cudaErrorLaunchFailure' "$warpbeam" run -- ./ends 1
check 0 out '^700 cudaErrorIllegalAddress' "$warpbeam" run -- ./ends 2

ok 'build wide.cu' "$warpbeam" build "$source/tests/cuda/wide.cu" -o wide
check 0 out '^0 wrong in all' "$warpbeam" run --chip v100 -- ./wide
"$warpbeam" run --strict --chip v100 -- ./wide >out 2>err
result $? 'a grid of many warps is no finding' || outputs
check 1 err 'a grid of 70001,1,1 blocks' "$warpbeam" run --chip g200 -- ./wide
check 2 err 'reads the block.s numbers in 16 bits' "$warpbeam" run --chip v100 "$source/examples/saxpy.s" --grid 70000

ok 'build tiles.cu' "$warpbeam" build "$source/tests/cuda/tiles.cu" -o tiles
check 0 out '^0 wrong of 64, 0 of 128, 0 of 256, 0 of 512$' "$warpbeam" run --chip v100 -- ./tiles
ok 'build wmma.cu' "$warpbeam" build "$source/tests/cuda/wmma.cu" -o wmma
check 0 out '^0 wrong of halves, 0 of others, 0 of bytes; 1.000976562 -1 2147483647$' "$warpbeam" run --chip v100 \
	--timing off -- ./wmma
check 0 out '^0 wrong on the device, 0 on the host$' "$warpbeam" run --chip v100 --timing off \
	"$source/tests/cuda/dpx.cu" --
check 0 out '^0 wrong of meetings, 0 of stages, 0 of warps$' "$warpbeam" run --chip v100 \
	"$source/tests/cuda/pipeline.cu" --
ok 'build groups.cu' "$warpbeam" build "$source/tests/cuda/groups.cu" -o groups
check 0 out '^0 wrong elements' "$warpbeam" run -- ./groups

cat >small_heap.cu <<'END'
#include <cstdio>
__global__ void k(int *n)
{
	void *volatile large = malloc(90000), *volatile small = malloc(40000);
	n[0] = large != 0;
	n[1] = small != 0;
}
int main()
{
	int *d, h[2];
	cudaMalloc(&d, sizeof h);
	k<<<1, 1>>>(d);
	cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
	printf("%d %d\n", h[0], h[1]);
}
END
for cc in clang-14 clang-19; do
	command -v $cc >/dev/null || continue
	ok "build managed.cu by $cc" "$warpbeam" build "$source/tests/cuda/managed.cu" --cc $cc -o managed
	check 0 out '^0 wrong numbers' "$warpbeam" run -- ./managed
	for kind in HALF BFLOAT; do
		ok "build halves.cu by $cc: $kind" "$warpbeam" build "$source/tests/cuda/halves.cu" --cc $cc \
			--define $kind -o halves
		check 0 out '^no error, 221 rows, 0 wrong numbers' "$warpbeam" run -- ./halves
	done
	ok "build math.cu by $cc" "$warpbeam" build "$source/tests/cuda/math.cu" --cc $cc -o math
	check 0 out '^no error, 64 values a thread, 0 wrong' "$warpbeam" run -- ./math
	ok "build grid.cu by $cc" "$warpbeam" build "$source/tests/cuda/grid.cu" --cc $cc -o grid
	check 0 out '^no error, 0 wrong numbers' "$warpbeam" run -- ./grid
	ok "build heap.cu by $cc" "$warpbeam" build "$source/tests/cuda/heap.cu" --cc $cc -o heap
	for chip in mcp77 g200 v100; do
		check 0 out '^no error, 0 wrong$' "$warpbeam" run --chip $chip -- ./heap
	done
	check 1 err 'needs sm_12 (g84 is sm_11)' "$warpbeam" run --chip g84 -- ./heap
	# A piece of 128 KiB is more than a heap of 100,000 bytes, one of 64 KiB is not.
	ok "build small_heap.cu by $cc" "$warpbeam" build small_heap.cu --cc $cc -D WARPBEAM_HEAP_BYTES=100000 -o small
	check 0 out '^0 1$' "$warpbeam" run -- ./small
	ok "build heap_limit.cu by $cc" "$warpbeam" build "$source/tests/cuda/heap_limit.cu" --cc $cc -o limit
	check 0 out '^32 pieces, 0 wrong$' "$warpbeam" run -- ./limit
done
# malloc of nvcc's PTX has no definition there.
for file in heap heap_limit; do
	PATH=$PATH:/usr/local/cuda/bin
	command -v nvcc >/dev/null || continue
	ok "build $file.cu by nvcc" "$warpbeam" build --cuda-compiler nvcc "$source/tests/cuda/$file.cu" -o by_nvcc
	check 0 out '[ ,]0 wrong$' "$warpbeam" run --chip v100 -- ./by_nvcc
done

cat >missing.cu <<'END'
#include <cstdio>
extern "C" cudaError_t cudaLaunchKernelExC(void *);
__global__ void k(int *p) { *p = undeclared; }
int main() { printf("%d\n", cudaLaunchKernelExC(0)); }
END
check 4 err "missing.cu:3:34: use of undeclared identifier 'undeclared'" "$warpbeam" build missing.cu -o missing
sed -i 's/undeclared/1/' missing.cu
ok 'build missing.cu' "$warpbeam" build missing.cu -o missing
check 0 err 'cudaLaunchKernelExC is not in this runtime: the call returns cudaErrorNotSupported' "$warpbeam" run -- \
	./missing
check 0 out '^801' "$warpbeam" run -- ./missing
check 2 err 'expected a whole program in CUDA C++, in a file NAME.cu' "$warpbeam" build missing

# Libraries choose sizes of blocks by the PTX's chip, on the host as in the kernel, whatever chip runs it.
cat >made_for.cu <<'END'
#include <cstdio>
__global__ void k(int *p)
{
#ifdef __CUDA_ARCH__
	*p = __CUDA_ARCH__ / 10;
#endif
}
int main()
{
	cudaFuncAttributes a;
	int *d, h = 0;
	cudaFuncGetAttributes(&a, k);
	cudaMalloc(&d, sizeof h);
	k<<<1, 1>>>(d);
	cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
	printf("%d %d\n", a.ptxVersion, h);
}
END
ok 'build made_for' "$warpbeam" build made_for.cu -o made_for
check 0 out '^70 70$' "$warpbeam" run -q --chip g200 -- ./made_for
check 0 out '^70 70$' "$warpbeam" run -q --chip v100 -- ./made_for

cat >big.cu <<'END'
int main() { void *p; return cudaMalloc(&p, 5ull << 30) == 2 && cudaMalloc(&p, 5ull << 30) == 2 ? 0 : 1; }
END
ok 'build big.cu' "$warpbeam" build big.cu -o big
check 0 err 'no 5368709120 bytes of device memory: a buffer of .* at most 4294967295' "$warpbeam" run -- ./big
[ "$(grep -c 'bytes of device memory' err)" = 1 ]
result $? 'a refused allocation is told once' || outputs

# Kernels inside an executable.
check 0 out 'fatbin, 1 kernel' "$warpbeam" info ./reduce
check 0 out 'on g200: grid 1x1' "$warpbeam" run ./vector_add --kernel add -a zero=128 -a zero=128 -a zero=128 -a s32=32

# nvcc's programs, where there is one.
PATH=$PATH:/usr/local/cuda/bin
if command -v nvcc >/dev/null && nvcc -cudart shared -arch=sm_75 -w "$source/examples/programs/reduce.cu" -o by_nvcc \
	>out 2>err; then
	check 0 out 'no error: found' "$warpbeam" run -- ./by_nvcc
	ok '--cuda-compiler nvcc' "$warpbeam" build --cuda-compiler nvcc "$source/examples/programs/reduce.cu" \
		-o by_nvcc
	check 0 out 'no error: found' ./by_nvcc
	check 0 out '^7 sums are right' "$warpbeam" run --cuda-compiler nvcc \
		"$source/examples/programs/vector_add.cu" -- 7
	ok 'nvcc: matmul' nvcc -cudart shared -arch=sm_75 -w "$source/examples/programs/matmul.cu" -o matmul_nvcc
	check 0 out 'no error; 0 wrong' "$warpbeam" run -- ./matmul_nvcc
	ok 'nvcc: managed' nvcc -cudart shared -arch=sm_75 -w "$source/tests/cuda/managed.cu" \
		-o managed_nvcc
	check 0 out '^0 wrong numbers' "$warpbeam" run -- ./managed_nvcc
	ok 'nvcc: halves' nvcc -cudart shared -arch=sm_75 -w "$source/tests/cuda/halves.cu" -o halves_nvcc
	check 0 out '^no error, 221 rows, 0 wrong numbers' "$warpbeam" run -- ./halves_nvcc
	ok 'nvcc: code alone' nvcc -cubin -arch=sm_75 "$source/examples/programs/reduce.cu" -o reduce.cubin
	check 4 err 'a cubin for sm_75; expected sm_10, .*PTX is compiled here' "$warpbeam" info reduce.cubin
fi
finish
