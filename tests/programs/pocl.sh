#!/bin/sh
# A checkout of pocl, with Warpbeam as the GPU: tests/kernel, tests/workgroup and tests/regression are built without
# pocl's own build, and each call of add_test_pocl in CMakeLists.txt is a run. Prints a row for each call: test, verdict
# (passed, FAILED, skipped, slow, not built), seconds, and the reason where not passed. As by pocl's own rules a test
# passes with the expected output, where the call names an output (lines in any order, as work-items have none), else
# with status 0 and no word FAIL. Calls with a program in SPIR-V are left out. DIR stays unchanged; collections.sh calls
# this file for such a DIR.
#
#     pocl.sh DIR [WARPBEAM] [NAME...]        NAME: tests whose name has this text, default all
#
# WARPBEAM_CHIP and other options of runs are variables; that chip is the only device, as many tests build for all
# devices, and has no times unless WARPBEAM_TIMING=on. SECONDS_EACH (120): after so long a test is ended, "slow". JOBS:
# compilers and tests at once, default all processors. KEEP: a folder for the outputs. Status: 0 if every test has
# passed or was skipped. PRINTF=trap: calls of printf become a trap, for chips without printf; the tests of tests/kernel
# print what is wrong.
set -u
dir=${1:-}
warpbeam=$(command -v "${2:-warpbeam}") || { echo "pocl.sh: no ${2:-warpbeam}"; exit 77; }
warpbeam=$(realpath "$warpbeam")
[ -f "$dir/poclu/poclu.h" ] || { echo "pocl.sh: $dir is no checkout of pocl: skipped"; exit 77; }
command -v g++ >/dev/null || { echo "pocl.sh: no g++: skipped"; exit 77; }
shift
[ $# -gt 0 ] && shift
jobs=${JOBS:-$(nproc)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/tests" "$work/include"
cp -r "$dir/poclu" "$work/"
cp -r "$dir/include/CL" "$work/include/"
for folder in kernel workgroup regression; do
	cp -r "$dir/tests/$folder" "$work/tests/"
done
cd "$work" || exit 1
mkdir -p "${KEEP:=$work/out}"
KEEP=$(realpath "$KEEP")
[ "${PRINTF:-}" != trap ] ||
	sed -i -e '1s/^\xef\xbb\xbf//' -e '1i #define printf(...) __builtin_trap()' tests/kernel/*.cl
printf '#include <CL/opencl.h>\n#include <poclu.h>\n' >include/pocl_opencl.h
: >include/config.h

# folder, name, file of the expected output or "-", command
awk '
	FNR == 1 { n = split(FILENAME, part, "/"); folder = part[n - 1] }
	/^ *#/ { next }
	/^ *add_test_pocl\(/ { call = ""; open = 1 }
	open { call = call " " $0 }
	open && /\) *$/ {
		open = 0
		gsub(/[()]/, " ", call)
		gsub(/["\047]/, "", call)
		name = expected = command = last = ""
		n = split(call, w, " ")
		for (k = 2; k <= n; k++) {
			if (w[k] ~ /^(NAME|COMMAND|LABELS|ENVIRONMENT)$|^(EXPECTED|WORKITEM|LLVM|SORT)_[A-Z]*$/)
				last = w[k]
			else if (last == "NAME")
				name = name w[k]
			else if (last == "EXPECTED_OUTPUT")
				expected = w[k]
			else if (last == "COMMAND")
				command = command " " w[k]
		}
		sub(/^.*\//, "", name)
		if (call !~ /\.spv|_cbs /)
			print folder, name, expected == "" ? "-" : expected, command
	}' tests/*/CMakeLists.txt >all
[ $# = 0 ] && cp all tests.all
for name in "$@"; do
	grep -F -e "$name" all
done | awk '!seen[$0]++' >>tests.all

flags="-O1 -w -DCL_TARGET_OPENCL_VERSION=300 -DCL_HPP_TARGET_OPENCL_VERSION=300 -DCL_HPP_MINIMUM_OPENCL_VERSION=110
	-I$work/include -I$work/poclu"
# shellcheck disable=SC2086
(cd poclu && gcc $flags -DSRCDIR="\"$work\"" -DBUILDDIR="\"$work\"" -c bswap.c misc.c) ||
	{ echo "pocl.sh: poclu does not compile"; exit 1; }
awk '{ print $1, $4 }' tests.all | sort -u >programs
cat >build <<'END_OF_BUILD'
folder=${1%% *} program=${1##* }
cd "tests/$folder" || exit 1
compiler="g++ -std=c++17"
source=$program.cpp
[ -f "$source" ] || source=$program.cc
[ -f "$source" ] || { source=$program.c; compiler=gcc; }
$compiler $2 -DSRCDIR="\"$PWD\"" -o "$program" "$source" ../../poclu/*.o -lOpenCL -lm -lpthread >"$program.log" 2>&1
END_OF_BUILD
xargs -P "$jobs" -I{} sh build {} "$flags" <programs

cat >one <<'END_OF_ONE'
warpbeam=$2
set -- $1
folder=$1 name=$2 expected=$3 program=$4
shift 4
cd "tests/$folder" || exit 1
out=$KEEP/$folder.$name
begin=$(date +%s.%N)
if [ -x "$program" ]; then
	timeout "${SECONDS_EACH:-120}" "$warpbeam" run -- "./$program" "$@" >"$out" 2>"$out.err" </dev/null
	code=$?
else
	grep -m1 error "$program.log" >"$out.err"
	code=built
fi
seconds=$(awk -v a="$begin" -v b="$(date +%s.%N)" 'BEGIN { printf "%.1f", b - a }')
verdict=FAILED
case $code in
built) verdict='not built' ;;
124) verdict=slow ;;
77) verdict=skipped ;;
*)
	[ "$expected" = - ] || sed 's/Portable Computing Language/Warpbeam/' "$expected" >"$out.expected"
	if grep -aq SKIP "$out"; then
		verdict=skipped
	elif [ "$expected" != - ] && [ "$(sort "$out")" = "$(sort "$out.expected")" ]; then
		verdict=passed
	elif [ "$expected" = - ] && ! grep -aq FAIL "$out" "$out.err" && [ "$code" = 0 ]; then
		verdict=passed
	fi ;;
esac
reason=
[ "$verdict" = passed ] || reason="$code: $(grep -ahE 'FAIL|SKIP|rror|^warpbeam: ' "$out" "$out.err" 2>/dev/null |
	head -n 1 | cut -c1-100)"
printf '%-10s %-52s %-9s %8s  %s\n' "$folder" "$name" "$verdict" "$seconds" "$reason"
END_OF_ONE
export KEEP WARPBEAM_ONE_DEVICE=on WARPBEAM_TIMING="${WARPBEAM_TIMING:-off}"
export WARPBEAM_MAX_SECONDS="${WARPBEAM_MAX_SECONDS:-none}"
printf '%-10s %-52s %-9s %8s  %s\n' folder test verdict seconds reason
xargs -P "$jobs" -I{} sh one {} "$warpbeam" <tests.all | tee rows
awk '{ n[$3]++ } END { for (v in n) printf "%d %s, ", n[v], v; print NR " tests" }' rows
! awk '$3 != "passed" && $3 != "skipped"' rows | grep -q .
