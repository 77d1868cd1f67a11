/* Textures and samplers of a scene: its members "textures", "samplers", "tic", "tsc" and "memory" (docs/reference/
 * textures.md). */
#ifndef WB_DEVICE_INPUTS_SCENE_TEXTURE_H
#define WB_DEVICE_INPUTS_SCENE_TEXTURE_H

#include "device/inputs/scene.h"

/* Read textures into l->plan.memory.textures; "memory" goes into global memory. */
bool scene_textures(struct scene *s, const json_t *root);
/* Bind texture options and descriptors to memory, after all buffers are filled. */
bool scene_textures_bind(struct wb_launch *l, struct diag *d);

#endif
