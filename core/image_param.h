/* A parameter of a kernel in words: the type as people read it; a code object leaves out that a pointer is local. */
#ifndef WB_CORE_IMAGE_PARAM_H
#define WB_CORE_IMAGE_PARAM_H

#include <string.h>

#include "core/image.h"

/* The word before the type: a pointer to memory of a block is given bytes, no buffer. */
static inline const char *image_param_space(const struct image_param *p)
{
	return p->kind && !strcmp(p->kind, "dynamic_shared_pointer") && p->type && *p->type ? "local " : "";
}

#endif
