#!/bin/sh
# All fuzz targets in turn, for equal times, with a table of executions: fuzz.sh BUILD MINUTES [TARGET]..., in the
# tree's root, where BUILD was configured with -Dfuzzers=true. Finds stay in BUILD/finds; exit 1 if there is a new one.
set -eu
build=$1
minutes=$2
shift 2

# Folders of a target's seeds: in the tree, and made by the build. Loaders share their seeds.
fuzz_folders() {   # BUILD NAME
	names=$2
	case $2 in
	text | elf | sniff | shbin | code_object | wbimage) names='text elf sniff shbin code_object wbimage' ;;
	esac
	for name in $names; do
		for folder in "$PWD/tests/fuzz/corpus/$name" "$PWD/$1/tests/fuzz/seeds/$name"; do
			[ ! -d "$folder" ] || echo "$folder"
		done
	done
}

# A target, and its line of the table. A find is a crash, a leak, a timeout or a lack of memory, as libFuzzer says.
fuzz_one() {   # BUILD NAME SECONDS
	corpus=$PWD/$1/corpus/$2
	finds=$PWD/$1/finds
	log=$1/$2.log
	mkdir -p "$corpus" "$finds"
	was=$(ls "$finds" | wc -l)
	# shellcheck disable=SC2046
	UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 "$1/tests/fuzz/fuzz_$2" -max_total_time="$3" -timeout=100 \
		-report_slow_units=100 -print_final_stats=1 -close_fd_mask=1 -artifact_prefix="$finds/$2-" \
		"$corpus" $(fuzz_folders "$1" "$2") >"$log" 2>&1 || true
	printf '%-12s %8s %12s %10s %6s\n' "$2" "$3" "$(awk '/number_of_executed_units/ { print $2 }' "$log")" \
		"$(ls "$corpus" | wc -l)" $(($(ls "$finds" | wc -l) - was))
}

all=$(cd tests/fuzz && ls fuzz_*.c | sed 's/^fuzz_//; s/\.c$//; /^image$/d; /^cli$/d')
targets=${*:-$all}
# shellcheck disable=SC2086
ninja -C "$build" tests/fuzz/seeds.count $(printf 'tests/fuzz/fuzz_%s ' $targets) >&2
seconds=$((minutes * 60 / $(echo $targets | wc -w)))
mkdir -p "$build/finds"
before=$(ls "$build/finds" | wc -l)
printf '%-12s %8s %12s %10s %6s\n' target seconds executions corpus finds
for target in $targets; do
	fuzz_one "$build" "$target" "$seconds"
done
[ "$(ls "$build/finds" | wc -l)" = "$before" ] || {
	echo "fuzz: what was found is in $build/finds, how in $build/TARGET.log" >&2
	exit 1
}
