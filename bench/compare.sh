#!/bin/sh
# Warpbeam beside the machine's ceiling and beside other runners of the same kernels, in one run, as a page with a plot.
#   compare.sh BUILD FOLDER
# Measurements go to FOLDER, then the page, performance.md, and if gnuplot is here performance.png.
# REPEAT (3) is how often each kernel is measured, runs of milliseconds three times as often. QUICK=1 tries everything
# once, with problems of 1/16.
set -eu
build=$1
mkdir -p "$2"
out=$(cd "$2" && pwd)
root=$(cd "$(dirname "$0")/.." && pwd)
whole=${QUICK:+16}
whole=${whole:-1}   # divisor of all problems
repeat=${REPEAT:-${QUICK:-3}}
often=${QUICK:-$((3 * repeat))}   # of short runs: other load of the machine shows in a median of few
slow=64   # further divisor of oclgrind's problems
timed=4   # of problems with timing, except comparisons of threads, whose start takes as long as a small problem
: >"$out/skipped"

say() { printf 'compare: %s\n' "$*" >&2; }
skip() { say "skipped: $1"; echo "$1" >>"$out/skipped"; }

measure() {   # FILE COMMAND...
	file=$1
	shift
	"$@" >"$out/$file"
}

cpuinfo() { sed -n "s/^$1[[:space:]]*: //p" /proc/cpuinfo | head -n 1; }

about() {
	printf 'processor\t%s (family %s, model %s)\n' "$(cpuinfo 'model name')" "$(cpuinfo 'cpu family')" \
		"$(cpuinfo model)"
	printf 'version\t%s\n' "$("$build/frontends/cli/warpbeam" --version | sed 's/^warpbeam //')"
	printf 'load\t%s\n' "$(cut -d' ' -f1 /proc/loadavg)"   # of others, as this has not begun
	printf 'repeat\t%s\noften\t%s\nslow\t%s\ntimed\t%s\nwhole\t%s\n' "$repeat" "$often" $slow $timed $whole
}

kernels() {
	throughput="$build/bench/throughput --repeat $often"
	long="$build/bench/throughput --repeat $repeat"
	say "kernels without timing"
	measure off $throughput --share --timing off --div $whole
	say "SIMD levels, without timing"
	for level in base avx2 avx512; do
		: >"$out/level-$level"
		$throughput --check --div 65536 --set simd=$level alu >/dev/null 2>&1 || continue
		measure level-$level $throughput --share --timing off --div $whole --set simd=$level
		measure level-gcn-$level "$build/bench/gcn" --simd $level --chip tonga --repeat "$often"
		measure level-stats-$level $throughput --timing off --div $((4 * whole)) --set simd=$level \
			--beside stats-level=none
	done
	div=$((timed * whole))
	say "kernels with timing, size 1/$div"
	measure on $throughput --share --timing on --div $div
	measure in-order $long --share --timing on --div $div --set in-order=on
	say "what mechanisms gain: a run beside one without"
	measure gain-traces $long --timing on --div $div --beside in-order=on
	measure gain-fast-forward $throughput --timing on --div $div --beside fast-forward=off
	say "statistics full against none"
	measure stats-off $throughput --timing off --div $whole --beside stats-level=none
	measure stats-on $throughput --timing on --div $div --beside stats-level=none
	if [ "$(nproc)" -lt 2 ]; then
		skip "two threads: this machine has one processor"
		return
	fi
	say "two threads against one"
	measure threads-off $long --timing off --div $whole --threads 2
	measure threads-on $long --timing on --div $whole --threads 2
	measure threads-in-order $long --timing on --div $whole --threads 2 --set in-order=on
}

peers() {
	if [ ! -x "$build/bench/peers" ]; then
		skip "other runners: built without OpenCL (package ocl-icd-opencl-dev)"
		return
	fi
	say "pocl"
	export POCL_MAX_PTHREAD_COUNT=1
	measure pocl "$build/bench/peers" --platform 'Portable Computing' --div $whole --repeat "$often" ||
		skip "pocl is not here or failed (package pocl-opencl-icd)"
	if ! command -v oclgrind >/dev/null 2>&1; then
		skip "oclgrind is not here (package oclgrind)"
		return
	fi
	say "oclgrind, size 1/$((slow * whole))"
	measure oclgrind oclgrind "$build/bench/peers" --div $((slow * whole)) --repeat 1 || skip "oclgrind failed"
}

seconds() {   # NAME COMMAND...: a line of NAME and the seconds
	name=$1
	shift
	begin=$(date +%s.%N)
	"$@" >/dev/null || return 1
	echo "$name $(date +%s.%N) $begin" | awk '{ printf "%s %.3f\n", $1, $2 - $3 }'
}

# Whole sweeps, starting included.
sweeps() {
	sweep="$build/frontends/cli/warpbeam sweep -q $root/bench/sweep/plan.json"
	export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
	if ! mpirun -n 2 "$build/frontends/cli/warpbeam" --version >/dev/null 2>&1; then
		skip "sweeps: there is no mpirun that starts two processes (package openmpi-bin)"
		return
	fi
	say "sweep of 64 points, by one process and by mpirun -n 2"
	for i in ${QUICK:-1 2 3}; do
		if ! seconds one $sweep --threads 1 --jobs 1 -o "$out/one.csv" ||
				! seconds two mpirun -n 2 $sweep -o "$out/two.csv"; then
			skip "sweeps: one failed (built without libopenmpi-dev?)"
			return
		fi
		if cmp -s "$out/one.csv" "$out/two.csv"; then
			echo "bytes equal"
		else
			echo "bytes differ"
		fi
	done >"$out/sweep"
}

# Handlers on processors that are not here, by llvm-mca.
handlers() {
	for program in clang llvm-mca; do
		if ! command -v $program >/dev/null 2>&1; then
			skip "handlers on other processors: $program is not here"
			return
		fi
	done
	say "handlers on other processors"
	measure mca sh "$root/bench/mca.sh" || skip "handlers on other processors: bench/mca.sh failed"
}

rm -f "$out/performance.md" "$out/performance.png"
for file in off on in-order gain-traces gain-fast-forward stats-off stats-on threads-off threads-on threads-in-order \
		level-base level-avx2 level-avx512 level-stats-base level-stats-avx2 level-stats-avx512 \
		level-gcn-base level-gcn-avx2 level-gcn-avx512 pocl oclgrind sweep mca launching native; do
	: >"$out/$file"
done
about >"$out/about"
kernels
peers
sweeps
say "classes of instructions, reading, memory"
measure classes "$build/bench/classes" --repeat "$repeat"
handlers
say "what a launch costs"
measure launching sh "$root/bench/launching.sh" "$build"
say "native code"
measure native sh "$root/bench/native.sh" "$build"
sh "$root/bench/page.sh" "$out"
