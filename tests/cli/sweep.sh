#!/bin/sh
# Sweeps: the table is the same bytes for any number of workers, stopped in between or not.
#   sweep.sh WARPBEAM SOURCE_ROOT
. "$(dirname "$0")/../kit/check.sh"
warpbeam=$(realpath "$1")
root=$(realpath "$2")
cd "$work" || exit 1

bad_plan() {   # TEXT PLAN
	printf '%s\n' "$2" >bad.json
	says 4 "$1" "$warpbeam" sweep bad.json
}

mkdir plans
cp "$root/examples/ifelse.s" plans
# Points take long enough for a kill between them.
sed 's/^\.arg u32=256 /.arg u32=512 /' "$root/examples/mandelbrot.s" >plans/mandelbrot.s
cat >plans/grid.json <<'END'
{
	"file": "mandelbrot.s",
	"set": {"mps": 1},
	"axes": {
		"policy": ["rr", "gto", "two-level"],
		"timing-set g.latency": [200, 400],
		"unit": [{"diverge": "taken", "seed": 1}, {"diverge": "random", "seed": 2},
			{"diverge": "random", "seed": 3}]
	},
	"columns": ["cycles", "ipc", "bill.useful", "stalls.memory", "digest"]
}
END

# The order of the plan, from any folder, by any worker.
ok 'one worker' "$warpbeam" sweep plans/grid.json --jobs 1 -o one.csv
ok 'three workers' "$warpbeam" sweep plans/grid.json --jobs 3 -o three.csv
ok 'same bytes' cmp one.csv three.csv
ok 'all points' [ "$(wc -l <one.csv)" = 19 ]
ok 'the head' grep -qx 'point,policy,timing-set g.latency,diverge,seed,result,exit,message,cycles,.*digest' one.csv
ok 'the last axis is the fastest' grep -q '^4,rr,400,random,2,ok,0,,' one.csv
ok 'nothing is left beside the table' [ ! -e one.csv.points ]
ok 'JSON to a file' "$warpbeam" sweep plans/grid.json --jobs 2 -o table.json
ok 'JSON to standard output' sh -c 'cd plans && "$0" sweep --json - <grid.json >../plain.json' "$warpbeam"
ok 'the same JSON' cmp plain.json table.json
ok 'the schema' grep -q '"schema": "warpbeam.sweep/1"' table.json

# Stopped, then resumed.
stopped() {     # SIGNAL NAME: the sweep $sweep, once NAME.points has four lines; its exit code
	while kill -0 $sweep 2>/dev/null && [ "$(wc -l 2>/dev/null <"$2.points" || echo 0)" -lt 4 ]; do
		sleep 0.01
	done
	kill -s "$1" $sweep 2>/dev/null
	wait $sweep 2>/dev/null
}
"$warpbeam" sweep plans/grid.json --jobs 1 -o cut.csv >/dev/null 2>&1 &
sweep=$!
stopped KILL cut.csv
ok 'the points of a sweep that was killed' [ -e cut.csv.points ]
ok 'it had not finished' [ ! -e cut.csv ]
head -n 4 cut.csv.points >other.csv.points
for file in cut other; do
	printf '{"point":17,"resu' >>$file.csv.points   # as half a line of one killed while it wrote
done
says 2 'another plan' "$warpbeam" sweep --seed 7 --resume plans/grid.json -o other.csv
ok 'it resumes' "$warpbeam" sweep plans/grid.json --jobs 2 -o cut.csv --resume
ok 'the same bytes as in one go' cmp one.csv cut.csv
head -n 3 other.csv.points >kept.csv.points
says 0 '1 of 18 points are kept' "$warpbeam" sweep plans/grid.json --jobs 2 -o kept.csv --resume

# Signals to the group are the sweep's to answer: a worker goes on with its point.
"$warpbeam" sweep plans/grid.json --jobs 2 -o group.csv >/dev/null 2>&1 &
sweep=$!
while kill -0 $sweep 2>/dev/null && [ ! -e group.csv.points ]; do
	sleep 0.01
