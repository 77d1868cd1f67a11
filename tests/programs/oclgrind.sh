#!/bin/sh
# A checkout of Oclgrind, with Warpbeam in its place: the simulations in tests/kernels (FILE.sim: a program, a kernel,
# sizes and arguments) run on each chip, and values and printed lines are compared with FILE.ref. Prints a row for each
# simulation and chip: verdict (right, WRONG, undefined: other values where FILE.ref expects an error, nothing to
# compare, refused, skipped: a dialogue), whether --check finds something ("1 of 1") where FILE.ref expects an error,
# and the first difference. DIR stays unchanged; collections.sh calls this file for such a DIR.
#
#     oclgrind.sh DIR [WARPBEAM] [NAME...]        NAME: simulations whose path has this text, default all
#
# CHIPS: default "gfx900 g200". Status: 0 if nothing is wrong.
set -u
dir=${1:-}
warpbeam=$(command -v "${2:-warpbeam}") || { echo "oclgrind.sh: no ${2:-warpbeam}"; exit 77; }
warpbeam=$(realpath "$warpbeam")
[ -f "$dir/tests/kernels/TESTS" ] || { echo "oclgrind.sh: $dir is no checkout of Oclgrind: skipped"; exit 77; }
kernels=$(realpath "$dir/tests/kernels")
shift
[ $# -gt 0 ] && shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Arguments of a simulation, a line each: dump (a word, "-": none), type, size, hex or "-", way, name of a file; the
# file's bytes as octal escapes in octal.N. Types of the parameters come from `info`, "TYPE: …" by number.
cat >"$work/arguments.awk" <<'END_OF_AWK'
function little(v, bytes,    out) {     # a whole number of either sign
	for (out = ""; bytes > 0; bytes--) {
		out = out sprintf("\\%03o", v - 256 * floor(v / 256))
		v = floor(v / 256)
	}
	return out
}
function floor(x) { return x >= 0 || int(x) == x ? int(x) : int(x) - 1 }
function real(s, bytes,    v, sign, e, bits, bias) {
	sign = s ~ /^-/
	v = sign ? -s : s + 0
	if (v == 0)
		return little(0, bytes - 1) little(128 * sign, 1)
	for (e = 0; v >= 2; e++)
		v /= 2
	for (; v < 1; e--)
		v *= 2
	bits = bytes == 4 ? 23 : 52
	bias = bytes == 4 ? 127 : 1023
	v = int((v - 1) * 2 ^ bits + 0.5)
	return bytes == 4 ? little(v + (e + bias) * 2 ^ 23 + sign * 2 ^ 31, 4) \
			  : little(v % 2 ^ 32, 4) little(int(v / 2 ^ 32) + (e + bias) * 2 ^ 20 + sign * 2 ^ 31, 4)
}
function number(s,    v, i) {
	if (!hex && s !~ /^0x/)
		return s + 0
	sub(/^0x/, "", s)
	for (i = v = 0; i < length(s); )
		v = v * 16 + index("0123456789abcdef", tolower(substr(s, ++i, 1))) - 1
	return v
}
function put(s) {
	return type ~ /^(float|double)$/ ? real(s, width[type]) : little(number(s), width[type])
}
function finish(    out, n, k, part, v) {
	if (!size && !null)
		return
	n = size / width[type]
	out = ""
	if (fill != "")
		for (k = 0; k < n; k++)
			out = out put(fill)
	else if (range != "") {
		split(range, part, ":")
		v = number(part[1])
		for (k = 0; k < n; k++) {
			out = out put(v)
			v += number(part[2])
		}
	} else {
		split(values, part)
		for (k = 1; k <= n; k++)
			out = out put(part[k])          # nothing is 0, for noinit
	}
	print out >(folder "/octal." count)
	print dump, type, size + 0, hex ? "hex" : "-", null ? of[count] ~ /[(]4 bytes/ ? "null32" : "null64" \
	      : of[count] ~ /^local / ? "local" : of[count] ~ /\*/ ? access : "value"
	size = null = 0
	count++
}
BEGIN {
	count = 0
	split("char 1 uchar 1 short 2 ushort 2 int 4 uint 4 long 8 ulong 8 float 4 double 8 void 1", w, " ")
	for (i = 1; i in w; i += 2)
		width[w[i]] = w[i + 1]
}
FILENAME ~ /parameters$/ {
	of[FNR - 1] = $0
	next
}
{ sub(/#.*/, "") }
NF == 0 { next }
++line <= 4 { next }                    # program, kernel, sizes
/</ {
	finish()
	dump = "-"
	fill = range = values = ""
	hex = 0
	access = "buffer"
	type = of[count]
	sub(/^(local|constant|global|private) /, "", type)
	sub(/[^a-z].*/, "", type)
	header = $0
	sub(/^[^<]*</, "", header)
	rest = header
	sub(/>.*/, "", header)
	sub(/^[^>]*>/, "", rest)
	n = split(header, word)
	for (i = 1; i <= n; i++)
		if (word[i] in width)
			type = word[i]
		else if (word[i] ~ /^(hex|null)$/) {
			hex = hex || word[i] == "hex"
			null = null || word[i] == "null"
		} else if (word[i] ~ /^dump/)
			dump = "dump"
		else if (word[i] ~ /^[a-z]*=/) {
			value = word[i]
			sub(/^[a-z]*=/, "", value)
			if (word[i] ~ /^size/)
				size = value
			else if (word[i] ~ /^fill/)
				fill = value
			else
				range = value
		} else if (word[i] ~ /^[rw]o$/)
			access = word[i]
	if (!(type in width))
		type = "uchar"
	$0 = rest
}
{ values = values " " $0 }
END { finish() }
END_OF_AWK

# The values of a buffer as Oclgrind prints them: TYPE HEX FILE
values() {
	case $2 in
	hex)
		n_bytes=4
		case $1 in *long) n_bytes=8 ;; esac
		od -An -v -w$n_bytes -t x$n_bytes "$3" | sed 's/^ */0x/' ;;
	*)
		case $1 in
		char) od -An -v -w1 -t d1 "$3" ;;
		uchar | void) od -An -v -w1 -t u1 "$3" ;;
		short) od -An -v -w2 -t d2 "$3" ;;
		ushort) od -An -v -w2 -t u2 "$3" ;;
		uint) od -An -v -w4 -t u4 "$3" ;;
		long) od -An -v -w8 -t d8 "$3" ;;
		ulong) od -An -v -w8 -t u8 "$3" ;;
		float) od -An -v -w4 -t f4 "$3" | awk '{ printf "%.6g\n", $1 }' ;;
		double) od -An -v -w8 -t f8 "$3" | awk '{ printf "%.6g\n", $1 }' ;;
		*) od -An -v -w4 -t d4 "$3" ;;
		esac | tr -d ' ' ;;
	esac
}

