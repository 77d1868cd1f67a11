#!/bin/sh
# Labs in OpenCL C: the handed-out program misses a goal, the solution meets all, by every compiler of the host; a
# program that costs little because the work is dropped is found out.   labs_in_c.sh WARPBEAM SOURCE_ROOT
. "$(dirname "$0")/../kit/check.sh"
. "$(dirname "$0")/../kit/cheat.sh"
warpbeam=$(realpath "$1")
root=$(realpath "$2")
cd "$work" || exit 1
XDG_CACHE_HOME=$work/cache
export XDG_CACHE_HOME

cp "$root/examples/labs/lab4-banks.cl" probe.cl
if ! "$warpbeam" info probe.cl >out 2>err && grep -q 'install' err; then
	echo "skipped: $(cat err)"
	exit 77
fi

for cc in clang-14 clang-15 clang-16 clang-19; do
	command -v "$cc" >/dev/null || continue
	"$warpbeam" info probe.cl --cc "$cc" >/dev/null 2>&1 || continue        # without a library or linker
	for file in "$root"/examples/labs/*.cl; do
		lab=$(basename "$file" .cl)
		"$warpbeam" lab "$lab" --language c --handout >"$lab.cl"
		check 1 out '^  missing' "$warpbeam" lab "$lab" "$lab.cl" --cc "$cc"
		"$warpbeam" lab "$lab" --language c --solution >"solved-$lab.cl"
		check 0 out ': solved.$' "$warpbeam" lab "$lab" "solved-$lab.cl" --cc "$cc"
		not out '^  missing'
	done
done
rm probe.cl
for file in *.cl; do
	ok "$file: neither hints nor solution" sh -c "! grep -E '^// (hint|solution):' $file"
done

ending=cl
cheat lab1-branch 'The results' 's/x \* 5 + 1/x/'
cheat lab2-loop 'Each item' 's/4 \* (item % 4) + 1/1/'
cheat lab3-barrier 'The checkers' '0,/barrier(/{/barrier(/d}'
cheat lab4-banks 'The words' '/local uint tile/d; /tile\[y\]\[x\]/d; s/tile\[x\]\[y\]/16 * x + y + k/'
cheat lab5-coalesce 'Each element' 's/i < 8/i < 4/'
cheat lab6-latency 'All 128 words' 's/b = words.*/b = a + 5, c = a + 10, d = a + 15;/'

# The language of a lab: by --language, by the program's ending, and in the list.
check 0 out '^lab2-loop.cl is written' sh -c 'rm -f lab2-loop.cl; exec "$1" lab 2 --language c' sh "$warpbeam"
check 0 out '^3 hints: warpbeam lab 2 --language c --hint 1$' "$warpbeam" lab 2 --language c
check 0 out 'Hint 3 of 3: item = 4 . lane . warp' "$warpbeam" lab 2 --language c --hint 3
check 0 out '^  2  lab2-loop  *Loops of one length  *1 of 3 goals met$' "$warpbeam" lab
check 0 out '"file_c": "lab2-loop.cl"' "$warpbeam" lab --json
check 2 err 'lab7-lock is in assembly alone' "$warpbeam" lab 7 --language c
check 2 err "expects c or asm; found 'java'" "$warpbeam" lab 1 --language java
check 4 err 'a program to be checked goes behind the lab: warpbeam lab 1 lab2-loop.cl' "$warpbeam" lab lab2-loop.cl
mkdir class
cp solved-lab5-coalesce.cl class/lab5-eva.cl
check 0 out '^eva  *-        -        -        -        3 of 3 ' "$warpbeam" lab --marks class

# A lab's program asks for the lab's chip by itself.
check 0 out '^turn on g200: ' "$warpbeam" bill solved-lab4-banks.cl
check 0 out '^turn on tonga: ' "$warpbeam" bill solved-lab4-banks.cl --chip tonga
printf '// .chip g300\nkernel void k(global int *o) { o[0] = 1; }\n' >unknown.cl
check 4 err "^warpbeam: unknown.cl:1:10: .chip: found no chip 'g300'" "$warpbeam" run unknown.cl
printf '// .chpi g200\nkernel void k(global int *o) { o[0] = 1; }\n' >misspelled.cl
check 0 err "1:4: '.chpi' is a comment; did you mean '.chip'" "$warpbeam" run misspelled.cl -a zero=4
finish
