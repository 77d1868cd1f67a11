#!/bin/sh
# tests/programs/collections.sh on a collection with a program of each layout: a row for each, with the program's own
# check in it.   collections.sh WARPBEAM SOURCE_FOLDER
. "$(dirname "$0")/../kit/check.sh"
warpbeam=$(realpath "$1")
source=$2
command -v clang-19 >/dev/null || command -v clang-14 >/dev/null || command -v clang >/dev/null || {
	echo "skipped: no clang"
	exit 77
}
[ -r /usr/lib/clc/nvptx64--nvidiacl.bc ] || {
	echo "skipped: no libclc for nvptx64"
	exit 77
}
cd "$work" || exit 1
mkdir -p all/src/double-cuda all/src/wrong-cuda all/src/broken-cuda all/Samples/plain

# The program doubles its first argument as often as the second says, and is wrong where WRONG says so.
cat >all/src/double-cuda/main.cu <<'END'
#include <cstdio>
#include <cstdlib>
__global__ void twice(int *p) { *p *= 2; }
int main(int argc, char **argv)
{
	int v = argc > 1 ? atoi(argv[1]) : 1, times = argc > 2 ? atoi(argv[2]) : 1, *p, want = v << times;
	cudaMalloc(&p, sizeof v);
	cudaMemcpy(p, &v, sizeof v, cudaMemcpyHostToDevice);
	for (int i = 0; i < times; i++)
		twice<<<1, 1>>>(p);
	cudaMemcpy(&v, p, sizeof v, cudaMemcpyDeviceToHost);
#ifdef WRONG
	v++;
#endif
	puts(v == want ? "PASS" : "FAIL");
	return 0;
}
END
makefile() {   # COMPILER FLAGS
	printf 'main: main.cu\n\t%s %s -o $@ $<\nrun: main\n\t$(LAUNCHER) ./main 5 3000\n' "$1" "$2"
}
cp all/src/double-cuda/main.cu all/src/wrong-cuda
cp all/src/double-cuda/main.cu all/Samples/plain/plain.cu
echo 'int main() { return nothing; }' >all/src/broken-cuda/main.cu
makefile nvcc -O2 >all/src/double-cuda/Makefile
makefile nvcc -DWRONG >all/src/wrong-cuda/Makefile
makefile nvcc -O2 >all/src/broken-cuda/Makefile

rows() { env "$@" sh "$source/tests/programs/collections.sh" all "$warpbeam" >out 2>err; }
row() {   # WHAT ROW
	grep -Eq "^$2" out
	result $? "$1" || outputs
}
rows SECONDS_EACH=100
row 'right' 'src/double-cuda +yes +yes +yes +1 *$'
row 'wrong by its own check' 'src/wrong-cuda +yes +yes +no +1 *$'
row 'not built' "src/broken-cuda +no +- +- +- .*'nothing'"
row 'the sum' '[12] of [34] ran to their end and were not wrong'
rows REPEATS=3
row 'more repetitions' 'src/double-cuda +yes +yes +yes +3 *$'
[ ! -e all/src/double-cuda/main ]
result $? 'the collection stays as it is'

if [ -r /usr/lib/x86_64-linux-gnu/amdgcn/bitcode/ockl.bc ]; then
	mkdir all/src/double-hip
	sed 's/cuda\([A-Z]\)/hip\1/g; 1i #include <hip/hip_runtime.h>' all/src/double-cuda/main.cu \
		>all/src/double-hip/main.cu
	makefile hipcc '-x hip' >all/src/double-hip/Makefile
	sh "$source/tests/programs/collections.sh" all "$warpbeam" -hip >out 2>err
	row 'HIP' 'src/double-hip +yes +yes +yes +1 *$'
	row 'names choose' '1 of 1 ran'
fi
if command -v cmake >/dev/null; then
	printf '%s\n' 'cmake_minimum_required(VERSION 3.20)' 'project(plain LANGUAGES CXX CUDA)' \
		'add_executable(plain plain.cu)' >all/Samples/plain/CMakeLists.txt
	sh "$source/tests/programs/collections.sh" all "$warpbeam" Samples >out 2>err
	row 'CMake' 'Samples/plain +yes +yes +yes +1 *$'
fi
finish
