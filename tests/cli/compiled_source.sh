#!/bin/sh
# A compiled program, listed as a source and assembled again, runs the same: words of the buffers and cycles. A
# listing of a single kernel. Another name of breakaddr.
#   compiled_source.sh WARPBEAM SOURCE_ROOT
. "$(dirname "$0")/../kit/check.sh"
warpbeam=$(realpath "$1")
root=$(realpath "$2")
cd "$work" || exit 1

numbers() { grep -E '"(digest|cycles|instructions|dram_bytes|issued|operand|memory|fetch)"' "$1"; }

same() {   # FILE OPTION...: the file and its source, whose source is the same text, without lines of C
	file=$1
	shift
	"$warpbeam" dis --source "$file" >source.s 2>err &&
		"$warpbeam" run "$file" "$@" -a out=words:4096 $rest --json >expected.json 2>>err &&
		mv words expected &&
		"$warpbeam" run source.s "$@" -a out=words:4096 $rest --json >got.json 2>>err &&
		cmp expected words && numbers expected.json >expected && numbers got.json | cmp expected - &&
		"$warpbeam" dis --source source.s >again.s && sed '\|^// |d' source.s | cmp - again.s
	result $? "$file: its source is another program" || cat err
}

head -c 32 "$root/LICENSE" >in
for version in 2 3 4 5 6; do
	rest='-a u16=9 -a u64=0x700000000 -a in=in'
	same "$root/tests/gcn/versions-v$version.hsaco" --grid 2,2,2 --block 20,5
done
rest='-a s32=3 -a shared=256'
same "$root/tests/gcn/two.hsaco" --kernel add --grid 2
rest='-a f32=1.5 -a s64=7'
same "$root/tests/gcn/two.hsaco" --kernel fill --grid 2 --block 64
if "$warpbeam" info "$root/tests/gcn/two.cl" >out 2>err; then
	rest='-a s32=3 -a shared=256'
	same "$root/tests/gcn/two.cl" --kernel add --grid 2
elif ! grep -q install err; then
	result 1 'two.cl' || cat err
fi

"$warpbeam" dis "$root/tests/gcn/two.hsaco" >whole
"$warpbeam" dis --kernel fill "$root/tests/gcn/two.hsaco" >fill
grep -q '^fill:' fill && grep -q s_endpgm fill && ! grep -q '^add:' fill && [ "$(wc -l <fill)" -lt "$(wc -l <whole)" ]
result $? 'dis --kernel fill' || cat fill
check 2 err 'no kernel `none`; there is: add, fill' "$warpbeam" dis --kernel none "$root/tests/gcn/two.hsaco"

printf '\tprebrk #end\n\tbreakaddr #end\nend:\n\texit nop\n' >prebrk.s
"$warpbeam" dis prebrk.s >out
[ "$(grep -c 'breakaddr 0x10' out)" = 2 ] && ! grep -q prebrk out
result $? 'prebrk is not breakaddr' || cat out
check 4 err 'expected .memory once' sh -c 'printf ".memory 8 0\n.memory 8 0\n\texit nop\n" | "$1" info -' sh "$warpbeam"
check 4 err 'these words leave the .memory' \
	sh -c 'printf ".memory 8 0\n.data 4: 1 2\n\texit nop\n" | "$1" info -' sh "$warpbeam"
check 4 err 'does not fit there' sh -c 'printf ".memory 8 4\n\texit nop\n" | "$1" info -' sh "$warpbeam"
finish
