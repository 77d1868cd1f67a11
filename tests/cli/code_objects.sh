#!/bin/sh
# Code objects of the versions 2 to 6 of one source (gcn/versions.cl) run to the same words, named in the source.
#   code_objects.sh WARPBEAM SOURCE_ROOT
. "$(dirname "$0")/../kit/check.sh"
warpbeam=$(realpath "$1")
objects=$(realpath "$2")/tests/gcn
cd "$work" || exit 1

# in[i] = 11 i + 7, eight words; a block is 20 × 5 threads, a grid 3 × 2 × 2 blocks.
printf '\007\0\0\0\022\0\0\0\035\0\0\0\050\0\0\0\063\0\0\0\076\0\0\0\111\0\0\0\124\0\0\0' >in
awk 'BEGIN {
	split("3 1 4 1 5 9 2 6", table, " ")
	for (block = 0; block < 12; block++)
		for (l = 0; l < 100; l++) {
			i = int(l / 2) % 8
			print (l % 2 ? 11 * i + 7 + block : table[i + 1] * l) - 3 + 9 + 3000 + 200000 + 20000000
		}
}' >expected
for version in 2 3 4 5 6; do
	"$warpbeam" run "$objects/versions-v$version.hsaco" --grid 3,2,2 --block 20,5 -a out=words:4800 -a s16=-3 \
		-a u64=0x900000000 -a in=in >out 2>&1 && od -An -v -tu4 -w4 words | tr -d ' ' | cmp - expected
	result $? "version $version: other words than the source says" || tail -n 3 out
	! grep 'found by' out
	result $? "version $version: a finding in a compiler's registers"
done

# Numbers of blocks in SGPRs, requested in version 2 by bits 7 to 9 of the properties at byte 2360 of the object:
# behind the other twelve SGPRs.
cp "$objects/versions-v2.hsaco" counts.hsaco
[ "$(od -An -tx4 -j2360 -N4 counts.hsaco)" = ' 000a002f' ] &&
	printf '\257\003' | dd of=counts.hsaco bs=1 seek=2360 conv=notrunc 2>/dev/null
printf 'print s[12:14]\nquit\n' >script
"$warpbeam" debug counts.hsaco --grid 3,2,2 --block 20,5 -a zero=4800 -a s16=-3 -a u64=1 -a zero=32 \
	--batch -x script >out 2>&1
printf 's12 = 00000003\ns13 = 00000002\ns14 = 00000002\n' | cmp - out
result $? "numbers of blocks in s[12:14]: $(cat out)"
finish
