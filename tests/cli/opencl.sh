#!/bin/sh
# OpenCL C by the compiler of the host: compiling, caching, kept files, and errors.
#   opencl.sh WARPBEAM SOURCE_ROOT
. "$(dirname "$0")/../kit/check.sh"
warpbeam=$(realpath "$1")
root=$(realpath "$2")
cd "$work" || exit 1
XDG_CACHE_HOME=$work/cache
export XDG_CACHE_HOME

cp "$root/tests/gcn/two.cl" two.cl
check 3 err '"no-such-compiler" cannot be run' "$warpbeam" info two.cl --cc no-such-compiler
if ! "$warpbeam" info two.cl >out 2>err; then
	if grep -q 'install' err; then
		echo "skipped: $(cat err)"
		exit 77
	fi
fi
# clang exits with 254 where a part of it was ended: no signal 126, but clang's own words.
cat >crash <<END
#!/bin/sh
case " \$* " in
*" -o "*)
	echo "clang: error: unable to execute command: CPU time limit exceeded" >&2
	exit 254 ;;
esac
exec $(command -v clang-19 || command -v clang-14 || command -v clang) "\$@"
END
chmod +x crash
check 3 err 'CPU time limit exceeded' "$warpbeam" info two.cl --cc "$work/crash" --files any
check 0 out 'opencl, 2 kernels' "$warpbeam" info two.cl
check 0 out 'add (gfx900, cp)' "$warpbeam" info two.cl
check 0 out 'add (tonga, cp)' "$warpbeam" info two.cl --chip tonga
check 0 out 'launch: grid 1, block 64' "$warpbeam" info two.cl
check 0 out '^2$' sh -c 'ls cache/warpbeam | grep -c hsaco'

# Build options of OpenCL, and no other words of a caller, reach clang.
printf '#ifdef __FAST_RELAXED_MATH__\n__kernel void fast(__global int *a) {}\n#endif\n' >flag.cl
check 0 out 'fast' "$warpbeam" info flag.cl --cl-flag -cl-fast-relaxed-math --cl-flag -w
check 0 out 'fast' "$warpbeam" info flag.cl --cl-flag -cl-fast-relaxed-math --cl-flag -Werror --chip g200
check 2 err 'cl-flag: found -fplugin=x.so, expected' "$warpbeam" info flag.cl --cl-flag -fplugin=x.so
rm -rf flag.cl cache

# Cached objects are not compiled again; a change of the source, of an option or of a header makes a new object.
# Cached objects need no linker.
mkdir bin
for name in clang clang-14 clang-15 clang-16 clang-17 clang-18 clang-19 clang-20; do
	path=$(command -v $name) && ln -s "$path" bin/$name
done
# A cached object with another hash than its name is made again.
check 0 out '2 kernels' "$warpbeam" info two.cl
check 0 out '2 kernels' env PATH=/nonexistent:"$work/bin" "$warpbeam" info two.cl
for f in cache/warpbeam/*; do printf 'changed' >"$f"; done
check 0 out '2 kernels' "$warpbeam" info two.cl
check 0 out 'opencl, 2 kernels' "$warpbeam" info two.cl -O1
check 0 out 'opencl, 2 kernels' "$warpbeam" info two.cl -D UNUSED=1
rm -r cache
mkdir headers
echo '#define VALUE 3' >headers/value.h
printf '#include "value.h"\nkernel void k(global int *p) { *p = VALUE; }\n' >value.cl
check 4 err "value.cl:1:10: 'value.h' file not found" "$warpbeam" info value.cl
check 0 out '1 kernel' "$warpbeam" info value.cl -I headers
echo '#define VALUE 4' >headers/value.h
check 0 out '1 kernel' "$warpbeam" info value.cl -I headers
check 0 out '^2$' sh -c 'ls cache/warpbeam | grep -c hsaco'
cp headers/value.h .
check 0 out '1 kernel' "$warpbeam" info value.cl

# clang's unaligned loads of packed structures.
cat >packed.cl <<'END'
// .block 64
// .arg zero=2048
// .arg zero=1024
struct __attribute__((packed)) rec { uchar a; uint b; ushort c; ulong d; };
kernel void sum(global struct rec *r, global uint *o)
{
	struct rec x = r[get_global_id(0)];
	o[get_global_id(0)] = x.b + x.c;
}
END
check 5 err 'packed.cl:7: .*packed structures at -O 0: -O 1 does not' "$warpbeam" run packed.cl --chip tahiti -O 0
check 0 out ': ok' "$warpbeam" run packed.cl --chip tahiti -O 1

# Errors are the compiler's, with file, line and column.
printf 'kernel void k(global int *p)\n{\n\t*p = missing;\n}\n' >bad.cl
check 4 err "bad.cl:3:7: use of undeclared identifier 'missing'" "$warpbeam" info bad.cl
check 4 err 'standard input:3:7: ' sh -c '"$1" info - --format opencl <bad.cl' sh "$warpbeam"
printf 'kernel void k(global half *p) { *p = 1.0h; }\n' >bad.cl
check 4 err 'requires cl_khr_fp16 (there is no arithmetic of halves here: vload_half' "$warpbeam" info bad.cl
printf 'kernel void k(global int *p) { *p = sub_group_reduce_add(*p); }\n' >bad.cl
check 4 err "'sub_group_reduce_add' (there are no sub-groups here" "$warpbeam" info bad.cl
printf 'constant int x = 1;\n' >none.cl
check 4 err 'none.cl: .*expected kernels' "$warpbeam" info none.cl

# A source without end of compiling: the whole compiler ends in time, with its temporary files.
{
	echo '#define A0 p[0]++;'
	i=0
	while [ $i -lt 32 ]; do
		echo "#define A$((i + 1)) A$i A$i"
		i=$((i + 1))
	done
	echo 'kernel void k(global int *p) { A32 }'
} >bomb.cl
mkdir tmp
begin=$(date +%s)
check 6 err 'bomb.cl: the compiler ran out of its 2 seconds; --max-seconds of run.*-O 1' \
	env TMPDIR="$work/tmp" WB_TEST_BOMB="$work" "$warpbeam" run bomb.cl --max-seconds 2
[ $(($(date +%s) - begin)) -le 6 ]
result $? "the compiler's 2 seconds took $(($(date +%s) - begin))"
[ -z "$(grep -lsaF "WB_TEST_BOMB=$work" /proc/[0-9]*/environ)" ]
result $? 'the compiler runs on after its limit'
check 6 err '2 seconds' env -u HOME -u XDG_CACHE_HOME TMPDIR="$work/tmp" "$warpbeam" run bomb.cl --max-seconds 2
[ -z "$(ls tmp)" ] && ! ls cache/warpbeam | grep -v '\.\(hsaco\|inputs\|bc\|version\)$'
result $? "the compiler's temporary files stay: $(ls tmp cache/warpbeam)"
# No memory limit is too small for a compiler that does its work.
check 2 err 'add takes 3' env -u HOME -u XDG_CACHE_HOME "$warpbeam" run two.cl --kernel add --max-memory 100M

