/* Scenes: whatever the text, it is refused with a diagnostic, or the program runs on it. The first byte says for which
 * program type. */
#include <stdlib.h>
#include <string.h>

#include "warpbeam.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static const char *const programs[] = {
	".mode vp\nmov b32 $r0 a[0x0]\nshl $a1 $r0 0x2\nld b32 $r1 a[$a1+0x4]\nexit mov b32 o[0x4] $r1\n",
	".mode gp\nshl $a1 a[0x8] 0x0\nmov b32 o[0x0] p[$a1+0x4]\nemit\nrestart\nexit emit\n",
	".mode fp\ninterp $r0 v[0x0]\ninterp $r1 cent v[0x4]\ndiscard\nexit ld $r2 b32 c0[0x0]\n",
};

static void look_at(struct wb_launch *l)
{
	uint32_t threads, rect[4];
	struct wb_fragment f;
	bool ends;

	wb_launch_stage(l, &threads);
	for (uint32_t t = 0; t < 4; t++) {
		wb_launch_output(l, t);
		wb_launch_emitted(l, t, 0, &ends);
		wb_launch_fragment(l, t, &f);
	}
	if (wb_launch_rect(l, rect))
		wb_launch_pixel(l, rect[0], rect[1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct wb_config *c = wb_config_new();
	struct wb_program *p = NULL;
	struct wb_launch *l = NULL;
	struct wb_diag d = { 0 };
	const char *program = programs[size ? bytes[0] % 3 : 0];

	wb_config_set(c, "format", "asm", &d);
	wb_config_set(c, "timing", "off", &d);
	wb_config_set(c, "files", "none", &d);
	wb_config_set(c, "max-memory", "16M", &d);
	wb_config_set(c, "max-insns", "100000", &d);
	if (wb_program_load(program, strlen(program), "text", c, &p, &d) != WB_OK ||
	    wb_launch_new(p, NULL, c, &l, &d) != WB_OK)
		abort();
	if (wb_launch_scene(l, bytes + (size > 0), size - (size > 0), "scene", &d) == WB_OK) {
		wb_launch_run(l, &d);
		look_at(l);
	} else if (!*d.text || d.status == WB_OK) {
		abort();
	}
	wb_launch_free(l);
	wb_program_free(p);
	wb_config_free(c);
	return 0;
}
