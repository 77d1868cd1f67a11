#!/bin/sh
# The tutorial about kernels in C: its kernel compiles and each of its commands runs; the examples in OpenCL C give what
# they expect.   opencl_docs.sh WARPBEAM SOURCE_ROOT
set -u
warpbeam=$(realpath "$1")
root=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
XDG_CACHE_HOME=$work/cache
export XDG_CACHE_HOME
passed=0
failed=0
page=$root/docs/tutorial/your-own-kernel-in-c.md

check() {
	if "$@" >out 2>err </dev/null; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "$*:"
		sed 's/^/    /' out err
	fi
}

awk '/^```c$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$page" >mine.cl
if ! "$warpbeam" info mine.cl >out 2>err && grep -q install err; then
	echo "skipped: $(cat err)"
	exit 77
fi
sed -n 's/^\t\$ warpbeam //p' "$page" >commands
while read -r command; do
	# shellcheck disable=SC2086
	check "$warpbeam" $command
done <commands
"$warpbeam" annotate mine.cl --chip tonga >report
check grep -q 'if (i & 1)' report
"$warpbeam" run mine.cl --chip tonga --show 0:u32:8 >values
check grep -q 'arg 0 \[0\] 0 5 2 382 4' values
for example in "$root"/examples/*.cl; do
	for chip in tahiti gfx900; do
		grep -q '// expect:' "$example" && check "$warpbeam" run "$example" --chip $chip --check-expect
	done
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
