#!/bin/sh
# Every clang of this host with every libclc: the chosen compiler, equal results of programs with each, and what
# docs/reference/opencl.md says of each. Bitcode of other versions of libclc: WB_TEST_LIBCLC, files separated by blanks.
# The best, the newest and the oldest compiler, and known mistakes on two chips; WB_TEST_ALL=1: every compiler and chip.
#   opencl_compilers.sh WARPBEAM SOURCE_ROOT
. "$(dirname "$0")/../kit/check.sh"
warpbeam=$(realpath "$1")
root=$(realpath "$2")
cd "$work" || exit 1
XDG_CACHE_HOME=$work/cache
export XDG_CACHE_HOME

cp "$root/tests/gcn/two.cl" two.cl
if ! "$warpbeam" info two.cl >out 2>err && grep -q install err; then
	echo "skipped: $(cat err)"
	exit 77
fi
# Work-items know themselves in each dimension, whatever hidden arguments a version of code objects has.
cat >items.cl <<'END'
kernel void items(global uint *p)
{
	uint i = get_global_id(0) + get_global_size(0) * get_global_id(1);
	p[i] = i + 100 * get_local_size(0) + 10000 * get_num_groups(1) + 1000000 * get_work_dim() +
	       10000000 * get_global_offset(0) + 10000000 * get_global_offset(2);
}
END
installed=
for n in 19 18 17 16 15 14 22 21 20; do         # as Warpbeam prefers them
	command -v clang-$n >out 2>&1 && [ -x "/usr/lib/llvm-$n/bin/ld.lld" ] && installed="$installed $n"
done
best=$(echo $installed | cut -d' ' -f1)
oldest=$(echo $installed | tr ' ' '\n' | sort -n | head -n 1)
newest=$(echo $installed | tr ' ' '\n' | sort -n | tail -n 1)
all=$installed
chips='tahiti bonaire tonga gfx900'
if [ -z "${WB_TEST_ALL:-}" ]; then
	installed=$(printf '%s\n' $best $oldest $newest | awk '!seen[$0]++')
	chips='tahiti tonga'    # code of the others differs in neither way
fi
tesla=g200      # none where the library has no functions for Tesla's chips, as libclc 22
"$warpbeam" info two.cl --chip g200 >out 2>err || ! grep -q 'has no built-in functions' err || tesla=

# The best compiler with a linker is taken; info, run -v and the report name the compiler of the code.
if [ "$best" ]; then
	check 0 out "^  compiled by .*clang version $best\." "$warpbeam" info two.cl
	check 0 out "\"compiler\": \".*clang version $best\." "$warpbeam" info two.cl --json
	set -- items.cl --grid 2,2 --block 8 -a zero=128
	check 0 err "note: compiled by .*clang version $best\." "$warpbeam" run "$@" -v
	silent 0 err 'compiled by' "$warpbeam" run "$@"
	check 0 err report.html "$warpbeam" report "$@" -o report.html
	ok 'the report' grep -q "Compiled by .*clang version $best\." report.html
	check 0 out "clang version $oldest\." "$warpbeam" info two.cl --cc clang-$oldest
	# A better compiler without a linker is passed over; where no compiler has a linker, cached objects still serve.
	mkdir bin
	ln -s "$(command -v clang-$oldest)" bin/clang-$oldest
	printf '#!/bin/sh\nexec /usr/bin/clang-%s "$@"\n' $best >bin/clang-19
	chmod +x bin/clang-19
	check 0 out "clang version $oldest\." env PATH="$work/bin" "$warpbeam" info two.cl
fi
check 3 err 'no/such.bc: cannot read the built-in functions: No such file' "$warpbeam" info two.cl --libclc no/such.bc
printf 'not bitcode' >bad.bc
check 3 err 'cannot read the built-in functions of bad.bc.*--cc.*--libclc' "$warpbeam" info two.cl --libclc bad.bc

i=0
while [ $i -lt 32 ]; do
	printf ' %d' $((i + 800 + 20000 + 2000000))
	i=$((i + 1))
done | xargs -n 8 >want.items

# Every compiler without optimisation: lanes that were off keep their values (clang 16).
for n in $all; do
	for chip in tahiti gfx900; do
		set -- --cc clang-$n --chip $chip -O0 --grid 2,2 --block 8 -a zero=128
		"$warpbeam" run items.cl "$@" --show 0:u32:32 2>err | sed -n 's/^arg 0 \[[0-9]*\] //p' >got
		cmp -s got want.items
		result $? "items.cl by clang-$n -O0 on $chip:" || cat got err
	done
done

