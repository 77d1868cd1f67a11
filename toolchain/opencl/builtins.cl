/* Built-in functions of OpenCL C that libclc lacks, or computes otherwise than the standard says. In front of libclc:
 * what is defined here wins.
 *
 * A section begins with "//: NAME…" and is compiled, with the text before the first section, only for a source that
 * names one of the functions. NAME* stands for all names that begin so, NAME*PART for those of them with the part,
 * NAME() for a call whose argument is something else than 0, 1 or 2. A section "//5: NAME…" is for objects from version 5
 * on, whose hidden arguments are not where libclc reads them, "//4: NAME…" for earlier objects, "//P: NAME…" for PTX,
 * "//A: NAME…" for AMD, "//C: NAME…" for --check barrier, "//B: NAME…" for --check bounds. Lines behind "//> " stand before the source, too: there WB(f) is f, here wb_f. They give a function of the source the symbol of ours, so that ours can call libclc's; as the
 * compiler then declares no function of that name by itself, WB_SAME declares those that stay libclc's.
 *
 * docs/reference/opencl.md has the table of what is wrong without this file; test_gcn_builtins finds it. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define OURS __attribute__((overloadable, always_inline, const))
#define OURS_OUT __attribute__((overloadable, always_inline))
/* LLVM's own function b for AMD, in the place of libclc's f. libclc's calls of it are marked as no built-in function, so
 * that a call with a constant stays a call until instructions are selected. There (int) of the constant is 0 in another
 * block (findings/clang-late-constant.sh). */
#ifdef __AMDGCN__
#define FOLDED(f, b) __builtin_##b
#else
#define FOLDED(f, b) f
#endif

/* A function of vectors from that of scalars. */
#define VECTORS1(R, f, T)                                                                                              \
	OURS R##2 f(T##2 a) { return (R##2)(f(a.x), f(a.y)); }                                                         \
	OURS R##3 f(T##3 a) { return (R##3)(f(a.x), f(a.y), f(a.z)); }                                                 \
	OURS R##4 f(T##4 a) { return (R##4)(f(a.lo), f(a.hi)); }                                                       \
	OURS R##8 f(T##8 a) { return (R##8)(f(a.lo), f(a.hi)); }                                                       \
	OURS R##16 f(T##16 a) { return (R##16)(f(a.lo), f(a.hi)); }
#define VECTORS2(R, f, T)                                                                                              \
	OURS R##2 f(T##2 a, T##2 b) { return (R##2)(f(a.x, b.x), f(a.y, b.y)); }                                       \
	OURS R##3 f(T##3 a, T##3 b) { return (R##3)(f(a.x, b.x), f(a.y, b.y), f(a.z, b.z)); }                          \
	OURS R##4 f(T##4 a, T##4 b) { return (R##4)(f(a.lo, b.lo), f(a.hi, b.hi)); }                                   \
	OURS R##8 f(T##8 a, T##8 b) { return (R##8)(f(a.lo, b.lo), f(a.hi, b.hi)); }                                   \
	OURS R##16 f(T##16 a, T##16 b) { return (R##16)(f(a.lo, b.lo), f(a.hi, b.hi)); }
