#!/bin/sh
# Common mistakes: each message has the place, the text found, and the way out.   mistakes.sh WARPBEAM SOURCE_ROOT
. "$(dirname "$0")/../kit/check.sh"
warpbeam=$(realpath "$1")
root=$(realpath "$2")
cd "$work" || exit 1
XDG_CACHE_HOME=$work/cache
export XDG_CACHE_HOME

# line TEXT COLUMN WORDS: one line of assembly at line 3 is refused at the column, with these words.
line() {
	printf '.kernel k\n.block 32\n\t%s\nend:\texit nop\n' "$1" >k.s
	check 4 err "k.s:3:$2: .*$3" "$warpbeam" run k.s
}
# shellcheck disable=SC2016
{
line 'join bra #end' 7 "found 'bra': .*join nop. on a line before"
line 'join bar inc wait 0x0 all' 7 "found 'bar': .*join nop. on a line before"
line 'exit bra #end' 7 "found 'bra': .*exit nop. alone"
line 'brk' 2 'break., behind a .breakaddr #label'
line 'pbk #end' 2 'breakaddr #label'
line 'ssy #end' 2 'joinat #label'
line 'div u32 $r1 $r2 $r3' 2 'there is no division: .*rcp f32'
line 'ld f32 $r2 g14[$r1]' 5 "found 'f32': loads and stores move bits: b32"
line 'st b32 g14[$r1+0x4] $r2' 9 'g\[\] takes a register alone'
line 'add f64 $r2d $r2d $r4d' 6 'name their rounding: .add rn f64'
line 'mul b32 $r2 $r2 $r4' 6 'there is no 32-bit multiplication'
line 'bra end' 6 "did you mean '#end'"
line '(e $c0) bra end' 14 "did you mean '#end'"
line 'bra nowhere' 6 "found 'nowhere', expected .*#label"
line 'mov b32 $r1 c0[0x10]' 14 'constants are read by .ld'
line 'and b32 # $r1 $c0 $r1' 16 'stands before the result'
line 'and b32 $c0 # $r1 0x1' 20 'no constant fits beside a condition register'
line 'add.u32 $r1 $r2 $r3' 5 'words of their own'
line 'setp.lt.u32 p, a, b' 2 'comparisons are .set'
line '@p0 bra x' 2 'guards are conditions in parentheses'
# Other mistakes are explained as ever.
line 'add b32 $r1 $r1 0x5 0x4' 22 'expected the end of the line'
}
# The ways out in messages are instructions.
for text in 'add rn f64 $r2d $r4d $r6d' 'mul $r3 u16 $r1l u16 $r2l' 'mul $r3 u24 $r1 $r2' 'ld $r1 b32 c0[0x10]' \
	'and b32 $c0 $r3 $r1 $r2' 'and b32 $c0 # $r1 $r2' 'rsqrt f32 $r1 $r2' 'add f32 $r3 (mul $r4 $r5) $r6' \
	'set $c0 # l s32 $r1 $r2' 'ld b32 $r1 g14[$r2]' 'add f32 $r3 $r1 $r2' 'mov b32 $r2 0x1' 'break' 'join nop'; do
	echo "$text" >way
	ok "a way out is an instruction: $text" "$warpbeam" asm --bare way
done
printf '.kernel k\n.block 32\n\tmov b32 $r1 0x1\n\tand b32 $c0 # $r0 $r1\n\t(e $c0) bra #a\n' >k.s
printf '\tadd b32 $r0 $r0 $r1\na:\tjoin nop\n\texit nop\n' >>k.s
check 5 err 'k.s:7: .*put .joinat #a. before the branch at pc 0x10, line 5' "$warpbeam" run k.s
printf '.kernel k\n.block 32\n\tbreak\n\texit nop\n' >k.s
check 5 err 'k.s:3: break (brk) without a breakaddr (prebrk)' "$warpbeam" run k.s

# A file of no known kind is refused before unknown names of options.
printf '\001\002\003\004' >k.bin
check 4 err 'k.bin: offset 0x0: begins with bytes 01 02 03 04, which is no known kind' "$warpbeam" run k.bin --chip g99

# Other languages, and omissions in C.
printf '.version 1.4\n.target sm_10\n.entry k\n{\n\texit;\n}\n' >k.ptx
ok 'a file of PTX is a program' "$warpbeam" run k.ptx
check 2 err '^warpbeam: saxpy: --threads: found 999999, expected 0 to 1024, or auto' \
	"$warpbeam" run saxpy --threads 999999
