#!/bin/sh
# dis --source of every Tesla program of our own, of others where they are, and of the examples is assembled to the same
# words, without a warning. What is left out is named, and is no program. A fourth of the files, all with WB_TEST_ALL=1,
# or each WB_SAMPLE-th.   source.sh WARPBEAM SOURCE_ROOT
set -u
every=${WB_SAMPLE:-${WB_TEST_ALL:-4}}
warpbeam=$(realpath "$1")
examples=$(realpath "$2")/examples
corpus=$WB_SHARED/corpus/tesla
least=700
for folder in decuda gpgpusim mesa; do
	if [ -d "$corpus/$folder" ]; then
		least=1000
	else
		echo "skipped: no ../shared/corpus/tesla/$folder"
	fi
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

fail() {
	failed=$((failed + 1))
	printf '%s: %s\n' "$1" "$2"
}

# Links to others' folders are followed; our own programs lie beside Mesa's there.
files() { find -L "$corpus" ! -type l ! -path '*/mesa/own_*' "$@" | sort | awk -v every="$every" 'NR % every == 0'; }

# Addresses and words of a listing; ??? is the same for all words that have no text.
words() { "$warpbeam" dis "$@" 2>"$work/err" | grep -E '^(\.kernel|[0-9a-f]{8}:)' | sed 's/  .*//'; }

# hex holds one kernel, a cubin any number; neither matters here, only what asm says of the text.
kernels() { grep -q 'hold one' "$work/err"; }

check() {   # FILE OPTION...: with the options for its format
	file=$1
	shift
	words "$@" "$file" >"$work/wanted"
	if [ ! -s "$work/wanted" ]; then
		fail "$file" "not listed: $(head -n 1 "$work/err")"
	elif ! "$warpbeam" dis --source "$@" "$file" >"$work/source.s" 2>"$work/err"; then
		fail "$file" "no source: $(head -n 1 "$work/err")"
	elif ! "$warpbeam" asm "$work/source.s" --format hex -o "$work/out" 2>"$work/err" && ! kernels; then
		fail "$file" "not assembled: $(head -n 1 "$work/err")"
	elif grep warning "$work/err" | grep -v 'a register beyond the 4 of .regs'; then   # behind test39's end
		fail "$file" "assembled with a warning"
	elif ! words "$work/source.s" >"$work/got" || ! cmp -s "$work/wanted" "$work/got"; then
		fail "$file" "other words: $(head -n 1 "$work/err") $(diff "$work/wanted" "$work/got" | sed -n 2p)"
	else
		passed=$((passed + 1))
	fi
}

# What names of files say: the program type, by a word or by the letter in front, and the chip.
options() {
	case $1 in
	*_frag_*) echo --mode fp ;;
	*_vert_*) echo --mode vp ;;
	*_geom_*) echo --mode gp ;;
	*/gfx/*/f*|*/gfx/*/h03*|*/gfx/*/h04*) echo --mode fp ;;
	*/gfx/*/v*) echo --mode vp ;;
	*/gfx/*/g*|*/gfx/*/h0*) echo --mode gp ;;
	esac
	case $1 in
	*.50.*) echo --chip g80 ;;
	*.84.*) echo --chip g84 ;;
	*.a0.*) echo --chip g200 ;;
	*.a3.*) echo --chip gt215 ;;
	esac
}

# Why a file is left out; nothing: it is not.
left_out() {
	case $1 in
	*.tgsi) echo 'source of the program beside it' ;;
	*.dis) echo "another disassembler's listing of the words beside it" ;;
	*.json|*/results.txt) echo 'inputs and results of a program' ;;
	*.png|*.raw) echo 'texels' ;;
	*.md|*/LICENSE) echo 'prose' ;;
	esac
}

# PTX and CUDA C++ are compiled: the source of the result gives the same words. `ptx size` and `cuda` say what has to
# compile.
for file in $(files \( -name '*.ptx' -o -name '*.cu' \)); do
	if ! "$warpbeam" dis "$file" >/dev/null 2>"$work/error"; then
		echo "left out: ${file#"$corpus"/}: $(tail -n 1 "$work/error")"
		continue
	fi
	"$warpbeam" dis "$file" 2>/dev/null | grep '^[0-9a-f]*: ' | cut -c1-30 >"$work/words"
	if ! "$warpbeam" dis --source "$file" >"$work/again.s" 2>"$work/error"; then
		if grep -q 'uses variables in global memory' "$work/error"; then
			echo "left out: ${file#"$corpus"/}: $(tail -n 1 "$work/error")"
		else
			fail "$file" "no source: $(tail -n 1 "$work/error")"
		fi
		continue
	fi
	"$warpbeam" dis "$work/again.s" 2>/dev/null | grep '^[0-9a-f]*: ' | cut -c1-30 >"$work/words-again"
	if [ -s "$work/words" ] && cmp -s "$work/words" "$work/words-again"; then
		passed=$((passed + 1))
	else
		fail "$file" "the source of what was compiled gives other words"
	fi
done

for file in $(files -type f ! -name '*.cubin' ! -name '*.s' ! -name '*.hex' ! -name '*.ptx' ! -name '*.cu'); do
	why=$(left_out "$file")
	if [ ! "$why" ]; then
		fail "$file" "neither assembled nor known to be no program"
	elif "$warpbeam" dis --isa tesla "$file" >/dev/null 2>&1; then
		fail "$file" "left out ($why), but it is a program"
	else
		passed=$((passed + 1))
		echo "left out: ${file#"$corpus"/}: $why"
	fi
done

for file in $(files \( -name '*.cubin' -o -name '*.s' -o -name '*.hex' \)) "$examples"/*.s; do
	format=
	[ "${file%.hex}" = "$file" ] || format='--format hex'
	# shellcheck disable=SC2046,SC2086
	check "$file" $format $(options "$file")
done

echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt $((least / every)) ]
