/* What a refused program probably is. */
#ifndef WB_TOOLCHAIN_EXPLAIN_H
#define WB_TOOLCHAIN_EXPLAIN_H

#include <stdbool.h>
#include <stddef.h>

struct diag;

/* If the n bytes, refused as assembly or as OpenCL C with diagnostic *d, are a program in another language, replace the
 * diagnostic's text by the language's name and the way out; the place stays. False: no other language. */
bool languages_explain(const char *text, size_t n, bool opencl, struct diag *d);
/* What an OpenCL C source whose object was refused with *d lacks: a kernel, or a function of a runtime. */
void opencl_explain(const char *text, size_t n, struct diag *d);

#endif