check 2 err '^warpbeam: saxpy: --group: found 0, expected 1 or more' "$warpbeam" run saxpy --policy two-level --group 0
check 0 err '^warpbeam: warning: -I /nowhere: there is no such folder' "$warpbeam" run saxpy -I /nowhere
check 2 err 'is a folder: .warpbeam lab --marks 1' "$warpbeam" lab 1 "$root/examples"
printf '// no .version\n.entry k\n{\n\texit;\n}\n' >k.ptx
check 4 err "standard input:1:1: the text is in picasso's language" \
	sh -c "\"$warpbeam\" run - <\"$root/tests/picasso/two.v.pica\""
check 4 err 'k.ptx:2:8: the text looks like a part of a PTX file; a whole file begins with .version' \
	"$warpbeam" run k.ptx
printf '.version 2.3\n.target sm_20\n.entry _Z1kPfi (.param .u64 _Z1kPfi_param_0, .param .u32 n)\n{ exit; }\n' \
	>cpp.ptx
check 2 err 'cpp.ptx: 0 arguments; kernel _Z1kPfi takes 2: u64, u32 n (an -a for each' "$warpbeam" run cpp.ptx
# the first compilers of PTX mixed the classes of registers
mixed='.target sm_10\n.entry k { .reg .u32 %%r<3>; mov.u32 %%r1, 5; add.f32 %%r2, %%r1, %%r1; exit; }\n'
printf ".version 1.3\n$mixed" >mixed.ptx
check 0 out 'add.*f32' "$warpbeam" dis mixed.ptx
printf ".version 1.4\n$mixed" >mixed.ptx
check 4 err 'mixed.ptx:3:.*found `%r2`, a register of whole numbers, expected one of floats' "$warpbeam" dis mixed.ptx
check 2 err 'k.ptx: asm takes assembly; .warpbeam run k.ptx. takes the file itself' "$warpbeam" asm k.ptx -o k.s
printf '\t.text\n\t.section\t.text.k\n\t.globl\tk\nk:\n\ts_endpgm\n' >k.s
check 4 err 'k.s:[12]:.*compiler.s assembly.*-o FILE.hsaco' "$warpbeam" run k.s
printf '// a kernel\n__global__ void k(int *p) { p[threadIdx.x] = 1; }\n' >k.cu
check 4 err 'k.s:2:1: this is CUDA C++: name the file NAME.cu' sh -c 'cp k.cu k.s; exec "$1" run k.s' sh "$warpbeam"
check 4 err 'standard input:1:1: the text looks like OpenCL C.*--format opencl' \
	sh -c 'echo "__kernel void k(__global int *p) { *p = 1; }" | "$1" run -' sh "$warpbeam"
printf '// a kernel of threadIdx and __global__, in comments\n\tadd b32 $r1 $r1 $r2 $r3\n' >k.s
check 4 err 'k.s:2:.*expected the end of the line' "$warpbeam" run k.s
if printf 'kernel void k(global int *p) { *p = 1; }\n' >k.cl && "$warpbeam" info k.cl >out 2>err; then
	cp k.cu k2.cl
	check 4 err 'k2.cl:2:1: this is CUDA' "$warpbeam" run k2.cl
	printf '// .arg zero=1024\n\nvoid a(__global int *p) { p[get_global_id(0)] = 1; }\n' >none.cl
	check 4 err 'none.cl:3: no function is a kernel; .a. would be one' "$warpbeam" run none.cl
	printf '// .blok 64\n// .arg zero=1024\n// .note that nothing is like\n' >blok.cl
	printf 'kernel void k(global int *p) { p[get_global_id(0)] = 1; }\n' >>blok.cl
	check 0 err "blok.cl:1:4: '.blok' is a comment; did you mean '.block'" "$warpbeam" run blok.cl
	not err '\.note'
	silent 0 err 'did you mean' "$warpbeam" run blok.cl -q
	printf 'kernel void k(global float *p, float s) { p[get_global_id(0)] = s; }\n' >type.cl
	check 0 err 'argument 1 is given as u32=, and the parameter is float.*f32=' \
		"$warpbeam" run type.cl --block 64 -a zero=256 -a u32=256
	silent 0 err 'is given as' "$warpbeam" run type.cl --block 64 -a zero=256 -a f32=256
	printf 'kernel void k(global int *p) {\n\tprintf("%%d", p[0]);\n}\n' >printf.cl
	check 0 out '^00*' "$warpbeam" run printf.cl -a zero=256
	check 4 err 'printf.cl:2: printf is not in sm_1x' "$warpbeam" run printf.cl --chip g200 -a zero=256
