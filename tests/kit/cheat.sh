# Programs that meet a lab's goals about costs because work is left out.
# shellcheck shell=sh disable=SC2154

# cheat LAB MISSING SCRIPT: solved-LAB.$ending, changed, meets all goals but the goals beginning with MISSING.
cheat() {
	sed "$3" "solved-$1.$ending" >"cheat.$ending"
	ok "$1: the cheat is another program" sh -c "! cmp -s cheat.$ending solved-$1.$ending"
	check 1 out "^  missing  $2" "$warpbeam" lab "$1" "cheat.$ending"
	result "$(grep '^  missing' out | grep -vc "^  missing  $2")" "$1: '$3' misses other goals than '$2'" ||
		sed 's/^/    /' out
}