# One byte of a vector and of a private array, by an index known at run time (clang 14 and 15 store two); an element
# of 64 bits (up to clang 16 both words go to one place without optimisation).
cat >bytes.cl <<'END'
// .grid 1
// .block 8
// .arg zero=256
// expect: arg 0 u64[0..3] = 0x0807060504030263 0x0807060504036301 0x0807060504630201 0x0807060563030201
// expect: arg 0 u64[4..7] = 0x0807066304030201 0x0807630504030201 0x0863060504030201 0x6307060504030201
// expect: arg 0 u64[8..15] = 0x0163 0x0164 0x0165 0x0166 0x0167 0x0168 0x0169 0x016a
// expect: arg 0 u64[24..31] = 7 2 1 7 7 2 1 7
// expect: arg 0 u64[16..23] = 0x030263 0x036301 0x630201 0x030263 0x036301 0x630201 0x030263 0x036301
kernel void bytes(global ulong *o)
{
	uint i = get_local_id(0);
	uchar8 all = (uchar8)(1, 2, 3, 4, 5, 6, 7, 8) + (uchar8)(get_group_id(0));
	char2 two = (char2)(get_group_id(0) + 1, get_group_id(0) + 1);
	uchar array[3];

	all[i] = 0x63;
	o[i] = as_ulong(all);
	two[get_group_id(0) + i - i] = 0x63 + i;
	o[8 + i] = as_ushort(two);
	for (uint k = 0; k < 3; k++)
		array[k] = k + 1;
	array[i % 3] = 0x63;
	o[16 + i] = array[0] | array[1] << 8 | array[2] << 16;
	long2 wide = (long2)(1, 2) + (long2)(get_group_id(0));
	wide[i & 1] = 7;
	if (i < 4)
		vstore2(as_ulong2(wide), 12 + i, o);
}
END
# Vectors of each size of element and length: a store by index into a register is one into memory.
cat >slots.cl <<'END'
// .grid 1
// .block 8
// .arg zero=32
// .arg zero=8192
// expect: arg 0 u32[0..7] = 0 0 0 0 0 0 0 0
#define STORE(T, N) { \
	global T *m = (global T *)(s + 1024 * l); \
	for (uint k = 0; k < N; k++) \
		m[k] = k * 3 + 1; \
	T##N v = vload##N(0, m); \
	v[l % N] = l + 77; \
	m[l % N] = l + 77; \
	vstore##N(v, 0, m + N); \
	for (uint k = 0; k < N; k++) \
		bad += m[k] != m[N + k]; \
}
#define STORES(T) STORE(T, 2) STORE(T, 4) STORE(T, 8) STORE(T, 16)
kernel void slots(global uint *o, global uchar *s)
{
	uint l = get_local_id(0), bad = 0;

	STORES(uchar) STORES(short) STORES(int) STORES(long) STORES(float)
	o[l] = bad;
}
END
for n in $all; do
	for how in '--chip tahiti -O0' '--chip gfx900' '--chip tonga -Os' ${tesla:+"--chip $tesla"}; do
		check 0 out ' 0 failed' "$warpbeam" run bytes.cl --cc clang-$n $how -q --check-expect
	done
	for how in '--chip tahiti -O0' '--chip gfx900'; do
		check 0 out ' 0 failed' "$warpbeam" run slots.cl --cc clang-$n $how -q --check-expect
	done
done

