#!/bin/sh
# The test machine on the command line: reports, traces, debugger, pictures.   wide.sh WARPBEAM_WIDE FOLDER
# Expected texts: halves.expected, halves.80x24, halves.170x50; WB_UPDATE=1 writes the files anew.
. "$(dirname "$0")/../kit/check.sh"
warpbeam=$1
folder=$2
program=$folder/halves.wide

same_as() {
	[ -n "${WB_UPDATE:-}" ] && cp "$work/out" "$folder/$1"
	diff -u "$folder/$1" "$work/out"
	result $? "$2"
}

# Both ways to execute give the same report, and the program's expectations hold.
"$warpbeam" run "$program" --check-expect >"$work/traced" 2>"$work/err"
result $? "run --check-expect: $(cat "$work/err")"
"$warpbeam" run "$program" --in-order >"$work/precise" 2>&1
"$warpbeam" run "$program" >"$work/traced" 2>&1
cmp -s "$work/traced" "$work/precise"
result $? "the reports of trace-driven and of precise execution differ"
"$warpbeam" run "$program" --json | grep -q '"execution": "trace-driven"'
result $? "run: expected trace-driven execution"
"$warpbeam" bill "$program" | grep -q '64 lanes each issue'
result $? "bill: expected 64 lanes each issue"
"$warpbeam" run "$program" --check uninit,race,barrier,bounds >"$work/out" 2>&1
result $? "checkers: $(cat "$work/out")"

# Masks have 16 digits, and as many wires as lanes.
"$warpbeam" run "$program" --trace "$work/halves.wbt" >/dev/null 2>&1
result $? "recording"
for format in jsonl kanata perfetto vcd; do
	"$warpbeam" export "$work/halves.wbt" --format $format -o "$work/$format" >/dev/null 2>&1
	result $? "export: $format"
done
grep -q '0xfffffe0000000000' "$work/jsonl"
result $? "jsonl: expected the mask of the upper lanes"
grep -q 'lanes 0x000001ffffffffff ' "$work/kanata"
result $? "kanata: expected a mask of 16 digits"
grep -q '"mask":"0x000001ffffffffff"' "$work/perfetto"
result $? "perfetto: expected a mask of 16 digits"
grep -q 'wire 64 ' "$work/vcd"
result $? "vcd: expected a wire of 64 bits"

"$warpbeam" run "$program" --dump g:0x7f200100000:16 >"$work/out" 2>&1
grep -q '^g\[7f200100000\] 02000000 02000000 02000000 02000000 ' "$work/out"
result $? "dump: expected memory at an address of 43 bits"

"$warpbeam" debug "$program" --timing off --slice 1 --batch -x "$folder/halves.commands" >"$work/out" 2>&1
same_as halves.expected "debug: the output differs"

# All 64 lanes are on the board, on two lines where a line is too short.
for size in 80x24 170x50; do
	"$warpbeam" tui --print --size $size "$program" 2>/dev/null >"$work/out"
	same_as halves.$size "tui --size $size: the panes differ"
done
"$warpbeam" shot -q "$program" -o "$work/shot.png" && [ -s "$work/shot.png" ]
result $? "shot"

# Text there and back; what the chip allows.
echo 'addw v8 v4 v255' | "$warpbeam" asm --isa wide --bare - >"$work/word" &&
	"$warpbeam" dis --isa wide --hex --bare "$work/word" | grep -q 'addw v8 v4 v255'
result $? "asm, dis: $(cat "$work/word")"
"$warpbeam" occ --chip wide64 --sweep threads --regs 64 --smem 0 >"$work/out"
grep -q '^ *1024 ' "$work/out" && ! grep -q '^ *32 ' "$work/out"
result $? "occ: expected blocks from 64 to 1024 threads"

finish
