#!/bin/sh
# Mistakes in OpenCL C that --check finds, a kernel each, and correct kernels beside them, on both machines by the
# oldest and the newest clang of this host (WB_TEST_ALL=1: by each).   opencl_checks.sh WARPBEAM
. "$(dirname "$0")/../kit/check.sh"
warpbeam=$(realpath "$1")
cd "$work" || exit 1

cat >copies.cl <<'END'
kernel void good(global int *d, global int *o, local int *s)
{
	int i = get_local_id(0), n = get_local_size(0);
	event_t e = 0, list[2];
	for (int j = 0; j < 4; j++)
		e = async_work_group_copy(s + j * n, d + j * n, n, e);
	wait_group_events(1, &e);
	int4 sum = (int4)(s[i], s[n + i], s[2 * n + i], s[3 * n + i]);
	barrier(CLK_LOCAL_MEM_FENCE);
	list[0] = async_work_group_copy(s, d, n, 0);
	list[1] = async_work_group_strided_copy(s + n, d + 1, n, 2, (event_t)0);
	wait_group_events(2, list);
	o[i] = sum.x + sum.y + sum.z + sum.w + s[i] + s[n + i];
}
kernel void in_divergence(global int *d, global int *o, local int *s)
{
	event_t e = async_work_group_copy(s, d, 8, 0);
	if (get_local_id(0) == 5)
		e = async_work_group_copy(s + 8, d, 1, e);
	wait_group_events(1, &e);
	o[get_local_id(0)] = s[0];
}
kernel void of_other_sizes(global int *d, global int *o, local int *s)
{
	event_t e = async_work_group_copy(s, d, get_local_id(0) == 3 ? 1 : 2, 0);
	wait_group_events(1, &e);
	o[get_local_id(0)] = s[0];
}
kernel void by_warps(global int *d, global int *o, local int *s)
{
	event_t e = async_work_group_copy(s, d + get_local_id(0) / 64, 8, 0);
	wait_group_events(1, &e);
	o[get_local_id(0)] = s[0];
}
kernel void by_one_warp(global int *d, global int *o, local int *s)
{
	event_t e = async_work_group_copy(s, d, 8, 0);
	if (get_local_id(0) < 64)
		async_work_group_copy(s + 8, d, 8, e);
	wait_group_events(1, &e);
	o[get_local_id(0)] = s[0];
}
kernel void without_wait(global int *d, global int *o, local int *s)
{
	async_work_group_strided_copy(s, d, 8, 2, 0);
	o[get_local_id(0)] = 1;
}
kernel void other_events(global int *d, global int *o, local int *s)
{
	event_t e[2];
	e[0] = async_work_group_copy(s, d, 1, 0);
	e[1] = async_work_group_copy(s + 1, d, 1, 0);
	wait_group_events(1, e + (get_local_id(0) & 1));
	o[get_local_id(0)] = s[0];
}
kernel void no_event(global int *d, global int *o, local int *s)
{
	event_t e = 0;
	wait_group_events(1, &e);
	o[get_local_id(0)] = 1;
}
END
cat >arrays.cl <<'END'
struct two { int a; char b[2]; };
constant int table[4] = { 1, 2, 3, 4 };
kernel void good(global int *d, global int *o)
{
	int i = get_global_id(0) & 3, own[4] = { 1, 2, 3, 4 };
	local int s[4];
	struct two t = { 1, { 2, 3 } };
	s[i] = i;
	barrier(CLK_LOCAL_MEM_FENCE);
	o[i] = own[d[i] & 3] + s[3 - i] + table[i] + t.b[d[i] & 1];
}
kernel void private_array(global int *d, global int *o)
{
	int own[4] = { 1, 2, 3, 4 };
	o[0] = own[d[0] + 4];
}
kernel void local_array(global int *d, global int *o)
{
	local int s[4], behind[4];
	s[d[0] + 4] = 1;
	behind[0] = 2;
	barrier(CLK_LOCAL_MEM_FENCE);
	o[0] = s[0] + behind[0];
}
kernel void constant_array(global int *d, global int *o) { o[0] = table[d[0] + 4]; }
kernel void last_of_struct(global int *d, global int *o)
{
	struct two t = { 1, { 2, 3 } };
	o[0] = t.b[d[0] + 2];
}
kernel void inside_a_buffer(global struct two *d, global int *o) { o[0] = d[0].b[o[1] + 2]; }
END
cat >alignment.cl <<'END'
struct __attribute__((packed)) dense { char c; int i; long l; };
kernel void good(global char *d, global int *o)
{
	global struct dense *s = (global struct dense *)d;
	if (get_local_id(0))
		return;
	vstore4(vload4(0, (global int *)d + 1), 0, (global int *)d + 5);
	o[0] = s[1].i + (int)s[1].l + vload4(0, d + 1).x;
}
kernel void scalar(global char *d, global int *o) { o[0] = *(global int *)(d + 2); }
kernel void vector(global char *d, global int *o)
{
	int i = get_global_id(0);
	o[i] = *(global int *)(d + 4 * i + 2);
}
kernel void store(global char *d, global int *o) { *(global short *)(d + 2 * get_global_id(0) + 1) = 1; }
END
cat >constants.cl <<'END'
kernel void good(const global int *d, global int *o) { o[0] = d[0]; }
kernel void changed(const global int *d, global int *o) { *(global int *)d = o[0]; }
END
cat >padding.cl <<'END'
struct padded { char a; int b; char c; };
kernel void copied(global int *d, global struct padded *o)
{
	local struct padded s;
	if (get_local_id(0) == 0) {
		s.a = 1;
		s.b = 2;
		s.c = 3;
	}
	barrier(CLK_LOCAL_MEM_FENCE);
	if (get_local_id(0) == 1)
		*o = s;
}
kernel void missing(global int *d, global struct padded *o)
{
	local struct padded s;
	if (get_local_id(0) == 0)
		s.a = s.c = 3;
	barrier(CLK_LOCAL_MEM_FENCE);
	if (get_local_id(0) == 1)
		*o = s;
}
END