#define VECTORS3(R, f, T)                                                                                              \
	OURS R##2 f(T##2 a, T##2 b, T##2 c) { return (R##2)(f(a.x, b.x, c.x), f(a.y, b.y, c.y)); }                     \
	OURS R##3 f(T##3 a, T##3 b, T##3 c)                                                                            \
	{                                                                                                              \
		return (R##3)(f(a.x, b.x, c.x), f(a.y, b.y, c.y), f(a.z, b.z, c.z));                                   \
	}                                                                                                              \
	OURS R##4 f(T##4 a, T##4 b, T##4 c) { return (R##4)(f(a.lo, b.lo, c.lo), f(a.hi, b.hi, c.hi)); }               \
	OURS R##8 f(T##8 a, T##8 b, T##8 c) { return (R##8)(f(a.lo, b.lo, c.lo), f(a.hi, b.hi, c.hi)); }               \
	OURS R##16 f(T##16 a, T##16 b, T##16 c) { return (R##16)(f(a.lo, b.lo, c.lo), f(a.hi, b.hi, c.hi)); }
/* A function with a second result, in each address space. */
#define VECTORS_OUT_IN(space, R, f, T, S)                                                                              \
	OURS_OUT R##2 f(T##2 a, space S##2 *s)                                                                         \
	{                                                                                                              \
		S x, y;                                                                                                \
		R##2 r = (R##2)(f(a.x, &x), f(a.y, &y));                                                               \
		*s = (S##2)(x, y);                                                                                     \
		return r;                                                                                              \
	}                                                                                                              \
	OURS_OUT R##3 f(T##3 a, space S##3 *s)                                                                         \
	{                                                                                                              \
		S x, y, z;                                                                                             \
		R##3 r = (R##3)(f(a.x, &x), f(a.y, &y), f(a.z, &z));                                                   \
		*s = (S##3)(x, y, z);                                                                                  \
		return r;                                                                                              \
	}                                                                                                              \
	VECTORS_OUT_HALVES(space, R, f, T, S, 2, 4)                                                                    \
	VECTORS_OUT_HALVES(space, R, f, T, S, 4, 8)                                                                    \
	VECTORS_OUT_HALVES(space, R, f, T, S, 8, 16)
#define VECTORS_OUT_HALVES(space, R, f, T, S, m, n)                                                                    \
	OURS_OUT R##n f(T##n a, space S##n *s)                                                                         \
	{                                                                                                              \
		S##m x, y;                                                                                             \
		R##n r = (R##n)(f(a.lo, &x), f(a.hi, &y));                                                             \
		*s = (S##n)(x, y);                                                                                     \
		return r;                                                                                              \
	}
#define VECTORS_OUT(R, f, T, S)                                                                                        \
	VECTORS_OUT_IN(private, R, f, T, S)                                                                            \
	OURS_OUT R f(T a, global S *s) { S v; R r = f(a, &v); *s = v; return r; }                                      \
	OURS_OUT R f(T a, local S *s) { S v; R r = f(a, &v); *s = v; return r; }                                       \
	VECTORS_OUT_IN(global, R, f, T, S)                                                                             \
	VECTORS_OUT_IN(local, R, f, T, S)

/* Floats to integers of R, clamped. */
#define SATURATE(R, name, T, low, high, rounded)                                                                       \
	OURS R name(T x)                                                                                               \
	{                                                                                                              \
		T v = rounded(x);                                                                                      \
		return isnan(v) ? 0 : v <= (T)low ? low : v >= (T)high ? high : (R)v;                                  \
	}
#define SATURATE_VECTORS(R, mode, T)                                                                                   \
	OURS R##2 convert_##R##2_sat##mode(T##2 a)                                                                     \
	{                                                                                                              \
		return (R##2)(convert_##R##_sat##mode(a.x), convert_##R##_sat##mode(a.y));                             \
	}                                                                                                              \
	OURS R##3 convert_##R##3_sat##mode(T##3 a)                                                                     \
	{                                                                                                              \
		return (R##3)(convert_##R##2_sat##mode(a.xy), convert_##R##_sat##mode(a.z));                           \
	}                                                                                                              \
	OURS R##4 convert_##R##4_sat##mode(T##4 a)                                                                     \
	{                                                                                                              \
		return (R##4)(convert_##R##2_sat##mode(a.lo), convert_##R##2_sat##mode(a.hi));                         \
	}                                                                                                              \
	OURS R##8 convert_##R##8_sat##mode(T##8 a)                                                                     \
	{                                                                                                              \
		return (R##8)(convert_##R##4_sat##mode(a.lo), convert_##R##4_sat##mode(a.hi));                         \
	}                                                                                                              \
	OURS R##16 convert_##R##16_sat##mode(T##16 a)                                                                  \
	{                                                                                                              \
		return (R##16)(convert_##R##8_sat##mode(a.lo), convert_##R##8_sat##mode(a.hi));                        \
	}

/* vstore_half and vstorea_half of each width, by wb_half of a mode. */
#define HALF_STORES(T, mode, space)                                                                                    \
	OURS_OUT void vstore_half##mode(T x, size_t i, space half *p) { ((space ushort *)p)[i] = wb_half##mode(x); }   \
	HALF_STORE(T, 2, 2, 2, mode, space) HALF_STORE(T, 3, 3, 4, mode, space) HALF_STORE(T, 4, 4, 4, mode, space)    \
	HALF_STORE(T, 8, 8, 8, mode, space) HALF_STORE(T, 16, 16, 16, mode, space)
#define HALF_STORE(T, n, packed, aligned, mode, space)                                                                 \
	OURS_OUT void vstore_half##n##mode(T##n x, size_t i, space half *p)                                            \
	{                                                                                                              \
		for (int j = 0; j < n; j++)                                                                            \
			((space ushort *)p)[i * packed + j] = wb_half##mode(((T *)&x)[j]);                             \
	}                                                                                                              \
	OURS_OUT void vstorea_half##n##mode(T##n x, size_t i, space half *p)                                           \
	{                                                                                                              \
		for (int j = 0; j < n; j++)                                                                            \
			((space ushort *)p)[i * aligned + j] = wb_half##mode(((T *)&x)[j]);                            \
	}

//> #ifdef WB_OURS
//> #define WB(f) wb_##f
//> #define WB_PLAIN(...)
//> #else
//> #define WB(f) f
//> #define WB_PLAIN(declaration) declaration
//> #endif
//> #define WB_OVER __attribute__((overloadable))
//> #define WB_WIDTHS(M, R, f, T, S) M(R, f, T, S) M(R##2, f, T##2, S##2) M(R##3, f, T##3, S##3) \
//> 	M(R##4, f, T##4, S##4) M(R##8, f, T##8, S##8) M(R##16, f, T##16, S##16)
//> #define WB_ONE(R, f, T, S) WB_OVER R WB(f)(T) __asm("wb_" #f "_" #T);
//> #define WB_SAME(R, f, T, S) WB_PLAIN(WB_OVER R f(T);)
//> #define WB_BY(R, f, T, S) WB_OVER R WB(f)(T, S) __asm("wb_" #f "_" #T);
//> #define WB_SAME_BY(R, f, T, S) WB_PLAIN(WB_OVER R f(T, S);)
//> #define WB_OUT(R, f, T, S) WB_OUT_IN(R, f, T, S, private) WB_OUT_IN(R, f, T, S, local) WB_OUT_IN(R, f, T, S, global)
//> #define WB_OUT_IN(R, f, T, S, space) WB_OVER R WB(f)(T, space S *) __asm("wb_" #f "_" #T "_" #space);
//> #define WB_SAME_OUT(R, f, T, S) \
//> 	WB_PLAIN(WB_OVER R f(T, private S *); WB_OVER R f(T, local S *); WB_OVER R f(T, global S *);)
//> #define WB_ALL1(R, f, T) WB_WIDTHS(WB_ONE, R, f, T, T)
//> #define WB_SAME1(R, f, T) WB_WIDTHS(WB_SAME, R, f, T, T)
//> #define WB_ALL_OUT(R, f, T, S) WB_WIDTHS(WB_OUT, R, f, T, S)
//> #define WB_SAME_OUTS(R, f, T, S) WB_WIDTHS(WB_SAME_OUT, R, f, T, S)

#define EACH_INTEGER(M) M(char) M(uchar) M(short) M(ushort) M(int) M(uint) M(long) M(ulong)

//P: barrier work_group_barrier wait_group_events mem_fence read_mem_fence write_mem_fence
/* Clang 14 takes libclc's intrinsics for functions that know no variable of the kernel: a local variable whose address
 * nobody has keeps its value across a barrier, and is not read again. */
#define FENCE(f, instruction)                                                                                          \
	__attribute__((overloadable, always_inline, convergent)) void f(cl_mem_fence_flags flags)                      \
	{                                                                                                              \
		__asm__ volatile(instruction : : : "memory");                                                          \
	}
FENCE(barrier, "bar.sync 0;")
FENCE(mem_fence, "membar.gl;")
FENCE(read_mem_fence, "membar.gl;")
FENCE(write_mem_fence, "membar.gl;")
FENCE(work_group_barrier, "bar.sync 0;")

//: wait_group_events
/* clang declares a pointer in the generic address space, which tahiti has not. */
//> WB_OVER void WB(wait_group_events)(int, private event_t *) __asm("wb_wait_group_events");
OURS_OUT void wb_wait_group_events(int n, private event_t *events)
{
	barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}

//: async_work_group_copy async_work_group_strided_copy prefetch
/* libclc has no elements of three. */
#define COPY_IN_THREES(T, name, parameter, stride)                                                                     \
	OURS_OUT event_t name(local T##3 *to, const global T##3 *from, size_t n parameter, event_t e)                  \
	{                                                                                                              \
		for (size_t i = item_of_group(); i < n; i += items_of_group())                                         \
			to[i] = from[i * (stride)];                                                                    \
		return e;                                                                                              \
	}                                                                                                              \
	OURS_OUT event_t name(global T##3 *to, const local T##3 *from, size_t n parameter, event_t e)                  \
	{                                                                                                              \
		for (size_t i = item_of_group(); i < n; i += items_of_group())                                         \
			to[i * (stride)] = from[i];                                                                    \
		return e;                                                                                              \
	}
#define OF_STRIDE , size_t stride
#define COPIES_OF_THREE(T)                                                                                             \
	COPY_IN_THREES(T, async_work_group_copy, , 1)                                                                  \
	COPY_IN_THREES(T, async_work_group_strided_copy, OF_STRIDE, stride)                                            \
	OURS_OUT void prefetch(const global T##3 *p, size_t n) {}
static size_t item_of_group(void)
{
	return get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2));
}
static size_t items_of_group(void) { return get_local_size(0) * get_local_size(1) * get_local_size(2); }
EACH_INTEGER(COPIES_OF_THREE) COPIES_OF_THREE(float) COPIES_OF_THREE(double)

//C: async_work_group_copy async_work_group_strided_copy wait_group_events
/* Marks for the checker (enum source_mark, inspect/check.h): a copy or a wait begins, then come the bits of a hash of the
 * arguments. Lanes with different arguments part at a bit, and warps with different arguments leave different marks. An
 * event holds the hash of the event's copy. */
//> #ifndef WB_OURS
//> #ifdef __AMDGCN__
//> #define WB_MARK(number) __asm__ volatile("s_incperflevel " #number)
//> #else
//> #define WB_MARK(number) __asm__ volatile("pmevent " #number ";")
//> #endif
//> #define WB_MARKS static __attribute__((always_inline, unused, nodebug))
//> WB_MARKS uint wb_mix(uint hash, size_t word) { return (hash ^ (uint)word) * 0x9e3779b1; }
//> WB_MARKS void wb_marks(uint hash)
//> {
//> 	for (int bit = 16; bit < 32; bit++)
//> 		if (hash >> bit & 1)
//> 			WB_MARK(9);
//> 		else
//> 			WB_MARK(8);
//> }
//> WB_MARKS uint wb_copies(size_t to, size_t from, size_t n, size_t stride)
//> {
//> 	uint hash = wb_mix(wb_mix(wb_mix(wb_mix(0, to), from), n), stride);
//> 	WB_MARK(10);
//> 	wb_marks(hash);
//> 	return 0x57000000 | hash >> 8;
//> }
//> WB_MARKS event_t wb_made(event_t event, uint hash)
//> {
//> 	if (!*(private uint *)&event)
//> 		*(private uint *)&event = hash;
//> 	return event;
//> }
//> WB_MARKS uint wb_event(event_t event)
//> {
//> 	uint hash = *(private uint *)&event;
//> 	if (hash >> 24 != 0x57)
//> 		WB_MARK(12);
//> 	return hash;
//> }
//> #define async_work_group_copy(to, from, n, event) ({ __auto_type wb_to = (to); __auto_type wb_from = (from); \
//> 	size_t wb_n = (n); uint wb_hash = wb_copies((size_t)wb_to, (size_t)wb_from, wb_n, 1); \
//> 	wb_made(async_work_group_copy(wb_to, wb_from, wb_n, event), wb_hash); })
//> #define async_work_group_strided_copy(to, from, n, stride, event) ({ __auto_type wb_to = (to); \
//> 	__auto_type wb_from = (from); size_t wb_n = (n), wb_stride = (stride); \
//> 	uint wb_hash = wb_copies((size_t)wb_to, (size_t)wb_from, wb_n, wb_stride); \
//> 	wb_made(async_work_group_strided_copy(wb_to, wb_from, wb_n, wb_stride, event), wb_hash); })
//> #define wait_group_events(n, events) ({ int wb_n = (n); __auto_type wb_list = (events); uint wb_hash = wb_n; \
//> 	WB_MARK(11); \
//> 	for (int wb_i = 0; wb_i < wb_n; wb_i++) \
//> 		wb_hash = wb_mix(wb_hash, wb_event(wb_list[wb_i])); \
//> 	wb_marks(wb_hash); wait_group_events(wb_n, wb_list); })
//> #endif

//B: *
/* Clang's call for an index beyond an array: a mark. */
//> #ifndef WB_OURS
//> __attribute__((used, always_inline, nodebug)) void __ubsan_handle_out_of_bounds_minimal(void)
//> {
//> #ifdef __AMDGCN__
//> 	__asm__ volatile("s_incperflevel 13");
//> #else
//> 	__asm__ volatile("pmevent 13;");
//> #endif
//> }
//> #endif

//: get_work_dim
/* The lower two bits of hsa_kernel_dispatch_packet_t.setup. Of PTX the last dimension with more than one work-item. */
#ifdef __AMDGCN__
OURS uint get_work_dim(void) { return ((constant ushort *)__builtin_amdgcn_dispatch_ptr())[1] & 3; }
#else
OURS uint get_work_dim(void) { return get_global_size(2) > 1 ? 3 : get_global_size(1) > 1 ? 2 : 1; }
#endif

//4: get_global_id get_global_offset
/* The lower words of the first three hidden arguments, of 64 bits; libclc reads words side by side. */
OURS size_t get_global_offset(uint d)
{
	return d < 3 ? ((constant uint *)__builtin_amdgcn_implicitarg_ptr())[2 * d] : 0;
}
OURS size_t get_global_id(uint d)
{
	return get_group_id(d) * get_local_size(d) + get_local_id(d) + get_global_offset(d);
}

//5: get_global_id get_global_offset
/* Hidden arguments from byte 40 on. */
OURS size_t get_global_offset(uint d)
{
	return d < 3 ? ((constant uint *)__builtin_amdgcn_implicitarg_ptr())[10 + 2 * d] : 0;
}
OURS size_t get_global_id(uint d)
{
	return get_group_id(d) * get_local_size(d) + get_local_id(d) + get_global_offset(d);
}

//: printf
/* The compiler makes calls of __printf_alloc of printf when the libraries are linked already, so the function stands in
 * the source, and in the last of several units. Behind each record's header (device/prints.c) the compiler writes; a null pointer: nowhere. */
//> #if !defined WB_OURS && !defined WB_UNIT && defined __AMDGCN__
//> __attribute__((used, always_inline, nodebug)) global char *__printf_alloc(uint bytes)
//> {
//> 	global uint *buffer = (global uint *)((constant size_t *)__builtin_amdgcn_dispatch_ptr())[6];
//> 	uint at = atomic_add((volatile global uint *)buffer, bytes + 12), size = buffer[1];
//> 	global uint *record = (global uint *)((global char *)buffer + at + 8);
//> 	if (at > size || bytes + 12 > size - at)
//> 		return 0;
//> 	record[0] = bytes;
//> 	record[1] = get_group_id(0) + get_num_groups(0) * (get_group_id(1) + get_num_groups(1) * get_group_id(2));
//> 	record[2] = get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2));
//> 	return (global char *)(record + 3);
//> }
//> #endif

//P: get_global_offset get_global_id() get_local_id() get_group_id() get_global_size() get_local_size() get_num_groups()
OURS size_t get_global_offset(uint d) { return 0; }

//: get_global_id() get_local_id() get_group_id() get_global_offset() get_global_size() get_local_size() get_num_groups()
//> WB_ONE(size_t, get_global_id, uint, uint)
//> WB_ONE(size_t, get_local_id, uint, uint)
//> WB_ONE(size_t, get_group_id, uint, uint)
//> WB_ONE(size_t, get_global_offset, uint, uint)
//> WB_ONE(size_t, get_global_size, uint, uint)
//> WB_ONE(size_t, get_local_size, uint, uint)
//> WB_ONE(size_t, get_num_groups, uint, uint)
#define DIMENSION(f, other) OURS size_t wb_##f(uint d) { return d < 3 ? f(d) : other; }
DIMENSION(get_global_id, 0)
DIMENSION(get_local_id, 0)
DIMENSION(get_group_id, 0)
DIMENSION(get_global_offset, 0)
DIMENSION(get_global_size, 1)
DIMENSION(get_local_size, 1)
DIMENSION(get_num_groups, 1)

//: get_global_linear_id get_local_linear_id get_enqueued_local_size
/* Of OpenCL C 2.0, which libclc lacks. Groups are uniform here; chips that run PTX have no offset of a grid. */
#ifdef __AMDGCN__
#define FROM_OFFSET(d) (get_global_id(d) - get_global_offset(d))
#else
#define FROM_OFFSET(d) get_global_id(d)
#endif
OURS size_t get_global_linear_id(void)
{
	return (FROM_OFFSET(2) * get_global_size(1) + FROM_OFFSET(1)) * get_global_size(0) + FROM_OFFSET(0);
}
OURS size_t get_local_linear_id(void)
{
	return (get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0);
}
OURS size_t get_enqueued_local_size(uint d) { return d < 3 ? get_local_size(d) : 1; }

//: mad_hi
#define MAD_HI(T) OURS T mad_hi(T a, T b, T c) { return mul_hi(a, b) + c; } VECTORS3(T, mad_hi, T)
EACH_INTEGER(MAD_HI)

//: mad_sat
OURS long mad_sat(long a, long b, long c)
{
	ulong low = (ulong)a * (ulong)b, sum = low + (ulong)c;
	long high = mul_hi(a, b) + (c >> 63) + (sum < low);

	return high == (long)sum >> 63 ? (long)sum : high < 0 ? LONG_MIN : LONG_MAX;
}
VECTORS3(long, mad_sat, long)

//: abs_diff
/* libclc's signed subtraction overflows, and clang 19 takes for granted that none does. */
#define ABS_DIFF(T, U)                                                                                                 \
	OURS U abs_diff(T a, T b) { return a > b ? (U)a - (U)b : (U)b - (U)a; } VECTORS2(U, abs_diff, T)
ABS_DIFF(char, uchar)
ABS_DIFF(short, ushort)
ABS_DIFF(int, uint)
ABS_DIFF(long, ulong)

//: sub_sat
OURS int sub_sat(int a, int b)
{
	long r = (long)a - b;

	return r < INT_MIN ? INT_MIN : r > INT_MAX ? INT_MAX : (int)r;
}
OURS long sub_sat(long a, long b)
{
	long r = (long)((ulong)a - (ulong)b);

	return ((a ^ b) & (a ^ r)) >= 0 ? r : a < 0 ? LONG_MIN : LONG_MAX;
}
VECTORS2(int, sub_sat, int)
VECTORS2(long, sub_sat, long)

//: clamp
/* libclc's gives no number for no number; the standard's is fmin(fmax(x, low), high). */
#define CLAMP(T)                                                                                                       \
	OURS T clamp(T x, T low, T high) { return fmin(fmax(x, low), high); }                                          \
	VECTORS3(T, clamp, T)                                                                                          \
	CLAMP_TO(T, 2) CLAMP_TO(T, 3) CLAMP_TO(T, 4) CLAMP_TO(T, 8) CLAMP_TO(T, 16)
#define CLAMP_TO(T, n) OURS T##n clamp(T##n x, T low, T high) { return clamp(x, (T##n)low, (T##n)high); }
CLAMP(float)
CLAMP(double)

//A: fabs fmin fmax
/* As libclc's, but folded of constants (FOLDED). LLVM before 17 folds no canonicalize, which is there for signaling
 * NaNs; clang 19 ends with a signal where __builtin_constant_p stands at -O 0. */
#if __clang_major__ < 17
#define QUIET(x, end) (__builtin_constant_p(x) ? x : __builtin_canonicalize##end(x))
#else
#define QUIET(x, end) __builtin_canonicalize##end(x)
#endif
#define CHOICE_BY(T, f, n) OURS T##n f(T##n x, T y) { return f(x, (T##n)y); }
#define CHOICE(T, f, end)                                                                                              \
	OURS T f(T x, T y) { return __builtin_##f##end(QUIET(x, end), QUIET(y, end)); }                                \
	VECTORS2(T, f, T)                                                                                              \
	CHOICE_BY(T, f, 2) CHOICE_BY(T, f, 3) CHOICE_BY(T, f, 4) CHOICE_BY(T, f, 8) CHOICE_BY(T, f, 16)
#define FOLDS(T, end)                                                                                                  \
	OURS T fabs(T x) { return __builtin_fabs##end(x); }                                                            \
	VECTORS1(T, fabs, T)                                                                                           \
	CHOICE(T, fmin, end)                                                                                           \
	CHOICE(T, fmax, end)
FOLDS(float, f)
FOLDS(double, )

//A: fma
/* libclc 22's of float is a function of some 200 instructions, for which numbers below the normal ones are zeros; the
 * fold into an instruction is among those that are switched off (-amdgpu-simplify-libcall=0). */
#define FMA(T, end)                                                                                                    \
	OURS T fma(T x, T y, T z) { return __builtin_fma##end(x, y, z); }                                              \
	VECTORS3(T, fma, T)
FMA(float, f)
FMA(double, )

//: sign
/* libclc 22's gives -0 for a float that is no number. */
#define SIGN(T, zero, one)                                                                                             \
	OURS T sign(T x) { return isnan(x) ? zero : x == 0 ? x : copysign(one, x); }                                   \
	VECTORS1(T, sign, T)
SIGN(float, 0.0f, 1.0f)
SIGN(double, 0.0, 1.0)

//: round
OURS float round(float x)
{
	float t = FOLDED(trunc, truncf)(x);

	return copysign(FOLDED(fabs, fabsf)(x - t) >= 0.5f ? t + copysign(1.0f, x) : t, x);
}
OURS double round(double x)
{
	double t = FOLDED(trunc, trunc)(x);

	return copysign(FOLDED(fabs, fabs)(x - t) >= 0.5 ? t + copysign(1.0, x) : t, x);
}
VECTORS1(float, round, float)
VECTORS1(double, round, double)

//: rint
//> WB_ALL1(float, rint, float)
//> WB_ALL1(double, rint, double)
OURS float wb_rint(float x) { return copysign(rint(x), x); }
OURS double wb_rint(double x) { return copysign(rint(x), x); }
VECTORS1(float, wb_rint, float)
VECTORS1(double, wb_rint, double)

//: floor ceil trunc convert_*_rtn
//> WB_ALL1(float, floor, float)
//> WB_ALL1(double, floor, double)
//> WB_ALL1(float, ceil, float)
//> WB_ALL1(double, ceil, double)
//> WB_ALL1(float, trunc, float)
//> WB_ALL1(double, trunc, double)
#define SIGNED(f, T, b)                                                                                                \
	OURS T wb_##f(T x)                                                                                             \
	{                                                                                                              \
		T r = FOLDED(f, b)(x);                                                                                 \
		return r == 0 ? copysign(r, x) : r;                                                                    \
	}                                                                                                              \
	VECTORS1(T, wb_##f, T)
SIGNED(floor, float, floorf)
SIGNED(ceil, float, ceilf)
SIGNED(ceil, double, ceil)
SIGNED(trunc, float, truncf)
SIGNED(trunc, double, trunc)
/* Of small negatives as well; the code for tahiti subtracts a fraction that is less than 1. */
OURS double wb_floor(double x)
{
	double t = wb_trunc(x);

	return t > x ? t - 1 : t;
}
VECTORS1(double, wb_floor, double)
#define DOWN_MODE(R, name)                                                                                             \
	OURS R convert_##R##name##_rtn(double x) { return convert_##R##name(wb_floor(x)); }                            \
	OURS R##2 convert_##R##2##name##_rtn(double2 x) { return convert_##R##2##name(wb_floor(x)); }                  \
	OURS R##3 convert_##R##3##name##_rtn(double3 x) { return convert_##R##3##name(wb_floor(x)); }                  \
	OURS R##4 convert_##R##4##name##_rtn(double4 x) { return convert_##R##4##name(wb_floor(x)); }                  \
	OURS R##8 convert_##R##8##name##_rtn(double8 x) { return convert_##R##8##name(wb_floor(x)); }                  \
	OURS R##16 convert_##R##16##name##_rtn(double16 x) { return convert_##R##16##name(wb_floor(x)); }
#define DOWN(R) DOWN_MODE(R, ) DOWN_MODE(R, _sat)
DOWN(char) DOWN(uchar) DOWN(short) DOWN(ushort) DOWN(int) DOWN(uint)
DOWN_MODE(long, )
DOWN_MODE(ulong, )

//: sin tan asin asinpi atan atanpi erf expm1
//> WB_ALL1(double, sin, double)
//> WB_SAME1(float, sin, float)
//> WB_ALL1(double, tan, double)
//> WB_SAME1(float, tan, float)
//> WB_ALL1(double, asin, double)
//> WB_SAME1(float, asin, float)
//> WB_ALL1(double, asinpi, double)
//> WB_SAME1(float, asinpi, float)
//> WB_ALL1(double, atan, double)
//> WB_SAME1(float, atan, float)
//> WB_ALL1(double, atanpi, double)
//> WB_SAME1(float, atanpi, float)
//> WB_ALL1(double, erf, double)
//> WB_SAME1(float, erf, float)
//> WB_ALL1(double, expm1, double)
//> WB_SAME1(float, expm1, float)
/* -0 to -0. */
#define ZERO(f) OURS double wb_##f(double x) { return x == 0 ? x : f(x); } VECTORS1(double, wb_##f, double)
ZERO(sin)
ZERO(tan)
ZERO(asin)
ZERO(asinpi)
ZERO(atan)
ZERO(atanpi)
ZERO(erf)
ZERO(expm1)

//: sincos
//> WB_ALL_OUT(double, sincos, double, double)
//> WB_SAME_OUTS(float, sincos, float, float)
OURS_OUT double wb_sincos(double x, double *c)
{
	double s = sincos(x, c);

	return x == 0 ? x : s;
}
VECTORS_OUT(double, wb_sincos, double, double)

//: sinpi cospi tanpi
//> WB_ALL1(float, sinpi, float)
//> WB_ALL1(double, sinpi, double)
//> WB_ALL1(float, cospi, float)
//> WB_ALL1(double, cospi, double)
//> WB_ALL1(float, tanpi, float)
//> WB_ALL1(double, tanpi, double)
#define TURNS(T, zero, half_, two)                                                                                     \
	OURS T wb_sinpi(T x) { return x == trunc(x) && !isinf(x) ? copysign(zero, x) : sinpi(x); }                     \
	OURS T wb_cospi(T x) { T r = cospi(x); return r == 0 ? zero : r; }                                             \
	OURS T wb_tanpi(T x)                                                                                           \
	{                                                                                                              \
		return x != trunc(x) || isinf(x)      ? tanpi(x)                                                       \
		       : x * half_ == trunc(x * half_) ? copysign(zero, x)                                             \
						       : copysign(zero, -x);                                           \
	}                                                                                                              \
	VECTORS1(T, wb_sinpi, T) VECTORS1(T, wb_cospi, T) VECTORS1(T, wb_tanpi, T)
TURNS(float, 0.0f, 0.5f, 2.0f)
TURNS(double, 0.0, 0.5, 2.0)

//: pow powr
/* libclc 22's of double errs for a y of more than 100 bits: pow(0.5, 0x1p128) is more than 0, and pow(0.5, 0x1p400) is
 * infinite. Each y from 2^64 on has the same result. */
//> WB_WIDTHS(WB_BY, double, pow, double, double)
//> WB_WIDTHS(WB_SAME_BY, float, pow, float, float)
//> WB_WIDTHS(WB_BY, double, powr, double, double)
//> WB_WIDTHS(WB_SAME_BY, float, powr, float, float)
static double power_of(double y) { return fabs(y) > 0x1p64 && !isinf(y) ? copysign(0x1p64, y) : y; }
OURS double wb_pow(double x, double y) { return pow(x, power_of(y)); }
OURS double wb_powr(double x, double y) { return powr(x, power_of(y)); }
VECTORS2(double, wb_pow, double)
VECTORS2(double, wb_powr, double)

//: erfc
//> WB_ALL1(float, erfc, float)
//> WB_ALL1(double, erfc, double)
OURS double wb_erfc(double x) { return x > 0.5 && x < 1.25 ? 1 - erf(x) : erfc(x); }
OURS float wb_erfc(float x) { return (float)wb_erfc((double)x); }
VECTORS1(float, wb_erfc, float)
VECTORS1(double, wb_erfc, double)

//: rootn
/* libclc takes the least normal number for 0. */
//> WB_WIDTHS(WB_BY, float, rootn, float, int)
//> WB_WIDTHS(WB_SAME_BY, double, rootn, double, int)
OURS float wb_rootn(float x, int n) { return n == 1 ? x : rootn(x, n); }
#define ROOTN(n)                                                                                                       \
	OURS float##n wb_rootn(float##n x, int##n k)                                                                   \
	{                                                                                                              \
		float##n r;                                                                                            \
		for (int i = 0; i < n; i++)                                                                            \
			((float *)&r)[i] = wb_rootn(((float *)&x)[i], ((int *)&k)[i]);                                 \
		return r;                                                                                              \
	}
ROOTN(2) ROOTN(3) ROOTN(4) ROOTN(8) ROOTN(16)

//: lgamma
//> WB_ALL1(float, lgamma, float)
//> WB_SAME1(double, lgamma, double)
OURS float wb_lgamma(float x) { return isinf(x) ? INFINITY : fabs(x) < 0x1p-40f ? -log(fabs(x)) : lgamma(x); }
VECTORS1(float, wb_lgamma, float)

//: lgamma_r
//> WB_ALL_OUT(float, lgamma_r, float, int)
//> WB_SAME_OUTS(double, lgamma_r, double, int)
OURS_OUT float wb_lgamma_r(float x, int *sign)
{
	float r = lgamma_r(x, sign);

	if (fabs(x) < 0x1p-40f)
		*sign = signbit(x) ? -1 : 1;
	return isinf(x) ? INFINITY : fabs(x) < 0x1p-40f ? -log(fabs(x)) : r;
}
VECTORS_OUT(float, wb_lgamma_r, float, int)

//: tgamma
/* x of 10 or more: Stirling's series (Abramowitz and Stegun 6.1.37 by its logarithm, 6.1.41). The power is taken in two
 * halves, each in range wherever the result is. */
OURS double wb_gamma_from_10(double x)
{
	double w = 1 / x, v = w * w;
	double series = w * (1.0 / 12 - v * (1.0 / 360 - v * (1.0 / 1260 - v * (1.0 / 1680 - v * (1.0 / 1188 -
			v * (691.0 / 360360 - v * (1.0 / 156)))))));
	double half_ = pow(x, x / 2 - 0.25);

	return 2.5066282746310005024 * half_ * (half_ / exp(x)) * exp(series);
}
/* Below, the recurrence brings x to 10 or more; `lost` is what the sum has rounded away, whose effect is that of the
 * logarithm. */
OURS double wb_gamma_positive(double x)
{
	double n = x < 10 ? ceil(10 - x) : 0, to = x + n, lost = x - (to - n), product = 1;

	if (x > 172)
		return INFINITY;
	for (double i = 0; i < n; i++)
		product *= x + i;
	return wb_gamma_from_10(to) * (1 + lost * log(to)) / product;
}
OURS double tgamma(double x)
{
	double y = fabs(x), half_ = floor(x) / 2;

	if (x == 0)
		return copysign((double)INFINITY, x);
	if (x > 0 || isnan(x))
		return isnan(x) ? x : wb_gamma_positive(x);
	if (x == trunc(x))
		return NAN;
	if (y > 190)
		return half_ == trunc(half_) ? 0.0 : -0.0;
	if (y < 0x1p-60)
		return 1 / x;
	/* Reflection, in two steps where gamma(y) alone would be too large. */
	double s = -x * sinpi(x), above = 1;
	for (; y > 160; y -= 1)
		above *= y - 1;
	return 3.14159265358979323846 / s / wb_gamma_positive(y) / above;
}
OURS float tgamma(float x) { return (float)tgamma((double)x); }
VECTORS1(float, tgamma, float)
VECTORS1(double, tgamma, double)

//: fract
//> WB_ALL_OUT(float, fract, float, float)
//> WB_ALL_OUT(double, fract, double, double)
OURS_OUT float wb_fract(float x, float *whole)
{
	float r = fract(x, whole);

	return x == 0 || isinf(x) ? copysign(0.0f, x) : r;
}
OURS_OUT double wb_fract(double x, double *whole)
{
	double t = trunc(x), f = t > x ? t - 1 : t;

	*whole = f == 0 ? copysign(f, x) : f;
	return x == 0 || isinf(x) ? copysign(0.0, x) : isnan(x) ? x : fmin(x - f, 0x1.fffffffffffffp-1);
}
VECTORS_OUT(float, wb_fract, float, float)
VECTORS_OUT(double, wb_fract, double, double)

//: smoothstep
#define SMOOTHSTEP(V)                                                                                                  \
	OURS V smoothstep(double a, double b, V x)                                                                     \
	{                                                                                                              \
		V t = clamp((x - a) / (b - a), 0.0, 1.0);                                                              \
		return t * t * (3 - 2 * t);                                                                            \
	}
SMOOTHSTEP(double) SMOOTHSTEP(double2) SMOOTHSTEP(double3) SMOOTHSTEP(double4) SMOOTHSTEP(double8) SMOOTHSTEP(double16)

//: nan
OURS double nan(ulong code) { return as_double(code & 0x7ffffffffffffUL | 0x7ff8000000000000UL); }
VECTORS1(double, nan, ulong)

//: convert_ulong*_sat* convert_long*_sat*
/* From floats: libclc saturates at the wrong values. */
#define SATURATE_MODE(mode, rounded)                                                                                   \
	SATURATE(ulong, convert_ulong_sat##mode, float, 0, ULONG_MAX, rounded)                                         \
	SATURATE(ulong, convert_ulong_sat##mode, double, 0, ULONG_MAX, rounded)                                        \
	SATURATE(long, convert_long_sat##mode, float, LONG_MIN, LONG_MAX, rounded)                                     \
	SATURATE(long, convert_long_sat##mode, double, LONG_MIN, LONG_MAX, rounded)                                    \
	SATURATE_VECTORS(ulong, mode, float)                                                                           \
	SATURATE_VECTORS(ulong, mode, double)                                                                          \
	SATURATE_VECTORS(long, mode, float)                                                                            \
	SATURATE_VECTORS(long, mode, double)
SATURATE_MODE(, trunc)
SATURATE_MODE(_rte, rint)
SATURATE_MODE(_rtz, trunc)
SATURATE_MODE(_rtp, ceil)
/* Not floor, whose code for tahiti subtracts a fraction that is less than 1. */
OURS float wb_down(float x) { return floor(x); }
OURS double wb_down(double x) { double t = trunc(x); return t > x ? t - 1 : t; }
SATURATE_MODE(_rtn, wb_down)

//: convert_float*_rt* convert_double*_rt*
/* From integers: the nearest value, and where it lies on the wrong side of the integer its neighbour. `end` is 2 to the
 * power of the integer's value bits. */
#define TOWARDS(R, B, T, end, mode, wrong)                                                                             \
	OURS R convert_##R##mode(T x)                                                                                  \
	{                                                                                                              \
		R near = (R)x;                                                                                         \
		bool above = near >= (R)end || (T)near > x, below = !above && (T)near < x;                             \
		return wrong(x) ? as_##R(as_##B(near) + (above == (x > 0) ? -1 : 1)) : near;                           \
	}                                                                                                              \
	OURS R##2 convert_##R##2##mode(T##2 a) { return (R##2)(convert_##R##mode(a.x), convert_##R##mode(a.y)); }      \
	OURS R##3 convert_##R##3##mode(T##3 a) { return (R##3)(convert_##R##2##mode(a.xy), convert_##R##mode(a.z)); }  \
	OURS R##4 convert_##R##4##mode(T##4 a)                                                                         \
	{                                                                                                              \
		return (R##4)(convert_##R##2##mode(a.lo), convert_##R##2##mode(a.hi));                                 \
	}                                                                                                              \
	OURS R##8 convert_##R##8##mode(T##8 a)                                                                         \
	{                                                                                                              \
		return (R##8)(convert_##R##4##mode(a.lo), convert_##R##4##mode(a.hi));                                 \
	}                                                                                                              \
	OURS R##16 convert_##R##16##mode(T##16 a)                                                                      \
	{                                                                                                              \
		return (R##16)(convert_##R##8##mode(a.lo), convert_##R##8##mode(a.hi));                                \
	}
#define TOO_LARGE(x) (x > 0 ? above : below)
#define IS_ABOVE(x) above
#define IS_BELOW(x) below
#define TOWARDS_ALL(R, B, T, end)                                                                                      \
	TOWARDS(R, B, T, end, _rtz, TOO_LARGE)                                                                         \
	TOWARDS(R, B, T, end, _rtn, IS_ABOVE)                                                                          \
	TOWARDS(R, B, T, end, _rtp, IS_BELOW)
TOWARDS_ALL(float, int, int, 0x1p31f)
TOWARDS_ALL(float, int, uint, 0x1p32f)
TOWARDS_ALL(float, int, long, 0x1p63f)
TOWARDS_ALL(float, int, ulong, 0x1p64f)
TOWARDS_ALL(double, long, long, 0x1p63)
TOWARDS_ALL(double, long, ulong, 0x1p64)

//: vstore_half*_rtp* vstore_half*_rtn* vstorea_half*_rtp* vstorea_half*_rtn*
/* The nearest half, or the next one in the direction. */
#define HALF(T, store, mode, wrong, positive)                                                                          \
	OURS ushort wb_half##mode(T x)                                                                                 \
	{                                                                                                              \
		ushort bits;                                                                                           \
		store(x, (half *)&bits);                                                                               \
		T v = (T)__builtin_load_halff((half *)&bits);                                                          \
		return v wrong x ? bits + (bits >> 15 ? -positive : positive) : bits;                                  \
	}                                                                                                              \
	HALF_STORES(T, mode, global)                                                                                   \
	HALF_STORES(T, mode, local)                                                                                    \
	HALF_STORES(T, mode, private)
#ifdef __AMDGCN__
HALF(float, __builtin_store_halff, _rtp, <, 1)
HALF(double, __builtin_store_half, _rtp, <, 1)
HALF(float, __builtin_store_halff, _rtn, >, -1)
HALF(double, __builtin_store_half, _rtn, >, -1)
#endif

//P: vload_half* vloada_half* vstore_half* vstorea_half*
/* Clang 14 declares none of them, and the compiler's own conversions know one rounding. */
//> #define WB_NUMBERS(M, space) M(, , space) M(2, , space) M(3, , space) M(4, , space) M(8, , space) M(16, , space) \
//> 	M(2, a, space) M(3, a, space) M(4, a, space) M(8, a, space) M(16, a, space)
//> #define WB_LOAD(n, a, space) WB_OVER float##n vload##a##_half##n(size_t, const space half *);
//> #define WB_STORE(n, a, space) WB_STORE_OF(float, n, a, space) WB_STORE_OF(double, n, a, space)
//> #define WB_STORE_OF(T, n, a, space) WB_STORE_BY(T, n, a, space, ) WB_STORE_BY(T, n, a, space, _rte) \
//> 	WB_STORE_BY(T, n, a, space, _rtz) WB_STORE_BY(T, n, a, space, _rtp) WB_STORE_BY(T, n, a, space, _rtn)
//> #define WB_STORE_BY(T, n, a, space, mode) WB_OVER void vstore##a##_half##n##mode(T##n, size_t, space half *);
//> #pragma OPENCL EXTENSION cl_khr_fp64 : enable
//> WB_NUMBERS(WB_LOAD, global) WB_NUMBERS(WB_LOAD, local) WB_NUMBERS(WB_LOAD, private) WB_NUMBERS(WB_LOAD, constant)
//> WB_NUMBERS(WB_STORE, global) WB_NUMBERS(WB_STORE, local) WB_NUMBERS(WB_STORE, private)
#define LOADS(space)                                                                                                   \
	OURS_OUT float vload_half(size_t i, const space half *p) { return __builtin_load_halff(p + i); }               \
	LOAD(2, , 2, space) LOAD(3, , 3, space) LOAD(4, , 4, space) LOAD(8, , 8, space) LOAD(16, , 16, space)          \
	LOAD(2, a, 2, space) LOAD(3, a, 4, space) LOAD(4, a, 4, space) LOAD(8, a, 8, space) LOAD(16, a, 16, space)
#define LOAD(n, a, step, space)                                                                                        \
	OURS_OUT float##n vload##a##_half##n(size_t i, const space half *p)                                            \
	{                                                                                                              \
		float##n x;                                                                                            \
		for (int j = 0; j < n; j++)                                                                            \
			((float *)&x)[j] = __builtin_load_halff(p + i * step + j);                                     \
		return x;                                                                                              \
	}
LOADS(global)
LOADS(local)
LOADS(private)
LOADS(constant)
/* The machine rounds f32 to halves in each mode, but takes small numbers for zeros: 2^-25 stands for all below. An f64 goes
 * through an f32 whose last bit says that something was cut off, so that the second rounding is right. */
#define HALF_OF(mode, word)                                                                                            \
	OURS ushort wb_half##mode(float x)                                                                             \
	{                                                                                                              \
		ushort h;                                                                                              \
		uint size = as_uint(x) & 0x7fffffff;                                                                   \
		x = size && size < 0x33000000 ? as_float((as_uint(x) & 0x80000000) | 0x33000000) : x;                  \
		__asm("cvt." word ".f16.f32 %0, %1;" : "=h"(h) : "f"(x));                                              \
		return h;                                                                                              \
	}                                                                                                              \
	OURS ushort wb_half##mode(double x)                                                                            \
	{                                                                                                              \
		float f;                                                                                               \
		__asm("cvt.rz.f32.f64 %0, %1;" : "=f"(f) : "d"(x));                                                    \
		return wb_half##mode(as_float(as_uint(f) | (f != x)));                                                 \
	}                                                                                                              \
	STORES_OF(float, mode)                                                                                         \
	STORES_OF(double, mode)
#define STORES_OF(T, mode)                                                                                             \
	HALF_STORES(T, mode, global)                                                                                   \
	HALF_STORES(T, mode, local)                                                                                    \
	HALF_STORES(T, mode, private)
HALF_OF(, "rn")
HALF_OF(_rte, "rn")
HALF_OF(_rtz, "rz")
HALF_OF(_rtp, "rp")
HALF_OF(_rtn, "rm")

//P: ldexp
/* libclc's is infinite for no number, and 0 for the greatest e. Here the exponent goes as far as it can without a
 * rounding, and one product does the rest. */
OURS double ldexp(double x, int e)
{
	int exponent = (int)(as_ulong(x) >> 52) & 0x7ff, first;

	if (exponent == 0x7ff || x == 0)
		return x;
	e = clamp(e, -2200, 2200);
	if (exponent == 0) {
		x *= 0x1p54;
		exponent = (int)(as_ulong(x) >> 52) & 0x7ff;
		e -= 54;
	}
	first = clamp(e, 1 - exponent, 2046 - exponent);
	x = as_double(as_long(x) + ((long)first << 52));
	e = clamp(e - first, -100, 1);
	return x * as_double((long)(1023 + e) << 52);
}
#define LDEXP(n)                                                                                                       \
	OURS double##n ldexp(double##n x, int##n e)                                                                 \
	{                                                                                                              \
		double##n r;                                                                                           \
		for (int i = 0; i < n; i++)                                                                            \
			((double *)&r)[i] = ldexp(((double *)&x)[i], ((int *)&e)[i]);                               \
		return r;                                                                                              \
	}                                                                                                              \
	OURS double##n ldexp(double##n x, int e) { return ldexp(x, (int##n)e); }
LDEXP(2)
LDEXP(3)
LDEXP(4)
LDEXP(8)
LDEXP(16)

//P: convert_int*_sat* convert_uint*_sat*
/* The machine's conversion of no number as f64 is the least integer. Those of _rtn go through convert_int_sat. */
#define SATURATE_DOUBLE(R, mode, least, most, rounded)                                                                 \
	SATURATE(R, convert_##R##_sat##mode, double, least, most, rounded)                                             \
	SATURATE_VECTORS(R, mode, double)
#define SATURATE_DOUBLES(mode, rounded)                                                                                \
	SATURATE_DOUBLE(int, mode, INT_MIN, INT_MAX, rounded)                                                          \
	SATURATE_DOUBLE(uint, mode, 0, UINT_MAX, rounded)
SATURATE_DOUBLES(, trunc)
SATURATE_DOUBLES(_rte, rint)
SATURATE_DOUBLES(_rtz, trunc)
SATURATE_DOUBLES(_rtp, ceil)

//P: rotate
/* Clang 14 shifts 64 bits by the whole count. */
static uint funnel(uint high, uint low, ulong n)
{
	uint r;

	__asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(low), "r"(high), "r"((uint)n));
	return r;
}
OURS ulong rotate(ulong x, ulong n)
{
	uint low = (uint)x, high = (uint)(x >> 32), a = n & 32 ? high : low, b = n & 32 ? low : high;

	return (ulong)funnel(b, a, n) << 32 | funnel(a, b, n);
}
OURS long rotate(long x, long n) { return (long)rotate((ulong)x, (ulong)n); }
VECTORS2(ulong, rotate, ulong)
VECTORS2(long, rotate, long)

//P: atom_*
/* Of 64 bits in g[], on the chips that have them; libclc has none for PTX. */
#define ATOM_OVER __attribute__((overloadable, always_inline))
#define ATOM(T, name, sync, value)                                                                                     \
	ATOM_OVER T atom_##name(volatile global T *p, T v) { return sync(p, value); }
#define ATOMS(T)                                                                                                       \
	ATOM(T, add, __sync_fetch_and_add, v)                                                                          \
	ATOM(T, sub, __sync_fetch_and_sub, v)                                                                          \
	ATOM(T, xchg, __sync_swap, v)                                                                                  \
	ATOM_OVER T atom_inc(volatile global T *p) { return __sync_fetch_and_add(p, (T)1); }                           \
	ATOM_OVER T atom_dec(volatile global T *p) { return __sync_fetch_and_sub(p, (T)1); }                           \
	ATOM_OVER T atom_cmpxchg(volatile global T *p, T old, T v)                                                     \
	{                                                                                                              \
		return __sync_val_compare_and_swap(p, old, v);                                                         \
	}
ATOMS(long)
ATOMS(ulong)

//: amd_*
/* cl_amd_media_ops and cl_amd_media_ops2, by their formulas, on every chip; compilers make instructions of some. */
//> #define WB_AMD_ONE(R, f, T) WB_OVER R f(T);
//> #define WB_AMD_TWO(R, f, T) WB_OVER R f(T, T);
//> #define WB_AMD_THREE(R, f, T) WB_OVER R f(T, T, T);
//> #define WB_AMD_QUAD(R, f, T) WB_OVER R f(R, T, R);
//> #define WB_AMD(M, R, f, T) M(R, f, T) M(R##2, f, T##2) M(R##3, f, T##3) M(R##4, f, T##4) M(R##8, f, T##8) \
//> 	M(R##16, f, T##16)
//> WB_OVER uint amd_pack(float4);
//> WB_OVER uint amd_sad4(uint4, uint4, uint);
//> WB_AMD(WB_AMD_ONE, float, amd_unpack0, uint) WB_AMD(WB_AMD_ONE, float, amd_unpack1, uint)
//> WB_AMD(WB_AMD_ONE, float, amd_unpack2, uint) WB_AMD(WB_AMD_ONE, float, amd_unpack3, uint)
//> WB_AMD(WB_AMD_TWO, uint, amd_bfm, uint)
//> WB_AMD(WB_AMD_THREE, uint, amd_bitalign, uint) WB_AMD(WB_AMD_THREE, uint, amd_bytealign, uint)
//> WB_AMD(WB_AMD_THREE, uint, amd_lerp, uint) WB_AMD(WB_AMD_THREE, uint, amd_sad, uint)
//> WB_AMD(WB_AMD_THREE, uint, amd_sadhi, uint) WB_AMD(WB_AMD_THREE, uint, amd_sadw, uint)
//> WB_AMD(WB_AMD_THREE, uint, amd_sadd, uint) WB_AMD(WB_AMD_THREE, uint, amd_msad, uint)
//> WB_AMD(WB_AMD_THREE, uint, amd_bfe, uint)
//> WB_AMD(WB_AMD_QUAD, ulong, amd_qsad, uint) WB_AMD(WB_AMD_QUAD, ulong, amd_mqsad, uint)
//> #define WB_AMD_ORDER(T) WB_AMD(WB_AMD_THREE, T, amd_min3, T) WB_AMD(WB_AMD_THREE, T, amd_max3, T) \
//> 	WB_AMD(WB_AMD_THREE, T, amd_median3, T)
//> WB_AMD_ORDER(uint) WB_AMD_ORDER(int) WB_AMD_ORDER(float)
//> #define WB_AMD_BFE(n) WB_OVER int##n amd_bfe(int##n, uint##n, uint##n);
//> WB_AMD_BFE() WB_AMD_BFE(2) WB_AMD_BFE(3) WB_AMD_BFE(4) WB_AMD_BFE(8) WB_AMD_BFE(16)
#define OURS3(R, f, T, formula)                                                                                        \
	OURS R f(T a, T b, T c) { return formula; }                                                                    \
	VECTORS3(R, f, T)
#define BYTE(a, n) ((a) >> 8 * (n) & 0xff)
#define APART(a, b, n) ((uint)abs_diff((int)BYTE(a, n), (int)BYTE(b, n)))
#define MASKED(a, b, n) (BYTE(b, n) ? APART(a, b, n) : 0)
#define MEAN(a, b, c, n) ((BYTE(a, n) + BYTE(b, n) + (BYTE(c, n) & 1)) >> 1 << 8 * (n))
OURS3(uint, amd_bitalign, uint, (uint)(((ulong)a << 32 | b) >> (c & 31)))
OURS3(uint, amd_bytealign, uint, (uint)(((ulong)a << 32 | b) >> 8 * (c & 3)))
OURS3(uint, amd_lerp, uint, MEAN(a, b, c, 0) | MEAN(a, b, c, 1) | MEAN(a, b, c, 2) | MEAN(a, b, c, 3))
OURS3(uint, amd_sad, uint, c + APART(a, b, 0) + APART(a, b, 1) + APART(a, b, 2) + APART(a, b, 3))
OURS3(uint, amd_sadhi, uint, c + ((APART(a, b, 0) + APART(a, b, 1) + APART(a, b, 2) + APART(a, b, 3)) << 16))
#define HALF_APART(a, b, n) ((uint)abs_diff((int)((a) >> (n) & 0xffff), (int)((b) >> (n) & 0xffff)))
OURS3(uint, amd_sadw, uint, c + HALF_APART(a, b, 0) + HALF_APART(a, b, 16))
OURS3(uint, amd_sadd, uint, c + (a > b ? a - b : b - a))
OURS3(uint, amd_msad, uint, c + MASKED(a, b, 0) + MASKED(a, b, 1) + MASKED(a, b, 2) + MASKED(a, b, 3))
OURS uint amd_sad4(uint4 a, uint4 b, uint c)
{
	return amd_sad(a.w, b.w, amd_sad(a.z, b.z, amd_sad(a.y, b.y, amd_sad(a.x, b.x, c))));
}
/* Sums of four neighbours of bytes from each of four bytes on, in 16 bits each. */
#define QUAD(f, sum)                                                                                                   \
	OURS ulong f(ulong a, uint b, ulong c)                                                                         \
	{                                                                                                              \
		return (ulong)(ushort)sum((uint)a, b, (uint)c & 0xffff) |                                              \
		       (ulong)(ushort)sum((uint)(a >> 8), b, (uint)(c >> 16) & 0xffff) << 16 |                         \
		       (ulong)(ushort)sum((uint)(a >> 16), b, (uint)(c >> 32) & 0xffff) << 32 |                        \
		       (ulong)(ushort)sum((uint)(a >> 24), b, (uint)(c >> 48)) << 48;                                  \
	}                                                                                                              \
	OURS ulong2 f(ulong2 a, uint2 b, ulong2 c) { return (ulong2)(f(a.x, b.x, c.x), f(a.y, b.y, c.y)); }            \
	OURS ulong3 f(ulong3 a, uint3 b, ulong3 c)                                                                     \
	{                                                                                                              \
		return (ulong3)(f(a.x, b.x, c.x), f(a.y, b.y, c.y), f(a.z, b.z, c.z));                                 \
	}                                                                                                              \
	OURS ulong4 f(ulong4 a, uint4 b, ulong4 c) { return (ulong4)(f(a.lo, b.lo, c.lo), f(a.hi, b.hi, c.hi)); }      \
	OURS ulong8 f(ulong8 a, uint8 b, ulong8 c) { return (ulong8)(f(a.lo, b.lo, c.lo), f(a.hi, b.hi, c.hi)); }      \
	OURS ulong16 f(ulong16 a, uint16 b, ulong16 c) { return (ulong16)(f(a.lo, b.lo, c.lo), f(a.hi, b.hi, c.hi)); }
QUAD(amd_qsad, amd_sad)
QUAD(amd_mqsad, amd_msad)
OURS uint amd_pack(float4 a)
{
	return ((uint)a.x & 0xff) | ((uint)a.y & 0xff) << 8 | ((uint)a.z & 0xff) << 16 | ((uint)a.w & 0xff) << 24;
}
#define UNPACK(n) OURS float amd_unpack##n(uint a) { return (float)BYTE(a, n); } VECTORS1(float, amd_unpack##n, uint)
UNPACK(0)
UNPACK(1)
UNPACK(2)
UNPACK(3)
OURS uint amd_bfm(uint a, uint b) { return ((1u << (a & 31)) - 1) << (b & 31); }
VECTORS2(uint, amd_bfm, uint)
/* b is the first bit, c the number of bits; where they reach beyond bit 31, all from b on. */
#define BFE(T, a, b, c)                                                                                                \
	(!(c) ? (T)0 : (b) + (c) < 32 ? (T)((uint)(a) << (32 - (b) - (c))) >> (32 - (c)) : (a) >> (b))
OURS uint amd_bfe(uint a, uint b, uint c) { return BFE(uint, a, b & 31, c & 31); }
OURS int amd_bfe(int a, uint b, uint c) { return BFE(int, a, b & 31, c & 31); }
VECTORS3(uint, amd_bfe, uint)
OURS int2 amd_bfe(int2 a, uint2 b, uint2 c) { return (int2)(amd_bfe(a.x, b.x, c.x), amd_bfe(a.y, b.y, c.y)); }
OURS int3 amd_bfe(int3 a, uint3 b, uint3 c)
{
	return (int3)(amd_bfe(a.x, b.x, c.x), amd_bfe(a.y, b.y, c.y), amd_bfe(a.z, b.z, c.z));
}
OURS int4 amd_bfe(int4 a, uint4 b, uint4 c) { return (int4)(amd_bfe(a.lo, b.lo, c.lo), amd_bfe(a.hi, b.hi, c.hi)); }
OURS int8 amd_bfe(int8 a, uint8 b, uint8 c) { return (int8)(amd_bfe(a.lo, b.lo, c.lo), amd_bfe(a.hi, b.hi, c.hi)); }
OURS int16 amd_bfe(int16 a, uint16 b, uint16 c)
{
	return (int16)(amd_bfe(a.lo, b.lo, c.lo), amd_bfe(a.hi, b.hi, c.hi));
}
#define ORDER(T, least, most)                                                                                          \
	OURS3(T, amd_min3, T, least(least(a, b), c))                                                                   \
	OURS3(T, amd_max3, T, most(most(a, b), c))                                                                     \
	OURS3(T, amd_median3, T, most(least(a, b), least(most(a, b), c)))
ORDER(uint, min, max)
ORDER(int, min, max)
ORDER(float, fmin, fmax)

//P: native_* half_*
/* The instructions by name, which the compiler has no other way to. */
#define NATIVE(f, instruction)                                                                                         \
	OURS float native_##f(float x)                                                                                 \
	{                                                                                                              \
		float r;                                                                                               \
		__asm(instruction ".approx.f32 %0, %1;" : "=f"(r) : "f"(x));                                           \
		return r;                                                                                              \
	}                                                                                                              \
	VECTORS1(float, native_##f, float)
NATIVE(sin, "sin")
NATIVE(cos, "cos")
NATIVE(exp2, "ex2")
NATIVE(log2, "lg2")
NATIVE(recip, "rcp")
NATIVE(rsqrt, "rsqrt")
NATIVE(sqrt, "sqrt")
#define NATIVE_BY(f, expression) OURS float native_##f(float x) { return expression; } VECTORS1(float, native_##f, float)
NATIVE_BY(tan, native_sin(x) * native_recip(native_cos(x)))
NATIVE_BY(exp, native_exp2(x * M_LOG2E_F))
NATIVE_BY(exp10, native_exp2(x * 0x1.a934f0p+1f))
NATIVE_BY(log, native_log2(x) * M_LN2_F)
NATIVE_BY(log10, native_log2(x) * 0x1.344136p-2f)
OURS float native_divide(float a, float b) { return a * native_recip(b); }
OURS float native_powr(float a, float b) { return native_exp2(b * native_log2(a)); }
VECTORS2(float, native_divide, float)
VECTORS2(float, native_powr, float)
