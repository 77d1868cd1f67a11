#!/bin/sh
# Labs in a terminal: the handed-out program misses a goal, the solution meets all, and a program that costs little
# because the work is dropped is found out.   labs.sh WARPBEAM SOURCE_ROOT
. "$(dirname "$0")/../kit/check.sh"
. "$(dirname "$0")/../kit/cheat.sh"
warpbeam=$(realpath "$1")
root=$(realpath "$2")
cd "$work" || exit 1

# ---- each lab ----

for file in "$root"/examples/labs/*.s; do
	lab=$(basename "$file" .s)
	check 0 out "^$lab.s is written" "$warpbeam" lab "$lab"
	check 1 out '^  missing' "$warpbeam" lab "$lab" "$lab.s"
	"$warpbeam" lab "$lab" --solution >"solved-$lab.s"
	check 0 out ': solved.$' "$warpbeam" lab "$lab" "solved-$lab.s"
	not out '^  missing'
	check 0 out '^Hint 1 of [1-9]' "$warpbeam" lab "$lab" --hint 1
	# Nothing of the answer is handed out.
	ok "$lab: neither hints nor solution" sh -c "! grep -E '^// (hint|solution|expect):' $lab.s"
done

ending=s
# shellcheck disable=SC2016
{
cheat lab1-branch 'The results' '/^\t(e $c0) add/d'
cheat lab1-branch 'The results' 's/^\texit st .*/\texit nop/'
cheat lab2-loop 'Each item' 's/^\tshl b32 $r3 $r3 0x2/\tmov b32 $r3 0x0/'
cheat lab3-barrier 'The checkers' '/^\tbar .*this round/d'
cheat lab4-banks 'The words' '/^\tst b32 s/d
	s/^\tmov b32 $r3 b32 s\[$a1.*/\tshl b32 $r3 $r2 0x4\n\tadd b32 $r3 $r3 $r1\n\tadd b32 $r3 b32 s[0x14] $r3/'
cheat lab5-coalesce 'Each element' 's/^\tmov b32 $r4 0x8/\tmov b32 $r4 0x4/'
cheat lab6-latency 'The program ends' '/^\tld b32 $r[67] /d
	s/^\tadd b32 $r3 $r3 $r5.*/&\n\tld b32 $r6 g14[$r6]\n\tld b32 $r7 g14[$r7]/' # waits twice
cheat lab6-latency 'All 128 words' 's/^\tld .*//; s/^\tadd b32 $r3 $r3 $r[4567] .*/\tmov b32 $r3 0x0/
	s/^\tadd b32 $r3 $r3 $r[567]$//
	s/^\tadd b32 $r1 b32 s\[0x14\].*/\tadd b32 $r3 b32 s[0x18] $r0\n\tshl b32 $r2 $r3 0x4\n&/
	s/^\texit/\tsub b32 $r3 $r2 $r3\n&/'
cheat lab7-lock 'Each lane' '/^\tjoinat #done/,/^again:/d
	s/^\tjoin and b32 .*/work:\n\tred add u32 g14[$r2] $r3/; /^\t(lg $c0) bra #spin/d; s/^\tjoin (never)/\t(never)/'
}
# A goal about a run that ends is met, whether or not another run does.
check 1 out '^  met      The sum is right on chips with convergence barriers' "$warpbeam" lab 7 lab7-lock.s
check 1 out '^  missing  The sum is right on a stack' "$warpbeam" lab 7 lab7-lock.s

# Neither a smaller launch nor expectations of the program's own count.
sed 's/^\.block 64/.block 1/; s/^\.arg zero=256/.arg zero=4/' lab1-branch.s >small.s
echo '// expect: counter divergent_branch = 2' >>small.s
check 1 out 'divergent_branch: 2, asked 0' "$warpbeam" lab 1 small.s

# A stranger's lab writes no control bytes to a terminal, in none of the forms.
escape=$(printf '\033')
sed -E "1s/\$/$escape[31m/; s,^// (question|hint|goal): ,&$escape[5m ,; s,^\tadd,\t// $escape[7m\n&," \
	"$root/examples/labs/lab1-branch.s" | sed "/^\/\/ solution:/a // // $escape[7m" >hostile.s
