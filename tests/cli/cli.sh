#!/bin/sh
# The command line for its users: exit codes, messages, help.   cli.sh WARPBEAM SOURCE_ROOT
. "$(dirname "$0")/../kit/check.sh"
warpbeam=$(realpath "$1")
root=$(realpath "$2")
cd "$work" || exit 1

example=$root/examples/ifelse.s
printf '30020001\nzz\n\n' >words
printf 'shl b32 $r0 $r0 0x2\nshl b32 $r0 nonsense\n\n' >text
printf '\177ELF lies' >lies
printf '\tmov b32 $r0 0x1\n\tfrobnicate $r0\n' >bad.s

check 2 err 'Usage: warpbeam VERB' "$warpbeam"
check 0 out 'Usage: warpbeam VERB' "$warpbeam" --help
check 0 out '^warpbeam [0-9.]* (simd [a-z0-9]*)$' "$warpbeam" --version
check 0 out '^simd levels: base' "$warpbeam" --version -v
check 2 err "did you mean 'run'" "$warpbeam" rnu
check 2 err 'does not fit' "$warpbeam" run "$example" --block 512 --regs 128
check 6 err 'more warps' "$warpbeam" run "$example" --grid 60000 --max-insns 1000
check 2 err 'expected a verb' "$warpbeam" --json

check 3 err "nosuch: .*no example has that name" "$warpbeam" run nosuch
check 3 err "did you mean the example 'ifelse'" "$warpbeam" compare ifels nested
check 3 err 'no example has that name' "$warpbeam" compare ifelse nosuch
check 3 out '^ifelse  *ifelse ' "$warpbeam" compare ifelse nosuch

check 0 out 'compare by MOD_COND' "$warpbeam" isa tesla set
check 0 out '    {icond}  *never|l|e|le|g|lg|ge|always$' "$warpbeam" isa tesla set
check 0 out '^{addop} ' "$warpbeam" isa tesla subr
check 0 out 's_waitcnt' "$warpbeam" isa gcn s_waitcnt
check 2 err "tesla has no instruction 'sett'" "$warpbeam" isa tesla sett

