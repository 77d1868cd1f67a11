#!/bin/sh
# Files after a command was killed at any moment: the old or the new output, whole, and beside the output at most
# another whole file. The moments are the command's system calls that may change files, as nothing else changes files.
#   kill.sh WARPBEAM SOURCE_ROOT KILL_AT [all|LAST]     (how many of a command's calls are tried, from the last one
#                                                        on; default 24: what is before them loads libraries)
set -u
warpbeam=$(realpath "$1")
root=$(realpath "$2")
kill_at=$(realpath "$3")
last=${4:-24}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
passed=0
failed=0
old=0
new=0

bad() {
	failed=$((failed + 1))
	echo "$1"
}

# A run that ends before its n-th system call.
try() {   # N OUT COMMAND...
	n=$1
	out=$2
	shift 2
	cp old "$out"
	# shellcheck disable=SC2086
	"$kill_at" $way "$n" "$@" >/dev/null 2>&1
	if cmp -s "$out" old; then
		old=$((old + 1))
	elif cmp -s "$out" want; then
		new=$((new + 1))
	else
		bad "before call $n: '$out' is neither the old nor the new one: $*"
		return
	fi
	# Between a name beside the output and the output's name the new file is whole; where files cannot be
	# without a name, the new file has a name from the start.
	for left in ./*.part; do
		[ ! -e "$left" ] || [ -n "$way" ] || cmp -s "$left" want || bad "before call $n: left by $*: $left"
		rm -f "$left"
	done
	passed=$((passed + 1))
}

check() {   # OUT COMMAND...: kill COMMAND at call after call
	out=$1
	shift
	rm -f want
	cp old "$out"           # an output that is there costs a command a few calls
	[ "$last" != all ] || last=1000000
	# shellcheck disable=SC2086
	calls=$("$kill_at" $way count "$@" 2>/dev/null)
	status=$?
	if [ $status = 77 ]; then
		echo "skipped: this host does not let a process be followed (ptrace)"
		exit 77
	fi
	[ $status = 0 ] && mv "$out" want || { bad "fails: $*"; return; }
	old=0
	new=0
	n=$((calls + 2))        # the number of calls differs a little between runs
	until [ $n = 1 ] || [ $n = "$((calls - last))" ]; do
		try $n "$out" "$@"
		n=$((n - 1))
	done
	[ $old -gt 0 ] && [ $new -gt 0 ] || bad "$calls calls, $old times the old output, $new times the new one: $*"
	rm -f "$out" "$out.points"
}

echo 'what was there' >old
example=$root/examples/ifelse.s
cp "$example" source.s
printf '{"file": "%s", "axes": {"policy": ["rr", "gto", "oldest"]}, "columns": ["cycles"]}' "$example" >plan.json
for way in '' -t; do
	check a.trace "$warpbeam" run "$example" -q --trace a.trace
	check a.json "$warpbeam" run "$example" -q --stats a.json
	check a.png "$warpbeam" shot "$example" -q -o a.png --size 320x200
	check a.bin "$warpbeam" asm source.s -o a.bin
	check a.csv "$warpbeam" sweep plan.json -q -j 1 -o a.csv
done

echo "$passed passed, $failed failed"
[ $failed = 0 ]
