/* Symbols of C++: a kernel is chosen by the name in its source, and a file has the name with namespaces and types of
 * parameters around it (the Itanium ABI's mangling). */
#ifndef WB_CORE_BASE_SYMBOL_H
#define WB_CORE_BASE_SYMBOL_H

#include <stdbool.h>

/* Whether a symbol is `name`, or the symbol of a function whose own name, without namespaces, types and arguments of a
 * template, is `name`: "_Z1kPf", "_ZN2ns1kEPf" and "_Z1kIfEvPT_" are of "k". */
bool symbol_is(const char *symbol, const char *name);

#endif
