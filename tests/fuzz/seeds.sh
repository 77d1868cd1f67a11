#!/bin/sh
# Seeds of the fuzz targets, made of files in the tree: the texts of seeds/ cut up, lines, examples in their other
# forms, and traces of examples. A folder a target below OUT, made anew.
#   seeds.sh WARPBEAM SOURCE_ROOT OUT
set -eu
warpbeam=$(realpath "$1")
root=$(realpath "$2")
rm -rf "$3"
mkdir -p "$3"
cd "$3"

pieces() {   # FOLDER < texts between lines "%%"
	mkdir -p "$1"
	awk -v out="$1/" '
		BEGIN { file = out sprintf("%03d", 0) }
		$0 == "%%" { close(file); file = out sprintf("%03d", ++n); next }
		{ print >file }'
}

cut_up() {   # FOLDER BYTES FILE: words, BYTES to a seed
	mkdir -p "$1"
	split -b "$2" -a 3 "$3" "$1/words-"
}

for texts in "$root"/tests/fuzz/seeds/*.txt; do
	name=${texts##*/}
	pieces "${name%.txt}" <"$texts"
done

# GCN: a line and the generation's byte to a seed; words, two to four instructions to a seed.
mkdir -p gcn_text
for file in "$root"/tests/fuzz/corpus/gcn_text/*; do
	LC_ALL=C awk -v out="gcn_text/${file##*/}-" '
		NR == 1 { first = substr($0, 1, 1); $0 = substr($0, 2) }
		length($0) { file = out sprintf("%03d", NR); printf "%s%s", first, $0 >file; close(file) }' "$file"
done
cut_up gcn_words 16 "$root/tests/fuzz/corpus/gcn_words/words"

# clrx: the tests' sources.
mkdir -p clrx
cp "$root"/tests/clrx/*.asm clrx
# picasso: the tests' sources, alone and as files of one text.
mkdir -p picasso
cp "$root"/tests/picasso/*.pica picasso
{ cat picasso/two.v.pica; echo '.file "s"'; cat picasso/shared.pica; echo '.file "g"'; cat picasso/point.g.pica; } \
	>picasso/files

# PTX: the programs of the test data, without debug sections; cubins with line tables, for the loaders.
mkdir -p ptx elf
for file in "$root"/tests/data/vectors/ptx/*.ptx; do
	name=$(basename "$file" .ptx)
	sed '/\.section/,$d' "$file" >"ptx/$name.ptx"
	"$warpbeam" compile -q "$file" -o compiled.cubin
	mv compiled.cubin "elf/$name-compiled"
done

# Examples: texts, files for the loaders, words, expectations, traces with an early end.
mkdir -p asm elf shbin decode expect trace
n=0
for file in "$root"/examples/*.s "$root"/examples/*.?sh; do
	name=${file##*/}
	name=${name%.*}
	case $file in
	*.s)
		cp "$file" "asm/$name"
		"$warpbeam" asm -q "$file" --format cubin -o "elf/$name"
		"$warpbeam" asm -q "$file" --format raw -o words
		cut_up decode 32 words
		for words in decode/words-*; do mv "$words" "decode/$name-${words#*-}"; done
		;;
	*)
		"$warpbeam" asm -q "$file" --format shbin -o "shbin/$name"
		;;
	esac
	sed -n 's|^.*// expect: *||p' "$file" >statements
	if [ -s statements ]; then { printf %d $((n % 4)); cat statements; } >"expect/$name"; fi
	"$warpbeam" run "$file" -q --max-cycles 200 --max-insns 40 --trace whole >/dev/null 2>&1 || true
	{ printf %d $((n % 8)); gzip -dc <whole; } >"trace/$name"
	n=$((n + 1))
done
rm -f words statements whole
for name in ifelse barrier lights; do
	for way in 0 1 2 3 4 5 6 7; do
		{ printf %d $way; tail -c +2 "trace/$name"; } >"trace/$name-$way"
	done
done
find . -type f -size +60k -exec rm {} +
find . -type f | wc -l
