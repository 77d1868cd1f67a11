#!/bin/sh
# Limits of a file, a name, a signal, a full host.   trust.sh WARPBEAM SOURCE_ROOT
. "$(dirname "$0")/../kit/check.sh"
warpbeam=$(realpath "$1")
root=$(realpath "$2")
cd "$work" || exit 1

example=$root/examples/ifelse.s
WB_PIPE_SECONDS=1       # the wait for a pipe's first byte
export WB_PIPE_SECONDS
program() {   # .arg's words: a program naming a file
	printf '.kernel k\n.grid 1\n.block 32\n.param ptr p\n.arg %s\n\texit nop\n' "$1" >in/p.s
}

# --files: a program text reads below its own folder, and writes nothing.
mkdir -p in/below
echo abcd >in/x.bin
echo abcd >y.bin
ln -s ../y.bin in/link.bin
mkfifo in/fifo
program in=in/x.bin
says 0 'k on' "$warpbeam" run in/p.s
says 4 'files none forbids' "$warpbeam" run in/p.s --files none
says 0 'k on' "$warpbeam" run in/p.s --files none -a in=y.bin
for file in y.bin in/link.bin in/../y.bin in/fifo /etc/hostname; do
	program "in=$file"
	says 4 'no file below the program.s folder' "$warpbeam" run in/p.s --trace t.trace
	ok 'no trace of what may not be read' [ ! -e t.trace ]
done
program in=y.bin
says 0 'k on' "$warpbeam" run in/p.s --files any
program out=z.bin:64
says 4 'would write the file z.bin by itself' "$warpbeam" run in/p.s
ok 'nothing is written' [ ! -e z.bin ]
says 0 'k on' "$warpbeam" run in/p.s --files any
ok 'it is written' [ "$(wc -c <z.bin)" = 64 ]
# A text's expectations or a plan allow no file that the rule forbids.
expecting() {   # WITH: a program naming a file, and expectations of its run
	program in=y.bin
	printf '// expect: with %s\n// expect: exit 0\n' "$1" >>in/p.s
}
program zero=64
cp in/p.s in/q.s
printf '// expect: with -a in=y.bin\n// expect: exit 0\n' >>in/q.s
for word in in=y.bin state=y.bin bytes=y.bin inout=y.bin:z.bin out=z.bin:4; do
	{ sed '/^\/\/ expect/d' in/q.s; printf '// expect: with -a %s\n// expect: exit 0\n' $word; } >in/w.s
	says 4 'with --files any only' "$warpbeam" run in/w.s --check-expect
done
printf 'with -a in=y.bin\nexit 0\n' >marks
says 4 'with --files any only' "$warpbeam" run in/q.s --check-expect
says 0 '1 passed, 0 failed' "$warpbeam" run in/q.s --check-expect --files any
program zero=64
says 0 '1 passed, 0 failed' "$warpbeam" run in/p.s --expect marks
for with in files=any cc=./compiler keep; do
	expecting "$with"
	says 4 'only the command line may say that' "$warpbeam" run in/p.s --check-expect
done
for with in const=0:0=y.bin machine=y.bin scene=y.bin global=0:in=y.bin global=0:inout=y.bin:z.bin; do
	expecting "$with"
	says 4 'with --files any only' "$warpbeam" run in/p.s --check-expect
done
expecting max-cycles=none
says 4 'the command line has set this limit' "$warpbeam" run in/p.s --check-expect --max-cycles 100
printf '#!/bin/sh\n: >ran\n' >compiler
chmod +x compiler
printf '__kernel void k(__global int *p) { p[0] = 1; }\n' >in/k.cl
printf '{"file": "in/k.cl", "set": {"chip": "tonga", "cc": "./compiler"}}' >cc.json
says 4 "setting 'cc': a plan runs no compiler of its own" "$warpbeam" sweep cc.json
ok 'nothing has run' [ ! -e ran ]
printf '{"file": "in/k.cl", "axes": {"keep": [true]}}' >keep.json
says 4 "setting 'keep'" "$warpbeam" sweep keep.json
for set in '"files": "any"' '"include": "/etc"' '"libclc": "x.bc"'; do
	printf '{"file": "in/k.cl", "set": {%s}}' "$set" >lifts.json
	says 4 'on the command line' "$warpbeam" sweep lifts.json
