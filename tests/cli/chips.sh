#!/bin/sh
# A program for one chip never runs as another: code runs on its own chip and, of NVIDIA's, on those of a higher compute
# capability; texts are assembled for the chip asked for.
#   chips.sh WARPBEAM SOURCE_ROOT
. "$(dirname "$0")/../kit/check.sh"
warpbeam=$(realpath "$1")
two=$(realpath "$2")/tests/gcn/two.hsaco
cd "$work" || exit 1

check 0 out 'fill on gfx900' "$warpbeam" run "$two" --kernel fill --chip gfx900 -a zero=256 -a f32=2 -a s64=3 --block 64
for verb in 'run --kernel fill' dis lint; do
	check 2 err 'two.hsaco: is for gfx900; compile it for tonga with clang -mcpu=tonga$' \
		"$warpbeam" $verb --chip tonga "$two"
done
check 2 err 'two.hsaco: is for machine gcn; chip g80 is of machine tesla' \
	"$warpbeam" run "$two" --kernel fill --chip g80

printf '.kernel one\n.param u32 n\n\tmov b32 $r1 b32 s[0x10]\n\texit add b32 $r1 $r1 $r1\n' >one.s
for built in g80 g84 mcp77 g200; do
	"$warpbeam" asm one.s --chip $built --format cubin -o one.cubin
	sm=$(sed -n 's/^architecture {\(.*\)}.*/\1/p' one.cubin)
	for chip in sm_10 sm_11 sm_12 sm_13; do
		if [ $chip \< "$sm" ]; then
			check 2 err "one.cubin: is for $sm; compile it for [a-z0-9]* with nvcc -arch=$chip\$" \
				"$warpbeam" run one.cubin --chip $chip -a u32=1
		else
			check 0 out ': ok' "$warpbeam" run one.cubin --chip $chip -a u32=1
		fi
	done
done
for chip in g80 gt215; do
	check 0 out "one on $chip" "$warpbeam" run one.s --chip $chip -a u32=1
done
check 2 err 'ifelse.s: the program is for machine tesla, by its .chip; --chip gfx900 is of machine gcn' \
	"$warpbeam" run ifelse --chip gfx900
check 2 err 'ifelse: chip `fermi` is not known; there is g80 (sm_10)' "$warpbeam" run ifelse --chip fermi
finish
