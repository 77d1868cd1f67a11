#!/bin/sh
# Files readable by a source in OpenCL C (--files); and no compiler outlives the limits or Warpbeam.
#   opencl_guard.sh WARPBEAM WITHOUT_LANDLOCK
. "$(dirname "$0")/../kit/check.sh"
warpbeam=$(realpath "$1")
without_landlock=$(realpath "$2")
cd "$work" || exit 1
XDG_CACHE_HOME=$work/cache
export XDG_CACHE_HOME

mkdir -p own/below tmp
printf 'kernel void k(global int *p) { *p = 1; }\n' >own/plain.cl
if ! "$warpbeam" info own/plain.cl >out 2>err && grep -q install err; then
	echo "skipped: $(cat err)"
	exit 77
fi
if ! "$warpbeam" info own/plain.cl --files none >out 2>err && grep -q Landlock err; then
	echo "skipped: $(cat err)"
	exit 77
fi

# --files: each way of a source to name a file × the file's place × the rule. Assembly takes its secret in words of
# four bytes, as clang is caught in a loop behind others.
for place in own/here own/below/here outside; do
	printf '#define VALUE 1 // secret' >$place.h
	printf '\nsecret word 15\n' >$place.bin
done
ln -s ../outside.h own/link.h
source_of() {   # WAY PATH
	case $1 in
	include) printf '#include "%s.h"\nkernel void k(global int *p) { *p = VALUE; }\n' "$2" ;;
	macro) printf '#define NAME <%s.h>\n#include NAME\nkernel void k(global int *p) { *p = VALUE; }\n' "$2" ;;
	incbin) printf '__asm__(".incbin \\"%s.bin\\"");\nkernel void k(global int *p) { *p = 1; }\n' "$2" ;;
	assembly) printf 'kernel void k(global int *p) { *p = 1; __asm__(".include \\"%s.h\\""); }\n' "$2" ;;
	esac
}
for way in include macro incbin assembly; do
	for path in here below/here ../outside "$work/outside" "$work/own/../outside" link; do
		[ $way$path = incbinlink ] && continue
		source_of $way "$path" >own/names.cl
		case $path in
		*outside | link) place=outside ;;
		*) place=inside ;;
		esac
		for rule in any input none; do
			case $rule-$place-$way in
			any-*-assembly | input-inside-assembly) continue ;;     # the text is no assembly
			any-*)  # no guard: two paths show that the file is there, WB_TEST_ALL=1 all
				case ${WB_TEST_ALL:-}$path in here | ../outside | 1*) ;; *) continue ;; esac
				;;
			*)      # names by a macro, and whole paths, are read as in #include
				case ${WB_TEST_ALL:-}$way$path in macrobelow* | macro/* | incbin/*) continue ;; esac
				;;
			esac
			case $rule-$place-$way in
			any-* | input-inside-*) want=0 ;;
			*) want=4 ;;
			esac
			"$warpbeam" run own/names.cl --files $rule --keep -a zero=4 >out 2>err </dev/null
			got=$?
			[ $got = $want ] && { [ $want = 0 ] || ! grep -q secret out err names.cl.*; } 2>grep.err
			result $? "$way of $path with --files $rule: expected exit $want, got $got:" || outputs
			rm -f names.cl.*
		done
	done
done
printf '#include "/etc/passwd"\nkernel void k(global int *p) { *p = 1; }\n' >own/names.cl
check 4 err "names.cl:1:10: .*/etc/passwd.* (--files lets .*--files any allows" "$warpbeam" info own/names.cl
not err root
# A folder of the command line is the user's word; a pipe has no folder.
mkdir user
cp outside.h user/outside.h
printf '#include <outside.h>\nkernel void k(global int *p) { *p = VALUE; }\n' >own/names.cl
check 0 out ': ok' "$warpbeam" run own/names.cl --files none -I user -a zero=4
check 0 out '1 kernel' sh -c '"$1" info - --format opencl <own/plain.cl' sh "$warpbeam"
# A kernel without Landlock: `none` says that and how to go on, `input` and `any` compile. What was compiled under the
# same rule before needs no compiler, and no guard.
if "$without_landlock" true; then
	printf 'kernel void k(global int *p) { *p = 2; }\n' >own/later.cl
	check 3 err 'kernel with Landlock.*--files any' "$without_landlock" "$warpbeam" info own/later.cl --files none
	check 0 out '1 kernel' "$without_landlock" "$warpbeam" info own/later.cl
	check 0 out '1 kernel' "$without_landlock" "$warpbeam" info own/later.cl --files any
	check 3 err 'kernel with Landlock.*--files any' "$without_landlock" "$warpbeam" info own/later.cl --files none
	check 0 out '1 kernel' "$without_landlock" "$warpbeam" info own/plain.cl --files none
fi

# Limits of memory and of outputs, as limits. A source with an #include is preprocessed.
printf 'constant char x[] = {[0x7fffffff] = 1};\nkernel void k(global int *p) { *p = x[*p]; }\n' >big.cl
check 6 err 'big.cl: the compiler ran out of its 1024 MiB of memory; --max-memory' \
	"$warpbeam" run big.cl --max-memory 100M --max-seconds 100
printf '#error std::bad_alloc\n' >says.cl
check 4 err 'says.cl:1:2: std::bad_alloc' "$warpbeam" info says.cl
{
	echo '#define A0 aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'
	i=0
	while [ $i -lt 21 ]; do
		echo "#define A$((i + 1)) A$i A$i"
		i=$((i + 1))
	done
	echo A21
	echo '#include "plain.cl"'
} >own/long.cl
check 6 err 'long.cl: the compiler makes more than 64 MiB' "$warpbeam" info own/long.cl

# #embed of clang 19, from whatever folder: beside the source, as #include.
if command -v clang-19 >out; then
	printf 'constant uchar word[] = {\n#embed "here.bin" limit(4)\n};\n' >own/embed.cl
	printf 'kernel void k(global int *p) { *p = word[1]; }\n' >>own/embed.cl
	for rule in input any; do
		check 0 out 'k on' sh -c 'cd / && exec "$0" "$@"' "$warpbeam" run "$work/own/embed.cl" --cc clang-19 \
			--files $rule -q -a zero=256
	done
	check 4 err 'embed.cl:2:8: .*here.bin' "$warpbeam" run own/embed.cl --cc clang-19 --files none -a zero=256
	sed 's/here/..\/outside/' own/embed.cl >own/embeds.cl
	check 4 err 'embeds.cl:2:8: .*outside.bin' "$warpbeam" run own/embeds.cl --cc clang-19 -a zero=256
fi

# However Warpbeam ends, the compiler and its children end too and nothing stays. The compiler, a script
# that waits for clang as its child, is at work on the object when Warpbeam is ended.
unrolled='_Pragma("unroll") for (int'
echo "kernel void k(global int *p) { $unrolled i = 0; i < 400; i++) $unrolled j = 0; j < 400; j++)
	$unrolled k = 0; k < 400; k++) p[i * p[j] + k]++; }" >slow.cl