done
printf '.include "../y.bin"\n' >in/p.vsh
says 4 'no file below the program.s folder' "$warpbeam" run in/p.vsh

# Names from files are shown, and do nothing to a terminal.
name=$(printf 'a\033[31m\007b.s')
cp "$example" "$name"
says 0 'a.x1b' "$warpbeam" info "$name"
ok 'no escape sequence' sh -c '! grep -q "$(printf "\033")" said'
says 2 'a.x1b\[31m.x07b' "$warpbeam" run "$name" --format raw --chip pica
{
	printf 'architecture {sm_10}\nabiversion {1}\ncode {\n\tname = k\033]0;t\007\n\tlmem = 0\n\tsmem = 16\n'
	printf '\treg = 4\n\tbar = 0\n\tbincode {\n\t\t0xf0000001 0xe0000001\n\t}\n}\n'
} >esc.cubin
# shellcheck disable=SC2086
for verb in info run annotate dis bill 'tui --print'; do
	"$warpbeam" $verb esc.cubin >said 2>&1 </dev/null
	ok "$verb sends nothing to the terminal but text" sh -c \
		'[ -s said ] && ! LC_ALL=C grep -q "$(printf "[\001-\010\013-\037\177]")" said'
done
# A name with control bytes, or without valid UTF-8, is text in every document.
if command -v python3 >/dev/null; then
	python3 -c '
import sys
old = open(sys.argv[1], "rb").read()
new = old.replace(b".name\xa3add", b".name\xa3a\xff\x1b")
assert new != old
open("odd.hsaco", "wb").write(new)' "$root/tests/gcn/two.hsaco"
	"$warpbeam" info --json odd.hsaco >said
	ok 'info --json has both kernels' python3 -c '
import json
assert {k["name"] for k in json.load(open("said"))["kernels"]} == {"a\\xff\\x1b", "fill"}'
	for name in 'a\xff\x1b' "$(printf 'a\377\033')"; do
		"$warpbeam" run odd.hsaco --kernel "$name" -a zero=256 -a u32=1 -a shared=256 --json \
			--trace odd.trace >said
		ok 'run --json' python3 -c '
import json
assert json.load(open("said"))["config"]["kernel"] == "a\\xff\\x1b"'
		ok 'export' sh -c '"$0" export --format perfetto odd.trace | python3 -m json.tool >/dev/null' \
			"$warpbeam"
		rm -f odd.trace
	done
else
	echo 'skipped: documents of odd names: no python3'
fi
printf '{"file": "x\\u001b[0m.s", "axes": {"pol\\u001bicy": ["rr"]}}' >esc.json
says 4 'x1b' "$warpbeam" sweep esc.json

# Signals end a run with its outputs so far, a sweep with its workers.
{
	printf '.kernel k\n.block 64\n\tmov b32 $r1 0x0\n\tmov b32 $r2 0x7fffffff\n'
	printf 'l:\tadd b32 $r1 $r1 0x1\n\tsub b32 $c0 # $r1 $r2\n\t(lg $c0) bra #l\n\texit nop\n'
} >long.s
printf '{"file": "long.s", "axes": {"mps": [1, 2, 3]}, "columns": ["cycles"]}' >long.json
for signal in INT TERM HUP; do
	for seconds in 0.4 2 10; do     # on a busy host the run may not have begun
		timeout --foreground -s $signal $seconds \
			"$warpbeam" run long.s --stats st.json --trace t.trace >said 2>&1
		[ ! -e st.json ] || break
	done
	ok "statistics on $signal" grep -q '"result": "interrupted"' st.json
	ok "a trace on $signal" "$warpbeam" export --format folded t.trace -o t.folded
	rm -f st.json t.trace
done
# SIGUSR1 asks where a run is, or a sweep, and ends neither.
asked() {     # WANTED COMMAND...: a line with WANTED comes within ten seconds of questions
	wanted=$1
	shift
	"$@" >out 2>said &
	pid=$!
	for wait in 1 2 3 4 5 6 7 8 9 10; do
		sleep 1
		kill -USR1 $pid
		grep -q "$wanted" said && break
	done
	grep -q "$wanted" said && kill -0 $pid
	result $? "$*: expected '$wanted' at SIGUSR1, found $(cat said)"
	kill -TERM $pid
	wait $pid
}
asked '^warpbeam: long.s: 0 of 1 block, .* of 9.0 G instructions (.* a second), .* left$' \
	"$warpbeam" run long.s -q --max-insns 9000000000
