#!/bin/sh
# A checkout of Khronos' conformance suite of OpenCL, with Warpbeam as the GPU: the programs of PROGRAMS are built with
# g++, and every test that a program lists is a run of its own in the suite's wimpy mode. Prints a row for each test:
# program, test, verdict (passed, FAILED, skipped, slow, "exit N"), seconds, and the reason where not passed.
# The checkout is copied first; nothing in DIR changes. collections.sh calls this file for such a DIR.
#
#     conformance.sh DIR [WARPBEAM] [NAME...]        NAME: tests whose "program/test" has this text, default all
#
# WARPBEAM_CHIP and other options of runs are variables. SECONDS_EACH (120): after so long a test is ended, "slow".
# HEADERS: a folder with CL/ for suites younger than the system's headers. JOBS: compilers and tests at once, default
# all processors. KEEP: a folder for the outputs. Status: 0 if every test has passed or was skipped.
set -u
dir=${1:-}
warpbeam=$(command -v "${2:-warpbeam}") || { echo "conformance.sh: no ${2:-warpbeam}"; exit 77; }
warpbeam=$(realpath "$warpbeam")
[ -f "$dir/test_common/harness/testHarness.cpp" ] || { echo "conformance.sh: $dir is no such suite: skipped"; exit 77; }
command -v g++ >/dev/null || { echo "conformance.sh: no g++: skipped"; exit 77; }
shift
[ $# -gt 0 ] && shift
programs=${PROGRAMS:-events buffers api compiler basic}
jobs=${JOBS:-$(nproc)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/test_conformance"
cp -r "$dir/test_common" "$work/"
for program in $programs; do
	cp -r "$dir/test_conformance/$program" "$work/test_conformance/" || exit 1
done
cd "$work" || exit 1
mkdir -p "${KEEP:=$work/out}"

deprecated=$(for v in 1_0 1_1 1_2 2_0 2_1 2_2; do printf ' -DCL_USE_DEPRECATED_OPENCL_%s_APIS=1' $v; done)
flags="-O1 -w -std=c++17 -DCL_TARGET_OPENCL_VERSION=300 -DCL_NO_EXTENSION_PROTOTYPES \
	-DCL_ENABLE_BETA_EXTENSIONS $deprecated \
	${HEADERS:+-I$HEADERS} -I$work/test_common -I$work/test_common/harness"
find test_common/harness test_conformance -name '*.cpp' | xargs -P "$jobs" -I{} sh -c "g++ $flags -c {} -o {}.o" ||
	{ echo "conformance.sh: the suite does not compile"; exit 1; }
for program in $programs; do
	g++ -o "test_conformance/$program/test" test_conformance/"$program"/*.o test_common/harness/*.o \
		-lOpenCL -lpthread || exit 1
	"$warpbeam" run -- "test_conformance/$program/test" -h 2>/dev/null | sed -n '/Test names/,$p' |
		awk -v program="$program" 'NR > 1 && NF == 1 { print program "/" $1 }' >>all
done
[ $# = 0 ] && cp all tests
for name in "$@"; do
	grep -F -e "$name" all
done | awk '!seen[$0]++' >>tests

cat >one <<'END_OF_ONE'
program=${1%%/*} test=${1#*/}
out=$KEEP/$program.$test
begin=$(date +%s.%N)
cd "$2/test_conformance/$program" || exit 1
CL_WIMPY_MODE=1 timeout "${SECONDS_EACH:-120}" "$3" run -- ./test "$test" >"$out" 2>"$out.err" </dev/null
code=$?
seconds=$(awk -v a="$begin" -v b="$(date +%s.%N)" 'BEGIN { printf "%.1f", b - a }')
if [ $code = 124 ]; then
	verdict=slow
elif grep -aqiE "$test (skipped|test not supported)|skipping test|test skipped" "$out" && [ $code = 0 ]; then
	verdict=skipped
elif grep -aq "$test passed" "$out" && [ $code = 0 ]; then
	verdict=passed
elif grep -aq "$test FAILED" "$out"; then
	verdict=FAILED
else
	verdict="exit $code"
fi
reason=
[ "$verdict" = passed ] || reason=$(grep -aihE 'ERROR|skipp|not supported' "$out" | head -n 1 | cut -c1-100)
[ "$verdict" = passed ] || [ -n "$reason" ] || reason=$(grep -a '^warpbeam: ' "$out.err" | head -n 1 | cut -c1-100)
printf '%-10s %-44s %-8s %8s  %s\n' "$program" "$test" "$verdict" "$seconds" "$reason"
END_OF_ONE
export KEEP
printf '%-10s %-44s %-8s %8s  %s\n' program test verdict seconds reason
xargs -P "$jobs" -I{} sh one {} "$work" "$warpbeam" <tests | tee rows
awk '{ n[$3]++ } END { for (v in n) printf "%d %s, ", n[v], v; print NR " tests" }' rows
! awk '$3 != "passed" && $3 != "skipped"' rows | grep -q .
