#!/bin/sh
# The report that the README shows is the one that its command prints.   readme.sh WARPBEAM SOURCE_ROOT [update]
set -u
warpbeam=$(realpath "$1")
readme=$2/README.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
command='$ warpbeam run examples/ifelse.s'
(cd "$2" && LC_ALL=C.UTF-8 "$warpbeam" run examples/ifelse.s) >"$work/now"
awk -v command="$command" '/^```/ { inside = 0 } inside; $0 == command { inside = 1 }' "$readme" >"$work/shown"

if [ "${3-}" = update ]; then
	awk -v command="$command" -v now="$work/now" '
		/^```/ { inside = 0 }
		!inside
		$0 == command { inside = 1; while ((getline line < now) > 0) print line }' "$readme" >"$work/readme"
	cat "$work/readme" >"$readme"
elif diff "$work/shown" "$work/now"; then
	echo "1 passed, 0 failed"
else
	echo "README.md shows another report; sh tests/readme.sh WARPBEAM . update brings it up to date"
	echo "0 passed, 1 failed"
	exit 1
fi
