#!/bin/sh
# The gain of each mechanism of the SIMD levels: kernels with a mechanism taken out of Tesla's handlers, beside kernels
# with all mechanisms, in host instructions of the launches (callgrind); at AVX-512, unknown to valgrind, in time.
# ablate.sh BUILD [MECHANISM]...
# BUILD is a release build with bench/throughput. KERNELS (mandelbrot matmul bitonic histogram), LEVELS (base avx2
# avx512), DIV (256) and REPEAT (9). A table of quotients: 1.20 is a fifth more without the mechanism.
set -eu
build=$(cd "$1" && pwd)
shift
root=$(cd "$(dirname "$0")/.." && pwd)
kernels=${KERNELS:-mandelbrot matmul bitonic histogram}
levels=${LEVELS:-base avx2 avx512}
div=${DIV:-256}
repeat=${REPEAT:-9}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ninja -C "$build" -t commands api/libwarpbeam.so.0.3.0 | sed 's/^ccache //' >"$work/commands"

# A mechanism's name, the source of handlers with the mechanism, and a file; then the edit that removes the mechanism.
mechanisms() {
	cat <<-'END'
	float words core/isa/tesla/fast_float.h
	s/if (!HOST_FLUSHES)/if (1)/
	partial words core/isa/tesla/handlers_words.c
	/HANDLER_##name]/s/name##_some[a-z_]*/SIMD_NAME(threaded_slow)/g
	blend words core/base/vector.h
	/^VEC_FN vec vec_blend/,/^}/s/elif defined __AVX2__/elif 0/
	gather memory mem/lane_words.h
	s/vec_store(out + l, vec_g.*/if (!l) FOR_SET_LANES(k, lanes) out[k] = *(const vec_word *)(base + addr[k]);/
	ordered memory core/isa/lane_memory.h
	s/(!inside)/(1)/;s/LANE_GROUP_IS_VECTOR && LANE_GROUPS/0 \&\& LANE_GROUPS/;s/(!all ||/(1 ||/
	near memory mem/warp_banks.h
	s/if (addr.HALF_LANES - 1. - addr.0. >= 32 . 4)/if (1)/
	memo memory mem/warp_banks.h
	s/if (memo->extra ? memo->lanes != lanes/if (1 || memo->extra ? 1/
	END
}

# The library of BUILD with a source of handlers compiled anew, where FOLDER has other files.
library() {   # FOLDER SOURCE
	from=../core/isa/tesla/$2.c
	[ ! -f "$1/${from#../}" ] || from=$1/${from#../}
	sed -n "s,-o api/libwarpbeam[^ ]*,-o $1/libwarpbeam.so.3,p" "$work/commands" >"$work/link"
	for level in $levels; do
		hot=core/isa/tesla/libwb_tesla_hot_$level.a
		to=$hot.p/$2.c.o
		sed -n "s,^\(.*\) -MD .* -o $to .*,\1,p" "$work/commands" >"$work/compile"
		(cd "$build" && eval "$(sed 's/ / -I"$1" /' "$work/compile")" -w -c "$from" -o "$1/$level.o")
		(cd "$build" && ar crs "$1/${hot##*/}" "$1/$level.o" $(ls $hot.p/*.o | grep -vx "$to"))
		sed -i "s,$hot,$1/${hot##*/},g" "$work/link"
	done
	(cd "$build" && sh "$work/link")
}

# Host instructions of the launches of a kernel, or its least seconds.
cost() {   # FOLDER LEVEL KERNEL
	export LD_LIBRARY_PATH="$1"
	run="$build/bench/throughput --root $root --timing off --set native=off --set simd=$2"
	if [ "$2" = avx512 ]; then
		$run --json --div 4 --repeat "$repeat" "$3" | awk '$1 == "\"seconds_min\":" { print $2 + 0 }'
	else
		valgrind --tool=callgrind --toggle-collect=wb_launch_run --callgrind-out-file=/dev/null \
			$run --div "$div" --repeat 1 "$3" 2>&1 >/dev/null | awk '/Collected/ { print $NF }'
	fi
}

costs() {   # FOLDER LEVEL
	for kernel in $kernels; do
		(cost "$1" "$2" "$kernel")
	done
}

for level in $levels; do
	costs "$build/api" "$level" >"$work/all-$level"
done
printf '| without | level |'
printf ' %s |' $kernels
printf '\n|---|---|'
printf -- '---:|%.0s' $kernels
echo
mechanisms | while read -r name source file && read -r edit; do
	case " $* " in
	"  " | *" $name "*) ;;
	*) continue ;;
	esac
	without=$work/$name
	mkdir -p "$without/$(dirname "$file")"
	sed "$edit" "$root/$file" >"$without/$file"
	if cmp -s "$root/$file" "$without/$file"; then
		echo "ablate.sh: $name: $file has nothing that '$edit' changes" >&2
		exit 1
	fi
	library "$without" "handlers_$source"
	for level in $levels; do
		[ "$level" != avx512 ] || costs "$build/api" "$level" >"$work/all-$level"      # under the same load
		costs "$without" "$level" | paste "$work/all-$level" - |
			awk -v name="$name" -v level="$level" '
				{ row = row sprintf(" %.2f |", $2 / $1) }
				END { print "| " name " | " level " |" row }'
	done
done
