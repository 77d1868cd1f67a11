#!/bin/sh
# Programs of a user's own: info, arguments, names, and errors with the way out.
#   user.sh WARPBEAM SOURCE_ROOT
. "$(dirname "$0")/../kit/check.sh"
warpbeam=$(realpath "$1")
root=$(realpath "$2")
cd "$work" || exit 1

# ---- info of a file ----

cat >mangled.s <<'END'
.kernel _Z3runPfPFiiES_4PairIiS_E
.regs 4
.param u32 first
.param u32 second
.param u32 third
.param u64 fourth
	exit (never) nop
END
if "$warpbeam" --version -v | grep -q libiberty; then
	check 0 out '^    run(float\*, int (\*)(int), float\*, Pair<int, float\*>)$' "$warpbeam" info mangled.s
	check 0 out '"demangled": "run(float' "$warpbeam" info --json mangled.s
fi
check 0 out '^  _Z3runPf' "$warpbeam" info mangled.s
check 0 out '8: u32 *third (4 bytes)' "$warpbeam" info mangled.s
check 0 out '"demangled": null' "$warpbeam" info --json "$root/examples/ifelse.s"

# Settings of a run from its file.
cat >defaults.s <<'END'
.kernel defaults
.mode fp
.grid 4,2
.block 64
.mps 2
.arg u32=7
.scene {"rect": [0, 0, 8, 8],
.scene  "vertices": []}
	exit (never) nop
END
cat >multiprocessors.s <<'END'
.kernel alone
.mps 1
	exit (never) nop
END
check 0 out '^    launch: grid 4,2, block 64, 2 MPs -a u32=7$' "$warpbeam" info defaults.s
check 0 out '^    scene: {"rect": \[0, 0, 8, 8\],$' "$warpbeam" info defaults.s
check 0 out '^           "vertices": \[\]}$' "$warpbeam" info defaults.s
check 0 out '^    launch: 1 MP$' "$warpbeam" info multiprocessors.s
check 0 out '"mps": 2,' "$warpbeam" info --json defaults.s
check 0 out '"scene": "{.*\[0, 0, 8, 8\],\\n *.*\[\]}\\n",$' "$warpbeam" info --json defaults.s
check 0 out '"mps": null,' "$warpbeam" info --json mangled.s
check 0 out '"scene": null,$' "$warpbeam" info --json mangled.s

# ---- arguments ----

cat >four.s <<'END'
.kernel four
.param ptr out
.param u32 n
.param f64 scale
.param u8 last
	exit (never) nop
END
cat >untyped.s <<'END'
.kernel untyped
	exit (never) nop
END
four() { "$warpbeam" run -q four.s "$@"; }
list='kernel four takes 4: ptr out, u32 n, f64 scale, u8 last '
check 2 err "0 arguments; $list" four
check 2 err "1 argument; $list" four -a zero=4
check 2 err "5 arguments; $list" four -a zero=4 -a u32=1 -a f64=2 -a u8=3 -a u8=3
check 2 err "argument 2 has 4 bytes at 0x8; $list" four -a zero=4 -a u32=1 -a f32=2 -a u8=3
check 2 err "argument 3 has 4 bytes at 0x10; $list" four -a zero=4 -a u32=1 -a f64=2 -a u32=3
check 0 out ': ok$' four -a zero=4 -a u32=1 -a f64=2 -a u8=3
check 0 out ': ok$' four -a zero=4 -a u32=1 -a pad=8 -a u8=3
check 0 out ': ok$' four -a zero=4 --no-check-args
check 2 err "1 argument; $list" four -a zero=4 --check-args
check 0 out ': ok$' "$warpbeam" run -q untyped.s -a u32=1
check 2 err "0 arguments; $list" sh -c 'echo step | "$0" debug four.s --batch' "$warpbeam"
# Arguments of a file count; an argument of the command line takes the place of all.
sed 's/^.param u8 last/&\n.arg zero=4\n.arg u32=1\n.arg f64=2\n.arg u8=3/' four.s >given.s
check 0 out ': ok$' "$warpbeam" run -q given.s
check 2 err "1 argument; $list" "$warpbeam" run -q given.s -a zero=4
# A buffer's address is as wide as its parameter.
printf '.kernel wide\n.param u64 p\n.param u32 n\n\texit (never) nop\n' >wide.s
check 0 out '^s\[00000010\] 00001000 00000000 07000000' "$warpbeam" run -q wide.s -a zero=4 -a u32=7 --dump s:0x10:12
check 2 err '1 argument; kernel wide' "$warpbeam" run -q wide.s -a u32=7 --ptr 4

