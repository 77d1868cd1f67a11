#!/bin/sh
# README.md and docs/README.md are right: the shown output of a command (a line "$ warpbeam …" in a block) is the
# command's, all commands run, links lead to files, verbs exist, and every verb but docs is named on one of the pages.
#   readme.sh WARPBEAM SOURCE_ROOT [update]
. "$(dirname "$0")/../kit/check.sh"
warpbeam=$(realpath "$1")
root=$(realpath "$2")
pages='README.md docs/README.md'

# The page with the outputs of its commands as they are now.
current() {   # PAGE
	while IFS= read -r line; do
		case $line in
		'```'*) shown= ;;
		esac
		[ "${shown-}" ] || printf '%s\n' "$line"
		case $line in
		'$ warpbeam '*)
			shown=1
			# shellcheck disable=SC2086
			(cd "$root" && LC_ALL=C.UTF-8 "$warpbeam" ${line#'$ warpbeam '}) </dev/null
			;;
		esac
	done <"$root/$1"
}

for page in $pages; do
	shown=
	current "$page" >"$work/page"
	if [ "${3-}" = update ]; then
		cat "$work/page" >"$root/$page"
		continue
	fi
	diff "$root/$page" "$work/page"
	result $? "$page shows another output; sh tests/house/readme.sh WARPBEAM . update brings it up to date"
	grep -q '^\$ warpbeam ' "$root/$page"
	result $? "$page shows no command"
done
[ "${3-}" != update ] || { finished=yes; exit 0; }

for page in $pages HACKING.md; do
	for link in $(grep -oh '](\([^)#:]*\)[)#]' "$root/$page" | sed 's/^](//; s/[)#]$//'); do
		[ -e "$root/$(dirname "$page")/$link" ]
		result $? "$page: there is no $link to link to"
	done
done
# Commands with arguments, unless an argument is a placeholder; a window or a terminal is opened by other tests.
ln -s "$root/examples" "$work/examples"
(cd "$root" && grep -oh '`warpbeam [a-z]* [^`]*`' $pages) | tr -d '`' |
	grep -v 'FILE\|PROGRAM\|^warpbeam view\|^warpbeam tui' >"$work/commands"
while read -r name arguments; do
	# shellcheck disable=SC2086
	(cd "$work" && XDG_CACHE_HOME=$work/cache "$warpbeam" $arguments >out 2>err </dev/null) ||
		grep -q install "$work/err"
	result $? "$name $arguments: $(cat "$work/err")"
done <"$work/commands"
"$warpbeam" --help | sed -n '/^Verbs:/,/^Start/s/^  \([a-z]*\) .*/\1/p' >"$work/verbs"
for verb in $(cd "$root" && grep -oh '`warpbeam [a-z]\+' $pages | cut -d ' ' -f 2 | sort -u); do
	grep -qx "$verb" "$work/verbs"
	result $? "a page names a verb '$verb' that does not exist"
done
for verb in $(grep -vx docs "$work/verbs"); do
	(cd "$root" && grep -q -e "warpbeam $verb" $pages)
	result $? "neither README.md nor docs/README.md names the verb '$verb'"
done
# The function named for newcomers exists.
grep -q "^enum wb_status wb_launch_run(" "$root/api/launch.c"
result $? "README.md names wb_launch_run in api/launch.c"
finish
