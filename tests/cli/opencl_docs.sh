#!/bin/sh
# The tutorial about kernels in C: its kernel compiles and each of its commands runs; the examples in OpenCL C meet
# their expectations.   opencl_docs.sh WARPBEAM SOURCE_ROOT
. "$(dirname "$0")/../kit/check.sh"
warpbeam=$(realpath "$1")
root=$(realpath "$2")
cd "$work" || exit 1
XDG_CACHE_HOME=$work/cache
export XDG_CACHE_HOME
page=$root/docs/tutorial/your-own-kernel-in-c.md

awk '/^```c$/ { inside = 1; next } /^```$/ { inside = 0 } inside' "$page" >mine.cl
if ! "$warpbeam" info mine.cl >out 2>err && grep -q install err; then
	echo "skipped: $(cat err)"
	exit 77
fi
sed -n 's/^\t\$ warpbeam //p' "$page" >commands
while read -r command; do
	# shellcheck disable=SC2086
	check 0 out . "$warpbeam" $command
done <commands
# On Tesla: the page's stacks are those of the run, and the listing has joinat, join and both kinds of lines.
printf 'until divergence\ninfo stack\nuntil rejoin\ninfo stack\nquit\n' | "$warpbeam" debug mine.cl --chip g200 >walked
sed -n 's/ L[0-9_]*  mask/ mask/; s/  *$//; /^[01]  [a-z]* .* mask 0x/p' "$page" >said
sed 's/ L[0-9_]*  mask/ mask/' walked >plain
ok "$page" test "$(wc -l <said)" = 3
while read -r line; do
	ok "$page: $line" grep -qxF "$line" plain
done <said
ok "$page" grep -q '^diverged: .* lanes 0x55555555 depth 2' walked
"$warpbeam" dis mine.cl --chip g200 >listing
ok "$page" grep -q 'joinat 0x88' listing
ok "$page" grep -q '^00000088: .*  join ' listing
ok "$page" grep -q '^// 7: ' listing
ok "$page" grep -q '^// ptx [0-9]*: ' listing
"$warpbeam" annotate mine.cl --chip tonga >report
ok "$page" grep -q 'if (i & 1)' report
"$warpbeam" run mine.cl --chip tonga --show 0:u32:8 >values
ok "$page" grep -q 'arg 0 \[0\] 0 5 2 382 4' values
# The picture is the first divergence: odd lanes go on in the if.
printf 'until divergence\nquit\n' | "$warpbeam" debug mine.cl --chip tonga >walked
ok "$page" grep -q '^diverged: .* lanes 0xaaaaaaaaaaaaaaaa depth 1' walked
"$warpbeam" shot mine.cl --chip tonga -o mine.svg >out
ok "$page" grep -q 'lanes[^<]*part:[^<]*EXEC[^<]*keeps[^<]*32[^<]*64' mine.svg
# The variables: the page's output, except for numbers of the compiler.
sed -n '/^## The variables/,$s/^(warpbeam) //p' "$page" >commands
"$warpbeam" debug mine.cl --chip tonga -O 0 <commands >walked
ok "$page" test "$(wc -l <commands)" = 4
sed -n '/^[kiv][@0-9]* = .*(uint, /p' "$page" >said
ok "$page" test "$(wc -l <said)" = 4
while read -r line; do
	ok "$page: $line" grep -qxF "$line" walked
done <said
for example in "$root"/examples/*.cl; do
	for chip in tahiti gfx900; do
		grep -q '// expect:' "$example" && \
			check 0 out passed "$warpbeam" run "$example" --chip $chip --check-expect
	done
done
finish
