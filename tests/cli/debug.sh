#!/bin/sh
# The debugger runs scripts of commands and prints the expected texts.   debug.sh WARPBEAM SOURCE_ROOT
# A script is for the example of its name. Without timing, so that new latencies change nothing here, and with turns
# of a single instruction, so that warps are at the same place. Expected output: tests/debug/*.expected; WB_UPDATE=1
# writes these files anew.
. "$(dirname "$0")/../kit/check.sh"
warpbeam=$1
root=$2

for script in "$root"/tests/debug/*.commands; do
	name=$(basename "$script" .commands)
	"$warpbeam" debug "$root/examples/$name.s" --timing off --slice 1 --batch -x "$script" >"$work/out" 2>&1
	[ -n "${WB_UPDATE:-}" ] && cp "$work/out" "$root/tests/debug/$name.expected"
	diff -u "$root/tests/debug/$name.expected" "$work/out"
	result $? "$name: the output differs"
done

# Every command has its help, and a failing command ends a batch.
for command in step reverse-step next finish continue reverse-continue until goto break watch print \
	x info why disassemble list; do
	echo "help $command" | "$warpbeam" debug "$root/examples/ifelse.s" --batch | grep -q "^$command"
	result $? "help $command"
done
for line in 'nonsense' 'break nowhere' 'until' 'p $r3[7:2]' 'p 1 +' 'step 0' 'warp w77' 'x/4 q[0]' \
	'info nothing' 'goto x'; do
	printf '%s\nprint 1\n' "$line" | "$warpbeam" debug "$root/examples/ifelse.s" --batch >"$work/out" 2>"$work/err"
	[ $? = 2 ] && [ -s "$work/err" ] && ! grep -q 'print' "$work/out"
	result $? "$line: expected a message and exit 2"
done

# A stranger's fingers: unique beginnings of names are enough, ambiguous beginnings are explained.
while IFS='|' read -r commands wanted; do
	printf "$commands" | "$warpbeam" debug "$root/examples/lock-ok.s" --batch >"$work/out" 2>&1
	grep -q -e "$wanted" "$work/out"
	result $? "$commands: expected '$wanted', found $(cat "$work/out")"
done <<'END'
fin|'finish'\|stack of b0 w0 is empty
disas|0x0000  joinat
rev|'rev' may be reverse-step, reverse-next
stpe|did you mean 'step'
break critical\nrun\nbt|branch
break critical\ncont\nrun\ninfo break|critical  hit
break critical\nbreak done\ndelete\ninfo break|no breakpoints
cont\nreverse-next\np depth|depth = 0x
watch s[0x20]\ncont|s\[0x20\] = 0x
until barrier\nwhy w0|w0
goto cycle 520\nwhy w1|b0 w1
END

# --max-seconds is the time of all movements together; the command that is over the time ends a batch.
printf '.kernel k\n.grid 1\n.block 32\nL: add b32 $r0 $r0 0x1\nbra #L\n' >"$work/endless.s"
for commands in 'continue\nhelp' 'run' 'goto 100000000000' 'until block == 1' 'goto cycle 1000000000000'; do
	printf "$commands\n" | timeout 20 "$warpbeam" debug "$work/endless.s" --batch --max-seconds 1 --livelock none \
		--chip g80 >"$work/out" 2>"$work/err"
	[ "$? $(cat "$work/err")" = '6 warpbeam: the time limit (--max-seconds) was reached' ]
	result $? "$commands: ends with --max-seconds, found $(cat "$work/err" "$work/out")"
done

# Scalar registers of a wavefront are printed once, masks whole; lanes on demand.
cat >"$work/wave.s" <<'END'
.kernel wave
.chip gfx900
.block 64
s_mov_b32 s4, 0x12345678
s_mov_b32 s5, 9
v_mov_b32 v2, v0
v_mov_b32 v3, 1

v_cmp_gt_u32 vcc, 8, v0
s_and_saveexec_b64 s[6:7], vcc
s_mov_b32 m0, 5
s_endpgm
END
while IFS='|' read -r commands wanted; do
	printf "step 7\n$commands" | "$warpbeam" debug "$work/wave.s" --batch >"$work/out" 2>&1
	[ "$(tail -n +3 "$work/out")" = "$(printf "$wanted")" ]
	result $? "$commands: expected '$wanted', found $(cat "$work/out")"
done <<'END'
p s4|s4 = 12345678
p/u s5|s5 =          9
p m0|m0 = 00000005
p scc|scc = 00000001
p vcc|vcc = 00000000000000ff
p exec|exec = 00000000000000ff
p s6|s6 = ffffffff
p exec_lo|exec_lo = 000000ff
p vcc_lo + 1|vcc_lo + 1 = 0x100
p vcc == 0xff && exec == mask|vcc == 0xff && exec == mask = 0x1
p vcc[7]*2+vcc[8]|vcc[7]*2+vcc[8] = 0x2
p s5[0:1]|s5[0] 00000009 00000009
p vcc[6:9]|vcc[6] 00000001 00000001 00000000 00000000
p s[4:5]|s[4:5] = 0000000912345678
p/d s[4:5]|s[4:5] =          38960125560
p s[4:4]|s[4:4] = 12345678
p s[4:5][0:1]|s[4:5][0] 0000000912345678 0000000912345678
p s[6:9]|s6 = ffffffff\ns7 = ffffffff\ns8 = 00000000\ns9 = 00000000
p v[2:3][8:9]|v[2:3][8] 0000000100000008 0000000100000009
p v[2:3][9]|v[2:3][9] 0000000100000009
p/f s[4:5] + 0x3ff0000000000000 - 0x912345678|s[4:5] + 0x3ff0000000000000 - 0x912345678 =                        1
p s[4:5] - s4 == s5<<32 && v[2:3][9]>>32|s[4:5] - s4 == s5<<32 && v[2:3][9]>>32 = 0x1
p v2[8:9]|v2[8] 00000008 00000009
END

# A shader's uniforms, too, except uniforms of each thread.
echo 'p i0.y' | "$warpbeam" debug "$root/examples/two-sided.vsh" --batch | grep -qx 'i0.y = 00000000'
result $? "a uniform of all vertices is printed once"
echo 'p c0.x' | "$warpbeam" debug "$root/examples/quads.gsh" --batch | grep -q '^c0.x\[24\]'
result $? "geometry shaders have uniforms in each lane"

# Breakpoints by source lines.
while IFS='|' read -r commands wanted; do
	printf "$commands" | "$warpbeam" debug "$work/wave.s" --batch >"$work/out" 2>&1
	grep -qF -e "$wanted" "$work/out"
	result $? "$commands: expected '$wanted', found $(cat "$work/out")"
done <<'END'
break :7|breakpoint 1: :7 (line 7, 0x0010)
break line 9|breakpoint 1: line 9 (line 9, 0x0014)
break wave.s:8|breakpoint 1: wave.s:8 (line 9, 0x0014: line 8 has no instructions)
break nowhere/wave.s:1|(line 4, 0x0000: line 1 has no instructions
break :10 if scc==0\ncont|breakpoint: (1) issue 5,
break line 10 if s5 == 9\nc\ninfo break|1  breakpoint  line 10 if s5 == 9  hit 1
break :13|found line 13, expected one from 1 to 12, the last of wave.s
break :0|found line 0, expected one from 1 to 12
break other.s:5|found "other.s:5", expected a line of wave.s, such as wave.s:12 or :12
break :x|found ":x", expected a label, a line such as :12, or a pc below 0x24
break line|found "line", expected a label
END
{ cat "$work/wave.s"; echo '// the end'; } >"$work/longer.s"
echo 'break :13' | "$warpbeam" debug "$work/longer.s" --batch >"$work/out" 2>&1
grep -qF 'found line 13, expected one up to 12: no later line of longer.s has instructions' "$work/out"
result $? "a line after the last instruction: $(cat "$work/out")"

# Ranges of registers in watches and conditions, and invalid ranges.
while IFS='|' read -r commands wanted; do
	printf "$commands" | "$warpbeam" debug "$work/wave.s" --batch >"$work/out" 2>&1
	grep -qF -e "$wanted" "$work/out"
	result $? "$commands: expected '$wanted', found $(cat "$work/out")"
done <<'END'
watch s[4:5]\nc\nc|s[4:5] = 0x912345678: issue 2
break if s[4:5] == 0x912345678\nc|breakpoint: (1) issue 2
until v[2:3][1] == 0x100000001\n|condition holds: issue 4
until exec == 0xff\n|condition holds: issue 6
p s[4:6] + 1|found "s[4:6]", expected a range of one or two existing registers, such as s[4:5]
p s[5:4]|found "s[5:4]", expected a range
p q[4:5]|found "q[4:5]", expected a range
p s[126:129]|found "s[126:129]", expected a range
p s[4:|found ":", expected ]
p s[0x10]|"s[0x10]": no such register, memory or variable exists at the moment
END
echo 'p $r[2:3]' | "$warpbeam" debug "$root/examples/ifelse.s" --batch >"$work/out" 2>&1
grep -qF "found '\$r[2:3]', expected a register" "$work/out"
result $? "a machine whose texts have no ranges: $(cat "$work/out")"

# On a terminal: Tab completes commands, labels and registers, Up brings lines back, Ctrl-C takes one back, an empty
# line does the last once more.
if ! "$warpbeam" --version -v | grep -q libedit; then
	echo "skipped: this build has no line editing"
elif ! script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
	echo "skipped: no pseudo-terminal can be had"
else
	{
		sleep 1
		for keys in 'unt\tdiv\t\n' 'info st\t\n' 'p $r\t2[0:1]\n' 'br\ten\t\n' 'rubbish\003' \
			'\033[A\033[A\033[A\n' 'goto 3\n' 's\n' '\n' 'q\n'; do
			printf "$keys"
			sleep 0.2
		done
	} | TERM=xterm script -qec "'$warpbeam' debug '$root/examples/ifelse.s'" /dev/null >"$work/typed" 2>&1
	for wanted in 'issue 7,' 'mask 0x55555555' '\$r2\[0\] 00000001 00000001' 'breakpoint 1: end' \
		'issue 3,' 'issue 5,'; do
		grep -q "$wanted" "$work/typed"
		result $? "typed: expected '$wanted'"
	done
	[ "$(grep -c 'mask 0x55555555' "$work/typed")" = 2 ]
	result $? "typed: three times Up is the line before the last two: $(cat "$work/typed")"
	[ "$(grep -c 'issue 7,' "$work/typed")" = 2 ]
	result $? "typed: an empty line is the last one again"
	! grep -q "rubbish'" "$work/typed"
	result $? "typed: Ctrl-C takes a line back"
fi

finish