check 0 out '2 kernels' "$warpbeam" info two.cl --chip bonaire --keep
mkdir two.cl.tonga.hsaco
check 3 err '^warpbeam: two.cl.tonga.hsaco: --keep: cannot write' "$warpbeam" info two.cl --chip tonga --keep
check 0 out 'code-object, 2 kernels' "$warpbeam" info two.cl.bonaire.hsaco

# printf: by block, warp, issue and lane, whatever the machine; undefined functions by name and line.
cat >prints.cl <<'EOF'
// .grid 3
// .block 128
// .arg zero=64
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void k(global int *p)
{
	uint i = get_global_id(0);
	if (i % 100 == 0)
		printf("%d:%s\t\"%5.2f\"\\\n", i, "a:b", (float)i / 8);
	for (int n = 0; i == 130 && n < 2; n++) {
		printf("%v2hhd %v3hd %#v4x %v4hlf [%s]\n", (char2)(1, -2), (short3)(1, 2, -3), (int4)(10, 11, 12, n),
		       (float4)(1, 2, 3, 4.5f), "");
		printf("%c|%hhd|%ld|%5.1e|%-4d|%06.2f|%x|%u|%%|%5s|%.2s|", 'x', (char)-1, -5L, 12345.678, 42, 3.14159,
		       255, 7u, "ab", "xyz");
		printf("%v2d %v8hhx %v2ld %v2lg\n", (int2)(-1, 2), (uchar8)(1), (long2)(-1, 1L << 40),
		       (double2)(0.5, 1e300));
		printf("%F|%.2A|" /* capitals */ "%v2hlF|%4c|%-3c|%v2hf|%p\n", n ? INFINITY : 1.5f, 1.5f,
		       (float2)(NAN, n), 'y', 'z', (half2)(1.5h, n), (global void *)0);
	}
}
EOF
cat >prints.expected <<'EOF'
0:a:b	" 0.00"\
100:a:b	"12.50"\
1,-2 1,2,-3 0xa,0xb,0xc,0 1.000000,2.000000,3.000000,4.500000 []
x|-1|-5|1.2e+04|42  |003.14|ff|7|%|   ab|xy|-1,2 1,1,1,1,1,1,1,1 -1,1099511627776 0.5,1e+300
1.500000|0X1.80P+0|NAN,0.000000|   y|z  |1.500000,0.000000|0x0
1,-2 1,2,-3 0xa,0xb,0xc,0x1 1.000000,2.000000,3.000000,4.500000 []
x|-1|-5|1.2e+04|42  |003.14|ff|7|%|   ab|xy|-1,2 1,1,1,1,1,1,1,1 -1,1099511627776 0.5,1e+300
INF|0X1.80P+0|NAN,1.000000|   y|z  |1.500000,1.000000|0x0
200:a:b	"25.00"\
300:a:b	"37.50"\
EOF
for how in '' '-O0' '--chip tahiti' '--timing off' '--in-order' '--threads 2' '--mps 1 --policy gto'; do
	"$warpbeam" run prints.cl --printf got $how >out 2>err
	cmp got prints.expected
	result $? "printf with '$how': $(cat err)"
