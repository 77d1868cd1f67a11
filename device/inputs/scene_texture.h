/* Textures and samplers of a scene: its members "textures", "samplers", "tic", "tsc" and "memory" (docs/reference/
 * textures.md). */
#ifndef WB_DEVICE_INPUTS_SCENE_TEXTURE_H
#define WB_DEVICE_INPUTS_SCENE_TEXTURE_H

#include "device/inputs/scene.h"

/* The textures of a launch, none at first; NULL: no memory. */
struct texture_set *scene_texture_set(struct wb_launch *l);
/* Add the textures behind the kernel's handles (texture_handles.c), once parameters and variables are in place. */
bool texture_handles_bind(struct wb_launch *l, struct diag *d);
/* Read textures into l->plan.memory.textures; "memory" goes into global memory. */
bool scene_textures(struct scene *s, const struct scene_root *root);
/* Bind texture options and descriptors to memory, after all buffers are filled. */
bool scene_textures_bind(struct wb_launch *l, struct diag *d);

#endif
