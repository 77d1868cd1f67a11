#!/bin/sh
# What ./dev says of wrong arguments, and how two builds are compared.   dev.sh ROOT
set -u
root=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

expect() {   # NAME STATUS TEXT COMMAND...: the exit status, and that the output has the text
	name=$1 status=$2 text=$3
	shift 3
	"$@" >"$work/out" 2>&1
	got=$?
	if [ $got = "$status" ] && grep -qF -- "$text" "$work/out"; then
		passed=$((passed + 1))
	else
		echo "$name: found exit $got, expected $status and '$text'; the output:"
		cat "$work/out"
		failed=$((failed + 1))
	fi
}

expect 'unknown command' 2 "unknown command 'bnech'" "$root/dev" bnech
expect 'help' 0 'bench --against REV' "$root/dev" help
expect 'no commit' 2 'found nothing, expected a commit' "$root/dev" bench --against
if git -C "$root" rev-parse HEAD >/dev/null 2>&1; then
	expect 'unknown commit' 2 "found 'no-such-commit', expected a commit" "$root/dev" bench --against no-such-commit
fi

# Builds whose kernel takes as long as they are told.
fake() {   # NAME SECONDS
	mkdir -p "$work/$1/bench"
	cat >"$work/$1/bench/throughput" <<FAKE
#!/bin/sh
[ "\$1" = --help ] && { echo 'Kernels: k'; exit; }
printf '"kernel": "k",\n"timing": "off",\n"seconds_median": $2,\n'
FAKE
	chmod +x "$work/$1/bench/throughput"
}
fake old 0.100
fake same 0.104
fake slow 0.106
fake none 0
export REPEAT=3
expect 'as fast' 0 ' 1.040' sh "$root/bench/against.sh" "$work/same" "$work/old"
expect 'slower' 1 ' 1.060  SLOWER' sh "$root/bench/against.sh" "$work/slow" "$work/old"
expect 'only the other' 1 'FAILED' sh "$root/bench/against.sh" "$work/none" "$work/old" k
expect 'not the other' 0 'not run by the other' sh "$root/bench/against.sh" "$work/old" "$work/none" k
echo "$passed passed, $failed failed"
[ $failed = 0 ]
