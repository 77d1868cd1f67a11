#!/bin/sh
# Whole programs in HIP C++: an example, CUDA's examples and wrong calls with HIP's names, modules; and where Debian's
# HIP is installed, programs built with its headers, device libraries and library.
# hip_programs.sh WARPBEAM SOURCE_FOLDER
. "$(dirname "$0")/../kit/check.sh"
warpbeam=$(realpath "$1")
source=$2
command -v clang-19 >/dev/null || command -v clang-14 >/dev/null ||
	command -v clang-22 >/dev/null || {
	echo "skipped: no clang"
	exit 77
}
has_libclc || {
	echo "skipped: no libclc for amdgcn"
	exit 77
}
cd "$work" || exit 1

# CUDA's names to HIP's: FILE.cu FILE.hip
hipify() {
	sed 's/cudaDevAttr/hipDeviceAttribute/g; s/cudaDeviceProp\b/hipDeviceProp_t/g
		s/\(^\|[^a-zA-Z]\)cuda\([A-Z]\)/\1hip\2/g; s/n != 32/n != 64/' "$1" >"$2"
}

ok 'build reduce.hip' "$warpbeam" build "$source/examples/programs/reduce.hip" -o reduce
check 0 out '^no error: found .* odd' "$warpbeam" run -- ./reduce
grep -q '^  sum  *8  *256  *1 ' err
result $? 'the table of launches' || outputs
check 0 err 'the latest on tonga' "$warpbeam" run --chip tonga "$source/examples/programs/reduce.hip" --
check 0 out 'code-object, 1 kernel' "$warpbeam" info ./reduce
check 4 err 'the file has code for gfx900; expected code for tonga' "$warpbeam" info --chip tonga ./reduce
ok 'without the program run' ./reduce
for program in vector_add matmul histogram streams; do
	[ "${WB_TEST_ALL:-}" ] || [ $program = matmul ] || [ $program = streams ] || continue
	hipify "$source/examples/programs/$program.cu" $program.hip
	check 0 out 'right\|0 wrong elements' "$warpbeam" run $program.hip --
done
hipify "$source/tests/cuda/wrong.cu" wrong.hip
ok 'build wrong.hip' "$warpbeam" build wrong.hip
check 0 out '^0 wrong answers' "$warpbeam" run -- ./wrong

hipify "$source/tests/cuda/graphs.cu" graphs.hip
check 0 out '^245 calls, 0 wrong answers' "$warpbeam" run graphs.hip --
hipify "$source/tests/cuda/ends.cu" ends.hip
ok 'build ends.hip' "$warpbeam" build ends.hip
check 0 out '^710 hipErrorAssert' "$warpbeam" run -- ./ends 0
check 0 out '^719 hipErrorLaunchFailure' "$warpbeam" run -- ./ends 1
check 0 out '^700 hipErrorIllegalAddress' "$warpbeam" run -- ./ends 2

for file in heap heap_limit; do
	echo '#include <hip/hip_runtime.h>' >$file.hip
	sed 's/cuda/hip/g' "$source/tests/cuda/$file.cu" >>$file.hip
	check 0 out '[ ,]0 wrong$' "$warpbeam" run $file.hip --
done

for kind in HALF BFLOAT; do
	cp "$source/tests/cuda/halves.cu" halves.hip
	ok "build halves.hip: $kind" "$warpbeam" build halves.hip --define $kind
	check 0 out '^no error, 221 rows, 0 wrong numbers' "$warpbeam" run -- ./halves
done

ok 'a code object' "$warpbeam" info "$source/tests/hip/kernels.hip" --keep
ok 'build module.hip' "$warpbeam" build "$source/tests/hip/module.hip" -o module
check 0 out '^0 wrong answers' "$warpbeam" run -- ./module kernels.hip.gfx900.hsaco

# hipRTC: a kernel template of a text.
check 0 out '^256 numbers are right, 0 wrong' "$warpbeam" run "$source/examples/programs/hiprtc.hip" --
check 0 err 'the latest on tonga' "$warpbeam" run --chip tonga "$source/examples/programs/hiprtc.hip" --
check 0 out '^44 calls, 0 wrong answers' "$warpbeam" run "$source/tests/hip/hiprtc.hip" --

