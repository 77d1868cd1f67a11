#!/bin/sh
# Warpbeam beside the machine's ceiling and beside other runners of the same kernels, in one run on one processor, as a
# page on standard output.   compare.sh BUILD
# REPEAT (3) is how often each kernel is measured.
set -eu
build=$1
repeat=${REPEAT:-3}
slow=64   # what oclgrind's problems are divided by
timed=16  # and those with timing
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

say() { printf 'compare: %s\n' "$*" >&2; }

load=$(cut -d' ' -f1 /proc/loadavg)   # of others, as this has not begun
say "throughput without timing"
"$build/bench/throughput" --share --timing off --div 1 --repeat "$repeat" >"$work/off"
say "throughput with timing, size 1/$timed"
"$build/bench/throughput" --share --timing on --div $timed --repeat "$repeat" >"$work/on"

: >"$work/pocl"
: >"$work/oclgrind"
skip() { say "skipped: $1"; echo "$1" >>"$work/skipped"; }
if [ ! -x "$build/bench/peers" ]; then
	skip "other runners: built without OpenCL (package ocl-icd-opencl-dev)"
else
	say "pocl"
	POCL_MAX_PTHREAD_COUNT=1 "$build/bench/peers" --platform 'Portable Computing' --div 1 --repeat "$repeat" \
		>"$work/pocl" || skip "pocl is not here or failed (package pocl-opencl-icd)"
	if command -v oclgrind >/dev/null 2>&1; then
		say "oclgrind, size 1/$slow"
		oclgrind "$build/bench/peers" --div $slow --repeat 1 >"$work/oclgrind" || skip "oclgrind failed"
	else
		skip "oclgrind is not here (package oclgrind)"
	fi
fi

ceiling() { sed -n 's/^the ceiling with /The ceiling (bench\/limit) with /p' "$1"; }
model=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)
version=$("$build/frontends/cli/warpbeam" --version | sed 's/^warpbeam //')
cat <<END
# Performance

Made by \`./dev bench --compare\`, all on one processor and in one run: $model, Warpbeam $version,
load of the machine $load. Seconds are processor time, medians of $repeat. Mandelbrot is 1024×768 with up to
256 rounds, matmul 512×512, alu 4096 threads of 4096 trips, the others 2^20 values.

$(ceiling "$work/off").

## Against the ceiling and against others

"Share" is of the threaded ceiling, in lane operations. oclgrind's problems are 1/$slow of the size and its seconds are
multiplied by $slow. A kernel whose answer is wrong has no number.

| kernel | M thread insns/s | share | seconds | oclgrind, seconds × $slow | times faster | pocl, seconds | times slower |
|---|---:|---:|---:|---:|---:|---:|---:|
END
awk -v slow=$slow '
	FILENAME ~ /(pocl|oclgrind)$/ {
		peer = FILENAME
		sub(/.*\//, "", peer)
		split($0, f, "\t")
		if (f[5] == "ok")
			seconds[peer, f[2]] = f[4] * (peer == "oclgrind" ? slow : 1)
		next
	}
	$2 == "off" {
		o = seconds["oclgrind", $1]
		p = seconds["pocl", $1]
		printf "| %s | %.0f | %.1f %% | %.4f |", $1, $3, $9, $5
		if ($1 == "alu")
			alu = $9
		if (o)
			printf " %.2f | %.0f |", o, o / $5
		else
			printf "  |  |"
		if (p)
			printf " %.5f | %.1f |\n", p, $5 / p
		else
			printf "  |  |\n"
		if (o && $1 != "alu") {
			faster += log(o / $5)
			least = !nfaster || o / $5 < least ? o / $5 : least
			nfaster++
		}
		if (p && $1 != "alu" && $1 != "saxpy") {
			slower += log($5 / p)
			nslower++
		}
	}
	END {
		print ""
		print "| geometric means, and what is asked | measured | must |"
		print "|---|---:|---:|"
		printf "| alu, share of the threaded ceiling | %.1f %% | at least 50 %% |\n", alu
		if (nfaster) {
			printf "| oclgrind, %d kernels (alu apart), times faster | %.0f | at least 100 |\n", nfaster,
				exp(faster / nfaster)
			printf "| oclgrind, the least of them | %.0f | at least 40 |\n", least
		}
		if (nslower)
			printf "| pocl, a compiler, %d kernels (alu and saxpy apart), times slower | %.1f | at most 4 |\n",
				nslower, exp(slower / nslower)
	}' "$work/pocl" "$work/oclgrind" "$work/off"
cat <<END

## With timing and all statistics

Size 1/$timed. The share is of the round-robin ceiling, in warp instructions issued. $(ceiling "$work/on").

| kernel | M warp instructions/s | share | M thread instructions/s |
|---|---:|---:|---:|
END
awk '
	$2 == "on" {
		printf "| %s | %.1f | %.1f %% | %.0f |\n", $1, $4, $9, $3
		if ($1 != "alu" && $1 != "saxpy" && $9 > 0) {
			sum += log($9)
			least = !n || $9 < least ? $9 : least
			n++
		}
	}
	END {
		if (n) {
			print "\n| shares (alu and saxpy apart) | measured | must |\n|---|---:|---:|"
			printf "| geometric mean | %.1f %% | at least 15 %% |\n| the least | %.1f %% | at least 5 %% |\n",
				exp(sum / n), least
		}
	}' "$work/on"
if [ -s "$work/skipped" ]; then
	echo
	sed 's/^/Skipped: /; s/$/./' "$work/skipped"
fi
