/* libstdc++ names an attribute __noinline__, which is a macro for clang before 16: the macro rests while <memory> reads
 * its header of this name. */
#pragma push_macro("__noinline__")
#undef __noinline__
#include_next <bits/shared_ptr_base.h>
#pragma pop_macro("__noinline__")
