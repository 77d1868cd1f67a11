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

const char *fault_detail(enum fault_kind k)
{
	switch (k) {
	case FAULT_TRAP: return "number";
	case FAULT_UNSUPPORTED_FORMAT: return "format";
	case FAULT_UNSUPPORTED_TEXTURE: return "type";
	case FAULT_TEXTURE_UNBOUND: return "texture";
	case FAULT_TILED_IMAGE: return "tiling";
	default: return "address";
	}
}

const char *fault_text(enum fault_kind k)
{
	return faults[k].text;
}
