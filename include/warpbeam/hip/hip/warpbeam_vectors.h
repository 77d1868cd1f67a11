/* Operators of HIP's vectors, element by element. */
#ifndef WARPBEAM_HIP_VECTORS_H
#define WARPBEAM_HIP_VECTORS_H

#define WB_V static inline __host__ __device__
#define WB_OPERATOR(name, type, op) \
	WB_V name##2 operator op(name##2 a, name##2 b) { return name##2{ (type)(a.x op b.x), (type)(a.y op b.y) }; } \
	WB_V name##3 operator op(name##3 a, name##3 b) \
	{ \
		return name##3{ (type)(a.x op b.x), (type)(a.y op b.y), (type)(a.z op b.z) }; \
	} \
	WB_V name##4 operator op(name##4 a, name##4 b) \
	{ \
		return name##4{ (type)(a.x op b.x), (type)(a.y op b.y), (type)(a.z op b.z), (type)(a.w op b.w) }; \
	} \
	WB_V name##2 operator op(name##2 a, type b) { return a op name##2{ b, b }; } \
	WB_V name##3 operator op(name##3 a, type b) { return a op name##3{ b, b, b }; } \
	WB_V name##4 operator op(name##4 a, type b) { return a op name##4{ b, b, b, b }; } \
	WB_V name##2 operator op(type a, name##2 b) { return name##2{ a, a } op b; } \
	WB_V name##3 operator op(type a, name##3 b) { return name##3{ a, a, a } op b; } \
	WB_V name##4 operator op(type a, name##4 b) { return name##4{ a, a, a, a } op b; } \
	WB_V name##2 &operator op##=(name##2 &a, name##2 b) { return a = a op b; } \
	WB_V name##3 &operator op##=(name##3 &a, name##3 b) { return a = a op b; } \
	WB_V name##4 &operator op##=(name##4 &a, name##4 b) { return a = a op b; } \
	WB_V name##2 &operator op##=(name##2 &a, type b) { return a = a op b; } \
	WB_V name##3 &operator op##=(name##3 &a, type b) { return a = a op b; } \
	WB_V name##4 &operator op##=(name##4 &a, type b) { return a = a op b; }
#define WB_OPERATORS(name, type) \
	WB_OPERATOR(name, type, +) WB_OPERATOR(name, type, -) WB_OPERATOR(name, type, *) WB_OPERATOR(name, type, /)
WB_OPERATORS(int, int)
WB_OPERATORS(uint, unsigned int)
WB_OPERATORS(float, float)
WB_OPERATORS(double, double)
#undef WB_OPERATORS
#undef WB_OPERATOR
#undef WB_V

#endif