compilers=
for n in 14 15 16 17 18 19 20 21 22; do
	command -v clang-$n >out 2>&1 && compilers="$compilers clang-$n"
done
[ "$compilers" ] || {
	echo 'skipped: no clang-14 to clang-22'
	exit 77
}

oldest=${compilers# }
[ "${WB_TEST_ALL-}" = 1 ] || compilers="${oldest%% *} ${compilers##* }"

# try EXIT TEXT FILE KERNEL BLOCK CHECK [ARG]...
try() {
	expected=$1
	text=$2
	kernel=$4
	block=$5
	set -- "$warpbeam" run "$3" --cc "$cc" --chip "$chip" --kernel "$kernel" --block "$block" --check "$6" \
		-a zero=4096 -a zero=4096 ${7:+-a "$7"}
	case $expected in
	0) silent 0 err warning "$@" ;;
	*) check "$expected" err "$text" "$@" ;;
	esac
}
# copies EXIT TEXT KERNEL BLOCK: a kernel of copies.cl under all the checks.
copies() {
	try "$1" "$2" copies.cl "$3" "$4" race,barrier,bounds shared=4096
}

# alignment EXIT TEXT KERNEL: a kernel of alignment.cl.
alignment() {
	try "$1" "$2" alignment.cl "$3" 4 bounds
}

for cc in $compilers; do
	for chip in gfx900 g200; do
		copies 0 '' good 128
		copies 1 'copy by the group at .*(line 19): block 0 warp 0 lanes 0x0*20 are there' in_divergence 64
		copies 1 '(line 25): block 0 warp 0 lanes 0x.* have other arguments than others' of_other_sizes 32
		copies 1 'copy by the group at pc .*(line 31): .* have other arguments than another warp' by_warps 128
		copies 1 '(line [34][0-9]): .*another warp ' by_one_warp 128
		copies 1 '(line 45): block 0 warp 0 ends without a wait for its event' without_wait 32
		copies 1 'a wait for events at pc .*(line 53): .*other arguments than others' other_events 32
		copies 1 'a wait at pc .*(line 59) for an event that no copy has made' no_event 32
		try 0 '' arrays.cl good 4 bounds
		for kernel in private_array:15 local_array:20 constant_array:25 last_of_struct:29 inside_a_buffer:31; do
			try 1 "an index beyond its array at pc .*(line ${kernel#*:}): block 0 warp 0 lanes 0x0*1" \
				arrays.cl "${kernel%:*}" 1 bounds
		done
		try 0 '' padding.cl copied 2 uninit
		try 1 'uninit: .* reads s\[' padding.cl missing 2 uninit
		alignment 0 '' good
	done
	chip=gfx900
	try 0 '' constants.cl good 1 bounds
	try 1 'bounds: store .*(line 2), in a buffer that is read-only for kernels' constants.cl changed 1 bounds
	alignment 1 'bounds: load by pc .*(line 10) of an address that is not divisible by its size' scalar
	alignment 1 'bounds: load of 4 bytes at g.* by pc .*(line 14), which is not divisible by 4' vector
	alignment 1 'bounds: store of 2 bytes at g.*(line 16), which is not divisible by 2' store
	chip=g200
	for kernel in scalar vector store; do
		alignment 5 'MISALIGNED' $kernel
	done
done
finish