done
# shellcheck disable=SC2046
kill -s TERM $(cat /proc/$sweep/task/$sweep/children)
wait $sweep
ok 'workers that were sent SIGTERM' cmp one.csv group.csv

# The command `timeout` sends its signal to the sweep, and to the sweep and its workers once more.
timeout --preserve-status 600 "$warpbeam" sweep plans/grid.json --jobs 2 -o term.csv >/dev/null 2>told &
sweep=$!
stopped TERM term.csv
ok 'a sweep stopped by a time limit' [ $? = 130 ]
ok 'it says how to go on' grep -q 'interrupted: .* of 18 points are finished; --resume goes on' told
not term.csv.points 'died of signal'
ok 'it resumes' "$warpbeam" sweep plans/grid.json --jobs 2 -o term.csv --resume
ok 'the same bytes as in one go' cmp one.csv term.csv

# A journal with changed bytes: whole rows before the change are kept, and no wrong row.
size=$(wc -c <other.csv.points)
for at in $(seq 90 53 "$size"); do
	{ head -c "$at" other.csv.points; printf '~'; tail -c +$((at + 2)) other.csv.points; } >flip.csv.points
	ok "it resumes, byte $at being another" "$warpbeam" sweep plans/grid.json --jobs 2 -o flip.csv --resume
	ok "the same bytes, byte $at of the points being another" cmp one.csv flip.csv
done
ln -s kept.csv linked.csv.points
says 3 'linked.csv.points: cannot write' "$warpbeam" sweep plans/grid.json -o linked.csv
ok 'what a link leads to is as it was' cmp kept.csv one.csv

# A program instead of a plan: options with several values are axes, and the table is the same as by a
# plan with these axes.
cat >plans/given.json <<'END'
{"axes": {"policy": ["rr", "gto"], "block": ["32,1", "64,1"]}, "columns": ["cycles", "digest"], "set": {"chip": "g200"}}
END
cp "$root/examples/saxpy.s" plans
sed 's/^{/{"file": "saxpy.s", /' plans/given.json >plans/saxpy.json
ok 'the plan' "$warpbeam" sweep plans/saxpy.json -o planned.csv
ok 'no plan' "$warpbeam" sweep plans/saxpy.s --chip g200 --policy rr,gto --axis 'block=32,1;64,1' \
	--columns cycles,digest -o given.csv
ok 'the same table' cmp planned.csv given.csv
says 0 '^1,g200,ok,0,,[0-9]*$' "$warpbeam" sweep saxpy --chip g80,g200 --columns cycles
says 0 '^1,32,ok,0,,1$' "$warpbeam" sweep ifelse --axis block=64,32 --columns divergent_branch -a zero=256
says 0 '^2,8,ok,0,,[0-9]*$' "$warpbeam" sweep "$root/examples/lights.vsh" --lanes 1,4,8 --columns cycles
says 2 "found \"rr,bad\", expected rr|oldest" "$warpbeam" sweep ifelse --policy rr,bad
says 2 "sweep of a program needs an axis" "$warpbeam" sweep ifelse --block 32,2
says 2 "'--axis' expects NAME=VALUE,VALUE" "$warpbeam" sweep ifelse --axis policy
says 4 "command line:1:[0-9]*: setting 'blok': no option .*\"block\"" "$warpbeam" sweep ifelse --axis blok=1,2
says 2 "saxpy.json is a plan, which has its axes" "$warpbeam" sweep plans/saxpy.json --policy rr,gto

# Vertices of shaders: each point has its own files.
cp "$root/examples/lights.vsh" plans
printf '1,2,3,1,0,0,1\n' >plans/one.csv
printf '1,2,3,1,0,0,1\n1,2,3,1,0,1,0\n' >plans/two.csv
cat >plans/shader.json <<'END'
{"file": "lights.vsh", "axes": {"in": ["one.csv", "two.csv", "none.csv"], "lanes": [1, 32]},
 "columns": ["thread_instructions", "warps_mean"]}
