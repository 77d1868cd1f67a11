#!/bin/sh
# Thrust, CUB and rocPRIM, of the packages libthrust-dev, libcub-dev and librocprim-dev: programs built and run.
# thrust.sh WARPBEAM SOURCE_FOLDER
. "$(dirname "$0")/../kit/check.sh"
warpbeam=$(realpath "$1")
source=$2
command -v clang-19 >/dev/null || command -v clang-14 >/dev/null || command -v clang >/dev/null ||
	command -v clang-22 >/dev/null || {
	echo "skipped: no clang"
	exit 77
}
[ -r /usr/lib/clc/nvptx64--nvidiacl.bc ] && [ -r /usr/include/thrust/version.h ] || {
	echo "skipped: no libclc for nvptx64, or no libthrust-dev"
	exit 77
}
cd "$work" || exit 1

for program in 'thrust_lists lists: 9' 'thrust_sorts sorts: 3' 'cub_device cub: 7'; do
	name=${program%% *}
	ok "build $name" "$warpbeam" build "$source/tests/cuda/$name.cu" -o $name
	check 0 out "^${program#* } right" "$warpbeam" run -q --chip v100 -- ./$name
done
if [ -r /usr/include/rocprim/rocprim.hpp ] && has_libclc; then
	ok 'build rocprim' "$warpbeam" build "$source/tests/hip/rocprim.hip" -o rocprim
	check 0 out '^rocprim: 5 right' "$warpbeam" run -q -- ./rocprim
fi
finish
