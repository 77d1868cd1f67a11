#!/bin/sh
# What a launch of a prepared kernel costs here, in pocl and in Oclgrind, side by side in one run: a row for each, with
# microseconds of processor time for a launch of one work-item, and milliseconds for the sum of 2^20 floats.
#   launching.sh BUILD
#   launching.sh --section FILE      the rows of FILE as a section of the page of performance
# Debian's packages: pocl-opencl-icd, oclgrind. What is missing is a row that says so.
set -u
if [ "$1" = --section ]; then
	cat <<'END'

## What a launch costs

Processor time of a prepared kernel's launch through a foreign host interface: a work-item that stores a word, on one
host thread, from the call to the end of its emulation, the least of 15 rounds of 1,000 launches; and the sum of two
vectors of 2^20 floats. OpenCL is on gfx900, CUDA on g200. pocl compiles kernels for the host.

```console
$ sh bench/launching.sh build
END
	cat "$2"
	echo '```'
	exit
fi
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
warpbeam=$build/frontends/cli/warpbeam
bench=$build/bench/launching_opencl
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
vendors=${OCL_VENDORS:-/etc/OpenCL/vendors}

row() { printf '%-44s %10s %10s\n' "$1" "${2:--}" "${3:--}"; }

# measure NAME COMMAND...: the command prints one number or two
measure() {
	name=$1
	shift
	if "$@" >"$work/out" 2>"$work/err"; then
		# shellcheck disable=SC2046
		row "$name" $(cat "$work/out")
	else
		row "$name" "failed"
		head -n 1 "$work/err" >&2
	fi
}

row "processor time" "launch, us" "sum, ms"
if [ ! -x "$bench" ]; then
	row "OpenCL: built without (ocl-icd-opencl-dev)"
else
	for timing in on off; do
		measure "clEnqueueNDRangeKernel, timing $timing" \
			"$warpbeam" run -q --timing $timing --threads 1 -- "$bench"
	done
	measure "warpbeam.h, timing on, the run alone" "$bench" --alone
	measure "clEnqueueNDRangeKernel, without warpbeam run" env LD_LIBRARY_PATH="$build/frontends/opencl" \
		WARPBEAM_THREADS=1 "$bench"
fi
if "$warpbeam" build "$here/launching.cu" -o "$work/cuda" 2>"$work/err"; then
	for timing in on off; do
		measure "cudaLaunchKernel, timing $timing" "$warpbeam" run -q --timing $timing -- "$work/cuda"
	done
else
	row "CUDA: cannot be compiled"
fi
[ -x "$bench" ] || exit 0
if ls "$vendors"/pocl*.icd >/dev/null 2>&1; then
	measure "pocl" env OCL_ICD_VENDORS="$(ls "$vendors"/pocl*.icd | head -n 1)" "$bench"
else
	row "pocl: not here"
fi
if command -v oclgrind >/dev/null; then
	measure "Oclgrind" oclgrind "$bench" --launches 100
else
	row "Oclgrind: not here"
fi