# ---- names ----

# An example's name stands for a file, unless a file has the name.
check 0 out '^matmul on g200' "$warpbeam" run matmul
check 0 out '^matmul on g200' "$warpbeam" run matmul.s
check 0 out ' 0 failed' "$warpbeam" run --check-expect matmul
check 0 out '^matmul on g200' "$warpbeam" run matmul --trace matmul.trace
check 0 out '^matmul on g200' "$warpbeam" run matmul.trace
check 0 out '^The bill' "$warpbeam" bill ifelse
check 0 out '^heat' "$warpbeam" annotate ifelse
check 0 out '^issue 1' sh -c 'echo step | "$0" debug ifelse --batch' "$warpbeam"
check 0 out '^odd:' "$warpbeam" dis ifelse
check 0 out '^digraph' "$warpbeam" dis --cfg dot ifelse
check 0 out 'asm, 1 kernel' "$warpbeam" info ifelse
check 0 out '^[0-9a-f]\{8\}' "$warpbeam" asm ifelse
check 0 out '^4c0' "$warpbeam" asm lights
check 0 out 'ifelse  *ifelse  *rr' "$warpbeam" compare ifelse
check 0 out '^wb1:k=ifelse;' "$warpbeam" shot ifelse -o ifelse.png
check 0 out 'ifelse' "$warpbeam" tui --print ifelse
check 0 out ': ok$' "$warpbeam" run lights
for format in perfetto kanata vcd folded jsonl csv; do
	"$warpbeam" run -q ifelse --diverge fall --trace ifelse.trace >out
	check 0 out same sh -c '"$0" export --format $1 ifelse --diverge fall -o a &&
		"$0" export --format $1 ifelse.trace -o b && cmp a b && echo same' "$warpbeam" $format
done
check 2 err '^warpbeam: --diverge is for programs; ifelse.trace is a trace' \
	"$warpbeam" export --format csv ifelse.trace --diverge fall
check 7 out '^issue,' "$warpbeam" export --format csv lock-livelock --livelock 1000
printf '{"file": "ifelse", "axes": {"diverge": ["taken", "fall"]}}\n' >plan.json
check 0 out '^1,fall,ok,0' "$warpbeam" sweep plan.json
check 3 err "^warpbeam: ifels: cannot open: No such file or directory; did you mean the example 'ifelse'?" \
	"$warpbeam" run ifels
check 3 err '^warpbeam: no/ifelse: cannot open: No such file or directory$' "$warpbeam" run no/ifelse
cp four.s ifelse
check 2 err 'kernel four takes 4' "$warpbeam" run ifelse
rm ifelse

# Missing files.
check 3 err '^warpbeam: \.: is a folder, expected a file$' "$warpbeam" run .
check 3 err 'is a folder' "$warpbeam" info .
check 0 out '^ifelse on g200' sh -c '"$0" run - <"$1"' "$warpbeam" "$root/examples/ifelse.s"
check 0 out '^ifelse on g200' sh -c 'cat "$1" | "$0" run /dev/stdin' "$warpbeam" "$root/examples/ifelse.s"

# ---- marking ----

sed '/expect:/d' "$root/examples/ifelse.s" >handed-in.s
cat >marks.txt <<'END'
# the marker's expectations of any solution
counter divergent_branch = 2
arg 0 u32[0..3] = 100 3 102 9

with diverge=fall -a zero=512
// as in a program:
// expect: arg 0 u32[0..3] = 100 3 102 9
arg 0 u32[127] = 0
END
check 0 out '^4 passed, 0 failed$' "$warpbeam" run handed-in.s --expect marks.txt
check 0 out '^7 passed, 0 failed$' "$warpbeam" run "$root/examples/ifelse.s" --check-expect
check 0 out '^11 passed, 0 failed$' "$warpbeam" run "$root/examples/ifelse.s" --check-expect --expect marks.txt
sed 's/100 3 102 9/100 3 102 8/; s/zero=512/zero=256/' marks.txt >wrong.txt
check 1 out '^1 passed, 3 failed$' "$warpbeam" run handed-in.s --expect wrong.txt
check 1 out '^wrong.txt:3: expect: arg 0 u32\[0..3\] = 100 3 102 8$' "$warpbeam" run handed-in.s --expect wrong.txt
# The program's own expectations do not count, arguments of the command line do.
sed 's/^.arg.*/&\n\/\/ expect: exit 5/' handed-in.s >boasts.s
check 0 out '^4 passed' "$warpbeam" run boasts.s --expect marks.txt
check 1 out 'bytes 0 to 16 of argument 0, which has 8' "$warpbeam" run handed-in.s --expect marks.txt -a zero=8
cat >off.s <<'END'
.kernel off
.block 64
	mov b32 $r0 0x1
	mov b32 $r1 0x0      // the last
