#!/bin/sh
# The verb compile: its files run as the source does, its refusals say where and what instead.
# compile.sh WARPBEAM SOURCE_ROOT
. "$(dirname "$0")/check.sh"
warpbeam=$(realpath "$1")
root=$(realpath "$2")
cd "$work" || exit 1

cat >k.ptx <<'END'
.version 1.4
.target sm_11
// .grid 3
// .block 64
// .arg zero=768
// expect: arg 0 u32[0..3] = 0 1 4 9
.entry squares (.param .u32 out)
{
	.reg .u32 %r<8>;
	cvt.u32.u16 %r1, %tid.x;
	cvt.u32.u16 %r2, %ctaid.x;
	cvt.u32.u16 %r3, %ntid.x;
	mad.lo.u32 %r4, %r2, %r3, %r1;
	mul.lo.u32 %r5, %r4, %r4;
	ld.param.u32 %r6, [out];
	mad.lo.u32 %r7, %r4, 4, %r6;
	st.global.u32 [%r7], %r5;
	exit;
}
END
for file in k.cubin k.s; do
	"$warpbeam" compile k.ptx -o $file
	result $? "compile k.ptx -o $file"
done
check 0 out '(g84, cp)' "$warpbeam" info k.cubin
check 0 out 'u32    out' "$warpbeam" info k.cubin
check 0 out '^// 17: 	st.global.u32' "$warpbeam" dis k.cubin
check 0 out ' 0 failed' "$warpbeam" run k.cubin -q --check-expect
check 0 out ' 0 failed' "$warpbeam" run k.s -q --check-expect
cycles() { "$warpbeam" run "$1" --json | grep '"cycles"' | head -n 1; }
for file in k.cubin k.s; do
	[ "$(cycles k.ptx)" = "$(cycles $file)" ]
	result $? "$file runs for other cycles than k.ptx"
done
check 0 out '^    *[0-9].*st b32 g14' "$warpbeam" annotate k.cubin
check 0 out '(gt215, cp)' sh -c "'$warpbeam' compile k.ptx --chip gt215 -o other.cubin && '$warpbeam' info other.cubin"
check 2 err 'expected a name that ends in .cubin or .s' "$warpbeam" compile k.ptx -o k.bin
check 2 err 'a program of format asm; expected PTX' "$warpbeam" compile k.s -o again.cubin
check 4 err 'bad.ptx:4:2: add.f64 needs sm_13 (g80 is sm_10)' sh -c \
	"printf '.version 1.4\n.target sm_10\n.entry k () { .reg .f64 %%d<3>;
\tadd.f64 %%d1, %%d2, %%d2;\n}\n' >bad.ptx
	'$warpbeam' compile bad.ptx -o bad.cubin"
[ ! -e bad.cubin ]
result $? 'a refused program leaves no file'
check 4 err 'k.ptx:1:1: the file has no .entry .missing' "$warpbeam" compile k.ptx --kernel missing -o bad.cubin
finish
