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

# Images and samplers: the launch makes their descriptors. The block's number is behind the flat scratch on gfx900.
printf '\0\0\0\0\1\0\0\0\2\0\0\0\3\0\0\0\4\0\0\0\5\0\0\0\6\0\0\0\7\0\0\0' >texels.bin
for i in 8 9 10 11 12 13 14 15; do
	printf "\\$(printf %03o $i)\0\0\0" >>texels.bin
done
cp "$sources/images.asm" .
sed 's/s6, 1$/s8, 1/; s/s7, 1$/s9, 1/' images.asm >images9.asm
for chip in tahiti bonaire tonga; do
	check 0 out '2 passed, 0 failed' "$warpbeam" run -q --chip $chip --check-expect --files any images.asm
done
check 0 out '2 passed, 0 failed' "$warpbeam" run -q --chip gfx900 --check-expect --files any images9.asm
# images FROM SAMPLER TO [OPTION...]: the kernel with these arguments
images() {
	from=$1 sampler=$2 to=$3
	shift 3
	"$warpbeam" run -q images.asm -a "image=$from" -a "sampler=$sampler" -a "image=$to" "$@"
}
check 0 out 'arg 2 \[0\] 0000 3c00 4000 4200' images r32_uint:4x4:in=texels.bin texels \
	r16_float:4x4:out=half.bin --show 2:b16
ok 'texels are written to a file' [ "$(od -An -tx2 -v half.bin | tr -d ' \n' | cut -c 1-16)" = 00003c0040004200 ]
# of a picture of 2 by 2 pixels the sampler repeats the last: a texel of 255 is 1
sed 's/v_cvt_f32_u32   v4, v4/v_mov_b32 v4, v4/' images.asm >unorm.asm
if command -v python3 >/dev/null; then
	python3 -c '
import struct, sys, zlib
def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
pixels = b"\0" + bytes([255, 0, 0, 255, 51, 0, 0, 255]) + b"\0" + bytes([0, 0, 0, 255, 102, 0, 0, 255])
sys.stdout.buffer.write(b"\211PNG\r\n\032\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 2, 2, 8, 6, 0, 0, 0)) +
    chunk(b"IDAT", zlib.compress(pixels)) + chunk(b"IEND", b""))' >two.png
	check 0 out 'arg 2 .0. 1 0.200000003 0.200000003 0.200000003 0 0.400000006' \
		"$warpbeam" run -q unorm.asm -a image=two.png -a sampler=texels,clamp_to_edge \
		-a image=r32_float:4x4:zero --show 2:f32
fi
# type and order of channels, as AMD's runtime has them behind the T#
cat >channels.asm <<'END'
.rocm
.gpu Fiji
.kernel channels
    .config
        .dims x
        .use_kernarg_segment_ptr
        .arg from, 8, 8, image, float
        .arg to, 8, 8, globalbuf, uint, global
    .text
channels: .skip 256
    s_load_dwordx4 s[4:7], s[0:1], 0
    s_waitcnt lgkmcnt(0)
    s_load_dwordx2 s[8:9], s[4:5], 32
    s_waitcnt lgkmcnt(0)
    v_mov_b32 v0, s6
    v_mov_b32 v1, s7
    v_mov_b32 v2, s8
    v_mov_b32 v3, s9
    flat_store_dwordx2 v[0:1], v[2:3]
    s_endpgm
END
channels() {   # FORMAT TYPE ORDER
	check 0 out "arg 1 \[0\] $2 $3\$" "$warpbeam" run -q channels.asm --block 1 -a "image=$1:8x8:zero" -a zero=8 \
		--show 1:u32
}
channels rgba8_unorm 2 8
channels r32_float 15 1
channels rg16_sint 9 3
channels rgb565_unorm 6 6
check 2 err 'expected image=FILE.png, or FORMAT:WIDTHxHEIGHT:zero' images r32_uint texels r32_uint:4x4:zero
check 2 err 'found the format "r33_uint"' images r33_uint:4x4:zero texels r32_uint:4x4:zero
check 2 err 'no such format, type or size' images dxt1_unorm:4x4:zero texels r32_uint:4x4:zero
check 2 err 'found 1 size, expected 2 for image2d' images r32_uint:4:zero texels r32_uint:4x4:zero
check 2 err 'texels.bin has 64 bytes, the image 32' images r16_uint:4x4:in=texels.bin texels r32_uint:4x4:zero
check 2 err 'found "near", expected words such as nearest' images r32_uint:4x4:zero near r32_uint:4x4:zero
check 2 err 'the next parameter is no sampler' "$warpbeam" run -q images.asm -a sampler=nearest
cp texels.bin no.png
check 2 err 'no.png is no PNG file' "$warpbeam" run -q images.asm -a image=no.png
sed 's/^\.amdcl2/.amd/; s/^ *\.useargs/.userdata imm_const_buffer, 1, 4, 4/' images.asm >old.asm
check 2 err 'no address of a descriptor' "$warpbeam" run -q old.asm -a image=r8_unorm:2x2:zero

# Words in a file say what they lack.
check 0 err 'add.hex has the words of add alone, without parameters and chip (tonga).*dis --source' \
	"$warpbeam" asm "$sources/amdcl2.asm" -o add.hex
silent 0 err . "$warpbeam" asm "$sources/amdcl2.asm" -q -o add.hex
silent 0 err . "$warpbeam" asm "$sources/amdcl2.asm"

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
words() {       # TEXT MESSAGE: of an instruction
	printf '.amdcl2\n.gpu Bonaire\n.kernel a\n.text\n%s\n s_endpgm\n' "$1" >bad.asm
	refused "bad.asm:5:.*$2"
}
words 'v_add_i32 v0, v1, v2' 'expected 2 scalar registers, as s.4:5. or vcc'
words 's_load_dwordx4 s0, s[4:5], 0' 'expected 4 scalar registers, as s.4:7.$'
words 'v_mov_b32 v300, 0' 'expected 1 vector register, v0 to v255'
words 'v_add_f64 v0, v[2:3], v[4:5]' 'expected 2 vector registers, as v.4:5.$'
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
