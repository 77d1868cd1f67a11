#!/bin/sh
# Pages made from the tables: every option is in the help, the manual page and the completions; the page of keys is
# the program's; scdoc accepts the pages.   docs.sh WARPBEAM SOURCE_ROOT
. "$(dirname "$0")/../kit/check.sh"
warpbeam=$1
root=$2

"$warpbeam" docs programs | cmp - "$root/docs/reference/programs.md"
result $? "docs/reference/programs.md is not what 'warpbeam docs programs' prints: write it anew"
"$warpbeam" docs keys | cmp - "$root/docs/reference/keys.md"
result $? "docs/reference/keys.md is not what 'warpbeam docs keys' prints: write it anew"

"$warpbeam" docs metrics | grep -v -x -F -f "$root/docs/reference/counters.md" >"$work/missing"
[ ! -s "$work/missing" ]
result $? "docs/reference/counters.md lacks what 'warpbeam docs metrics' prints: $(head -1 "$work/missing")"
"$warpbeam" run "$root/examples/bank-conflict.s" --metrics ncu --json >"$work/metrics"
jq -e '.counters as $c | .metrics | ."smsp__inst_executed.sum" == $c.instructions and
	."smsp__thread_inst_executed.sum" == $c.thread_instructions + $c.predicated_off and
	."smsp__thread_inst_executed_pred_on_per_inst_executed.ratio" == $c.thread_instructions / $c.instructions and
	."dram__bytes.sum" == 32 * (."l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum" +
		."l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum")' "$work/metrics" >/dev/null
result $? "--metrics ncu differs from the counters"
"$warpbeam" run "$root/examples/nested.s" --metrics nvidia >"$work/out" 2>"$work/err"
[ $? -eq 2 ] && grep -q "expects ncu or nvprof" "$work/err"
result $? "--metrics takes a word without a meaning"

for shell in bash zsh fish; do
	"$warpbeam" docs $shell >"$work/$shell" && [ -s "$work/$shell" ]
	result $? "docs $shell"
done
if command -v bash >/dev/null 2>&1; then
	bash -n "$work/bash"
	result $? "the bash completion is no bash"
fi

# Names of options in a text, one a line.
options_in() {
	grep -o -e '--[a-z][a-z0-9-]*' | cut -c 3- | sort -u
}
options_in <"$work/bash" >"$work/in bash"
options_in <"$work/zsh" >"$work/in zsh"
for verb in $("$warpbeam" docs verbs); do
	"$warpbeam" docs man "$verb" >"$work/page"
	"$warpbeam" "$verb" --help | sed -n 's/^ *\(-.,\)\{0,1\} *--\([a-z][a-z0-9-]*\).*/\2/p' |
		sort -u >"$work/options"
	grep -e '--[a-z0-9-]*\*' "$work/page" | options_in >"$work/in page"
	sed -n "s/.*seen_subcommand_from $verb' -l \([a-z0-9-]*\) .*/\1/p" "$work/fish" | sort -u >"$work/in fish"
	missing=$(for place in page bash zsh fish; do
		comm -23 "$work/options" "$work/in $place" | sed "s/^/$place:/"
	done)
	[ -s "$work/options" ] && [ -z "$missing" ]
	result $? "$verb: $missing"
	if command -v scdoc >/dev/null 2>&1; then
		scdoc <"$work/page" >"$work/roff" 2>"$work/err"
		result $? "$verb: $(cat "$work/err")"
	fi
done

# The members of scenes: every row of scene.def is in the pages, and every member of the pages' tables has a row.
sed -n 's/^MEMBER([a-z]*, "\([a-z_0-9]*\)".*/\1/p' "$root/device/inputs/scene.def" | sort -u >"$work/members"
cat "$root/docs/reference/scenes.md" "$root/docs/reference/textures.md" >"$work/pages"
grep -o -E '[`"][a-z_0-9]+[`"]' "$work/pages" | tr -d '`"' | sort -u >"$work/in pages"
missing=$(comm -23 "$work/members" "$work/in pages")
[ "$(wc -l <"$work/members")" -gt 60 ] && [ -z "$missing" ]
result $? "scenes.md and textures.md lack members of scenes: $missing"
sed -n '/^| member/,/^$/p' "$work/pages" | cut -d '|' -f 2 | grep -o '`[a-z_0-9]*`' | tr -d '`' |
	sort -u >"$work/in tables"
missing=$(comm -13 "$work/members" "$work/in tables")
[ "$(wc -l <"$work/in tables")" -gt 50 ] && [ -z "$missing" ]
result $? "scenes.md and textures.md have members that scene.def lacks: $missing"

# The glossary has every word of legends and of stalls.
for word in $(sed -n 's/^STATE([A-Z]*, .*, "\([a-z]*\)[a-z ]*", ".*/\1/p' "$root/frontends/view/state.def") \
		$(sed -n 's/^STALL([A-Z_]*, "\([a-z]*\)[a-z_]*", .*/\1/p' "$root/sched/stall.def"); do
	[ "$word" = no ] || grep -q "^| [^|]*$word" "$root/docs/explanation/glossary.md"
	result $? "the glossary lacks '$word'"
done

# The page of the program has all verbs.
"$warpbeam" docs man >"$work/page"
for verb in $("$warpbeam" docs verbs); do
	grep -q "^\*$verb\*" "$work/page" && grep -q "\*warpbeam-$verb\*(1)" "$work/page"
	result $? "warpbeam(1) has no $verb"
done
grep -q 'textured-triangle' "$work/page" && grep -q '^\*130\*' "$work/page"
result $? "warpbeam(1) lacks examples or exit codes"
if command -v scdoc >/dev/null 2>&1; then
	scdoc <"$work/page" >"$work/roff" 2>"$work/err"
	result $? "warpbeam(1): $(cat "$work/err")"
fi

# What the shell offers for the last word of a command line.
offers() {   # WANTED WORD...
	wanted=$1
	shift
	PATH=$work/bin:$PATH bash -c '. "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _warpbeam
		printf "%s\n" "${COMPREPLY[@]}"' "$work/bash" "$@" >"$work/offered"
	grep -qx -e "$wanted" "$work/offered"
	result $? "no $wanted for: $*"
}
if command -v bash >/dev/null 2>&1; then
	mkdir -p "$work/bin"
	ln -sf "$(realpath "$warpbeam")" "$work/bin/warpbeam"
	offers occupancy warpbeam view --pane occ
	offers gfx900 warpbeam run scan.cl --chip gf
	offers ifelse warpbeam run ife
	offers ifelse warpbeam examples ife
	offers --grid warpbeam run ifelse --gri
	offers report warpbeam rep
	offers matmul warpbeam run matmul --grid 2 --kernel ""
	offers matmul warpbeam run --grid 2 matmul --kernel ma
fi
finish
