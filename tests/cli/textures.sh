#!/bin/sh
# Textures of compute programs: texels by every way of running, faults by name, and scenes refused with
# the place in the document.   textures.sh WARPBEAM
. "$(dirname "$0")/../kit/check.sh"
warpbeam=$(realpath "$1")
cd "$work" || exit 1

# program NAME LINES...: a kernel of 32 threads whose threads store $r4 to $r7.
program() {
	name=$1
	shift
	{
		printf '.kernel %s\n.chip gt215\n.grid 1\n.block 32\n.arg zero=512\n' "$name"
		printf '\t%s\n' "$@" 'mov b32 $r12 b32 s[0x10]' 'shl b32 $r1 $r0 0x4' 'add b32 $r12 $r12 $r1' \
			'exit st b128 g14[$r12] $r4q'
	} >"$name.s"
}

# scene NAME TEXTURE SAMPLER: members of texture 0 and of sampler 0.
scene() {
	printf '{"textures": [{"t": 0, %s}], "samplers": [{"s": 0%s}]}\n' "$2" "$3" >"$1.json"
}

# Four by four texels: 100 and on, then a level of four texels, then a level of a single texel.
words=$(awk 'BEGIN { for (i = 0; i < 21; i++) printf "%s\"%x\"", i ? "," : "", 100 + i }')
scene whole '"type": "2d", "format": "r32_uint", "width": 4, "height": 4, "levels": 3, "data": ['"$words]" ''
scene line '"type": "1d", "format": "r32_float", "width": 2, "data": [1, 2]' \
	', "wrap": ["clamp_to_edge"], "min": "linear", "mag": "linear"'
program fetch 'and b32 $r4 $r0 0x3' 'shr u32 $r5 $r0 0x2' 'mov b32 $r6 0x0' \
	'texfetch live $r4:$r5:$r6:$r7 $t0 $s0 $r4:$r5:$r6 0x0 0x0 0x0'
program moved 'and b32 $r4 $r0 0x3' 'shr u32 $r5 $r0 0x2' 'mov b32 $r6 0x0' \
	'texfetch live $r4:$r5:$r6:$r7 $t0 $s0 $r4:$r5:$r6 -0x1 0x1 0x0'
program sample 'cvt rn f32 $r4 u32 $r0' 'mul f32 $r4 $r4 0x3d4ccccd' \
	'texauto live $r4:$r5:$r6:$r7 $t0 $s0 $r4 0x0 0x0 0x0'
program derived 'cvt rn f32 $r4 u32 $r0' 'mul f32 $r4 $r4 0x3e800000' 'mov b32 $r5 0x0' \
	'texauto live deriv $r4:$r5:$r6:$r7 $t0 $s0 $r4:$r5 0x0 0x0 0x0'
program plain 'cvt rn f32 $r4 u32 $r0' 'mul f32 $r4 $r4 0x3e800000' 'mov b32 $r5 0x0' \
	'texauto live $r4:$r5:$r6:$r7 $t0 $s0 $r4:$r5 0x0 0x0 0x0'
program sizes 'mov b32 $r4 $r0' 'texsize live $r4:$r5:$r6:$r7 $t0 $s0 $r4'
program masked 'mov b32 $r4 $r0' 'mov b32 $r5 0x7' 'mov b32 $r6 0x7' \
	'texsize live #:$r4:#:$r5 $t0 $s0 $r4' 'mov b32 $r7 $r6'
program coverage 'mov b32 $r4 $r0' 'texcsaa live $r4:$r5:$r6:$r7 $t0 $s0 $r4:$r5 0x0 0x0 0x0'
program direction 'mov b32 $r4 $r0' 'texauto cube live $r4:$r5:$r6:$r7 $t0 $s0 $r4:$r5:$r6'
program other 'mov b32 $r4 $r0' 'texauto live $r4:$r5:$r6:$r7 $t3 $s0 $r4:$r5 0x0 0x0 0x0'

check 0 out '^arg 0 \[0\] 100 0 0 1 101 0 0 1$' "$warpbeam" run -q fetch.s --scene whole.json --show 0:u32:8
check 0 out '^arg 0 \[0\] 0 0 0 0 104 0 0 1$' "$warpbeam" run -q moved.s --scene whole.json --show 0:u32:8
check 0 out '^arg 0 \[24\] 1\.1015625 0 0 1 1\.19921875' "$warpbeam" run -q sample.s --scene line.json --show 0:f32:32
check 0 out '^arg 0 \[24\] 1\.10000002 0' "$warpbeam" run -q sample.s --scene line.json --show 0:f32:32 \
	--tex-weights exact