# Every verb has help with purpose, usage, examples, options and exit codes, in this order.
for verb in $("$warpbeam" --help | sed -n '/^Verbs:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
	check 0 out "^warpbeam $verb: " "$warpbeam" "$verb" --help
	check 0 out '^ *130  interrupted' "$warpbeam" help "$verb"
	order=$("$warpbeam" "$verb" --help | grep -oE '^(Usage|Examples|General|Exit codes)' | tr '\n' ' ')
	check 0 out "Usage Examples General Exit codes" echo "$order"
done

check 2 err "did you mean '--diverge'" "$warpbeam" run --divrge=taken "$example"
check 2 err 'taken|fall|larger|random' "$warpbeam" run --diverge=up "$example"
check 2 err "'--strict' is a switch" "$warpbeam" run --strict=3 "$example"
check 2 err 'needs X' "$warpbeam" run "$example" --grid
check 2 err 'run needs a FILE' "$warpbeam" run
check 2 err 'one FILE' "$warpbeam" run "$example" "$example"
check 2 err 'auto, always or never' "$warpbeam" run --color=x "$example"
check 3 err 'missing.cubin' "$warpbeam" run missing.cubin
check 4 err '^warpbeam: bad.s:2:' "$warpbeam" run bad.s
check 4 err '^warpbeam: lies:' "$warpbeam" info lies

check 0 out 'ifelse' "$warpbeam" run "$example"
check 0 out '100 3 102 9' "$warpbeam" run "$example" --show 0:u32:8
check 0 out '^g\[00100000\] 64000000 03000000' "$warpbeam" run -q "$example" --dump g:0x100000:16
check 0 out 'branched off' "$warpbeam" bill "$example"
check 0 out 'took/not/split' "$warpbeam" annotate "$example"
check 0 out 'heat (lost): .*; 128 in all, a full bar is 128' "$warpbeam" annotate "$example"
check 0 out 'heat (stalls)' "$warpbeam" annotate "$example" --heat stalls
check 0 out '(lg $c0) bra 0x30  *operand 28 from 0x8$' "$warpbeam" annotate "$example"
check 2 err 'expects lost, issues or stalls' "$warpbeam" annotate "$example" --heat hot
check 0 out '"waited_for"' "$warpbeam" annotate "$example" --json
check 0 out '\$r4 is there in cycle [0-9]*, from 0x0030 add b32 \$r4 \$r0 \$r0 (line 23); operand' \
	sh -c 'printf "issue 10\nwhy w0\n" | "$0" debug "$1" --batch' "$warpbeam" "$example"
check 0 out '"schema": "warpbeam.stats/1"' "$warpbeam" run --json "$example"
check 0 out '"by_branch"' "$warpbeam" bill --json "$example"
check 0 out '7 passed, 0 failed' "$warpbeam" run --check-expect "$example"
sed 's/= 128$/= 127/; s/= 100 3 /= 100 4 /' "$example" >wrong.s
check 1 out '4 passed, 3 failed' "$warpbeam" run --check-expect wrong.s
check 1 out 'element 1 is 3' "$warpbeam" run --check-expect wrong.s
check 0 out ok "$warpbeam" run "$example" --stats stats.json
check 0 out '"digest"' cat stats.json
check 3 err 'cannot write' "$warpbeam" run "$example" --stats no/such/dir
check 6 err . "$warpbeam" run "$example" --max-insns 3
check 2 err 'ARG:TYPE' "$warpbeam" run "$example" --show 0:q8
check 0 out 'ifelse' "$warpbeam" info "$example"
check 0 out '"kernels"' "$warpbeam" info --json "$example"

# The graph of examples/ifelse.s has four blocks: before the branch, both sides, and where they meet.
check 0 out '^digraph "ifelse" {$' "$warpbeam" dis --cfg dot "$example"
check 0 out '^	"0x0" -> "0x[0-9a-f]*" \[label=branch\];$' "$warpbeam" dis --cfg dot "$example"
check 0 out '^	"0x0" -> "0x[0-9a-f]*" \[label=join, style=dashed\];$' "$warpbeam" dis --cfg dot "$example"
check 0 out '^	"0x0" -> "0x[0-9a-f]*";$' "$warpbeam" dis --cfg dot "$example"
check 0 out '^4$' sh -c "'$warpbeam' dis --cfg dot '$example' | grep -c 'label=\"'"
check 0 out '\[label=call, style=bold\]' "$warpbeam" dis --cfg dot "$root/examples/call-ret.s"
check 2 err "'--cfg' is dot" "$warpbeam" dis --cfg svg "$example"
check 4 out '^???' "$warpbeam" dis --bare --lines words
check 4 out '^??? column' "$warpbeam" asm --bare --lines text
# Time in proportion to the lines: 200,000 take 0.3 s, and took 10 s where the search for .chip measured the rest of the
# text at each line.
awk 'BEGIN { for (i = 0; i < 200000; i++) print "\tadd b32 $r1 $r2 $r3" }' >long.s
check 0 out '^done$' sh -c 'ulimit -t 5; "$0" asm long.s -o long.bin && echo done' "$warpbeam"
check 0 out '^3$' sh -c '"$0" asm --bare --lines text | wc -l' "$warpbeam"
check 0 out 'bra' "$warpbeam" dis "$example"
check 0 out '^00000000: ' "$warpbeam" dis "$example"
check 0 out done sh -c '"$0" asm "$1" -o k.bin && echo done' "$warpbeam" "$example"
check 0 out 'joinat' "$warpbeam" dis --format raw k.bin
check 0 out '^odd:' "$warpbeam" dis "$example"
check 0 out '"schema": "warpbeam.dis/1"' "$warpbeam" dis --json "$example"
check 0 out done sh -c '"$0" asm "$1" -o k.cubin && echo done' "$warpbeam" "$example"
check 0 out 'cubin-text, 1 kernel' "$warpbeam" info k.cubin
check 0 out '100 3 102 9' "$warpbeam" run k.cubin --block 64 -a zero=256 --show 0:u32:8
check 0 out done sh -c '"$0" asm "$1" -o k.hex && echo done' "$warpbeam" "$example"
check 0 out '100 3 102 9' "$warpbeam" run k.hex --block 64 -a zero=256 --show 0:u32:8
check 2 err 'raw, hex, cubin or shbin' "$warpbeam" asm "$example" --format elf
printf '30020001 c4100780\n' >shl.hex
machine=$("$warpbeam" run --json "$example" | sed -n 's/^  "machine": "\(.*\)",/\1/p')
check 2 err 'expected one of' "$warpbeam" isa nothing
check 2 err 'expected one of' "$warpbeam" dis --hex --isa nothing words
check 0 out 'shl b32' "$warpbeam" dis --hex --bare --isa "$machine" shl.hex
check 0 out '^| text ' "$warpbeam" isa "$machine" --md
check 0 out '^{' "$warpbeam" isa "$machine" --json

check 0 out 'ifelse' "$warpbeam" examples
check 0 out '^.kernel ifelse' "$warpbeam" examples ifelse
check 0 out 'gallery/ifelse.s' "$warpbeam" examples ifelse -o gallery
check 0 out same sh -c 'cmp gallery/ifelse.s "$0" && echo same' "$example"
check 2 err "did you mean 'ifelse'" "$warpbeam" examples ifels
check 0 out '"warpbeam.occ/1"' "$warpbeam" occ --threads 256 --regs 11 --smem 0 --json
check 2 err 'needs --regs' "$warpbeam" occ --threads 256
# The laboratory is another program, run for its verbs where installed.
check 4 err 'no vectors of a known kind' "$warpbeam" vectors "$example"
check 0 out '^warpbeam vectors: ' "$warpbeam" help vectors
check 0 out '^  vectors  ' "$warpbeam" --help
check 2 err "did you mean 'vectors'" "$warpbeam" vector
check 2 err "no experiment 'nosuch'" "$warpbeam" bench timing --only nosuch
cp "$warpbeam" alone
library=$(ldd "$warpbeam" | sed -n 's|.*libwarpbeam.* => \(.*\)/[^/]* .*|\1|p')
check 3 err 'the laboratory, which is not installed here' env LD_LIBRARY_PATH="$library" ./alone vectors "$example"
# The window and MPI are modules: fifty libraries, loaded by the verbs that need them.
check 3 err 'no window here (warpbeam-window.so is not installed' env LD_LIBRARY_PATH="$library" ./alone view "$example"
echo '{"file": "ifelse", "axes": {"mps": [1]}}' >plan.json
check 3 err 'without MPI here (warpbeam-mpi.so is not installed' \
	env LD_LIBRARY_PATH="$library" OMPI_COMM_WORLD_SIZE=2 ./alone sweep plan.json
# Outside a build, folders of a build's names beside the program may be anybody's.
mkdir -p copy/bin copy/frontends/sdl copy/bench/laboratory copy/frontends/opencl copy/web
cp "$warpbeam" copy/bin
printf '#!/bin/sh\necho taken\n' >copy/bench/laboratory/warpbeam-laboratory
chmod +x copy/bench/laboratory/warpbeam-laboratory
touch copy/frontends/sdl/warpbeam-window.so copy/frontends/opencl/libOpenCL.so.1
check 3 err 'the laboratory, which is not installed here' \
	env LD_LIBRARY_PATH="$library" copy/bin/warpbeam vectors "$example"
check 3 err 'warpbeam-window.so is not installed' env LD_LIBRARY_PATH="$library" copy/bin/warpbeam view "$example"
# shellcheck disable=SC2016
LD_LIBRARY_PATH="$library" copy/bin/warpbeam run -- sh -c 'echo "$LD_LIBRARY_PATH"' >paths 2>&1
! grep -F "$PWD/copy/frontends" paths
result $? 'libraries of a build are not taken from beside a copy'
ldd "$warpbeam" >linked
! grep -E 'SDL|libmpi|libX11' linked
result $? 'the program itself is not linked with the window or MPI'

# Lanes that wait while the other side of an if runs are lost to the if, on whichever side: no row without a split.
cat >else.s <<'END'
.kernel k
.chip gfx900
.block 64
v_cmp_gt_u32 vcc, 8, v0
s_and_saveexec_b64 s[2:3], vcc
v_mov_b32 v1, 1
s_xor_b64 exec, exec, s[2:3]
v_mov_b32 v1, 2
v_mov_b32 v1, 3
s_mov_b64 exec, s[2:3]
s_endpgm
END
check 0 out '^ *136 .*100.0 %  *1  *0x4  s_and_saveexec_b64' "$warpbeam" bill else.s
not out 's_xor_b64'

# A page or a picture under the name of another kind of file.
check 2 err 'ends in .html; found .x.pdf' "$warpbeam" report "$example" -o x.pdf
check 2 err 'only fragments make a picture' "$warpbeam" run "$root/examples/lights.vsh" --out o.png
ok 'nothing is written' [ ! -e x.pdf ] && ok 'nor a picture' [ ! -e o.png ]

# A file that cannot be written is refused before the run, which here would not end.
printf '.kernel k\n.chip g200\n.grid 1\n.block 32\n.param ptr p\nL: add b32 $r0 $r0 0x1\nbra #L\n' >endless.s
while read -r options; do
	# shellcheck disable=SC2086
	check 3 err 'nonexist/x.*: cannot write: No such file' timeout 20 "$warpbeam" $options --livelock none
done <<'END'
run endless.s -a out=/nonexist/x:64
run endless.s -a zero=64 --stats /nonexist/x
run endless.s -a zero=64 --trace /nonexist/x
run endless.s -a zero=64 --printf /nonexist/x
report endless.s -a zero=64 -o /nonexist/x.html
shot endless.s -a zero=64 -o /nonexist/x.png
export endless.s -a zero=64 -o /nonexist/x.csv --format csv
page endless.s -o /nonexist/x.html
END
check 3 err 'report.html: cannot write: Is a directory' sh -c 'mkdir -p taken/report.html; cd taken
	exec timeout 20 "$0" report ../endless.s -a zero=64 --livelock none' "$warpbeam"
echo old >kept.html
check 3 err 'nosuch' "$warpbeam" report nosuch.s -o kept.html
[ "$(cat kept.html) $(ls kept* | wc -l)" = 'old 1' ]
result $? 'a look at an output changes nothing'

check 0 out '^wb1:k=.*pane=board;theme=dark$' "$warpbeam" shot "$example" -o a.png
check 0 out 'PNG' head -c 4 a.png
check 0 out 'c=128\|c=[0-9]*;i=3;' "$warpbeam" shot ifelse -o b.png --state 'wb1:i=3;pane=stack'
check 0 err 'past the end' "$warpbeam" shot "$example" -o a.png --at 999999
check 0 out 'pane=bill;alone=1;front' "$warpbeam" shot "$example" -o a.png --pane bill --state 'wb1:front=stack'
check 0 out same sh -c '"$0" shot -q "$1" -o 1.png && "$0" shot -q "$1" -o 2.png && cmp 1.png 2.png && echo same' \
	"$warpbeam" "$example"
check 0 out 'pane=stack;alone=1' "$warpbeam" shot "$example" --pane stack -o a.svg
# A picture is no window: no keys, no prompt.
ok 'a slide without keys' sh -c 'grep -q "<text" a.svg && ! grep -q "quit\|paused\|wb1:[^<]*</text>" a.svg'
ok 'a picture with its state' "$warpbeam" shot -q "$example" -o c.svg
ok 'and without keys' sh -c 'grep -q "wb1:[^<]*</text>" c.svg && ! grep -q "quit\|paused" c.svg'
check 0 out '^<svg .*width="588" height="[12][0-9][0-9]"' head -n 1 a.svg
check 0 out '>joinat</text>' cat a.svg
check 0 out '^<desc>wb1:k=ifelse;.*pane=stack' cat a.svg
check 0 out 'pane=board' "$warpbeam" shot "$example" -o a.png --frames 552:600 --fps 10
LC_ALL=C grep -ao 'acTL\|fcTL\|fdAT' a.png | uniq | head -n 3 >chunks
check 0 out '^acTL,fcTL,fdAT$' paste -s -d , chunks
check 2 err 'expects two cycles A:B' "$warpbeam" shot "$example" --frames 7
check 2 err 'animated PNG; found' "$warpbeam" shot "$example" --frames 1:2 -o a.svg
check 2 err "no pane 'stak'" "$warpbeam" shot "$example" --pane stak
check 2 err 'WIDTHxHEIGHT' "$warpbeam" shot "$example" --size 12
check 2 err 'from 1 to 8' "$warpbeam" shot "$example" --scale 0
check 3 err 'cannot write' "$warpbeam" shot "$example" -o no/such/a.png
check 3 err 'missing.s' "$warpbeam" shot missing.s
check 2 err "'--rewind' expects a number" "$warpbeam" shot "$example" --rewind much
check 0 out '^issue 3, ' sh -c 'printf "issue 9\\nreverse-issue 6\\n" | "$0" debug "$1" --batch --rewind 1' \
	"$warpbeam" "$example"

check 0 out 'unreconverged.* perfect   *10 ' \
	"$warpbeam" compare "$root/examples/unreconverged.s" --reconverge stack,perfect
check 0 out '"cycles": null' "$warpbeam" compare "$example" --policy gto --reconverge perfect --json
check 7 out 'lock-livelock.* minpc .*issued' \
	"$warpbeam" compare "$root/examples/lock-livelock.s" --reconverge stack,minpc
check 7 out 'stack  *from 0x8: 0x0 (31) …$' \
	"$warpbeam" compare "$root/examples/lock-livelock.s" --reconverge stack,barriers
check 7 out 'barriers  *from 0x8: 0x10 (1) 0x0 (31) 0x10 (1) 0x0 (30)' \
	"$warpbeam" compare "$root/examples/lock-livelock.s" --reconverge stack,barriers
check 0 out '  barriers  *v100 ' "$warpbeam" compare "$root/examples/nested.s" --chip g200 --chip v100
check 0 out '  stack  *g200 ' "$warpbeam" compare "$root/examples/nested.s" --chip g200 --chip v100
check 0 out '  stack  ' "$warpbeam" compare "$root/examples/nested.s" --chip v100 --reconverge stack
check 0 out '"lanes": "0x55555555"' "$warpbeam" compare "$root/examples/nested.s" --reconverge stack,barriers --json
check 2 err 'stack|minpc|none|ipdom' "$warpbeam" compare "$example" --reconverge stack,merged
check 0 out 'ipdom .*issued' "$warpbeam" compare "$root/examples/lights.vsh" --reconverge stack,minpc,ipdom
printf '.chip gfx900\n.kernel k\n.regs 4\n.block 64\ns_endpgm\n' >waves.s
check 0 out 'minpc  *refused' "$warpbeam" compare waves.s --reconverge stack,minpc,ipdom
check 0 err 'minpc.): a wavefront has one pc .*; it is for tesla, pica' \
	"$warpbeam" compare waves.s --reconverge stack,minpc
check 2 err 'means nothing on machine gcn' "$warpbeam" compare waves.s --reconverge minpc
# Options of other machines are refused by every verb that reads the program, unless they say the default.
for option in '--syntax llvm' --hw-strict --buggy-fp-lit '--stage gs'; do
	check 2 err 'means nothing on machine tesla .*; it is for [gp]' "$warpbeam" run "$example" $option
done
check 2 err 'means nothing on machine tesla' "$warpbeam" dis "$example" --syntax llvm
check 2 err 'means nothing on machine tesla' "$warpbeam" info "$example" --hw-strict
for option in '--fma mad' --seamless '--pm 0=cycles' '--max-regs 20' --no-contract; do
	check 2 err 'means nothing on machine gcn .*; it is for tesla$' "$warpbeam" run waves.s $option
done
check 0 out 'ok$' "$warpbeam" run waves.s --store-winner lowest
check 0 out 'ok$' "$warpbeam" run "$example" --syntax clrx
printf '.version 2.0\n.target sm_13\n.entry k () { exit; }\n' >mode.ptx
check 2 err 'mode.ptx: --mode: found fp; compiled programs are compute' "$warpbeam" run mode.ptx --mode fp
check 0 out '"timing": "alu.latency=96"' "$warpbeam" compare "$example" --vary alu.latency=24,96 --json
[ "$("$warpbeam" compare "$example" --vary alu.latency=24,96 --json | jq '.[0].cycles < .[1].cycles')" = true ]
result $? "compare --vary: an instruction's latency of 96 takes no more cycles than 24"
check 2 err 'expected KEY=VALUE,VALUE' "$warpbeam" compare "$example" --vary alu.latency
check 2 err 'no timing value "nosuch"' "$warpbeam" compare "$example" --vary nosuch=3
check 2 err 'compare needs a FILE' "$warpbeam" compare
check 0 out 'perfect_issues' "$warpbeam" run "$example" --perfect
check 1 err 'barrier: under divergence at pc 0x58' \
	"$warpbeam" run "$root/examples/barrier-in-divergence.s" --check barrier
check 0 out ok "$warpbeam" run "$root/examples/reduction-contiguous.s" --check race,uninit,barrier,bounds
check 2 err 'race, uninit, barrier or bounds' "$warpbeam" run "$example" --check rice

cat >shader.vsh <<'END'
.alias pos o0 as position
first:
	mova v0.xy
	mova v0.zw
	mov pos, v1
	nop
	end
second:
	mov pos, v0
	nop
	end
END
printf '1,2,3,4\n-1,2,3,4\n' >shader.csv
check 1 err 'pc 0x0: two mova in a row' "$warpbeam" asm --isa pica --hw-strict shader.vsh
check 0 out '^4c0000' sh -c '"$0" asm --isa pica --entry second shader.vsh -o s.shbin &&
	"$0" asm --isa pica shader.vsh | sed -n 6p' "$warpbeam"
check 4 err 'no label `third`' "$warpbeam" asm --isa pica --entry third shader.vsh
check 0 out 'shbin, 1 kernel' "$warpbeam" info --hw-strict s.shbin
check 0 out '"warpbeam.vertices/1"' "$warpbeam" run -q s.shbin --in shader.csv --out - --lanes 1 --hw-strict
check 1 err 'has 1 finding' "$warpbeam" run --isa pica shader.vsh --in shader.csv --hw-strict
check 2 err 'expected 1 to 32' "$warpbeam" run s.shbin --in shader.csv --lanes 33
printf 'v0.x,v0.y\n' >names.csv
check 4 err 'names of columns and no vertices' "$warpbeam" run s.shbin --in names.csv
check 2 err 'for shaders' "$warpbeam" run "$example" --lanes 3
cat >branch.vsh <<'END'
.alias pos o0 as position
.alias k c7 as (0.0, 1.5, 0.0, 0.0)
	cmp v0.xx, k.xx, <, <
	if cc.x
	mov r0, v0
	nop
	endif
	mov pos, v0
	nop
	end
END
cat >look.txt <<'END'
print/f $v0.y[0:1]
print/f $c7.y[0]
step 2
info stack
END
check 0 out '2 *2$' "$warpbeam" debug --isa pica --format asm branch.vsh --in shader.csv --batch -x look.txt
check 0 out '1.5$' "$warpbeam" debug --isa pica --format asm branch.vsh --in shader.csv --batch -x look.txt
check 0 out 'path' "$warpbeam" debug --isa pica --format asm branch.vsh --in shader.csv --batch -x look.txt
check 0 out '2 *2$' "$warpbeam" debug --isa pica --format asm branch.vsh --in shader.csv --batch -x look.txt
check 0 out '^wb1:k=vertex' "$warpbeam" shot --isa pica --format asm branch.vsh --in shader.csv -o branch.png
check 0 out '0x0004 ifc cc.x .* 1  *2$' "$warpbeam" tui --print --isa pica --format asm branch.vsh \
	--in shader.csv --size 100x40
check 0 out ' rr .* stack ' "$warpbeam" compare --isa pica --format asm branch.vsh --in shader.csv
check 2 err "'--in' is for shaders" "$warpbeam" shot "$example" --in shader.csv
check 3 err 'none.csv' "$warpbeam" tui --print --isa pica --format asm branch.vsh --in none.csv
check 2 err 'check means nothing on machine pica .*; it is for tesla' "$warpbeam" run s.shbin --check uninit
check 0 out 'ok$' "$warpbeam" run s.shbin --reconverge minpc
check 2 err 'diverge means nothing' "$warpbeam" run s.shbin --diverge fall
check 0 out 'ok$' "$warpbeam" run s.shbin --reconverge stack
check 2 err 'no arguments but vertices' "$warpbeam" run s.shbin -a u32=1
check 2 err 'each is a thread' "$warpbeam" run s.shbin --in shader.csv --block 64
: >empty.csv
check 4 err 'no vertices' "$warpbeam" run s.shbin --in empty.csv
check 2 err 'entry: found "second", but a file of format shbin' "$warpbeam" run s.shbin --entry second
printf '30020001 c4100780\n' >words.hex
check 2 err 'entry: found "here", expected a byte address' "$warpbeam" run words.hex --entry here
printf 'v1.x,v0.x,v0.y\n7,1,2\n' >named.csv
check 0 out '"vertices": \[ *$' "$warpbeam" run -q s.shbin --in named.csv --out -
# Numbers of a register go where the heading says, or nowhere.
printf 'v0.x,v0.z\n1,2\n' >gap.csv
check 4 err 'gap.csv:1: found the column v0.z, expected v0.y' "$warpbeam" run s.shbin --in gap.csv
printf '# turned\nv0.y,v0.x\n1,2\n' >turned.csv
check 4 err 'turned.csv:2: found the column v0.y, expected v0.x' "$warpbeam" run s.shbin --in turned.csv
printf 'v0.x,v1.x,v0.y\n1,2,3\n' >apart.csv
check 4 err 'apart.csv:1: found the column v0.y, expected v0.x' "$warpbeam" run s.shbin --in apart.csv
printf 'v0.x,nose.x\n1,2\n' >nose.csv
check 4 err 'nose.csv:1: found "nose", expected the name of an input' "$warpbeam" run s.shbin --in nose.csv
# Results as CSV, number by number those of the JSON.
"$warpbeam" run -q s.shbin --in shader.csv --out results.csv >out 2>err
"$warpbeam" run -q s.shbin --in shader.csv --out results.json >out 2>err
ok 'vertices as CSV: names' [ "$(head -n 1 results.csv)" = o0.x,o0.y,o0.z,o0.w ]
tail -n +2 results.csv | jq -Rsc 'split("\n")[:-1] | map(split(",") | map(tonumber))' >rows
jq -c '.vertices | map(.o0)' results.json >expected.rows
ok 'vertices as CSV: numbers' cmp rows expected.rows
"$warpbeam" run -q "$root/examples/quads.gsh" --out triangles.csv >out 2>err
ok 'triangles as CSV' grep -q '^primitive,thread,winding,o0.x,' triangles.csv
ok 'triangles as CSV: three lines each' [ $(($(wc -l <triangles.csv) % 3)) = 1 ]
check 2 err 'results.raw: expected .json or .csv' "$warpbeam" run s.shbin --in shader.csv --out results.raw
check 2 err 'results.png: only fragments make a picture; expected .json or .csv' \
	"$warpbeam" run s.shbin --in shader.csv --out results.png
check 0 err 'reads v0,.* which no vertices give: 0' "$warpbeam" run s.shbin
check 0 err 'reads v0, which the vertices do not all give: 0' \
	sh -c 'echo "[{\"v1\":[1]}]" >v1.json; "$0" run s.shbin --in v1.json' "$warpbeam"
printf '1,2,3,4\n\n1,2,3\n' >ragged.csv
check 4 err 'ragged.csv:3: found 3 numbers, expected 4' "$warpbeam" run s.shbin --in ragged.csv
printf 'v0.x,v0.y\n1\n' >short.csv
check 4 err 'short.csv:2: expected one number for each of the columns v0.x,v0.y' "$warpbeam" run s.shbin --in short.csv
printf '[{"v0":[1]},{"v16":[1]}]' >v16.json
check 4 err 'v16.json: vertex 1: found "v16", expected the name of an input' "$warpbeam" run s.shbin --in v16.json
check 0 out ' 17  cycles ' "$warpbeam" run s.shbin --in shader.csv
check 0 err 's.shbin: [0-9.e-]* s of the host, [0-9.e-]* M warp instructions a second' \
	"$warpbeam" run -v s.shbin --in shader.csv

cat >names.txt <<'END'
print/f v0.yx[0:1]
print/f $c7[0]
step
print cmp.x[0:1]
print aL[1]+v0.x[0]*0+cmp.x[1]
watch r0.xy[1]
break if r0.w[1]==4.0 && cc.x
continue
print r0.xy[1]+0
continue
info break
print v0.xyz + 1
END
names() {
	"$warpbeam" debug --isa pica --format asm branch.vsh --in shader.csv --batch -x names.txt
}
for line in '^v0.y\[0\] *2 *2$' '^v0.x\[0\] *1 *-1$' '^$c7.w\[0\] *0$' '^cmp.x\[0\] 00000000 00000001$' '= 0x1$' \
	'^breakpoint: watch: .*issue 3' '= 0x40000000bf800000$'; do
	check 2 out "$line" names
done
check 2 err 'found "v0.xyz", expected a number, a part of a register' names
# A file says on how many multiprocessors, unless the command line does.
check 0 out ': 148 fragments (5 warps), 1 MP: ok' "$warpbeam" run "$root/examples/quad-cost.s"
check 0 out ', 3 MPs: ok' "$warpbeam" run "$root/examples/quad-cost.s" --mps 3
check 0 out 'default from the file, else the chip' "$warpbeam" help run
# A file's ending makes a shader of the program; comments name inputs and outputs.
cp "$root/examples/quads.gsh" "$root/examples/lights.vsh" .
check 0 out '^geometry on pica: 3 primitives (1 warp), 1 MP: ok' "$warpbeam" run quads.gsh
check 0 out '^5 warps fit a multiprocessor; limits in warps: ' \
	sh -c 'echo info occupancy | "$0" debug lights.vsh --batch' "$warpbeam"
check 0 out '10 passed, 0 failed' "$warpbeam" run --check-expect quads.gsh
sed -i 's/primitives = 6/primitives = 7/; s/o0 = 1 1 0 1/o0 = 1 2 0 1/
	s/primitive 4 vertex 1/primitive 6 vertex 1/' quads.gsh
check 1 out '7 passed, 3 failed' "$warpbeam" run --check-expect quads.gsh
check 1 out 'y is 1$' "$warpbeam" run --check-expect quads.gsh
check 1 out 'there is none of that number' "$warpbeam" run --check-expect quads.gsh
printf '0,0,0,1,3\n' >one.csv
check 0 out '"branched_off": 560' "$warpbeam" run --json lights.vsh
check 0 out '"branched_off": 0' "$warpbeam" run --json lights.vsh --in one.csv
check 0 out 'below: reduction-contiguous' "$warpbeam" tui --print --size 120x50 reduction-divergent \
	--against reduction-contiguous
check 3 err 'nowhere' "$warpbeam" tui --print reduction-divergent --against nowhere.s
check 0 out 'lights.vsh *pica' "$warpbeam" tui --print --size 100x40 lights.vsh
printf 'list\nstep 3\nlist\n' >list.txt
check 0 out '^=> *30 .*lcnt' "$warpbeam" debug lights.vsh --batch -x list.txt
check 0 out 'gallery/lights.vsh' "$warpbeam" examples lights -o gallery
# A file's names of registers.
"$warpbeam" asm lights.vsh -o lights.shbin
for line in '^    entry    0x0 *vertex$' '^    input    v1 *lights$' '^    uniform  c0-c7 *light$' \
	'^    constant c3 *8, 0, 0, 0$' '^    constant i0 *7, 0, 1, 0$' '^    output   o1.xyzw *color$'; do
	check 0 out "$line" "$warpbeam" info lights.shbin
done
check 0 out '"registers": "c0-c7"' "$warpbeam" info --json lights.shbin
# A listing assembled again has names, constants and outputs of the file, and so the file's results.
check 0 out '^\.alias const_c3 c3 as (8, 0, 0, 0)$' "$warpbeam" dis lights.shbin
"$warpbeam" dis lights.shbin >again.vsh
"$warpbeam" asm again.vsh -o again.shbin
for file in lights again; do
	"$warpbeam" info $file.shbin | sed '1d; s/^\(    entry .*0x0\)[-x0-9a-f]*/\1/' >$file.info
done
ok 'names of a listing that is assembled again' cmp lights.info again.info
check 0 out same sh -c '"$0" dis lights.shbin >listing.vsh &&
	"$0" asm --format hex listing.vsh >again &&
	"$0" asm --format hex lights.vsh | cmp - again && echo same' "$warpbeam"
check 2 err "'--out' is for shaders that were given vertices" "$warpbeam" run s.shbin --out o.json
check 2 err "'--out' is for shaders" "$warpbeam" run "$example" --out o.json

# Every path of lanes through a shader, an edge a line.
cat >ways.vsh <<'END'
.alias pos o0 as position
.alias i i0 as (3, 0, 1, 0)
	mov r0, v0
	loop i
	cmp r0.xx, v0.yy, <, <
	break cc.x
	add r0, r0, v0
	nop
	endloop
	if b0
	call sub until after
	nop
	else
	mov r0, v0
	nop
	endif
	jmp done if b1
	mov r1, r0
done:
	mov pos, r0
	nop
	end
sub:
	mov r2, v0
	nop
after:
END
cat >ways.want <<'END'
"0x0" -> "0x18" [label=join, style=dashed];
"0x0" -> "0x8";
"0x8" -> "0x18" [label=branch];
"0x8" -> "0x10";
"0x10" -> "0x8" [label=branch];
"0x10" -> "0x18";
"0x18" -> "0x24" [label=branch];
"0x18" -> "0x1c";
"0x1c" -> "0x40" [label=call, style=bold];
"0x1c" -> "0x20";
"0x20" -> "0x2c" [label=branch];
"0x24" -> "0x2c";
"0x2c" -> "0x34" [label=branch];
"0x2c" -> "0x30";
"0x30" -> "0x34";
"0x34" -> end;
"0x40" -> end [label=branch];
END
check 0 out '^same$' sh -c '"$0" dis --isa pica --format asm --cfg dot ways.vsh |
	grep " -> " | tr -d "\t" | diff - ways.want && echo same' "$warpbeam"

# A geometry shader that emits until memory is full says the loss. (Sanitizers need more memory to start.)
cat >flood.gsh <<'END'
.alias pos o0 as position
.alias many i0 as (255, 0, 0, 0)
	setemitraw 2, prim
	loop many
	loop many
	loop many
	mov pos, v0
	emit
	nop
	endloop
	nop
	endloop
	nop
	endloop
	end
END
flood='ulimit -v 300000; exec "$0" "$@"'
if sh -c "$flood" "$warpbeam" --version >out 2>&1; then
	check 6 err 'primitives are lost' sh -c "$flood" "$warpbeam" run --isa pica --stage gs \
		--format asm flood.gsh --in shader.csv --timing off --max-insns 2000000
fi

# Rectangles with too many threads are refused before pixels or quads have storage.
printf '.chip g200\n.mode fp\n\texit nop\n' >all.s
echo '{"fp": {"rect": [0, 0, 8192, 8192]}}' >vast.json
echo '{"fp": {"rect": [0, 0, 8192, 8192], "vertices": [{"pos": [0, 0, 0, 1]}, {"pos": [8192, 0, 0, 1]},
	{"pos": [0, 8192, 0, 1]}]}}' >half.json