done
"$warpbeam" run prints.cl 2>err | head -10 | cmp - prints.expected
result $? 'printf before the report'
# What the compiler does not store is told in the place of the line.
cat >lost.cl <<'EOF'
#define LOG(format, value) printf(format, value)
kernel void k(float f) { LOG("[%F]\n", f); printf("%y\n"); }
EOF
check 0 out '^\[%F\] (printf: the compiler stored 0 of 1 arguments' "$warpbeam" run lost.cl -a f32=1 --block 1
check 0 out '^%y$' "$warpbeam" run lost.cl -a f32=1 --block 1
check 0 err '^0:a:b' "$warpbeam" run prints.cl --json
check 0 err 'printf: [0-9]* bytes more than --printf-bytes' "$warpbeam" run prints.cl --printf-bytes 100
check 0 out '^0:a:b' "$warpbeam" run prints.cl --printf-bytes 100
check 2 err 'printf-bytes: found 9999999999, expected 0 to' "$warpbeam" run prints.cl --printf-bytes 9999999999
check 3 err 'no/where' "$warpbeam" run prints.cl --printf no/where
printf 'int f(int x);\nkernel void k(global int *p)\n{\n\t*p = f(*p);\n}\n' >undefined.cl
check 4 err 'undefined.cl:4: the function f is called, but' "$warpbeam" run undefined.cl
check 4 err 'undefined.cl:4: the function f is called, but' "$warpbeam" run undefined.cl -O0

# Four SIMDs: replayed from traces, with and without fast-forward, time is the same as instruction by instruction.
cp "$root/bench/kernels/gcn.cl" loops.cl
for run in 'mandelbrot --chip tahiti --mps 1' 'collatz --chip gfx900 --mps 2' 'collatz --timing-set mp.schedulers=2'; do
	for how in --in-order --no-fast-forward --stats-level=full; do
		"$warpbeam" run loops.cl --kernel $run --grid 24 --block 256 -a zero=524288 $how --json |
			grep -E '"(digest|cycles|ipc|issued|not_selected|pipe|operand|memory|fetch|no_warp)"' >got
		[ $how = --in-order ] && mv got expected && continue
		[ -s expected ] && cmp -s expected got
		result $? "$run: $how differs from --in-order"
	done
done
# Likewise arrivals at barriers, whether a SIMD has several issues in a turn or one.
for schedulers in 1 5; do
	for how in --in-order --stats-level=full; do
		"$warpbeam" run "$root/examples/scan.cl" --chip tonga --timing-set mp.schedulers=$schedulers $how \
				--json |
			grep -E '"(digest|cycles|ipc|issued|not_selected|pipe|operand|barrier|no_warp)"' >got
		[ $how = --in-order ] && mv got expected && continue
		[ -s expected ] && cmp -s expected got
		result $? "scan, $schedulers issues a turn: $how differs from --in-order"
	done
done

echo 'kernel void reduce(global float *to, local float *part) { to[0] = part[0]; }' >part.cl
for chip in gfx900 g200; do
	check 0 out 'local float\*' "$warpbeam" info part.cl --chip $chip
	check 2 err 'takes 2: float\*.*, local float\*' "$warpbeam" run part.cl --chip $chip -a zero=64
done

# AMD's media operations, on every machine.
for chip in gfx900 tahiti g200; do
	check 0 out '1 passed, 0 failed' "$warpbeam" run -q --check-expect "$root/tests/gcn/media_ops.cl" --chip $chip
done

# Linear numbers of OpenCL C 2.0: each thread writes its place in the group at its place in the grid.
echo 'kernel void k(global uint *o)' >linear.cl
echo '{ o[get_global_linear_id()] = get_local_linear_id() + 10 * get_enqueued_local_size(1); }' >>linear.cl
for chip in gfx900 g200; do
	check 0 out '^arg 0 \[0\] 20 21 20 21 22 23 22 23' \
		"$warpbeam" run -q linear.cl --cl-std CL2.0 --chip $chip --grid 2 --block 2,2 -a zero=32 --show 0:u32
done

# Vectors and structures by value.
echo 'typedef struct { float a; int4 b; char c; } S;' >value.cl
echo 'kernel void k(S s, float3 v, global float *o) { o[0] = s.a + s.b.w + s.c + v.z; }' >>value.cl
printf '\0\0\200\77............\1...\2...\3...\4\0\0\0\5...............' >value.bin
for chip in gfx900 g200; do
	for s in struct=float:1,int4:1,2,3,4,char:5 bytes=value.bin; do
		check 0 out '^arg 2 \[0\] 13' "$warpbeam" run -q value.cl --chip $chip --block 1 -a $s -a float3=1,2,3 \
			-a zero=4 --show 2:f32
	done
	check 2 err 'takes 3: S (48 bytes).*struct=float:1,int:2 and bytes=FILE' \
		"$warpbeam" run value.cl --chip $chip -a f32=1 -a zero=4
done

finish
