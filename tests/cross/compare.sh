#!/bin/sh
# A build for another architecture gives the results of one for this: examples with and without timing, and vectors
# where they are.   compare.sh WARPBEAM EXAMPLES SHARED OTHER_WARPBEAM...
set -u
warpbeam=$1
examples=$2
shared=$3
shift 3
passed=0
failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

verdict() {   # STATUS WHAT
	if [ "$1" = 0 ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "$2"
	fi
}

# The same run here and there: exit codes and reports.
compare() {   # THE OTHER'S WORDS... -- PROGRAM OPTION...
	other=
	while [ "$1" != -- ]; do other="$other $1"; shift; done
	shift
	"$warpbeam" run "$@" --json >"$work/here" 2>/dev/null
	here=$?
	# shellcheck disable=SC2086
	$other run "$@" --json >"$work/there" 2>/dev/null
	verdict $((here - $?)) "$*: another exit code than $here"
	cmp -s "$work/here" "$work/there"
	verdict $? "$*: $(diff "$work/here" "$work/there" | head -n 4)"
}

for example in "$examples"/*.s "$examples"/*.vsh "$examples"/*.gsh; do
	compare "$@" -- "$example" --mps 2
	compare "$@" -- "$example" --timing off --mps 2
done
# Waves of 64 lanes: a code object of the tree, and where clang is, examples in OpenCL C for each generation.
for options in '' '--timing off'; do
	# shellcheck disable=SC2086
	compare "$@" -- "$examples/../tests/gcn/two.hsaco" --kernel add --grid 2 --block 64 -a zero=512 -a u32=3 \
		-a shared=256 $options
	for example in "$examples"/*.cl; do
		for chip in tahiti bonaire tonga gfx900; do
			"$warpbeam" info "$example" --chip $chip >/dev/null 2>&1 || continue
			# shellcheck disable=SC2086
			compare "$@" -- "$example" --chip $chip $options
		done
	done
done
for file in tesla/int tesla/fp32 tesla/cvt32 tesla/sfu tesla/control.json pica/units.json gcn/operands.txt \
		gcn/operands_clrx.txt gcn/operands_illegal.txt gcn/asm_clrx.txt gcn/si_semantics.txt; do
	for path in "$shared/vectors/$file.vec.gz" "$shared/vectors/$file.gz"; do
		[ -f "$path" ] || continue
		"$@" vectors "$path" >"$work/out" 2>&1
		verdict $? "$file: $(tail -n 1 "$work/out")"
	done
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