else
	echo "skipped: no compiler of OpenCL C: $(cat err)"
fi

# PICA's assembly.
printf '.alias pos v0\n.alias out o0 as position\nmain:\n\tcmp pos, gt, gt, pos\n\tend\n' >k.vsh
check 4 err 'k.vsh:4:11: .gt. is no register: comparisons are ==' "$warpbeam" run k.vsh
printf '.alias pos v0\n.alias out o0 as position\nmain:\n\tif cmp.x\n\tend\n' >k.vsh
check 4 err 'k.vsh:4:5: .cmp. is no register: .*cc.x and cc.y' "$warpbeam" run k.vsh
check 2 err 'found "light", expected a uniform of this program (' \
	"$warpbeam" run "$root/examples/diffuse.vsh" --uniform light=1
check 0 out '^ifc ' "$warpbeam" isa pica if

# Attributes of fragments, taken from a word that has another.
sed 's/"persp"/"linear"/' "$root/examples/textured-triangle.s" >linear.s
check 0 err 'interpolations of 1/W, though no attribute is in perspective.*(line 24)' "$warpbeam" run linear.s
sed 's/v\[0x8\]/v[0x18]/' "$root/examples/textured-triangle.s" >far.s
check 0 err 'word of v\[\] for which the scene has nothing.*(line 27)' "$warpbeam" run far.s
silent 0 err 'v\[\]' "$warpbeam" run textured-triangle

# The command line.
check 2 err 'chip .fermi. is not known; there is g80 (sm_10)' "$warpbeam" run ifelse --chip fermi
check 0 out 'matmul: --threads 256 --regs 11 --smem 2112' "$warpbeam" occ matmul
check 0 out '4 blocks, 32 warps' "$warpbeam" occ matmul
check 0 out '  64 .*12 ' "$warpbeam" occ matmul --sweep threads
check 2 err "found \"rr,gto\".*compare FILE --policy rr,gto" "$warpbeam" run matmul --policy rr,gto
check 2 err "needs an axis, as --policy rr,gto or --axis block=64,128; .*'matmul'" "$warpbeam" sweep matmul
check 0 out '^1,gto,ok' "$warpbeam" sweep matmul --policy rr,gto
check 2 err "'--csv' of compare: --json" "$warpbeam" compare matmul --csv
check 2 err "diff reads traces, and 'matmul' is a program: .*--trace matmul.trace" "$warpbeam" diff matmul ifelse
check 2 err 'needs --format .*-o OUT.vcd' "$warpbeam" export matmul -o x
ok 'the format by the name of the output' "$warpbeam" export ifelse -o x.jsonl

# Expectations: an error of the line is not the program's failure.
printf 'exit 0\n\ncounter warp_execution_eficiency > 0.3\ncycles = 3\n' >marks
check 4 out "^marks:3: expect: counter warp_execution_eficiency" "$warpbeam" run matmul --expect marks
check 4 out "^marks:4: expect: cycles = 3" "$warpbeam" run matmul --expect marks
check 4 err '2 lines of the expectations are in error' "$warpbeam" run matmul --expect marks
printf 'exit 0\n\ncounter cycles > 1e9\n' >marks
check 1 out '^marks:3: expect: counter cycles' "$warpbeam" run matmul --expect marks

# A whole class: a program a heading; a program with an error has failed.
sed 's/0x64/0x65/' "$root/examples/ifelse.s" >other.s
printf 'garbage\n' >bad.s
printf 'arg 0 u32[0..3] = 100 3 102 9\ncounter ipc = 0.037 within 1%%\n' >marks
check 1 out '^other.s:$' "$warpbeam" run "$root/examples/ifelse.s" other.s bad.s --expect marks
cp out class
for said in '^marks:1: expect: arg 0' '    element 0 is 101' '    1 passed, 1 failed$' \
	'    0 passed, 1 failed, as it does' '^1 of 3 files as expected' '^3 passed, 2 failed'; do
	ok "a class: $said" grep -q -e "$said" class
done
check 3 out '^0 of 2 files' "$warpbeam" run other.s none.s --expect marks
check 1 out '"verdict": "fails"' "$warpbeam" run other.s bad.s --expect marks --json
cp out class
for said in '"schema": "warpbeam.marks/1"' '"file": "bad.s"' '"exit": 4' '"line": 2,' '"why": "element 0 is 101"' \
	'"error": "unknown instruction'; do
	ok "a class as JSON: $said" grep -q -e "$said" class