END
says 1 'point 4: error none.csv: cannot open' "$warpbeam" sweep plans/shader.json
ok 'two vertices do twice what one does' [ "$(sed -n 's/^0,one.csv,1,ok,0,,\([0-9]*\),.*/\1/p' said)" -gt 0 ]
ok 'in one warp or two' [ "$(sed -n 's/^[23],two.csv,[0-9]*,ok,0,,\([0-9]*\),.*/\1/p' said | uniq | wc -l)" = 1 ]
printf '1,2\nx\n' >plans/none.csv
says 1 'point 4: error none.csv:2: ' "$warpbeam" sweep plans/shader.json
sed 's/lights.vsh/ifelse.s/; s/, "lanes": .*}/}/' plans/shader.json >plans/kernel.json
says 1 'this program has no vertices' "$warpbeam" sweep plans/kernel.json

# Programs are not ranked beside each other: a verdict for each.
says 0 'all 2 points of nested take the same 1,196 cycles' \
	"$warpbeam" sweep nested --axis file=nested,matmul --policy rr,gto -o files.csv
says 0 'fewest cycles: point 2 (file=matmul, policy=rr), 4,164; the worst takes 1.16' \
	"$warpbeam" sweep nested --axis file=nested,matmul --policy rr,gto -o files.csv
says 0 '"best": null' "$warpbeam" sweep nested --axis file=nested,matmul --policy rr,gto --json

# Resumed after a change of a file of the points: program, included file, argument, vertices.
cat >plans/files.json <<'END'
{"axes": {"max-insns": ["none", 1],
          "of": [{"file": "copy.s", "args": ["inout=words.bin:none.bin"]}, {"file": "copy.vsh", "args": []}]},
 "columns": ["instructions"]}
END
printf '.kernel k\n.param ptr p\n\tadd b32 $r1 $r1 $r2\n\texit nop\n' >plans/copy.s
printf '.include "body.inc"\n' >plans/copy.vsh
printf 'main:\n\tmov r0, v0\n\tend\n' >plans/body.inc
printf 'abcdefgh' >plans/words.bin

# A sweep stopped between the last point and the table: a full device has the table's name.
stopped() {   # PLAN
	ln -s /dev/full table.csv
	"$warpbeam" sweep "plans/$1" -o table.csv >/dev/null 2>&1
	rm table.csv
}
resumes() {   # PLAN FILE: with FILE unchanged, changed, unchanged again, removed
	stopped "$1"
	ok "points of $1" [ -s table.csv.points ]
	cp "plans/$2" kept.file
	echo >>"plans/$2"
	says 2 "table.csv.points: '$2' has changed since these points ran" \
		"$warpbeam" sweep "plans/$1" -o table.csv --resume
	rm "plans/$2"
	says 2 "table.csv.points: '$2' has gone since these points ran" \
		"$warpbeam" sweep "plans/$1" -o table.csv --resume
	cp kept.file "plans/$2"
	"$warpbeam" sweep "plans/$1" -o table.csv --resume >out 2>err
	ok "$1 goes on when $2 is as it was" [ -s table.csv -a ! -e table.csv.points ]
	rm table.csv
}
resumes files.json copy.s
resumes files.json copy.vsh
resumes files.json body.inc
resumes files.json words.bin
sed 's/, "none.csv"//' plans/shader.json >plans/vertices.json
resumes vertices.json two.csv

# Failing points.
cat >plans/fail.json <<'END'
{"file": "ifelse.s", "columns": ["instructions"],
 "axes": {"size": [{"block": 64, "max-insns": "none"}, {"block": 600, "max-insns": "none"},
                   {"block": 64, "max-insns": 3}]}}