for form in '' --handout --solution '--hint=1' hostile.s; do
	"$warpbeam" lab hostile.s $form >said 2>&1
	ok "lab hostile.s $form: text" [ -s said ]
	ok "lab hostile.s $form: no control byte" sh -c "! grep -q $escape said"
	ok "lab hostile.s $form: shown as an escape" grep -q 'x1b' said
done

# A lecturer's mistake in a launch has its place.
sed 's/^\(\/\/ expect: with .*\) -a .*/\1 arg zero=256/' "$root/examples/labs/lab1-branch.s" >wrong.s
line=$(grep -n 'arg zero=256$' wrong.s | head -n 1 | cut -d: -f1)
check 4 err "^warpbeam: wrong.s:$line: .*-a zero=256" "$warpbeam" lab wrong.s lab1-branch.s

# ---- marks of a class ----

mkdir -p pupils/anna pupils/ben pupils/lab3
cp solved-lab1-branch.s pupils/anna/lab1-branch.s
cp lab2-loop.s pupils/anna/lab2.s
cp lab1-branch.s pupils/lab1-ben.s
cp solved-lab3-barrier.s pupils/lab3/ben.s
echo frobnicate >pupils/lab4-carl.s
printf '.kernel k\n.chip g200\nagain:\nbra #again\n' >pupils/lab1-dora.s
cp pupils/anna/lab1-branch.s pupils/BEN-Lab12.s            # there is no twelfth lab
"$warpbeam" lab --marks pupils >table 2>said
ok "marks: a table" grep -q '^student  lab1     lab2     lab3     lab4     lab5     lab6     lab7     solved$' table
ok "marks: anna" grep -q '^anna     4 of 4   1 of 3   -        -        -        -        -        1$' table
ok "marks: ben" grep -q '^ben      2 of 4   -        3 of 3   -        -        -        -        1$' table
ok "marks: a text that does not assemble" grep -q '^carl     -        -        -        0 of 4!' table
ok "marks: its reason" grep -q 'lab4-carl.s:1:1: unknown instruction' said
ok "marks: an endless loop" grep -q '^dora     0 of 4!' table
ok "marks: its reason" grep -q 'lab1-dora.s: .*livelock' said
ok "marks: no lab's name" grep -q 'BEN-Lab12.s: not judged' said
mkdir -p by/eva by/finn
"$warpbeam" lab 1 --solution >by/eva/lab1.s
"$warpbeam" lab 2 --solution >by/finn/lab2.s
"$warpbeam" lab --marks by/* >table 2>said
ok "marks: a folder each: eva" grep -q '^eva      4 of 4   -  *-  *-  *-  *-  *-  *1$' table
ok "marks: a folder each: finn" grep -q '^finn     -        3 of 3   -  *-  *-  *-  *-  *1$' table
"$warpbeam" lab --marks pupils -o marks.csv 2>said
ok "marks: heading of CSV" grep -q '^student,lab1-branch (4 goals),lab2-loop (3 goals),' marks.csv
ok "marks: anna in CSV" grep -q '^anna,4,1,,,,,,1$' marks.csv
"$warpbeam" lab --marks 1 pupils/anna/lab1-branch.s pupils/lab1-ben.s >table
ok "marks of a lab: anna" grep -q '^anna     4 of 4' table
ok "marks of a lab: ben" grep -q '^ben      2 of 4' table
check 2 err 'expects the files of a class' "$warpbeam" lab --marks
check 3 err 'nowhere: cannot open' "$warpbeam" lab --marks nowhere
check 0 out '"student": "anna"' "$warpbeam" lab --marks pupils --json
cp "$root/examples/labs/lab1-branch.s" mine.s           # a lecturer's lab: names of files do not matter
check 0 out '^carl.*0 of 4!' "$warpbeam" lab --marks mine.s pupils/anna/lab1-branch.s pupils/lab4-carl.s

# ---- the list, and files already in the folder ----

check 0 out '^  1  lab1-branch .*2 of 4 goals met$' "$warpbeam" lab
cp solved-lab2-loop.s lab2-loop.s
rm lab3-barrier.s
check 0 out '^  2  lab2-loop .*solved$' "$warpbeam" lab
cp out list
ok 'a lab that is not begun' grep -q '^  3  lab3-barrier .*not begun$' list
check 0 out 'was here already, and stays as it is' "$warpbeam" lab 2
ok 'a copy never overwrites' cmp lab2-loop.s solved-lab2-loop.s
check 0 out '"schema": "warpbeam.labs/1"' "$warpbeam" lab --json
cp out list
ok 'the list as JSON' jq -e '[.labs[:3][] | [.number, .begun, .solved]] ==
	[[1, true, false], [2, true, true], [3, false, false]]' list
mkdir locked
chmod a-w locked          # root may write there all the same
if [ ! -w locked ]; then
	cd locked || exit 1
	"$warpbeam" lab 1 >../locked.out 2>&1
	result $(($? != 3)) 'a folder that cannot be written: exit 3'
	cd ..
fi

# ---- a class ----

printf '\tbroken\n' >broken.s
check 1 out '^1 of 3 files solve the lab' "$warpbeam" lab 2 lab2-loop.s lab1-branch.s broken.s
check 1 out '"schema": "warpbeam.lab/1"' "$warpbeam" lab 2 lab2-loop.s lab1-branch.s broken.s --json
cp out class
ok 'a class as JSON' jq -e '[.files[] | [.file, .exit, .solved, .met, has("error")]] ==
	[["lab2-loop.s", 0, true, 3, false], ["lab1-branch.s", 0, false, 2, false], ["broken.s", 4, false, 0, true]]
	and .solved == 1 and .files[0].goals[1].lines[0].found == 0 and .files[0].goals[1].lines[0].line > 1' class
check 4 err "unknown instruction 'broken'" "$warpbeam" lab 2 broken.s
check 3 err 'nosuch.s' "$warpbeam" lab 2 nosuch.s

# A program without an end, and a program with a fault, are named as endless and faulty.
sed 's/^store:/store:\n\tbra #store/' lab1-branch.s >endless.s
check 1 out '^  stopped  the run ended with exit [67]' "$warpbeam" lab 1 endless.s
sed 's/^store:/&\n\tadd b32 $r6 $r6 0x1\n\tbra #store/' lab1-branch.s >counting.s
check 1 out '^  stopped  the run ended with exit [67]' "$warpbeam" lab 1 counting.s --max-insns 10000

# ---- a lab of a lecturer's, and mistakes ----

printf '%s\n' '// Squares' '//' '// question: What is n * n?' '// goal: It is right.' \
	'// expect: with grid=1 block=32 -a zero=128' '// expect: arg 0 u32[0..3] = 0 1 4 9' '' >own.s
cp own.s goals.s
cat >code <<'END'
.kernel square
.block 32
.arg zero=128
	mul $r2 u16 $r0l u16 $r0l
	shl b32 $r1 $r0 0x2
	add b32 $r1 b32 s[0x10] $r1
	exit st b32 g14[$r1] $r2
END
sed 's/r0l$/r1l/' code >>own.s
{ echo; echo '// solution:'; sed 's/^/\/\/ /' code; } >>own.s
check 0 out '^What is n' "$warpbeam" lab own.s
check 0 out '^Hand out: warpbeam lab own.s --handout$' "$warpbeam" lab own.s
check 0 out '^Tried:    the solution meets all goals, the handout 0 of 1$' "$warpbeam" lab own.s
sed 's/= 0 1 4 9/= 0 1 4 8/' own.s >unsolved.s
check 1 out 'element 3 is 9, asked 8$' "$warpbeam" lab unsolved.s
sed 's/= 0 1 4 9/= ZERO/' own.s >unread.s
check 4 out "'ZERO' is no u32" "$warpbeam" lab unread.s
sed 's/r1l$/r0l/' own.s >solved.s
check 1 err 'solved.s: the handout meets all goals already' "$warpbeam" lab solved.s
sed '4s/.*/&\n\/\/ gaol: It is fast./' own.s >gaol.s
check 4 err "gaol.s:5: 'gaol:' is no part of a lab; did you mean 'goal:'" "$warpbeam" lab gaol.s
sed '/^\/\/ .*mul/s/mul/frobnicate/' own.s >torn.s
check 4 out '^  stopped  .*frobnicate' "$warpbeam" lab torn.s
check 3 err "did you mean the example 'lab4-banks'" "$warpbeam" run lab4-bank
"$warpbeam" lab own.s --solution >answer.s
ok 'the solution is the program behind the signs' cmp answer.s code
check 0 out 'solved' "$warpbeam" lab own.s answer.s
"$warpbeam" lab own.s --handout >begun.s
check 1 out 'element 1 is 0, asked 1$' "$warpbeam" lab own.s begun.s
check 4 err "goals.s: a lab has a line '// solution:'" "$warpbeam" lab goals.s
sed '/expect: with/d' own.s >bare.s
check 4 err 'bare.s:5: found an expectation without a launch' "$warpbeam" lab bare.s
sed '/goal:/d' own.s >aimless.s
check 4 err "aimless.s: a lab has a line '// goal: …'" "$warpbeam" lab aimless.s
sed '/expect: arg/{h;s/.*/\/\/ goal: Another./;H;x}' own.s | sed 's/^\/\/ goal: Another/&/' >open.s
check 4 err 'open.s:7: found a goal that nothing decides' "$warpbeam" lab open.s
sed '/^\/\/ goal/{h;d};/expect: arg/G' own.s >late.s
check 4 err 'late.s:5: found an expectation without a goal' "$warpbeam" lab late.s
check 4 err "goes behind the lab: warpbeam lab 1 lab1-branch.s" "$warpbeam" lab lab1-branch.s
sed 's/counter/conter/; s/^\/\/ expect: arg/\/\/ expect: conter x = 1\n&/' own.s >wrong.s
check 4 err 'wrong.s: 1 line of the lab is in error' "$warpbeam" lab wrong.s answer.s
check 2 err "there is no lab '8': found neither a number from 1 to 7" "$warpbeam" lab 8
check 2 err "did you mean 'lab1-branch'" "$warpbeam" lab lab1-brunch
check 2 err "'--hint' expects a number from 1 to 3, found 4" "$warpbeam" lab 1 --hint 4

