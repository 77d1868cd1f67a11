#!/bin/sh
# What native code gains without timing, kernel by kernel and level by level: seconds of threaded code, and times faster
# with --native now and with auto, each in turns with threaded code, medians of 9.
#   native.sh BUILD
#   native.sh --section FILE POCL    the rows of FILE as a section of the page of performance; POCL: seconds of pocl, as
#                                    compare.sh leaves them
# A round goes before, so that the cache of native code has all kernels.
set -u
if [ "$1" = --section ]; then
	cat <<'END'

## Native code

Seconds of processor time of a kernel without timing, by threaded code, and times faster with native code, in turns. The
cache has the code: `now` loads the code when a launch is prepared, `auto` a few ms after the launch's beginning.
"pocl" is how many times slower than pocl `now` is.

```console
$ sh bench/native.sh build
END
	awk 'FILENAME == ARGV[1] {
			if (split($0, f, "\t") > 4 && f[5] == "ok")
				pocl[f[2]] = f[4]
			next
		}
		$4 > 0 && $2 in pocl { printf "%s %8.2f\n", $0, $3 / $4 / pocl[$2]; next }
		{ print $0 ($1 == "level" ? "     pocl" : "") }' "${3:-/dev/null}" "$2"
	echo '```'
	exit
fi
bench=$1/bench/throughput
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# measure LEVEL VALUE REPEAT: a line a kernel: name, seconds without, times faster
measure() {
	"$bench" --timing off --div 1 --repeat "$3" --set simd="$1" --set native=off --beside native="$2" --json \
		2>"$work/err" | awk -F'[":, ]+' '
			/"kernel"/ { kernel = $3 }
			/"seconds_median"/ && !(kernel in seconds) { seconds[kernel] = $3 }
			/"times_faster"/ { printf "%s %.4f %.2f\n", kernel, seconds[kernel], $3 }'
}

printf '%-8s %-12s %10s %8s %8s\n' level kernel seconds now auto
for level in avx2 avx512; do
	if ! measure $level now 1 >"$work/now" || [ ! -s "$work/now" ]; then
		printf '%-8s not here\n' $level
		continue
	fi
	measure $level auto 3 >"$work/auto"
	measure $level now 9 >"$work/now"
	measure $level auto 9 >"$work/auto"
	awk -v level=$level 'NR == FNR { auto[$1] = $3; next }
		{ printf "%-8s %-12s %10s %8s %8s\n", level, $1, $2, $3, auto[$1] }' "$work/auto" "$work/now"
done
