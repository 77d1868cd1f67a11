#!/bin/sh
# picasso's language: every example of docs/reference/picasso.md, put into the page's program, gives the result in the
# table; messages are the assembler's; own sources (tests/picasso/) assemble, their listings assemble to the same words,
# and where picasso is in PATH its words, descriptors and tables are the same.
#   picasso.sh WARPBEAM SOURCE_ROOT
. "$(dirname "$0")/../kit/check.sh"
warpbeam=$(realpath "$1")
root=$(realpath "$2")
page=$root/docs/reference/picasso.md
cd "$work" || exit 1

awk '/^```pica$/ { on = 1; next } /^```$/ { on = 0 } on' "$page" >program.v.pica
# Rows of the tables: directive (perhaps none), instructions and result, with tabs between; "\|" is "|" in a table.
sed -n 's/^| `\(\.[^`]*\)` | .* | `\([^`]*\)` | `\([^`]*\)` |$/\1	\2	\3/p
	s/^| `\([^.`][^`]*\)` | .* | `\([^`]*\)` |$/;	\1	\2/p' "$page" | sed 's/\\|/|/g' >rows

# put DIRECTIVE CODE: the page's program with both
put() {
	awk -v directive="$1" -v code="$2" 'function lines(text) { n = split(text, line, " & ")
			for (i = 1; i <= n; i++) print line[i] }
		$0 == "DIRECTIVE" { lines(directive); next } $0 == "EXAMPLE" { lines(code); next } { print }' \
		program.v.pica >example.v.pica
}

while IFS='	' read -r directive code result; do
	put "$directive" "$code"
	echo "; expect: vertex 0 o0 = $result" >>example.v.pica
	"$warpbeam" run -q --check-expect example.v.pica >out 2>err && grep -q '1 passed, 0 failed' out
	result $? "$directive: $code: expected $result: $(cat out err)"
done <rows
[ "$(wc -l <rows)" -ge 24 ]
result $? "the page has $(wc -l <rows) examples, expected 24"

# A line of the program, and the message of the page's last table.
refused() {   # DIRECTIVE CODE MESSAGE
	grep -q "^| .*$3" "$page"
	result $? "the page has no '$3'"
	put "$1" "$2"
	check 4 err "$3" "$warpbeam" run example.v.pica
}
refused ';' 'add r1, r0, k' 'add reads a float uniform as its first source'
refused ';' 'mul r1, k, zero' 'reads one float uniform, found two'
refused ';' 'add r1, a, b' 'an instruction reads one input, found v0 and v1'
refused 'nop' ';' 'stands in no procedure'
refused ';' 'ifu yes' 'this block is never closed'
put ';' 'sub r1, r0, k'
check 4 err 'unknown instruction `sub`: add a, -b subtracts' "$warpbeam" run example.v.pica
put ';' 'div r1, r0, k'
check 4 err 'unknown instruction `div`: rcp' "$warpbeam" run example.v.pica
refused '.fvec many[96]' ';' 'needs 96 float uniforms'

# same FILE…: assembles; the words of the listing's text are the same; picasso's words and tables are the same
same() {
	"$warpbeam" asm "$@" -o ours.shbin >out 2>err
	result $? "asm $*: $(cat err)" || return
	"$warpbeam" dis --bare ours.shbin >ours.vsh
	"$warpbeam" asm ours.vsh -o again.shbin 2>err && "$warpbeam" dis --bare again.shbin | cmp -s - ours.vsh
	result $? "$*: another program out of the listing: $(cat err)"
	[ "$picasso" ] || return
	"$picasso" -o theirs.shbin "$@" 2>err
	result $? "picasso $*: $(cat err)" || return
	"$warpbeam" dis --bare theirs.shbin | cmp -s - ours.vsh
	result $? "$*: other words than picasso's"
	"$warpbeam" info theirs.shbin | sed 's/^theirs//' >theirs.info
	"$warpbeam" info ours.shbin | sed 's/^ours//' | cmp -s - theirs.info
	result $? "$*: other tables than picasso's"
}
picasso=$(command -v picasso)
[ "$picasso" ] || echo "picasso is not in PATH: its words are not compared"
sources=$root/tests/picasso
for file in words.v.pica fixed.g.pica variable.g.pica compat.g.pica; do
	same "$sources/$file"
done
same "$sources/two.v.pica" "$sources/shared.pica" "$sources/point.g.pica"
same "$sources/point.g.pica" "$sources/two.v.pica" "$sources/shared.pica"

# A listing names uniforms, and targets of calls and jumps; and it is assembled again.
cat >names.v.pica <<'END'
.fvec bones[12], light
.bool yes
.ivec n
.out outpos position
.proc main
	mova a0.x, v0
	dp4 r0.x, bones[a0.x+3], v0
	dp4 r0.y, bones[a0.x], v0
	mul r0.zw, light, r0
	for n
		call twice
	.end
	jmpu yes, skip
	mov r0, bones[1]
skip:
	mov outpos, r0
	end
.end
.proc twice
	add r0, r0, r0
.end
END
cat >want.names <<'END'
bones[3 + a0]
bones[a0]
light
n
twice
yes, skip
bones[1]
END
"$warpbeam" asm names.v.pica -o names.shbin && "$warpbeam" dis names.shbin >names.vsh
sed -n 's|^0.* // ||p' names.vsh >got.names
ok 'names in a listing' cmp want.names got.names
"$warpbeam" dis --bare names.shbin >names.words
"$warpbeam" asm names.vsh -o again.shbin && "$warpbeam" dis --bare again.shbin | cmp -s - names.words
result $? 'a listing with names is not assembled to the same words'

# The words of a text tell its language.
cp "$sources/words.v.pica" words.vsh
"$warpbeam" asm words.vsh -o named.shbin && "$warpbeam" asm "$sources/words.v.pica" -o ours.shbin &&
	cmp -s named.shbin ours.shbin
result $? "a .vsh in picasso's language is not taken for one"
finish
