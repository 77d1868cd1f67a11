#!/bin/sh
# Projects with makefiles: the command lines of nvcc and hipcc, and `build -- COMMAND`.
# toolkit.sh WARPBEAM SOURCE_FOLDER
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
mkdir project project/include project/cache
cd project || exit 1

# A kernel launched by another source, sources without kernels in four languages, a header's folder, a macro, a library.
echo 'int plain(int);' >include/plain.h
cat >kernel.cu <<'END'
__global__ void add(int *p) { p[blockIdx.x * blockDim.x + threadIdx.x] += WIDTH; }
__global__ void twice(int *p) { p[threadIdx.x] *= 2; }
END
cat >main.cu <<'END'
#include <cstdio>
#include <omp.h>
#include "plain.h"
extern "C" int of_c(int);
extern __global__ void add(int *);
int launch_twice(int *);
int main()
{
	register int *p;
	cudaMalloc(&p, 64 * sizeof *p);
	cudaMemset(p, 0, 64 * sizeof *p);
	add<<<2, 32>>>(p);
	int first = launch_twice(p);
	printf("%d %d %d %d ", first, plain(1), of_c(2), omp_get_num_threads());
	printf("%s\n", cudaGetErrorString(cudaGetLastError()));
	return first != 2 * WIDTH;
}
END
cat >other.cpp <<'END'
#include <cuda_runtime.h>
#include "plain.h"
void twice_from_here(int *);
int launch_twice(int *p)
{
	int first = -1;
	twice_from_here(p);
	cudaMemcpy(&first, p, sizeof first, cudaMemcpyDeviceToHost);
	return first;
}
int plain(int x)
{
#pragma omp parallel for
	for (int i = 0; i < 4; i++)
		__atomic_add_fetch(&x, 1, __ATOMIC_SEQ_CST);
	return x;
}
END
cat >kernels_by_x.cpp <<'END'
extern __global__ void twice(int *);
__global__ void unused(int *p) { *p = 0; }
void twice_from_here(int *p) { twice<<<1, 32>>>(p); }
END
cp kernels_by_x.cpp language_twice.cu
echo 'int of_c(int x) { int new = x + 40; return new; }' >of_c.c
cat >Makefile <<'END'
NVCC ?= nvcc
FLAGS = -O3 -std=c++17 -arch=sm_80 -gencode arch=compute_80,code=sm_80 -Iinclude -I . -D WIDTH=$(WIDTH) \
	-Xcompiler -Wall,-fopenmp --use_fast_math -lineinfo --expt-relaxed-constexpr -Xptxas=-v
WIDTH = 7
app: kernel.o main.o other.o kernels_by_x.o of_c.o
	$(NVCC) $(FLAGS) $^ -o $@ -L. -lm -lcudart -Xcompiler -fopenmp
kernels_by_x.o: kernels_by_x.cpp
	$(NVCC) -x cu $(FLAGS) -c $< -o $@
%.o: %.cu
	$(NVCC) $(FLAGS) -dc $< -o $@
%.o: %.cpp
	$(NVCC) $(FLAGS) -c $<
%.o: %.c
	$(NVCC) $(FLAGS) -MMD -MF $*.d -c $< -o $@
