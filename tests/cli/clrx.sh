#!/bin/sh
# CLRX's whole files: the kernels of each format find their arguments, and write what the texts of tests/clrx/ say; a
# program that asm writes as a source runs the same; messages have a place.
#   clrx.sh WARPBEAM SOURCE_ROOT
. "$(dirname "$0")/../kit/check.sh"
warpbeam=$(realpath "$1")
sources=$(realpath "$2")/tests/clrx
cd "$work" || exit 1

for file in amd amdcl2 amdcl2-32 data gallium unaligned; do
	"$warpbeam" run -q --check-expect "$sources/$file.asm" >out 2>err && grep -q ', 0 failed' out
	result $? "$file: $(cat out err)"
done

# Kernels with addresses of 64 bits have the same values, and so has the listing.
sed 's/^\.32bit/.64bit/' "$sources/amd.asm" >amd64.asm
check 0 out ', 0 failed' "$warpbeam" run -q --check-expect amd64.asm
sed '/^.globaldata/d; s/^    .int 7, 9//; s/^ *buffer_load.*/v_mov_b32 v3, 0/' amd64.asm >plain.asm
"$warpbeam" dis --source plain.asm >again.gcn 2>err
check 0 out 'arg 1 \[0\] 36205 36205 36205 36205 36205 36205' \
	"$warpbeam" run -q again.gcn --grid 3 --block 2 -a u32=5 -a zero=24 --show 1:u32
check 2 err 'pointers of 32 bits' "$warpbeam" dis --source "$sources/amdcl2-32.asm"
check 2 err 'data apart from its code' "$warpbeam" dis --source amd64.asm

# values KERNEL EXPECTED
values() {
	"$warpbeam" run -q "$sources/rocm.asm" --kernel "$1" --expect expect >out 2>err &&
		grep -q '1 passed, 0 failed' out
	result $? "rocm, $1: $(cat out err)"
}
echo 'arg 0 u32[0..3] = 11 22 33 44' >expect
values copy
echo 'arg 0 s32[0..3] = -11 -22 -33 -44' >expect
values negate

# The listing of a program assembles to the program's words.
"$warpbeam" asm "$sources/amdcl2.asm" >words 2>err &&
	"$warpbeam" dis --source "$sources/amdcl2.asm" >again.gcn 2>>err &&
	"$warpbeam" asm again.gcn 2>>err | cmp -s - words
result $? "the listing has other words: $(cat err)"

# A text of the house's own assembler does as well, with kernels, arguments and data.
"$warpbeam" dis --source "$sources/rocm.asm" >again.gcn 2>err
values_again=$("$warpbeam" run -q again.gcn --kernel negate --expect expect 2>&1)
[ "$values_again" = '1 passed, 0 failed' ]
result $? "the listing's text: $values_again $(cat err)"
check 2 err 'addresses of data in its code' "$warpbeam" dis --source "$sources/data.asm"

# refused MESSAGE: the text in bad.asm is refused by the message, with the place
refused() {
	check 4 err "$1" "$warpbeam" asm bad.asm
}
printf '.amdcl2\n.gpu GFX1030\n.kernel a\n' >bad.asm
refused "bad.asm:2:.*RDNA"
# also in a file with words that begin lines of CLRX alone
printf '.rocm\n.gpu GFX1010\n.kernel a\n.config\n.sgprsnum 5\n' >bad.asm
refused "bad.asm:2:.*RDNA"
printf '.amdcl2\n.gpu Tonga\n.kernel a\n.config\n.dims w\n' >bad.asm
refused 'bad.asm:5:.*expected axes of x, y and z'
printf '.amdcl2\n.gpu Tonga\n.kernel a\n.text\n s_mov_b32 s0, nowhere\n s_endpgm\n' >bad.asm
refused 'bad.asm:5:.*nobody defines the symbol `nowhere`'
printf '.amd\n.gpu Tonga\n.kernel a\n.config\n.dims x\n.arg p, int*\n.text\n s_endpgm\n' >bad.asm
check 0 out . "$warpbeam" run bad.asm -a zero=4
printf '.amd\n.gpu Tonga\n.kernel a\n.text\n s_endpgm\n' >bad.asm
check 2 err 'kernel a is described by notes.*clrxdisasm --config' "$warpbeam" run bad.asm
printf '.amd\n.gpu Tonga\n.kernel a\n.config\n.dims x\n.userdata ptr_resource_table, 0, 2, 2\n' >bad.asm
printf '.text\n s_endpgm\n' >>bad.asm
check 2 err 'scalar registers that launches here do not fill.*PTR_UAV_TABLE' "$warpbeam" run bad.asm
# a binary of AMD's driver: the header's machine
printf '\177ELF\2\1\1\0\0\0\0\0\0\0\0\0\2\0\133\257\1\0\0\0' >bad.bin
check 4 err 'CLRX calls its format amdcl2.*clrxdisasm --config' "$warpbeam" run bad.bin
printf '.rocm\n.gpu Fiji\n.kernel a\n.config\n.dims x\n.text\na: s_endpgm\n' >bad.asm
refused 'bad.asm:3:.*skip 256'
finish