END
echo 'counter branch = 0' >none.txt
check 1 out 'ended with exit 5' "$warpbeam" run off.s --expect none.txt
echo '# x' >empty.txt
printf 'with -a\ncounter branch = 0\n' >cut.txt
check 4 err 'expected an argument' "$warpbeam" run handed-in.s --expect cut.txt
check 3 err 'no-marks' "$warpbeam" run handed-in.s --expect no-marks
check 4 err 'empty.txt: no expectations' "$warpbeam" run handed-in.s --expect empty.txt
check 4 err 'handed-in.s: no expectations' "$warpbeam" run handed-in.s --check-expect

# ---- comparing programs ----

both='compare reduction-divergent reduction-contiguous'
check 0 out '^reduction-divergent .* 1\.000  .*%' "$warpbeam" $both
check 0 out '^reduction-contiguous .* 0\.[0-9]*  .*%' "$warpbeam" $both
check 0 out '^fewest cycles: reduction-contiguous rr stack, [0-9,]*, 1\.[0-9]* times as fast as the first row$' \
	"$warpbeam" $both
check 0 out '^ *3,045 *645 *-2,400  0x38 (lg $c0) bra 0x60 (line 29) *0x30 (ge $c0) bra 0x58 (line 27)$' \
	"$warpbeam" $both
check 0 out '^ *208 *-208  0x18 (lg $c0) bra 0x58 (line 22)$' "$warpbeam" compare nested loop-varying
check 0 out '^ *448 *+448  *0x30 (e $c0) break (line 26)$' "$warpbeam" compare nested loop-varying
check 0 out '^ *128 *128 *0  0x18 .* 0x18' "$warpbeam" compare ifelse ifelse
check 0 out '^all take the same 698 cycles$' "$warpbeam" compare ifelse ifelse
check 0 out '^fewest cycles: matmul rr stack, .* the first row$' "$warpbeam" compare matmul --policy rr,gto
not out 'by branch'
# Several rows of several programs: ratios are of a program's own rows, and means tell the policies apart.
check 0 out '^matmul  *matmul  *rr  *stack  *g200 .* 1\.000 ' "$warpbeam" compare nested matmul --policy rr,gto
check 0 out '^   1\.000  rr stack$' "$warpbeam" compare nested matmul --policy rr,gto
check 0 out '^   1\.0[0-9]*  gto stack$' "$warpbeam" compare nested matmul --policy rr,gto
not out '^fewest cycles'
not out ' [2-9]\.[0-9][0-9][0-9] '
check 3 err 'nosuch.cl: cannot open' "$warpbeam" compare nosuch.cl
not out '^file '
check 0 out '"ratio": 1.0' "$warpbeam" compare ifelse --json
check 0 out '"splits": 2' "$warpbeam" compare ifelse --json
check 0 out '"ratio": null' "$warpbeam" compare ifelse --reconverge perfect --json
# A finished row is always better than an unfinished row.
check 7 out '^lock-livelock .* stack  *g200  *[0-9,]* *[0-9,]* *[0-9.]* % .*livelock$' \
	"$warpbeam" compare lock-livelock ifelse --livelock 1000
not out '^fewest'
cat >p.json <<'END'
{"file": "matmul", "axes": {"policy": ["gto", "rr"], "lock": ["warp", "flag"]}, "columns": ["ipc", "cycles"]}
END
check 0 err '^warpbeam: fewest cycles: point 2 (policy=rr, lock=warp), [0-9,]*; point 0 takes 1\.[0-9]* times as' \
	"$warpbeam" sweep p.json
check 0 out '"best": {' "$warpbeam" sweep p.json --json
check 0 out '^3,rr,flag,ok' "$warpbeam" sweep -q p.json
not err 'fewest'

# ---- exports ----