END
export XDG_CACHE_HOME="$work/project/cache"
if command -v make >/dev/null; then
	ok 'make with Warpbeam as nvcc' make NVCC="$warpbeam nvcc"
	check 0 out '^14 5 42 1 no error' "$warpbeam" run -- ./app
	check 0 err '^  twice  *1 ' "$warpbeam" run --chip v100 -- ./app
	grep -q 'of_c.c' of_c.d
	result $? 'a rule for make beside an object'
	rm -f ./*.o app
	ok 'build -- make' "$warpbeam" build -- make WIDTH=9
	check 0 out '^18 5 42 1 no error' ./app
	check 2 err 'No rule to make target' "$warpbeam" build -- make nothing
else
	ok "an object" "$warpbeam" nvcc -DWIDTH=7 -c kernel.cu
fi
check 7 err seven "$warpbeam" build -- sh -c 'echo seven >&2; exit 7'
check 2 err '--chip is for a source' "$warpbeam" build --chip v100 -- make
check 3 err 'neither XDG_CACHE_HOME nor HOME' env -u HOME -u XDG_CACHE_HOME "$warpbeam" build -- true
mkdir 'a:cache' "it's"
cp "$warpbeam" "it's"
api=$(dirname "$warpbeam")/../../api
check 0 out 'release 11.0' env LD_LIBRARY_PATH="$api" "it's/warpbeam" build -- nvcc --version
check 3 err "folder with ':'" env XDG_CACHE_HOME="$PWD/a:cache" "$warpbeam" build -- true
check 3 err 'no_such_program: cannot run' "$warpbeam" build -- no_such_program
check 0 out 'toolkit/bin/nvcc' "$warpbeam" build -- sh -c 'command -v nvcc; ls $CUDA_HOME/include/cuda_runtime.h'
ok 'a host program by its own compiler' "$warpbeam" build -- sh -c 'g++ -fopenmp -c other.cpp -Iinclude &&
	g++ -shared -o libnone.so -x c /dev/null -lcudart'

# One call for everything, and the other outputs.
ok 'sources at once' "$warpbeam" nvcc -DWIDTH=3 -Iinclude main.cu kernel.cu other.cpp of_c.c -x cu kernels_by_x.cpp \
	-Xcompiler -fopenmp -o at_once
check 0 out '^6 5 42 1 no error' "$warpbeam" run -- ./at_once
sed '/omp.h/d; s/omp_get_num_threads()/1/' main.cu >serial.cu
ok 'sources of build' "$warpbeam" build serial.cu kernel.cu other.cpp of_c.c language_twice.cu --define WIDTH=2 \
	--include include -o of_build
check 0 out '^4 5 42 1 no error' "$warpbeam" run -- ./of_build
check 0 out '^\.entry\|^\.visible \.entry' sh -c "'$warpbeam' nvcc -ptx -DWIDTH=3 kernel.cu && cat kernel.ptx"
check 0 out 'launch_twice' "$warpbeam" nvcc -E -Iinclude -DWIDTH=1 -Xcompiler -fopenmp main.cu
check 0 out 'other.o: ' "$warpbeam" nvcc -M -Iinclude other.cpp
ok 'a library of objects' "$warpbeam" nvcc -lib -DWIDTH=5 kernel.cu -x cu kernels_by_x.cpp -o libkernels.a
ok 'link with it' "$warpbeam" nvcc -DWIDTH=5 -Iinclude main.cu other.cpp of_c.c -Xcompiler -fopenmp -L. -lkernels \
	-o of_library
check 0 out '^10 5 42 1 no error' "$warpbeam" run -- ./of_library
ok 'a shared library' "$warpbeam" nvcc -shared -Xcompiler -fPIC -DWIDTH=5 kernel.cu -o libshared.so
ok 'words in one, with blanks and quotes' "$warpbeam" nvcc -c -DWIDTH=5 -Xcompiler "-O2 -Wall,-DX='a, b'" kernel.cu
ok 'a warning of nvcc' "$warpbeam" nvcc -Werror all-warnings -c -DWIDTH=5 kernel.cu
check 2 err "unknown option '-pipe'" "$warpbeam" nvcc -pipe -DWIDTH=5 -c kernel.cu
ok 'unknown words for the host' "$warpbeam" nvcc -forward-unknown-to-host-compiler -pipe -DWIDTH=5 -c kernel.cu
ok "clang's own words" "$warpbeam" nvcc -fPIC -Werror -c -DWIDTH=5 kernel.cu
ok 'a word for the linker as well' "$warpbeam" nvcc -shared -fPIC -Xcompiler '"-Wl,-soname,of_nvcc"' kernel.o \
	-o soname.so
check 0 out 'SONAME.*of_nvcc' objdump -p soname.so
ok 'a device link' "$warpbeam" nvcc -dlink kernel.o -o linked.o
ok 'C++20' sh -c "printf '__global__ void k(int *p) { *p = []<int n>() { return n; }.template operator()<3>(); }
	' >later.cu; '$warpbeam' nvcc -std=c++20 -c later.cu"
check 0 out 'release 11.0' "$warpbeam" nvcc --version
check 0 out 'without effect: kernels stay PTX' "$warpbeam" nvcc --help

# What cannot be done, and what is wrong.
check 2 err "unknown option '-no-such'; .*-Xcompiler -no-such" "$warpbeam" nvcc -no-such kernel.cu
check 3 err "'absent.cpp': cannot open" "$warpbeam" build kernel.cu absent.cpp -o none
check 2 err 'expected one source in CUDA C++' "$warpbeam" hipcc -ptx kernel.cu
ok 'kernels as a fat binary' "$warpbeam" nvcc -DWIDTH=32 -Iinclude -fatbin kernel.cu
check 0 out 'fatbin, 2 kernels' "$warpbeam" info kernel.fatbin
check 2 err 'no assembler of today' "$warpbeam" nvcc -cubin kernel.cu
check 2 err 'expected a value behind it' "$warpbeam" nvcc kernel.cu -o
check 2 err 'expected a source or an object' "$warpbeam" nvcc -c
check 2 err 'one file cannot be the object of 2 sources' "$warpbeam" nvcc -c kernel.cu later.cu -o both.o
mkdir sub
cp kernel.cu sub
check 2 err 'kernel.o: one file cannot be the object of kernel.cu and sub/kernel.cu' \
	"$warpbeam" nvcc -c kernel.cu sub/kernel.cu
check 3 err "'no.cu': cannot open" "$warpbeam" nvcc -c no.cu
check 3 err "'': cannot open" "$warpbeam" nvcc ''
check 2 err 'expected a language' "$warpbeam" nvcc -x fortran kernel.cu
check 4 err "kernel.cu:1:.*undeclared identifier 'WIDTH'" "$warpbeam" nvcc -c kernel.cu

# A signal leaves nothing behind.
mkdir temporary
for signal in INT TERM; do
	TMPDIR=$PWD/temporary env --default-signal=INT "$warpbeam" nvcc -DWIDTH=5 kernel.cu -o killed &
	while [ ! "$(ls temporary)" ] && kill -0 $!; do
		sleep 0.02
	done
	kill -$signal $!
	wait $!
	result $(($? < 129)) "ended by $signal"
	for i in 1 2 3 4 5 6 7 8 9 10; do       # the compiler's keeper outlives the command by its sweeping
		[ "$(ls temporary)" ] || break
		sleep 0.2
	done
	[ ! "$(ls temporary)" ]
	result $? "left by $signal: $(ls temporary)"
done

# CMake: CUDA as a language with the toolkit's package, and its older functions.
if command -v cmake >/dev/null; then
	mkdir language functions
	cat >language/CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.18)
project(language LANGUAGES C CXX CUDA)
find_package(CUDAToolkit 11.0 REQUIRED)
include_directories(../include)
add_executable(app ../main.cu ../kernel.cu ../other.cpp ../of_c.c twice.cu)
target_compile_options(app PRIVATE -DWIDTH=4 $<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr -Xcompiler=-fopenmp>)
target_link_libraries(app CUDA::cudart gomp)
add_library(twice SHARED twice.cu ../kernel.cu)
target_compile_definitions(twice PRIVATE WIDTH=4)
add_executable(user user.cpp)
target_link_libraries(user PRIVATE twice CUDA::cudart)
enable_testing()
add_test(NAME user COMMAND user)
END
	cat >language/user.cpp <<'END'
#include <cuda_runtime.h>
void twice_from_here(int *);
int main()
{
	int *p, v = 21;
	cudaMalloc((void **)&p, sizeof v);
	cudaMemcpy(p, &v, sizeof v, cudaMemcpyHostToDevice);
	twice_from_here(p);
	cudaMemcpy(&v, p, sizeof v, cudaMemcpyDeviceToHost);
	return v != 42;
}
END
	cp kernels_by_x.cpp language/twice.cu
	sed 's/project(language.*/project(functions)/; s/CUDAToolkit 11.0/CUDA/; s/add_executable/cuda_add_executable/
		/twice SHARED/,$d; /compile_options\|link_libraries/d' language/CMakeLists.txt >functions/CMakeLists.txt
	sed -i 's/^find_package.*/&\nset(CUDA_NVCC_FLAGS "-DWIDTH=4;-Xcompiler;-fopenmp")\nlink_libraries(gomp)/' \
		functions/CMakeLists.txt
	cp language/twice.cu functions
	for way in language functions; do
		ok "CMake's $way" "$warpbeam" build -- sh -c "cmake -S $way -B in_$way && cmake --build in_$way"
		check 0 out '^8 ' "in_$way/app"
	done
	ok 'a test with a library of CUDA' "$warpbeam" build -- ctest --test-dir in_language
fi

# HIP, whose C++ has kernels by any name.
if has_libclc; then
	cat >hip.cpp <<'END'
#include <hip/hip_runtime.h>
#include <cstdio>
__global__ void three(int *p) { p[threadIdx.x] = 3; }
int main()
{
	int *p, v = 0;
	(void)hipMalloc(&p, 64 * sizeof *p);
	three<<<1, 64>>>(p);
	(void)hipMemcpy(&v, p + 63, sizeof v, hipMemcpyDeviceToHost);
	printf("%d %s\n", v, hipGetErrorString(hipGetLastError()));
}
END
	ok 'hipcc' "$warpbeam" hipcc -O3 -std=c++17 --offload-arch=gfx90a -Wall -ffast-math hip.cpp -o hip
	check 0 out '^3 ' "$warpbeam" run -- ./hip
	ok 'build -- hipcc' "$warpbeam" build -- sh -c 'hipcc -c hip.cpp && $HIP_PATH/bin/hipcc hip.o -o hip2'
	check 0 out '^3 ' ./hip2
fi
finish