# The first line that is otherwise than the reference wants it; blank lines count in neither.
cat >"$work/compare.awk" <<'END_OF_AWK'
FNR == NR && FILENAME ~ /[.]ref$/ {
	if ($0 ~ /^(EXACT|MATCH) +[^ ]/) {
		kind[++n] = substr($0, 1, 5)
		want[n] = substr($0, 7)
		sub(/ *$/, "", want[n])
	}
	next
}
{
	if (++line > n)
		said = said ? said : "more: " $0
	else if (kind[line] == "EXACT" ? $0 != want[line] : !index($0, want[line]))
		said = said ? said : "found " $0 ", expected " want[line]
}
END {
	if (line < n && !said)
		said = "found nothing, expected " want[line + 1]
	print said
}
END_OF_AWK

row() {
	printf '%-44s %-7s %-9s %-8s %s\n' "$@"
}

lines_of() {    # FILE.sim
	sed 's/#.*//' "$1" | grep -v '^[[:space:]]*$'
}

# An option of a run for each argument, in $work/options.
options() {     # CHECK: of the buffers' access, too
	: >"$work/options"
	n=0
	while read -r _ _ size _ way; do
		case $way in
		null*) echo "u${way#null}=0" ;;
		local) echo "shared=$size" ;;
		value) echo "bytes=$work/in.$n" ;;
		ro | wo) [ "$1" ] && echo "$way:in=$work/in.$n" || echo "inout=$work/in.$n:$work/out.$n" ;;
		*) echo "inout=$work/in.$n:$work/out.$n" ;;
		esac
		n=$((n + 1))
	done <"$work/arguments" | sed 's/^/-a\n/' >"$work/options"
}

# The lines that a simulation has given, as in the reference: printed ones, then each dumped buffer.
given() {
	cat "$work/printed"
	n=0
	grep '^EXACT Argument\|^MATCH Argument' "$1" >"$work/names"
	while read -r dump type _ hex _; do
		if [ "$dump" = dump ]; then
			heading=$(sed -n 1p "$work/names" | cut -c7-)
			sed -i 1d "$work/names"
			echo "$heading"
			name=$(echo "$heading" | cut -d"'" -f2)
			values "$type" "$hex" "$work/out.$n" |
				awk -v name="$name" '{ print "  " name "[" NR - 1 "] = " $0 }'
		fi
		n=$((n + 1))
	done <"$work/arguments"
}