asked '^warpbeam: long.s: .* of 16.8 M instructions (.* a second), .* left$' "$warpbeam" shot long.s -q -o long.png
asked '^warpbeam: sweep: 0 of 3 points' "$warpbeam" sweep long.json -q -j 2 -o long.csv
rm -f long.csv*

for signal in TERM HUP KILL; do
	"$warpbeam" sweep long.json -j 2 -o long.csv >said 2>&1 &
	sweep=$!
	workers=
	for wait in 1 2 3 4 5 6 7 8 9 10; do
		sleep 0.3
		workers=$(ps -o pid= --ppid $sweep)
		[ "$(echo $workers | wc -w)" != 2 ] || break
	done
	kill -$signal $sweep
	wait $sweep 2>/dev/null
	for worker in $workers; do
		ok "worker $worker ends with the sweep on $signal" sh -c 'for wait in 1 2 3 4 5 6 7 8 9 10; do
			sleep 0.1
			case $(ps -o stat= -p "$0") in ""|Z*) exit 0 ;; esac
		done; exit 1' "$worker"
	done
	ok 'there were workers' [ -n "$workers" ]
done

# Outputs take their place as whole files.
echo 'what was there' >old
cp old target
ln -s target link
ok 'a link is replaced' "$warpbeam" asm "$example" -o link
ok 'what it led to is as it was' cmp old target
printf 'nonsense\n' >bad.s
cp bad.s bad.copy
says 2 'this is the source' "$warpbeam" asm bad.s -o bad.s
ok 'the source is as it was' cmp bad.s bad.copy
cp "$example" good.s
says 2 'this is the source' "$warpbeam" asm good.s -o good.s
ok 'the source is as it was' cmp good.s "$example"
ok 'standard output by name' sh -c '"$0" asm "$1" -o /dev/stdout >bytes && [ -s bytes ]' "$warpbeam" "$example"
if [ -w /dev/full ]; then
	says 3 'cannot write' "$warpbeam" shot "$example" -o /dev/full
	says 3 'cannot write' "$warpbeam" run "$example" --trace /dev/full
	for words in --help --version 'help run' 'run --help'; do
		# shellcheck disable=SC2086
		says 3 'cannot write' sh -c '"$0" "$@" 2>&1 >/dev/full' "$warpbeam" $words
	done
fi

# Limits of the host.
says 6 'max-seconds' "$warpbeam" run long.s --max-seconds 1
says 6 'max-seconds' "$warpbeam" run long.s --max-seconds 1 --timing off
says 6 'max-memory' "$warpbeam" run "$example" --max-memory 100
printf '.kernel k\n.lmem 65536\n.block 512\n.grid 300\n\texit nop\n' >deep.s
says 6 'max-memory' "$warpbeam" run deep.s --max-memory 512M
# A sanitized build takes more address space for itself.
if sh -c 'ulimit -v 8000000; "$0" --version' "$warpbeam" >/dev/null 2>&1; then
	ok 'local memory takes none until it is touched' sh -c 'ulimit -v 8000000; "$0" run deep.s' "$warpbeam"
else
	echo 'skipped: address space cannot be limited here, as a sanitized build takes more for itself'
fi
truncate -s 3G sparse
says 4 'no known kind of program' "$warpbeam" run sparse
says 6 'max-memory' "$warpbeam" run sparse --format raw --max-memory 1M
head -c 27000000 /dev/zero | gzip -1 >ten
cat ten ten ten ten ten ten ten ten ten ten >blanks.vec.gz
says 6 'more than 256 MiB' "$warpbeam" vectors blanks.vec.gz
says 2 '42949[0-9]* bytes of shared memory' "$warpbeam" run "$example" --smem 4294967280

# A folder, a pipe.
for verb in run dis shot info bill; do
	says 3 'is a folder, expected a file' "$warpbeam" $verb in
done
mkfifo pipe
says 3 'nothing was written for 1 second$' timeout 30 "$warpbeam" run pipe
(cat "$example" >pipe) &
says 0 'main\|on g' "$warpbeam" run pipe --format asm

finish
