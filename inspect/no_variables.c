/* Variables of the source in a build whose programs bring none (the module of a page): images of compiled programs have
 * no debug information, and assembly has no variables. */
#include "inspect/variables.h"

#include "core/base/diag.h"
#include "inspect/public_diag.h"

static bool refuse(struct diag *d)
{
	return diag_set(d, DIAG_USAGE, "the program has no variables here: warpbeam debug and warpbeam view have them");
}

const char *wb_launch_variable_name(const struct wb_launch *l, uint32_t pc, unsigned index)
{
	(void)l, (void)pc, (void)index;
	return NULL;
}

size_t variable_path(const struct wb_launch *l, const char *text, bool quoted)
{
	(void)l, (void)text, (void)quoted;
	return 0;
}

size_t wb_launch_variable_path(const struct wb_launch *l, const char *text)
{
	return variable_path(l, text, false);
}

bool variable_in_lane(const struct wb_launch *l, const struct wb_warp *w, const char *path, unsigned lane,
		      struct variable_number *out)
{
	(void)l, (void)w, (void)path, (void)lane, (void)out;
	return false;
}

bool variable_has_place(const struct wb_launch *l, const char *path, uint32_t pc, struct diag *d)
{
	(void)l, (void)path, (void)pc;
	return refuse(d);
}

enum wb_status wb_launch_variable(const struct wb_launch *l, uint32_t block, uint32_t warp, const char *path,
				  struct wb_variable *out, struct wb_diag *wd)
{
	struct diag d = { 0 };

	(void)l, (void)block, (void)warp, (void)path, (void)out;
	refuse(&d);
	return public_diag(wd, &d);
}

size_t wb_launch_variable_part(const struct wb_launch *l, uint32_t block, uint32_t warp, const char *path,
			       unsigned index, char *text, size_t size)
{
	(void)l, (void)block, (void)warp, (void)path, (void)index, (void)text, (void)size;
	return 0;
}

bool variables_known(const struct wb_launch *l)
{
	(void)l;
	return false;
}

void variable_at_address(const struct wb_launch *l, struct warp *w, unsigned lane, uint32_t pc, unsigned space,
			 uint64_t address, char *text, size_t size)
{
	(void)l, (void)w, (void)lane, (void)pc, (void)space, (void)address, (void)size;
	*text = '\0';
}