cat >missing.hip <<'END2'
#include <cstdio>
extern "C" hipError_t hipTexRefSetFlags(void *, int);
__global__ void k(int *p) { *p = 1; }
int main() { printf("%d\n", hipTexRefSetFlags(0, 0)); }
END2
ok 'build missing.hip' "$warpbeam" build missing.hip
check 0 err 'hipTexRefSetFlags is not in this runtime: the call returns hipErrorNotSupported' "$warpbeam" run -- \
	./missing
check 0 out '^801' "$warpbeam" run -- ./missing

# Truncated bundles, and bundles whose entries leave the file, are no files of kernels.
for size in 30 60 4000 6000; do
	head -c $size reduce >cut
	"$warpbeam" info cut >out 2>err
	[ $? = 4 ]
	result $? "an executable cut at $size bytes"
done

# Textures: CUDA's test without texture references and levels, which HIP lacks here, with coordinates beside the edges
# of texels, where scaling in binary32 and in binary64 agree.
textures() {
	hipify "$source/tests/cuda/textures.cu" "$1"
	sed -i 's/cuda_runtime/hip\/hip_runtime/; s/make_cuda/make_hip/g
		s/hipErrorInvalidChannelDescriptor/hipErrorInvalidValue/
		s/#if defined(__clang__)/#if 0/; /^\tmipmaps();/d; s/48 \* size\[k\])/48 * size[k] + 0.5f)/' "$1"
}
textures textures.hip
ok 'build textures.hip' "$warpbeam" build textures.hip
check 0 out '^19587 cases, 0 wrong' "$warpbeam" run -- ./textures
check 0 out '^19587 cases, 0 wrong' "$warpbeam" run --chip tonga textures.hip --
check 0 out '^0 wrong' "$warpbeam" run "$source/tests/hip/images.hip" --
check 0 out '^0 wrong' "$warpbeam" run --chip bonaire "$source/tests/hip/images.hip" --

# A program of Debian's HIP: its headers and device libraries, and a bundle made here of what clang compiles.
bitcode=/usr/lib/x86_64-linux-gnu/amdgcn/bitcode
debian="-w -x hip --rocm-path=/usr --hip-device-lib-path=$bitcode -mcode-object-version=4 -D__HIP_PLATFORM_AMD__"
if [ -r /usr/include/hip/hip_runtime.h ] && [ -r $bitcode/hip.bc ] && command -v clang++-19 >/dev/null &&
	[ -r /usr/lib/x86_64-linux-gnu/libamdhip64.so ]; then
	number() { awk -v n="$1" 'BEGIN { for (i = 0; i < 8; i++) { printf "\\%03o", n % 256; n = int(n / 256) } }'; }
	target=hipv4-amdgcn-amd-amdhsa--gfx900
	debian_build() {        # SOURCE PROGRAM
		# shellcheck disable=SC2086
		ok "Debian's device code of $2" clang++-19 $debian --offload-arch=gfx900 --cuda-device-only \
			--no-gpu-bundle-output "$1" -o code
		size=$(wc -c <code)
		{
			printf '__CLANG_OFFLOAD_BUNDLE__'
			printf "$(number 1)$(number 4096)$(number "$size")$(number ${#target})$target"
		} >bundle
		truncate -s 4096 bundle
		cat code >>bundle
		# shellcheck disable=SC2086
		ok "Debian's host code of $2" clang++-19 $debian --offload-arch=gfx900 --cuda-host-only -Xclang \
			-fcuda-include-gpubinary -Xclang bundle "$1" -x none -o "$2" -lamdhip64
	}
	debian_build "$source/tests/hip/images.hip" debian_images
	check 0 out '^0 wrong' "$warpbeam" run -- ./debian_images
	debian_build "$source/examples/programs/reduce.hip" debian
	check 0 out '^no error: found .* odd' "$warpbeam" run -- ./debian
	silent 0 err 'no version information' "$warpbeam" run -- ./debian
	ok "Debian's hipRTC" g++ -w -D__HIP_PLATFORM_AMD__ -x c++ "$source/tests/hip/hiprtc.hip" -o hiprtc -lamdhip64
	check 0 out '^44 calls, 0 wrong answers' "$warpbeam" run -- ./hiprtc
	silent 0 err 'no version information' "$warpbeam" run -- ./hiprtc
	ok 'a bundle as a file of kernels' "$warpbeam" run bundle --block 64 --timing off -a zero=256 -a s32=64
fi
finish