END
says 1 '2 of 3 points failed; point 1: error --block: found "600"' "$warpbeam" sweep plans/fail.json
ok 'a point beside one that fails' grep -q '^0,64,none,ok,0,,' said
ok 'its reason is kept' grep -q '^1,600,none,error,2,"--block: found ""600""' said
ok 'a limit keeps its values' grep -q '^2,64,3,limit,6,.*,3$' said
sed 's/"instructions"/"instrctions"/' plans/fail.json >plans/column.json
says 4 "column.json:1:34: no column 'instrctions'; the nearest is instructions" "$warpbeam" sweep plans/column.json
sed 's/"instructions"/"gld_coherent"/' plans/fail.json >plans/column.json
says 1 '^0,64,none,ok,0,,$' "$warpbeam" sweep plans/column.json   # that chip does not count it
sed 's/ifelse/missing/' plans/fail.json >plans/missing.json
says 1 'missing.s: cannot open' "$warpbeam" sweep plans/missing.json

# Invalid plans and options.
bad_plan ':1:[0-9]*: ' '{"file": "x",}'
bad_plan 'expected an object' '[]'
bad_plan "did you mean 'axes'" '{"file": "x", "axis": {}}'
bad_plan 'file: expected the name' '{"axes": {}}'
bad_plan 'nearest is "policy"' '{"file": "x", "axes": {"polcy": ["rr"]}}'
bad_plan 'rr|oldest' '{"file": "x", "axes": {"policy": ["rr", "sideways"]}}'
bad_plan 'expected a list of values' '{"file": "x", "axes": {"policy": []}}'
bad_plan 'same settings in every step' '{"file": "x", "axes": {"a": [{"policy": "rr"}, {"mps": 1}]}}'
bad_plan 'of one axis only' '{"file": "x", "axes": {"a": [{"policy": "rr"}], "policy": ["rr"]}}'
bad_plan "bad.json:3:15: setting 'polcy': " '{"file": "x", "axes": {
	"policy": ["rr"], "a": [{"mps": 1, "seed": 2}]}, "set": {"seed": 1,
	 "mps": [1], "polcy": "é\"[{"}}'
bad_plan 'bad.json:3:27: setting .policy' '{"title": "é [{\\", "file": "x", "axes": {
	"seed": [1, 2, {"seed": 1}],
	"a": [{"policy": "rr"}, {"\u0070olicy": "sideways"}]}}'
bad_plan "bad.json:1:53: a: expected the same settings" \
	'{"file": "x", "axes": {"a": [{"mps": 1, "seed": 2}, {"mpss": 2, "seed": 1}]}}'
bad_plan "bad.json:1:43: no column 'bill.usefull'; the nearest is bill.useful" \
	'{"file": "x", "columns": ["stalls.fetch", "bill.usefull"]}'
bad_plan "no column 'zzzzzzzzzzzzz'$" '{"file": "x", "columns": ["zzzzzzzzzzzzz"]}'
bad_plan "bad.json:1:13: no 'files'" '{"set": {}, "files": {}}'
bad_plan 'bad.json:1:23: in: expected the name of a file of vertices' '{"file": "x", "set": {"in": 5}}'
bad_plan "'arg N'" '{"file": "x", "axes": {"arg one": ["u32=1"]}}'
says 3 'nowhere.json' "$warpbeam" sweep nowhere.json
says 2 'sweep needs a PLAN.json or a program' "$warpbeam" sweep
says 2 'ends in .csv or .json' "$warpbeam" sweep plans/grid.json -o table.txt
says 2 'needs -o' "$warpbeam" sweep plans/grid.json --resume
says 3 'cannot write' "$warpbeam" sweep plans/grid.json -o no/such/table.csv

# Over ranks, where Open MPI is installed. A single processor for all ranks is enough.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
if ! "$warpbeam" --version -v | grep -q '(MPI)'; then
	echo "skipped: this build has no MPI"
elif mpirun --oversubscribe -n 2 true >/dev/null 2>&1; then
	# Open MPI itself leaks memory at its end.
	ok 'three ranks' env ASAN_OPTIONS=detect_leaks=0 mpirun --oversubscribe -n 3 \
		"$warpbeam" sweep plans/grid.json -o ranks.csv
	ok 'three ranks: same bytes' cmp one.csv ranks.csv
else
	echo "skipped: no mpirun that works"
fi

finish