check 0 err 'matmul.trace: no lane slot was lost, so there is no stack to write' \
	"$warpbeam" export --format folded matmul.trace -o matmul.folded
check 0 err '^warpbeam: matmul: no lane slot' "$warpbeam" export --format folded matmul
check 0 out '^nested' "$warpbeam" export --format folded nested
not err 'no lane slot'
# Suggested viewers open files without a network.
grep -rl --include='*.md' 'https\{0,1\}://' "$root/docs" "$root/README.md" >online
not online .

# ---- sizes ----

check 0 out 'g\[00100ff0\]' "$warpbeam" run -q untyped.s -a zero=4KB --dump g:0x100000:4K
check 0 out '"smem": "1kb"' "$warpbeam" run -q untyped.s --smem 1kb --json
check 2 err '1048592 bytes of shared memory' "$warpbeam" run untyped.s --smem 1MiB
check 2 err 'smem: found "4X", expected bytes such as 4096, 0x1000 or 4K' "$warpbeam" run untyped.s --smem 4X
check 2 err 'zero=1 K: found "1 K", expected bytes' "$warpbeam" run untyped.s -a 'zero=1 K'
check 2 err 'expected bytes' "$warpbeam" run untyped.s -a out=x:-1
check 2 err 'does not fit' "$warpbeam" run untyped.s -a zero=5G
check 2 err 'expected bytes' "$warpbeam" run untyped.s -a zero=18446744073709551615K
check 0 out '^4 blocks' "$warpbeam" occ --threads 128 --regs 10 --smem 4K
check 2 err "'--smem' expects .* as 4K; found '4Q'" "$warpbeam" occ --threads 128 --regs 10 --smem 4Q
check 0 out "^wb1" "$warpbeam" shot ifelse -o other.png --rewind 64MB
check 2 err "'--rewind' expects" "$warpbeam" shot ifelse -o other.png --rewind 64X
check 2 err "'--sample' expects a number" "$warpbeam" run untyped.s --sample 4K

# ---- errors and their places ----

check 0 err 'written to warpbeam.png; -o' "$warpbeam" shot ifelse
check 0 out 'PNG' head -c 4 warpbeam.png
check 0 out . "$warpbeam" shot ifelse -o other.png
not err 'written to'
check 5 err '^warpbeam: off.s:4: the program runs off its end: its `exit` is missing' "$warpbeam" run off.s
printf '.kernel label\n\tbra #end\n\tnop\nend:\n' >label.s
check 5 err 'label.s:3: the program runs off its end' "$warpbeam" run label.s
cat >wild.s <<'END'
.kernel wild
	mov b32 $r1 0x0
	st b32 g0[$r1] $r0
	exit nop
END
check 5 err '^warpbeam: wild.s:3: g\[\] access to memory that is not mapped' "$warpbeam" run wild.s
check 5 err 'pc 0x8 (line 3), lanes' "$warpbeam" run wild.s
"$warpbeam" asm wild.s -o wild.hex
check 5 err '^warpbeam: g\[\] access' "$warpbeam" run wild.hex
check 0 out '^  block 0 warp 0: GLOBAL_UNMAPPED .*, pc 0x8 (line 3), lanes' \
	sh -c 'echo continue | "$0" debug wild.s --batch' "$warpbeam"
check 0 out 'past the end, where an `exit` is missing$' sh -c 'echo continue | "$0" debug off.s --batch' "$warpbeam"
check 2 err "unknown verb 'trace'; that is 'warpbeam run FILE --trace OUT'" "$warpbeam" trace matmul
check 2 err "unknown verb 'matmul'; did you mean 'warpbeam run matmul'?" "$warpbeam" matmul
check 2 err "unknown verb 'wild.s'; did you mean 'warpbeam run wild.s'?" "$warpbeam" wild.s
check 7 err 'runs, pc 0x[0-9a-f]* (line [0-9]*), lanes' "$warpbeam" run lock-livelock --livelock 1000
sed /bar/d "$root/examples/barrier.s" >race.s
store=$(grep -n 'st b32 s' race.s | cut -d: -f1)
load=$(grep -n 'b32 s\[$a2' race.s | cut -d: -f1)
check 1 err "load at pc 0x[0-9a-f]* (line $load) by .* after store at pc 0x[0-9a-f]* (line $store) by" \
	"$warpbeam" run race.s --check race
check 1 err 'under divergence at pc 0x58 (line 33): block' "$warpbeam" run barrier-in-divergence --check barrier

finish