for clang in clang-19 clang-18 clang-17 clang-16 clang-15 clang-14 clang; do
	command -v $clang >out && break
done
printf '#!/bin/sh\n%s "$@"\nexit $?\n' $clang >waits
chmod +x waits
marked() {
	grep -lsaF "WB_TEST_MARK=$work" /proc/[0-9]*/environ
}
gone() {        # WHAT: within five seconds nothing of the last run is left
	i=0
	while [ $i -lt 50 ] && { [ -n "$(marked)" ] || [ -n "$(ls tmp)" ]; }; do
		i=$((i + 1))
		sleep 0.1
	done
	[ $i -lt 50 ]
	result $? "$1: left: $(marked) $(ls tmp)" || kill -9 $(marked | tr -dc '0-9\n')
}
child_runs() {  # WHAT: until the compiler's own child runs
	i=0
	seen=
	while [ $i -lt 300 ] && [ -z "$seen" ]; do
		i=$((i + 1))
		sleep 0.1
		seen=$(marked | sed 's/environ/cmdline/' | xargs -r grep -lsa -e '-main-file-name' |
			xargs -r grep -Lsa waits)
	done
	[ -n "$seen" ]
	result $? "$1: no child of the compiler was seen: $(cat out err)"
}
slow_run="$warpbeam run slow.cl --cc ./waits --files any"
for signal in KILL INT ${WB_TEST_ALL:+TERM HUP}; do
	# A shell's children in the background ignore SIGINT: env gives them the usual answer.
	TMPDIR=$work/tmp WB_TEST_MARK=$work env --default-signal=INT $slow_run >out 2>err </dev/null &
	child_runs SIG$signal
	kill -$signal $!
	wait $! 2>err
	gone "SIG$signal"
done
for signal in INT KILL; do      # of the whole group: Ctrl-C, and a batch system's end
	TMPDIR=$work/tmp WB_TEST_MARK=$work setsid env --default-signal=INT $slow_run >out 2>err </dev/null &
	child_runs "SIG$signal of the whole group"
	kill -s $signal -- -$!
	wait $! 2>err
	gone "SIG$signal of the whole group"
done

finish