# ---- the tutorial: its commands say what stands below them, and its change solves the lab ----

mkdir tutorial
cd tutorial || exit 1
awk '/^```/ { fences++; session = fences % 2 && $0 == "```"; next } session' "$root/docs/tutorial/first-lab.md" >session
awk '/^```asm$/ { n++; on = 1; next } /^```$/ { on = 0 } on { print >"code" n }' "$root/docs/tutorial/first-lab.md"
PATH=$(dirname "$warpbeam"):$PATH
checks=0
while IFS= read -r line; do
	case $line in
	"$ warpbeam lab 1 lab1-branch.s")
		checks=$((checks + 1))
		if [ $checks = 2 ]; then        # the text's change comes before its second check
			awk 'NR == FNR { old = old $0 "\n"; next } FILENAME == "code2" { new = new $0 "\n"; next }
				{ text = text $0 "\n" }
				END {
					at = index(text, old)
					printf "%s%s%s", substr(text, 1, at - 1), at ? new : "",
						substr(text, at + length(old))
				}' code1 code2 lab1-branch.s >changed
			cp changed lab1-branch.s
		fi
		warpbeam lab 1 lab1-branch.s >said 2>&1 ;;
	"$ "*) sh -c "${line#$ }" >said 2>&1 ;;
	*) ok "the tutorial: $line" grep -qF -e "$line" said ;;
	esac
done <session
result $((checks != 2)) 'the tutorial checks twice'
cd ..

# Labs are programs like those of the gallery.
check 0 out '^table on g200' "$warpbeam" run "$root/examples/labs/lab5-coalesce.s"
finish