simulate() {    # NAME CHIP
	sim=$kernels/$1.sim
	ref=$kernels/$1.ref
	cd "$kernels/${1%/*}" || exit 1
	lines_of "$sim" >"$work/lines"
	read -r file <"$work/lines"
	kernel=$(sed -n 2p "$work/lines" | tr -d ' \r')
	grid=$(sed -n 3,4p "$work/lines" | awk '
		NR == 1 { x = $1; y = $2; z = $3 }
		NR == 2 { print x / $1 "," y / $2 "," z / $3 }')
	block=$(sed -n 4p "$work/lines" | awk '{ print $1 "," $2 "," $3 }')
	standard=
	grep -q 'cl-std=CL2' "$sim" && standard=CL2.0
	set -- "$1" "$2" "$file" --kernel "$kernel" --chip "$2" ${standard:+--cl-std $standard}
	name=$1 chip=$2
	shift 2
	case $grid in
	*.*)
		row "$name" "$chip" refused - 'sizes that are no multiples of the group'
		return ;;
	esac
	if ! "$warpbeam" info "$1" --chip "$chip" ${standard:+--cl-std $standard} >"$work/info" 2>"$work/err"; then
		row "$name" "$chip" refused - "$(grep -a . "$work/err" | head -n 1 | cut -c1-90)"
		return
	fi
	awk -v kernel="$kernel" '
		/^  [^ ]/ { its = $1 == kernel }
		its && /^ +[0-9]+: / { sub(/^ *[0-9]+: /, ""); print }' "$work/info" >"$work/parameters"
	rm -f "$work"/octal.* "$work"/out.*
	awk -v folder="$work" -f "$work/arguments.awk" "$work/parameters" "$sim" >"$work/arguments"
	for octal in "$work"/octal.*; do
		[ -f "$octal" ] && printf "$(cat "$octal")" >"$work/in.${octal##*.}"
	done
	options ''
	printed=
	[ "$chip" = g200 ] || printed=1
	: >"$work/printed"
	xargs -a "$work/options" -d '\n' "$warpbeam" run "$@" --grid "$grid" --block "$block" --timing off -q \
		${printed:+--printf "$work/printed"} --max-seconds 20 >"$work/out" 2>"$work/err" </dev/null
	code=$?
	[ -f "$ref" ] || ref=/dev/null
	want=$(grep -c '^ERROR' "$ref")
	found=-
	if [ "$want" -gt 0 ]; then
		options access
		found='1 of 1'
		xargs -a "$work/options" -d '\n' "$warpbeam" run "$@" --grid "$grid" --block "$block" -q \
			--max-seconds 20 --check race,uninit,barrier,bounds >"$work/checked" 2>&1 </dev/null &&
			found='0 of 1'
	fi
	given "$ref" 2>>"$work/err" | grep -v '^ *$' >"$work/given"
	reason=$(awk -f "$work/compare.awk" "$ref" "$work/given")
	verdict=right
	if ! grep -q '^[EM][XA][AT]C[TH] ' "$ref"; then
		verdict=nothing reason=
	elif [ "$reason" ]; then
		verdict=WRONG
		[ $code = 0 ] || reason="$(grep -ah '^warpbeam: ' "$work/err" | head -n 1 | cut -c11-110)"
		[ "$want" = 0 ] || verdict=undefined
		grep -q ': this needs\|are refused\|no runtime' "$work/err" && verdict=refused
	fi
	row "$name" "$chip" "$verdict" "$found" "$reason"
}

row simulation chip values errors reason
while read -r name; do
	[ "$name" ] || continue
	wanted=$#
	for part in "$@"; do
		case $name in *"$part"*) wanted=0 ;; esac
	done
	[ $wanted = 0 ] && [ -f "$kernels/$name.sim" ] || continue
	for chip in ${CHIPS:-gfx900 g200}; do
		if [ -f "$kernels/$name.inp" ]; then
			row "$name" "$chip" skipped - 'a dialogue with the simulator'
		else
			simulate "$name" "$chip"
		fi
	done
done <"$kernels/TESTS" | tee "$work/rows"
awk '{ n[$2 " " $3]++ } $5 == "of" { e[$2]++; f[$2] += $4 }
	END {
		for (v in n)
			printf "%s %d, ", v, n[v]
		for (chip in e)
			printf "%s errors found %d of %d, ", chip, f[chip], e[chip]
		print NR " rows"
	}' "$work/rows"
! grep -q ' WRONG ' "$work/rows"
