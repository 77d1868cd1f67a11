#!/bin/sh
# Programs compiled from PTX beside what NVIDIA's first compiler made of the same text (88 pairs of decuda's corpus):
# instructions and registers in sum at most 1.15 times as many, each program at most 1.3 times or 2 instructions more.
# One is longer: test27b has products and differences apart, of which NVIDIA's makes `mad`, whose product is cut.
# ptx_size.sh WARPBEAM
warpbeam=$1
pairs=$WB_SHARED/corpus/tesla/decuda
[ -r "$pairs/sev1.ptx" ] || { echo "skipped: no ../shared"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
pairs_of_files() { grep -v '^#' "$WB_SHARED/vectors/ptx/decuda.tsv"; }
pairs_of_files | while IFS='	' read -r name kernel ptx native bytes registers rest; do
	"$warpbeam" dis "$pairs/$name.ptx" --chip g80 >"$work/listing" 2>"$work/error" || {
		echo "$name $(tail -n 1 "$work/error")" >>"$work/out"
		continue
	}
	echo "$name $(grep -c '^[0-9a-f]*: ' "$work/listing") $native" \
		"$("$warpbeam" info "$pairs/$name.ptx" --chip g80 |
			sed -n 's/^.* \([0-9]*\) registers.*/\1/p') $registers"
done >"$work/table"
cat "$work/out" 2>/dev/null
awk '
	$2 > 1.3 * $3 && $2 > $3 + 2 && $1 != "test27b" { printf "%s: %d instructions, %d there\n", $1, $2, $3; long++ }
	{ n += $2; native += $3; r += $4; registers += $5 }
	END {
		printf "%d pairs: %d instructions, %d there (%.3f); %d registers, %d there (%.3f)\n", NR, n, native,
			n / native, r, registers, r / registers
		bad = (NR < 88) + (long > 0) + (n > 1.15 * native) + (r > 1.15 * registers)
		printf "%d passed, %d failed\n", 4 - bad, bad
		exit bad > 0
	}' "$work/table"
