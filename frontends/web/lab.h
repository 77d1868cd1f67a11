/* The check of a lab in a page: the same files judge as for `warpbeam lab` (frontends/cli/lab.h). */
#ifndef WB_FRONTENDS_WEB_LAB_H
#define WB_FRONTENDS_WEB_LAB_H

#include "frontends/web/scene.h"

/* The verdict about a scene's program as JSON, by a lab's whole text; the caller frees the verdict. NULL: the text is
 * no lab (*d), or no memory. The scene's options do not count: the lab gives the launch. */
char *web_lab_verdict(const struct web_scene *s, const char *lab, struct wb_diag *d);

#endif