check 0 out '^arg 0 \[0\] 4 4 0 3 2 2 0 3$' "$warpbeam" run -q sizes.s --scene whole.json --show 0:u32:12
check 0 out '^arg 0 \[8\] 1 1 0 3 0 0 0 3$' "$warpbeam" run -q sizes.s --scene whole.json --show 0:u32:16
check 0 out '^arg 0 \[0\] 4 3 7 7 2 3 7 7$' "$warpbeam" run -q masked.s --scene whole.json --show 0:u32:8
# Two texels from lane 0 of a quad to lane 2: level 1, where derivatives are asked for.
sed 's/"s": 0/"s": 0, "mip": "nearest"/' whole.json >mips.json
check 0 out '^arg 0 \[0\] 116 0 0 1 116 0 0 1$' "$warpbeam" run -q derived.s --scene mips.json --show 0:u32:8
check 0 out '^arg 0 \[0\] 100 0 0 1 101 0 0 1$' "$warpbeam" run -q plain.s --scene mips.json --show 0:u32:8
# With a sampler of each texture's own number.
sed 's/"s": 0/"s": 1/; s/"t": 0/"t": 1/' line.json >one.json
sed 's/\$t0/$t1/' sample.s >one.s
check 0 out '^arg 0 \[24\] 1 0' "$warpbeam" run -q one.s --scene one.json --show 0:f32:32
check 0 out '^arg 0 \[24\] 1\.1015625 0' "$warpbeam" run -q one.s --scene one.json --show 0:f32:32 --linked-tsc

# By every way of running the same.
for name in fetch sample derived; do
	json=whole.json
	[ $name = sample ] && json=line.json
	"$warpbeam" run -q $name.s --scene $json --show 0:u32:128 | grep '^arg' >want
	for option in --in-order --timing=off --no-threaded-code --simd=base --simd=avx2 --reconverge=minpc \
			--diverge=fall --threads=4 --stats-level=none; do
		"$warpbeam" run -q $name.s --scene $json --show 0:u32:128 $option | grep '^arg' >got
		[ -s want ] && cmp -s want got
		result $? "$name $option: $(head -2 got)"
	done
	[ "$("$warpbeam" run --json $name.s --scene $json | grep -e '"cycles"' -e '"digest"')" = \
		"$("$warpbeam" run --json --in-order $name.s --scene $json | grep -e '"cycles"' -e '"digest"')" ]
	result $? "$name: other cycles or another digest with --in-order"
done

# Time: lines in no level, then lines in the first, then lines in the second alone.
cycles() {
	"$warpbeam" run --json "$@" --scene whole.json | sed -n 's/^ *"cycles": \([0-9]*\),*$/\1/p' | head -1
}
again='texfetch live $r4:$r5:$r6:$r7 $t0 $s0 $r4:$r5:$r6 0x0 0x0 0x0'
program twice 'and b32 $r4 $r0 0x3' 'shr u32 $r5 $r0 0x2' 'mov b32 $r6 0x0' "$again" 'and b32 $r4 $r0 0x3' \
	'shr u32 $r5 $r0 0x2' 'mov b32 $r6 0x0' "$again"
one=$(cycles fetch.s)
two=$(cycles twice.s)
took() {
	[ "$2" = "$3" ]
	result $? "$1: $2 cycles, expected $3"
}
took 'memory 1000 slower' "$(cycles fetch.s --timing-set tex.memory.latency=1499)" $((one + 1000))
took 'no first level: no slower the first time' "$(cycles fetch.s --timing-set tex.l1.bytes=32)" "$one"
took 'the second time by tex.latency' "$(cycles twice.s --timing-set tex.latency=361)" $((two + 100))
took 'of the second level' "$(cycles twice.s --timing-set tex.l1.bytes=32)" $((two + 371 - 261))
# Blocks of several multiprocessors share the second level; stored values are no matter.
sed 's/exit st .*/exit add b32 $r4 $r4 $r5/' twice.s >apart.s
for option in --threads=2 --threads=4 --in-order; do
	took "$option" "$(cycles apart.s --grid 40 $option)" "$(cycles apart.s --grid 40)"
done
silent 0 err 'one host thread' "$warpbeam" run --json apart.s --grid 40 --scene whole.json --threads 2
check 0 out '"execution": "precise"' "$warpbeam" run --json fetch.s --scene whole.json
check 0 out '"precise_reason": "which lines of textures' "$warpbeam" run --json fetch.s --scene whole.json