narrow='ulimit -v 100000; exec "$0" "$@"'
if sh -c "$narrow" "$warpbeam" --version >out 2>&1; then
	check 4 err 'at most 2097120 threads: draw in parts; these are 67108864$' \
		sh -c "$narrow" "$warpbeam" run all.s --scene vast.json
	check 4 err 'at most 2097120 threads: draw in parts; these are 33562624$' \
		sh -c "$narrow" "$warpbeam" run all.s --scene half.json
fi

# Every pane can be drawn alone, and the message about an unknown pane names all.
for pane in board timeline stack annotate explain bill why occupancy shared source watch; do
	check 0 out "pane=$pane" "$warpbeam" shot ifelse --pane $pane -o "$work/pane.png"
done
check 0 out 'pane=board;front=watch;watch=\$r0/x' "$warpbeam" shot ifelse --watch '$r0/x' -o watched.png
check 2 err 'shared, source, watch' "$warpbeam" shot ifelse --state 'wb1:k=ifelse;pane=nosuch'
# The name of an instruction is whole.
printf '.chip tonga\n\ts_nop 0\n\ts_cbranch_execnz end\nend:\n\ts_endpgm\n' >"$work/long.s"
check 0 out '^s_cbranch_execnz at 0x4' "$warpbeam" tui "$work/long.s" --print --pane explain --at 508

