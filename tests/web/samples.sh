#!/bin/sh
# Samples of a page's tests that need no browser: samples.sh WARPBEAM SOURCE LAB.WASM.GZ
# 40 wrong texts have the diagnostics of `asm`, the keyboard tour has the states of `tui --keys`, and 500 addresses lead
# back to their states, options and texts. WB_PAGE_ALL=1: 5,000 addresses, more kernels.
set -u
warpbeam=$(realpath "$1") source=$(realpath "$2") module=$(realpath "$3")
. "$(dirname "$0")/node.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
samples() {
	node "$source/tests/web/samples.js" "$source/frontends/web" "$module" "$@"
}

# alike WHAT: the lines of native and module, one by one.
alike() {
	good=$(paste -d '\n' native module |
		awk 'NR % 2 { line = $0; next } $0 == line && line != "" { n++ } END { print n + 0 }')
	passed=$((passed + good))
	failed=$((failed + $(wc -l <native) - good))
	[ "$good" = "$(wc -l <native)" ] || { echo "$1: < program, > module"; diff native module | head -n 12; }
}

cd "$work" || exit 1
n=0
while read -r row; do
	n=$((n + 1))
	name=$(printf 'wrong%02d.s' $n)
	case $row in
	.*) printf '%b' "$row" ;;
	*) printf '.kernel k\n.block 32\n\t%b\nend:\texit nop\n' "$row" ;;
	esac >"$name"
	"$warpbeam" asm "$name" -o code 2>&1 | head -n 1 | sed 's/^warpbeam: //'
done <"$source/tests/web/wrong.txt" >native
samples texts wrong*.s >module
alike "wrong texts"

# Each state is read off the line that the key y leaves; by default behind every fifth key. Keys that depend on the
# size of the picture stay out.
set -f      # a key may be ?
tour="Home n n p N P ] [ d D j J s S l L u U End Home b b k ' k < > Tab S-Tab 1 2 3 4 5 6 7 8 9 0 f f"
tour="$tour Up Down PageUp PageDown w W a m h c c c c c t t t t r r s S l L e E ? Esc n N P n"
kernels=nested every=5
[ -z "${WB_PAGE_ALL:-}" ] || { kernels='nested ifelse matmul lock-ok'; every=1; }
for kernel in $kernels; do
	keys='' n=0
	for key in '' $tour; do
		keys="$keys${keys:+ }$key" n=$((n + 1))
		[ $((n % every)) = 0 ] || continue
		"$warpbeam" tui "$source/examples/$kernel.s" --print --size 160x24 --keys "$keys${keys:+ }y" |
			grep -o 'wb1:k=[^ ]*' | tail -n 1
	done >native
	# shellcheck disable=SC2086
	samples keys "$source/examples/$kernel.s" $tour | cut -c 1-150 | awk "NR % $every == 0" >module
	alike "keys of $kernel"
done

each=100
[ -z "${WB_PAGE_ALL:-}" ] || each=1000
cd "$source/examples" || exit 1
samples addresses 36 $each nested.s ifelse.s lock-ok.s diffuse.vsh textured-triangle.s >"$work/said"
cat "$work/said"
# shellcheck disable=SC2046
set -- $(tail -n 1 "$work/said")
passed=$((passed + ${1:-0}))
failed=$((failed + ${3:-1}))
echo "$passed passed, $failed failed"
[ $failed = 0 ]
