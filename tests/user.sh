#!/bin/sh
# What a user meets who brings a program of their own: what a file tells, arguments, names, and errors with the way out.
#   user.sh WARPBEAM SOURCE_ROOT
set -u
warpbeam=$(realpath "$1")
root=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
passed=0
failed=0

# check EXIT STREAM TEXT COMMAND...: the command ends with EXIT and says TEXT (a basic expression) on out or err.
check() {
	want=$1
	stream=$2
	text=$3
	shift 3
	"$@" >out 2>err </dev/null
	got=$?
	if [ $got = "$want" ] && grep -q -e "$text" $stream; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "$*: expected exit $want and '$text' on $stream; got exit $got and:"
		sed 's/^/    /' out err
	fi
}

# not STREAM TEXT: nor did the last command say that.
not() {
	if grep -q -e "$2" $1; then
		failed=$((failed + 1))
		echo "found '$2' on $1:"
		sed 's/^/    /' $1
	else
		passed=$((passed + 1))
	fi
}

# ---- what a file tells ----

cat >mangled.s <<'END'
.kernel _Z3runPfPFiiES_4PairIiS_E
.regs 4
.param u32 first
.param u32 second
.param u32 third
.param u64 fourth
	exit (never) nop
END
if "$warpbeam" --version -v | grep -q libiberty; then
	check 0 out '^    run(float\*, int (\*)(int), float\*, Pair<int, float\*>)$' "$warpbeam" info mangled.s
	check 0 out '"demangled": "run(float' "$warpbeam" info --json mangled.s
fi
check 0 out '^  _Z3runPf' "$warpbeam" info mangled.s
check 0 out '8: u32 *third (4 bytes)' "$warpbeam" info mangled.s
check 0 out '"demangled": null' "$warpbeam" info --json "$root/examples/ifelse.s"

echo "$passed passed, $failed failed"
[ $failed = 0 ]