# Faults by name.
check 5 err 'TEXTURE_UNBOUND .* texture 0x3' "$warpbeam" run other.s --scene whole.json
check 5 err 'TEXTURE_UNBOUND .* texture 0x0' "$warpbeam" run fetch.s
check 5 err 'UNSUPPORTED_TEXTURE' "$warpbeam" run coverage.s --scene whole.json
check 5 err 'UNSUPPORTED_TEXTURE .* type 0x1' "$warpbeam" run direction.s --scene whole.json
# A descriptor of format 5, and one of memory that ends behind four of eight texels.
printf '\005\111\022\000\000\000\000\000\000\100\004\200\000\000\000\000\004\000\000\000\001\000\000\000' >tic
printf '\000\000\000\000\000\000\000\000' >>tic
printf '{"tic": "tic"}' >words.json
check 5 err 'UNSUPPORTED_FORMAT .* format 0x5' "$warpbeam" run fetch.s --scene words.json
printf '\017\111\022\000\000\000\000\040\000\100\004\200\000\004\000\000\010\000\000\000\377\000\000\000' >tic
printf '\000\000\000\000\000\000\000\000' >>tic
printf '0123456789abcdef' >memory
printf '{"tic": "tic", "memory": [{"address": "0x20000000", "file": "memory"}]}' >words.json
check 5 err 'TEXTURE_UNMAPPED .* address 0x20000400' "$warpbeam" run fetch.s --scene words.json

# Refused scenes.
cp memory no.png
refused() {
	printf '%s\n' "$1" >bad.json
	check 4 err "$2" "$warpbeam" run fetch.s --scene bad.json
}
refused '{"textures": [{"t": 0}' 'bad.json:'
refused '{"textures": {}}' 'bad.json: textures: found an object'
refused '{"textures": [{"t": 130}]}' 'textures\[0\].t: found 130, expected a whole number from 0 to 129'
refused '{"textures": [{"t": 0, "type": "4d"}]}' 'textures\[0\].type: found "4d"'
refused '{"textures": [{"t": 0, "type": "2d", "format": "rgba8_float"}]}' 'textures\[0\].format: .*rgba8 '
refused '{"textures": [{"t": 0, "type": "2d", "format": "r8_unorm", "width": 9999}]}' 'textures\[0\].width: found 9999'
refused '{"textures": [{"t": 0, "type": "2d", "format": "r8_unorm", "width": 4, "levels": 4}]}' 'textures\[0\].levels'
refused '{"textures": [{"t": 0, "type": "cube", "format": "r8_unorm", "width": 4, "layers": 5}]}' 'textures\[0\].layers'
bytes='"t": 0, "type": "1d", "format": "r8_unorm"'
refused '{"textures": [{'"$bytes"', "width": 4, "data": []}]}' 'textures\[0\].data: .*1 words'
refused '{"textures": [{'"$bytes"', "width": 4}]}' 'textures\[0\].data: found nothing'
refused '{"textures": [{'"$bytes"', "width": 5, "data": "memory"}]}' 'of 5 bytes.* has 16'
refused '{"textures": [{"t": 0, "type": "1d", "format": "rgba8_unorm", "width": 5, "data": "no.png"}]}' \
	'textures\[0\].data: .*a PNG file'
refused '{"textures": [{'"$bytes"', "width": 4, "data": "/dev/zero"}]}' 'no file below the program.s folder'
refused '{"textures": [{"t": 0, "colour": 1}]}' 'textures\[0\].colour'
refused '{"samplers": [{"s": 18}]}' 'samplers\[0\].s: found 18'
refused '{"samplers": [{"s": 1, "wrap": ["round"]}]}' 'samplers\[0\].wrap\[0\]: found "round"'
refused '{"samplers": [{"s": 1, "border": [1, 2]}]}' 'samplers\[0\].border'
refused '{"samplers": [{"s": 1}, {"s": 1}]}' 'samplers\[1\].s: found 1, expected a free number'
refused '{"samplers": [{"s": 1, "compare": "more"}]}' 'samplers\[0\].compare'
refused '{"tic": "memory"}' 'tic: .*32 bytes each; it has 16'
refused '{"memory": [{"address": "here", "file": "memory"}]}' 'memory\[0\].address: found "here"'
refused '{"memory": [{"address": "0xfffffff8", "file": "memory"}]}' 'memory\[0\]'
finish
