#!/bin/sh
# The README is right: its report is the one that its command prints, its links lead somewhere, its
# verbs exist and every verb but docs is named.   readme.sh WARPBEAM SOURCE_ROOT [update]
set -u
warpbeam=$(realpath "$1")
root=$2
readme=$root/README.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
command='$ warpbeam run examples/ifelse.s'
(cd "$root" && LC_ALL=C.UTF-8 "$warpbeam" run examples/ifelse.s) >"$work/now"
awk -v command="$command" '/^```/ { inside = 0 } inside; $0 == command { inside = 1 }' "$readme" >"$work/shown"

if [ "${3-}" = update ]; then
	awk -v command="$command" -v now="$work/now" '
		/^```/ { inside = 0 }
		!inside
		$0 == command { inside = 1; while ((getline line < now) > 0) print line }' "$readme" >"$work/readme"
	cat "$work/readme" >"$readme"
	exit
fi

passed=0
failed=0
check() {   # MESSAGE: the last command's status
	if [ $? = 0 ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "$1"
	fi
}

diff "$work/shown" "$work/now"
check "README.md shows another report; sh tests/readme.sh WARPBEAM . update brings it up to date"
for link in $(cd "$root" && grep -oh '](\([^)#:]*\))' README.md HACKING.md | sed 's/^](//; s/)$//'); do
	[ -e "$root/$link" ]
	check "there is no $link to link to"
done
"$warpbeam" docs verbs | tr ' ' '\n' >"$work/verbs"
for verb in $(grep -oh 'warpbeam [a-z]\+' "$readme" | cut -d ' ' -f 2 | sort -u); do
	grep -qx "$verb" "$work/verbs"
	check "README.md names a verb '$verb' that does not exist"
done
for verb in $(grep -vx docs "$work/verbs"); do
	grep -q -e "warpbeam $verb" "$readme"
	check "README.md does not name the verb '$verb'"
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
