#!/bin/sh
# dis and asm of the command line against the text vectors of tests/data: words to text, text to words, and text to
# words to text again.   text.sh WARPBEAM
set -u
warpbeam=$(realpath "$1")
vectors=$WB_SHARED/vectors/tesla
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
: >verdicts

# Cut a file of "mode chip word [word] | text" into MODE.CHIP.words and MODE.CHIP.text.
cut_up() {
	rm -f ./*.words ./*.text
	zcat "$vectors/$1" | awk -F ' [|] ' '!/^#/ && NF > 1 {
		split($1, part, " ")
		group = part[1] "." part[2]
		print part[3] (4 in part ? " " part[4] : "") >(group ".words")
		print $2 >(group ".text")
	}'
}

each_group() {   # COMMAND...: with mode and chip of every group
	for file in *.words; do
		group=${file%.words}
		"$@" "${group%.*}" "${group#*.}" "$group"
	done
}

# Lines of two files that are equal count as passed. With "verdict" two lines that both begin with ??? are, too: what
# the reference prints of an invalid word is not compared; an indirect branch is none (tesla-encoding 7), which it does
# not know for most chips.
compare() {   # WANTED GOT WHAT [verdict]
	paste "$1" "$2" | awk -F '\t' -v what="$3" -v verdict="${4-}" '
		verdict && $1 ~ /\[unknown (instruction|operand)\]/ {
			$1 = "???"
			$2 = $2 ~ /^bra (lim )?c[0-9]+\[/ ? "???" : substr($2, 1, 3)
		}
		$1 == $2 { passed++; next }
		++failed <= 5 { printf "%s: expected \"%s\", got \"%s\"\n", what, $1, $2 }
		END { print passed + 0, failed + 0 >>"verdicts" }'
}

dis() { "$warpbeam" dis --bare --lines --mode "$1" --chip "$2" - 2>>err; }
asm() { "$warpbeam" asm --bare --lines --mode "$1" --chip "$2" - 2>>err; }

disassembles() { dis "$1" "$2" <"$3.words" >got; compare "$3.text" got "dis $3" "${4-}"; }
assembles() { asm "$1" "$2" <"$3.text" >got; compare "$3.words" got "asm $3"; }
returns() { asm "$1" "$2" <"$3.text" >between; dis "$1" "$2" <between >got; compare "$3.text" got "dis asm $3"; }
judges() { disassembles "$1" "$2" "$3" verdict; }

cut_up disasm.txt.gz
each_group disassembles
each_group returns
cut_up asm.txt.gz
each_group assembles
cut_up disasm_bad.txt.gz
each_group judges

awk '{ passed += $1; failed += $2 }
	END { printf "%d passed, %d failed\n", passed, failed; exit failed > 0 || !passed }' verdicts