# Expressions that compilers are known to get wrong (docs/reference/opencl.md), with their right values.
cat >known.cl <<'END'
kernel void product(global ulong *p, global short *s) { *p = 0xfffffffffUL * s[get_local_id(0)]; }
kernel void quotient(global uint *p, global short *s, uint n) { *p = (uint)*s % (n & 0xff); }
kernel void minimum(global uint *p, global uint *a) { *p = a[get_local_id(0)] - min(a[get_local_id(0)], 0x21b65647u); }
// Lanes leave the loop after 1, 2, 3 and 4 rounds; y is 39 in all but the first.
kernel void rounds(global float *p)
{
	float x = 1.5f, y = 0.5f;
	for (uint i = 0; i <= get_local_id(0); i++) {
		x = 12.22f * y;
		x = sqrt(x * x) < 1e6f && sqrt(x * x) > 1e-6f ? x : 3.5f;
		x = x * 0.37f + 1.0f;
		x = sqrt(x * x) < 1e6f && sqrt(x * x) > 1e-6f ? x : 7.5f;
		y = 39.0f;
	}
	p[get_local_id(0)] = x;
}
static __attribute__((noinline)) uint called(uint a, uint b)
{
	uint c = a;
	for (uint i = 0; i < (b & 3); i++) {
		c = c * 5 + b;
		for (uint k = 0; k < (c & 3); k++)
			c = c * 3 + a;
	}
	return c;
}
kernel void constant_behind(global uint *p)
{
	uint n = get_local_id(0) + 1, d = 1, t = 5, i = 0;
	if (n & 7)
		while (i++ < n) {
			if ((d & 15) == 13)
				continue;
			d += called(n, d);
		}
	else
		t = n;
	p[n - 1] = t;
}
END
printf '\001\000' >one
printf '\000\300' >minus16384
value() {       # KERNEL OPTION...
	kernel=$1
	shift
	case $kernel in
	product) set -- "$@" -a zero=8 -a in=one --show 0:u64:1 ;;
	minimum) set -- "$@" -a zero=4 -a zero=4 --show 0:u32:1 ;;
	rounds | constant_behind) set -- "$@" --block 4 -a zero=16 --show 0:u32:4 ;;
	*) set -- "$@" -a zero=4 -a in=minus16384 -a u32=127 --show 0:u32:1 ;;
	esac
	"$warpbeam" run known.cl --kernel $kernel --grid 1 --block 1 "$@" 2>err | sed -n 's/^arg 0 \[0\] //p'
}
known() {       # WANT KERNEL OPTION...
	want=$1
	shift
	got=$(value "$@")
	[ "$got" = "$want" ]
	result $? "$*: expected $want, got $got $(cat err)"
}
# Literals of printf, of each length in words, before and behind other arguments.
cat >literals.cl <<'END'
kernel void literals(global int *p)
{
	printf("%d %s %x\n", 7, "text", p[0] + 0x80);
	printf("%s|%s|%d\n", "abcdefgh", "wxyz", p[0]);
	printf("%s %c %s\n", "four", 'A', "fives");
	printf("%s%s%s%s%d\n", "", "abc", "abcd", "abcdefghijkl", p[0] + 5);
}
END
cat >want.literals <<'END'
7 text 80
abcdefgh|wxyz|0
four A fives
abcabcdabcdefghijkl5
END
for n in $installed; do
	for chip in $chips; do
		set -- --cc clang-$n --chip $chip
		known 68719476735 product "$@" -O0
		if [ $n = 14 ] && [ $chip != tahiti ]; then
			known 64424509439 product "$@" -O1
		elif [ $n = 14 ] || [ $n = 19 ]; then
			known 68719476735 product "$@" -O1
			known 68719476735 product "$@" -O2
		fi
		case $n in
		14 | 19)
			known 32656 quotient "$@" -O0 && known 32656 quotient "$@"
			known 0 minimum "$@" -O0
			wrong=0
			[ $chip != tonga ] || wrong=3729369529
			known $wrong minimum "$@"
			late='1079029583 1127306665 1127306665 1127306665'
			known "$late" rounds "$@" -O0
			[ $n = 19 ] || late='1074979144 1074979144 1074979144 1127306665'
			known "$late" rounds "$@" -O1
			five='5 5 5 5'
			known "$five" constant_behind "$@" -O0
			[ $n = 14 ] || five='8 8 8 5'
			known "$five" constant_behind "$@" -O1
			;;
		esac
	done
done

