/* Texts of faults. */
#include "core/fault.h"

static const struct { const char *name, *text; } faults[FAULT_KINDS] = {
#define FAULT(name, text) { #name, text },
#include "core/fault.def"
#undef FAULT
};

const char *fault_name(enum fault_kind k)
{
	return faults[k].name;
}

const char *fault_text(enum fault_kind k)
{
	return faults[k].text;
}
