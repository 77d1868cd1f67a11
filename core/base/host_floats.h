/* The host's floats in the mode of a fresh C program: rounded to nearest, denormals kept, no operation traps. A caller
 * of the library may have set another mode; results, texts and reports are the same in every mode, since a public
 * function that computes or converts numbers begins with USUAL_FLOATS. At its end the caller's mode comes back. */
#ifndef WB_CORE_BASE_HOST_FLOATS_H
#define WB_CORE_BASE_HOST_FLOATS_H

#include <stdbool.h>

#ifdef __wasm__
#define USUAL_FLOATS ((void)0)
#else
#include <fenv.h>

struct host_floats {
	fenv_t caller;
	bool changed;
};

/* A look at the registers is cheaper than a change by ten times; a function may be called for each issue. */
static inline bool host_floats_are_usual(void)
{
#ifdef __SSE2__
	enum { MODE = 0xffc0, MASKED = 0x1f80 };

	return (__builtin_ia32_stmxcsr() & MODE) == MASKED && fegetround() == FE_TONEAREST;
#else
	return false;
#endif
}

static inline struct host_floats host_floats_begin(void)
{
	struct host_floats f = { .changed = !host_floats_are_usual() };

	if (f.changed) {
		fegetenv(&f.caller);
		fesetenv(FE_DFL_ENV);
	}
	return f;
}

static inline void host_floats_end(const struct host_floats *f)
{
	if (f->changed)
		fesetenv(&f->caller);
}

#define USUAL_FLOATS \
	__attribute__((cleanup(host_floats_end), unused)) const struct host_floats callers_floats = host_floats_begin()
#endif

#endif