done
echo 'counter cyles > 1' >>marks
check 4 err '^warpbeam: 1 line of the expectations is in error' \
	"$warpbeam" run other.s "$root/examples/ifelse.s" --expect marks
ok 'an error of the line is printed once' [ "$(grep -c '^marks:3' out)" = 1 ]

# Floats are near enough within a difference or a share.
# shellcheck disable=SC2016
printf '.kernel k\n.block 1\n.arg zero=4\n\tmov b32 $r1 0.999\n\tmov b32 $r2 b32 s[0x10]\n\tst b32 g14[$r2] $r1\n' >near
printf '\texit nop\n' >>near
for near in '1.0 within 0.01' '0.99 within 1%' '0.9991 within 1e-3' '0.999'; do
	{ cat near; echo "// expect: arg 0 f32 = $near"; } >near.s
	check 0 out '^1 passed' "$warpbeam" run --check-expect near.s
done
{ cat near; echo "// expect: arg 0 f32 = 0.99901 within 1e-6"; } >far.s
check 1 out 'element 0 is 0.999' "$warpbeam" run --check-expect far.s
sed 's/within.*/within some/' far.s >none.s
check 4 out "within. takes a number or a percentage, found 'some'" "$warpbeam" run --check-expect none.s
sed 's/ = .*/ != 5 within 0.5/' far.s >near.s
check 0 out '^1 passed' "$warpbeam" run --check-expect near.s
printf 'counter cycles < 5 within 1%%\n' >marks
check 4 out "within. is for = and !=" "$warpbeam" run ifelse --expect marks

# Refusals come before the run and its report.
for wish in '--show 5:u32' '--show 0:x' '--show 0:u32:999999' '--dump s:x' '--out x.jpg'; do
	# shellcheck disable=SC2086
	check 2 err "found\|no buffer\|elements\|expected a name" "$warpbeam" run matmul $wish
	ok "nothing has run: $wish" [ ! -s out ]
done
check 2 err '"bad", expected' "$warpbeam" compare matmul --policy rr,bad
ok 'no table' [ ! -s out ]
check 2 err 'ends in .png or .svg; found .x.jpg' "$warpbeam" shot ifelse -o x.jpg
ok 'no picture' [ ! -e x.jpg ]
# Words of other tools, and what is asked for instead.
check 2 err "'-c' of run: .*--cl-flag=-cl-fast-relaxed-math" "$warpbeam" run matmul -cl-fast-relaxed-math
check 2 err "global-size.*--grid 4 --block 64" "$warpbeam" run matmul --global-size 256
check 2 err "'-o' of run: .*'warpbeam report -o'" "$warpbeam" run matmul -o x
check 2 err "one lab at a time: found '2'" "$warpbeam" lab 1 2 3
check 2 err 'reference/labs.md says how a text becomes a lab' "$warpbeam" lab new mine.s
check 2 err '--axis file=A,B' "$warpbeam" sweep matmul bitonic
check 2 err 'occ needs --threads, --regs, --smem, or a FILE' "$warpbeam" occ
printf '.version 1.4\n.target sm_10\n.entry one () { exit; }\n.entry two () { exit; }\n' >two.ptx
check 4 err 'no .entry .three.; it has one, two' "$warpbeam" run two.ptx --kernel three
printf '.kernel k\n.chip gfx900\n.block 64\nv_mov_b32 v2, v0\ns_endpgm\n' >wave.s
check 2 err 'such as v3\[0:7\]' sh -c "printf 'p \$r1[0:3]\\n' | '$warpbeam' debug wave.s --batch"

# A watch of a name that is none of the program's, and the title of a kernel of C++.
check 2 err 'watch q: found "q", expected a number' \
	"$warpbeam" shot "$root/examples/ifelse.s" --watch q -o q.png
printf '.version 1.4\n.target sm_10\n.entry _Z5emptyPi (.param .u32 o) { exit; }\n' >mangled.ptx
check 0 out '^empty on ' "$warpbeam" run mangled.ptx -a zero=4
"$warpbeam" report mangled.ptx -a zero=4 -o mangled.html 2>err
grep -q '^<h1>empty</h1>$' mangled.html
result $? "the title of a report: $(grep '^<h1>' mangled.html)"

finish