# The help of a --no- form says that the switch is off.
check 0 out 'no-reload  *turns off: load FILE again' "$warpbeam" view --help
check 0 out 'no-fast-forward  *turns off: with traces' "$warpbeam" run --help

# Completion has the words of options, names of examples, and kernels of the program.
completes() {   # WANT WORDS...
	want=$1
	shift
	# shellcheck disable=SC2016
	check 0 out "^$want\$" bash -c 'source <("$0" docs bash) && warpbeam() { command "$wb" "$@"; }; wb=$0
		COMP_WORDS=(warpbeam "$@"); COMP_CWORD=$#; _warpbeam; echo "${COMPREPLY[*]}"' "$warpbeam" "$@"
}
if command -v bash >/dev/null; then
	completes 'g80 g84 g200 gt215 gfx900' run --chip g
	completes 'board bill' shot ifelse --pane b
	completes 'matmul' run matm
	completes 'rr random' run --policy r
	completes 'matmul' run matmul --kernel ''
fi
check 0 out '^ifelse$' "$warpbeam" docs kernels ifelse

# A count agrees with its noun.
# shellcheck disable=SC2016
printf '.kernel k\n.block 32\n\tadd b32 $r1 $r5 $r0\n\texit nop\n' >"$work/one.s"
check 1 err 'have 1 finding at 1 place$' "$warpbeam" run "$work/one.s" --check uninit
# A file of vectors that cannot be read has no tally.
check 3 err 'cannot open' "$warpbeam" vectors "$work/nosuch.json"
not out passed

finish
