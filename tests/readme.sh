#!/bin/sh
# The README is right: its report is the one that its command prints, its commands run, its links lead somewhere, its
# verbs exist and every verb but docs is named.   readme.sh WARPBEAM SOURCE_ROOT [update]
. "$(dirname "$0")/check.sh"
warpbeam=$(realpath "$1")
root=$(realpath "$2")
readme=$root/README.md
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

diff "$work/shown" "$work/now"
result $? "README.md shows another report; sh tests/readme.sh WARPBEAM . update brings it up to date"
for link in $(cd "$root" && grep -oh '](\([^)#:]*\))' README.md HACKING.md | sed 's/^](//; s/)$//'); do
	[ -e "$root/$link" ]
	result $? "there is no $link to link to"
done
# Commands with arguments, unless these stand for something.
ln -s "$root/examples" "$work/examples"
grep -o '`warpbeam [a-z]* [^`]*`' "$readme" | tr -d '`' | grep -v 'FILE' >"$work/commands"
while read -r name arguments; do
	# shellcheck disable=SC2086
	(cd "$work" && XDG_CACHE_HOME=$work/cache "$warpbeam" $arguments >out 2>err </dev/null) ||
		grep -q install "$work/err"
	result $? "$name $arguments: $(cat "$work/err")"
done <"$work/commands"
"$warpbeam" --help | sed -n '/^Verbs:/,/^Start/s/^  \([a-z]*\) .*/\1/p' >"$work/verbs"
for verb in $(grep -oh 'warpbeam [a-z]\+' "$readme" | cut -d ' ' -f 2 | sort -u); do
	grep -qx "$verb" "$work/verbs"
	result $? "README.md names a verb '$verb' that does not exist"
done
for verb in $(grep -vx docs "$work/verbs"); do
	grep -q -e "warpbeam $verb" "$readme"
	result $? "README.md does not name the verb '$verb'"
done
finish