# Compilers answer in different ways without Warpbeam's options: folds of functions, the language's version, barriers on
# both sides of an if, printf, atomics of 64 bits, a byte order mark.
cat >folds.cl <<'END'
// .grid 1
// .block 1
// .arg zero=24
// .arg f32=-2
// .arg u32=0x80000000
// expect: arg 0 u32[0..2] = 1 1 1
// expect: arg 0 u32[3..5] = 0x7f800000 0 120
kernel void folds(global uint *o, float x, uint zero)
{
	o[0] = isnan(powr(x, 2.0f)) && isnan(powr(x, 1.0f));
	o[1] = isnan(powr(x, 0.0f));
	o[2] = isnan(fma(x * INFINITY, 0.0f, 1.0f));
	o[3] = as_uint(rootn(as_float(zero), -2));
	o[4] = as_uint(rootn(as_float(zero), 2));
	o[5] = __OPENCL_VERSION__;
}
END
cat >both.cl <<'END'
// .grid 1
// .block 64
// .arg zero=256
kernel void both(global uint *o)
{
	uint i = get_local_id(0);
	local uint l[64];

	if (i < 20) {
		l[i] = i * 2;
		barrier(CLK_LOCAL_MEM_FENCE);
		o[i] = l[i ^ 1];
	} else {
		l[i] = i * 3;
		barrier(CLK_LOCAL_MEM_FENCE);
		o[i] = l[i ^ 2];
	}
}
END
printf 'kernel void say(int n) { printf("%%d said\\n", n); }\n' >say.cl
cat >longs.cl <<'END'
// .grid 1
// .block 64
// .arg zero=24
// expect: arg 0 s64[0..2] = 320 -320 64
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
kernel void longs(global long *o)
{
	atom_add(o, 5L);
	atom_sub(o + 1, 5L);
	atom_inc((global ulong *)(o + 2));
}
END
# two bytes returned, in a word or not
cat >two.cl <<'END'
// .grid 1
// .block 1
// .arg zero=8
// expect: arg 0 s16[0..3] = -3 7 0 0
__attribute__((noinline)) char2 f(short2 s) { return convert_char2(s); }
kernel void k(global short *o)
{
	char2 c = f((short2)(o[0] - 3, o[1] + 7));
	o[0] = c.x;
	o[1] = c.y;
}
END
# Functions of our own for those of libclc 22: the sign of zero, of no number, small numbers, a huge exponent.
cat >own.cl <<'END'
// .grid 1
// .block 1
// .arg zero=64
// .arg f64=0.5
// .arg u32=0xffffffff
// expect: arg 0 u64[0..1] = 0x8000000000000000 0x8000000000000000
// expect: arg 0 f64[2..4] = 0 0 inf
// expect: arg 0 u32[10..11] = 0 0
kernel void own(global double *o, double half_, uint nan)
{
	o[0] = asin(-(half_ - 0.5));
	o[1] = asinpi(-(half_ - 0.5));
	o[2] = pow(half_, DBL_MAX);
	o[3] = powr(half_, DBL_MAX);
	o[4] = pow(-half_, -DBL_MAX);
	((global float *)o)[10] = sign(as_float(nan));
	((global float *)o)[11] = sign((float)(half_ - 0.5));
}
END
cat >small.cl <<'END'
// .grid 1
// .block 1
// .arg zero=8
// .arg f32=-2.5
// .arg u32=0x80400000
// expect: arg 0 u32[0..1] = 0x00600000 0x00600000
kernel void small(global float *o, float a, uint b)
{
	o[0] = fma(a, as_float(b), as_float(b));
	o[1] = fma((float2)a, (float2)as_float(b), (float2)as_float(b)).y;
}
END
printf '\357\273\277kernel void k(global int *p) { *p = missing; }\n' >bom.cl
for n in $installed; do
	for chip in gfx900 $tesla; do
		set -- --cc clang-$n --chip $chip -q
		check 0 out ' 0 failed' "$warpbeam" run folds.cl "$@" --check-expect
		check 0 out ' 0 failed' "$warpbeam" run longs.cl "$@" --check-expect
		check 0 out ' 0 failed' "$warpbeam" run own.cl "$@" --check-expect
		[ "$chip" = "$tesla" ] || check 0 out ' 0 failed' "$warpbeam" run small.cl "$@" --check-expect
		for language in CL1.2 CL3.0; do
			check 0 out ' 0 failed' "$warpbeam" run two.cl "$@" --check-expect --cl-std $language
		done
		check 1 out 'barrier_diverged' "$warpbeam" run both.cl "$@" --check barrier
		check 4 err 'bom.cl:1:37: use of undeclared' "$warpbeam" info bom.cl --cc clang-$n --chip $chip
	done
	"$warpbeam" run literals.cl --cc clang-$n --block 1 -a zero=4 --printf got.literals >out 2>err
	ok "literals of printf by clang-$n" cmp want.literals got.literals
	check 0 out '^7 said$' "$warpbeam" run say.cl --cc clang-$n --block 1 -a s32=7
done
[ ! $tesla ] || check 4 err "call to 'atom_add' is ambiguous" "$warpbeam" info longs.cl --chip g80
sed -i 's/120$/7/' folds.cl
check 0 out ' 0 failed' "$warpbeam" run folds.cl --check-expect -D __OPENCL_VERSION__=7

for n in $installed; do
	for library in '' ${WB_TEST_LIBCLC:-}; do
		set -- --cc clang-$n
		[ "$library" ] && set -- "$@" --libclc "$library"
		if ! "$warpbeam" info two.cl "$@" >out 2>err && grep -q 'of another version' err; then
			continue        # a library newer than the compiler
		fi
		for how in '--chip tahiti' '--chip tonga -O0' '--chip gfx900'; do
			"$warpbeam" run items.cl "$@" $how --grid 2,2 --block 8 -a zero=128 --show 0:u32:32 2>err |
				sed -n 's/^arg 0 \[[0-9]*\] //p' >got
			cmp -s got want.items
			result $? "items.cl $* $how:" || cat got err
		done
		for example in "$root"/examples/*.cl; do
			grep -q '// expect:' "$example" &&
				check 0 out passed "$warpbeam" run "$example" "$@" --check-expect
		done
	done
done
finish
