#!/bin/sh
# The verb compile: its files run as the source does, its refusals say where and what instead.
# compile.sh WARPBEAM SOURCE_ROOT
. "$(dirname "$0")/../kit/check.sh"
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
sed 's,^// .grid,// .chip mcp77\n&,' k.ptx >chip.ptx      # for want of --chip
check 0 out '(mcp77, cp)' "$warpbeam" info chip.ptx
check 0 out '(g200, cp)' "$warpbeam" info chip.ptx --chip g200
check 0 out '(gt215, cp)' sh -c "'$warpbeam' compile k.ptx --chip gt215 -o other.cubin && '$warpbeam' info other.cubin"
check 0 out '^squares: [0-9]* instructions, [0-9]* registers, 20 bytes of s\[\], 0 of l\[\]; 0 joinat' \
	"$warpbeam" compile k.ptx --explain
check 0 out '^14: mul.lo.u32 %r5, %r4, %r4;  (4)$' "$warpbeam" compile k.ptx --explain
check 2 err 'explain writes no file: found -o k.s' "$warpbeam" compile k.ptx --explain -o k.s
check 2 err 'expected a name that ends in .cubin or .s' "$warpbeam" compile k.ptx -o k.bin
check 2 err 'a program of format asm; expected PTX' "$warpbeam" compile k.s -o again.cubin
check 4 err 'bad.ptx:4:2: add.f64 needs sm_13 (g80 is sm_10)' sh -c \
	"printf '.version 1.4\n.target sm_10\n.entry k () { .reg .f64 %%d<3>;
\tadd.f64 %%d1, %%d2, %%d2;\n}\n' >bad.ptx
	'$warpbeam' compile bad.ptx -o bad.cubin"
[ ! -e bad.cubin ]
result $? 'a refused program leaves no file'
# The source that a PTX file names: lines are the source's, and a source outside of the file's folder is asked for.
mkdir here there
printf '__global__ void odd(unsigned *out)\n\twhile (++x < 32);\n\t*out = x;\n' >there/odd.cu
cat >here/odd.ptx <<END
.version 6.0
.target sm_75
.address_size 64
.file 1 "$work/there/odd.cu"
.visible .entry odd (.param .u64 out)
{
	.reg .b32 %r<4>;
	.reg .b64 %rd<2>;
	.reg .pred %p1;
	.loc 1 2 1
	mov.u32 %r1, %tid.x;
MORE:
	add.u32 %r1, %r1, 1;
	setp.lt.u32 %p1, %r1, 32;
	@%p1 	bra 	MORE;
	.loc 1 3 1
	ld.param.u64 %rd1, [out];
	st.global.u32 [%rd1], %r1;
	ret;
}
END
cp here/odd.ptx there
check 0 err "^warpbeam: warning: here/odd.ptx: the program names $work/there/odd.cu, no file below .*; --files any" \
	"$warpbeam" run here/odd.ptx -a zero=4 --block 32
check 0 out '(line 15: @%p1 bra MORE;)' "$warpbeam" run here/odd.ptx -q -a zero=4 --block 32
check 0 out '(line 2: while (++x < 32);)' "$warpbeam" run here/odd.ptx --files any -a zero=4 --block 32
for file in there/odd.ptx 'here/odd.ptx --files any' 'here/odd.ptx --files none'; do
	"$warpbeam" run $file -a zero=4 --block 32 2>err >out && [ ! -s err ]
	result $? "$file: no warning" || cat err
done
echo 'break :9' >nine
echo 'break odd.ptx:2' >two
check 2 err 'found line 9, expected one from 1 to 3, the last of odd.cu' \
	"$warpbeam" debug there/odd.ptx -a zero=4 --block 32 --batch -x nine
check 2 err 'found "odd.ptx:2", expected a line of odd.cu, such as odd.cu:3 or :3' \
	"$warpbeam" debug there/odd.ptx -a zero=4 --block 32 --batch -x two

