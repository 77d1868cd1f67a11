#!/bin/sh
# Each function that the headers of CUDA and HIP declare is a name of the library: a program that builds finds it.
# declared_calls.sh WARPBEAM CC...
. "$(dirname "$0")/../kit/check.sh"
frontends=$(dirname "$(realpath "$1")")/..
include=$frontends/../include/warpbeam
shift
compiler=$*
cd "$work" || exit 1

# declared HEADER LIBRARY LEAST: the header's functions, as the preprocessor leaves them, are names of the library, and
# at least LEAST are found at all.
declared() {
	[ -r "$frontends/$2" ] || {
		echo "without $1: no $(basename "$2")"
		return
	}
	# shellcheck disable=SC2086
	echo "#include <$1>" | $compiler -E -P -x c -D__HIP_PLATFORM_AMD__ -I"$include/cuda" -I"$include/hip" - >text
	tr '\n' ' ' <text | tr ';{}' '\n\n\n' | grep -vE 'typedef|inline' |
		sed -n 's/^[^(=]*[ *]\(\(cu\|cuda\|hip\|hiprtc\|nvrtc\)[A-Z][A-Za-z_0-9]*\) *(.*/\1/p' | sort -u >names
	nm -D --defined-only "$frontends/$2" | awk '{ sub(/@.*/, "", $3); print $3 }' | sort -u >exported
	[ "$(wc -l <names)" -ge "$3" ]
	result $? "$1 declares $(wc -l <names) functions, at least $3 expected"
	[ -z "$(comm -23 names exported)" ]
	result $? "functions of $1 that $(basename "$2") lacks: $(comm -23 names exported | tr '\n' ' ')"
}

declared cuda_runtime_api.h cuda/12/libcudart.so 180
declared cuda.h cuda/driver/libcuda.so 230
declared nvrtc.h rtc/12/libnvrtc.so 12
declared hip/hip_runtime_api.h hip/libamdhip64.so 170
declared hip/hiprtc.h rtc/libhiprtc.so 10
finish
