#!/bin/sh
# Costs of launching a prepared kernel here, in pocl and in Oclgrind, side by side in a run: a row for each, with
# microseconds of processor time for a launch of a work-item with a store, and of an empty kernel, and
# milliseconds for the sum of 2^20 floats; then launches here as multiples of launches there.
#   launching.sh BUILD
#   launching.sh --section FILE      the rows of FILE as a section of the page of performance
# Debian's packages: pocl-opencl-icd, oclgrind. A missing package is a row with the word.
set -u
if [ "$1" = --section ]; then
	cat <<'END'

## What a launch costs

Processor time of a prepared kernel's launch through a foreign host interface, on a host thread, from the call to the
end of its emulation, the least of 15 rounds of 1,000 launches: a work-item with a store, and an empty kernel; and
the sum of two vectors of 2^20 floats. OpenCL is on gfx900, CUDA on g200. pocl compiles kernels for the host.
Rows without `run` lack the record of each launch that `warpbeam run` prints at the end.

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

row() { printf '%-48s %10s %10s %10s\n' "$1" "${2:--}" "${3:--}" "${4:--}"; }

# measure NAME COMMAND...: the command prints one number or two
measure() {
	name=$1
	shift
	if "$@" >"$work/out" 2>"$work/err"; then
		# shellcheck disable=SC2046
		row "$name" $(cat "$work/out")
		echo "$name|$(cat "$work/out")" >>"$work/rows"
	else
		row "$name" "failed"
		head -n 1 "$work/err" >&2
	fi
}

row "processor time" "store, us" "empty, us" "sum, ms"
if [ ! -x "$bench" ]; then
	row "OpenCL: built without (ocl-icd-opencl-dev)"
else
	for timing in on off; do
		measure "clEnqueueNDRangeKernel, timing $timing" \
			"$warpbeam" run -q --timing $timing --threads 1 -- "$bench"
	done
	measure "warpbeam.h, timing on, the run alone" "$bench" --alone
	# without the record that `run` prints
	for timing in on off; do
		measure "clEnqueueNDRangeKernel, timing $timing, without run" env \
			LD_LIBRARY_PATH="$build/frontends/opencl" WARPBEAM_THREADS=1 WARPBEAM_TIMING=$timing "$bench"
	done
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
# Rows of OpenCL divided by the row of pocl, of Oclgrind.
for peer in pocl Oclgrind; do
	awk -F '|' -v peer="$peer" '
		{ split($2, n, " ") }
		$1 == peer { to_store = n[1]; to_end = n[2] }
		$1 ~ /^clEnqueue.*timing/ {
			name[++rows] = substr($1, index($1, "timing"))
			store[rows] = n[1]
			empty[rows] = n[2]
		}
		END {
			for (i = 1; i <= rows && to_store > 0 && to_end > 0; i++)
				printf "%-48s %10.3f %10.3f %10s\n", name[i] ", times " peer, store[i] / to_store,
				       empty[i] / to_end, "-"
		}' "$work/rows"
done