# Addresses of variables as initial values: the loader knows where .global variables are.
cat >addresses.ptx <<'END'
.version 1.4
.target sm_13
// .block 2
// .arg zero=8
// expect: arg 0 u32[0..1] = 22 44
.global .u32 first[2] = { 11, 22 };
.global .u32 second[2] = { 33, 44 };
.const .u32 table[2] = { first+4, second+4 };
.entry k (.param .u32 out)
{
	.reg .u32 %r<9>;
	cvt.u32.u16 %r1, %tid.x;
	shl.b32 %r2, %r1, 2;
	mov.u32 %r3, table;
	add.u32 %r3, %r3, %r2;
	ld.const.u32 %r4, [%r3];
	ld.global.u32 %r5, [%r4];
	ld.param.u32 %r6, [out];
	add.u32 %r6, %r6, %r2;
	st.global.u32 [%r6], %r5;
	exit;
}
END
check 0 out ' 0 failed' "$warpbeam" run addresses.ptx -q --check-expect
"$warpbeam" compile addresses.ptx -o addresses.cubin
check 0 out ' 0 failed' "$warpbeam" run addresses.cubin -q --check-expect
printf '.version 2.3\n.target sm_20\n.global .u32 v = 7;\n.global .u32 p = v;\n.entry k () { exit; }\n' >pointer.ptx
check 4 err 'variable p has the address of another one' "$warpbeam" compile pointer.ptx -o pointer.cubin
# A test decided on two ways in is not decided on the third: a passed block no longer stands before the blocks behind.
cat >passed.ptx <<'END'
.version 1.4
.target sm_13
// .block 32
// .arg zero=128
// .arg zero=128
// expect: arg 0 u32[0..7] = 7 7 7 7 7 7 7 0
.entry k (.param .u32 out, .param .u32 in)
{
	.reg .u32 %r<9>;
	.reg .pred %p<4>;
	cvt.u32.u16 %r1, %tid.x;
	setp.eq.u32 %p2, %r1, 7;
	ld.param.u32 %r2, [in];
	ld.global.u32 %r3, [%r2];
	setp.eq.u32 %p3, %r3, %r1;
	setp.eq.u32 %p1, %r3, 3;
	@%p2 bra A;
	@!%p3 bra B;
	bra B;
A:	mul.lo.u32 %r4, %r1, %r1;
B:	@!%p3 bra C;
	ld.global.u32 %r5, [%r2+4];
C:	@!%p1 bra D;
D:	@%p2 exit;
	shl.b32 %r6, %r1, 2;
	ld.param.u32 %r7, [out];
	add.u32 %r7, %r7, %r6;
	mov.u32 %r8, 7;
	st.global.u32 [%r7], %r8;
	exit;
}
END
check 0 out ' 0 failed' "$warpbeam" run passed.ptx -q --check-expect
# Two loops that end at the head of a loop around the second: each has a joinat.
cat >heads.ptx <<'END'
.version 1.4
.target sm_13
.entry k (.param .u32 out)
{
	.reg .u32 %r<9>;
	.reg .pred %p;
	cvt.u32.u16 %r1, %tid.x;
	and.b32 %r2, %r1, 3;
A:	add.u32 %r2, %r2, -1;
	setp.gt.s32 %p, %r2, 0;
	@%p bra A;
	mov.u32 %r3, 3;
B:	add.u32 %r3, %r3, -1;
	setp.eq.u32 %p, %r3, 0;
	@%p bra end;
	and.b32 %r4, %r1, 7;
C:	add.u32 %r4, %r4, -1;
	setp.gt.s32 %p, %r4, 0;
	@%p bra C;
	bra B;
end:	bar.sync 0;
	ld.param.u32 %r5, [out];
	st.global.u32 [%r5], %r3;
	exit;
}
END
check 0 out ' 2 joinat' "$warpbeam" compile heads.ptx --explain
# A circle of blocks with three entries has no joinat: outside, a turn would come to the join without one.
cat >circle.ptx <<'END'
.version 1.4
.target sm_13
// .block 64
// .arg zero=256
// expect: arg 0 u32[0..3] = 638002884 4274755606 1560896786 2791625653
// expect: arg 0 u32[4..7] = 2935274719 495087697 806072429 1428169474
.entry k (.param .u32 out) {
.reg .u32 %r<9>;
	.reg .pred %p<6>;
cvt.u32.u16 %r1, %tid.x;
	mov.u32 %r2, 0;
	mov.u32 %r3, 0;
and.b32 %r4, %r1, 3;
	setp.eq.u32 %p0, %r4, 1;
	setp.eq.u32 %p1, %r4, 2;
@%p0 bra B;
@%p1 bra A1;
A: shr.u32 %r5, %r1, %r3;
	and.b32 %r5, %r5, 1;
	setp.eq.u32 %p2, %r5, 0;
	mul.lo.u32 %r2, %r2, 3;
@%p2 bra A2;
A1: mul.lo.u32 %r2, %r2, 5;
	add.u32 %r2, %r2, 1;
	xor.b32 %r2, %r2, 77;
	add.u32 %r2, %r2, %r1;
	xor.b32 %r2, %r2, 99;
	add.u32 %r2, %r2, %r3;
	bra B;
A2: add.u32 %r2, %r2, 2;
	mul.lo.u32 %r2, %r2, 7;
	xor.b32 %r2, %r2, 770;
	add.u32 %r2, %r2, %r1;
	xor.b32 %r2, %r2, 990;
	add.u32 %r2, %r2, %r3;
B: add.u32 %r3, %r3, 1;
	mul.lo.u32 %r2, %r2, 9;
	setp.lt.u32 %p3, %r3, 5;
@%p3 bra A;
shl.b32 %r6, %r1, 2;
	ld.param.u32 %r7, [out];
	add.u32 %r7, %r7, %r6;
	st.global.u32 [%r7], %r2;
	exit;
	}
END
check 0 out ' 0 failed' "$warpbeam" run circle.ptx -q --check-expect
check 0 out ' 0 failed' "$warpbeam" run circle.ptx -q --check-expect --diverge fall
check 4 err 'k.ptx:1:1: the file has no .entry .missing' "$warpbeam" compile k.ptx --kernel missing -o bad.cubin
finish
