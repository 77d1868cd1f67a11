/* Variables of the source of a stopped launch, for expressions: by a path such as "n", "a[i]" or "p->at.x". */
#ifndef WB_INSPECT_VARIABLES_H
#define WB_INSPECT_VARIABLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct diag;
struct warp;
struct wb_launch;
struct wb_warp;

/* A value of a variable in a lane: an integer extended to 64 bits or the bits of a float, and the number. */
struct variable_number {
	uint64_t bits;
	double number;
	bool is_signed, is_float;
};

/* The length of the path at the start of a text; 0: no variable of the program begins there. With `quoted` the name
 * must stand in quotes. */
size_t variable_path(const struct wb_launch *l, const char *text, bool quoted);
/* The value in a lane of a warp, or in the lane that the path names. False: the variable has no value there now. */
bool variable_in_lane(const struct wb_launch *l, const struct wb_warp *w, const char *path, unsigned lane,
		      struct variable_number *out);
/* Whether the program says where its variables are. */
bool variables_known(const struct wb_launch *l);
/* The part of a variable that has a byte of memory, for an access by a lane at a pc: "sum[3]", "mine.at.x"; "" for
 * none. space: enum mem_space. */
void variable_at_address(const struct wb_launch *l, struct warp *w, unsigned lane, uint32_t pc, unsigned space,
			 uint64_t address, char *text, size_t size);
/* Whether the variable at the start of a path has a place at a pc. False with a diagnostic: out of scope, or optimised
 * out there. */
bool variable_has_place(const struct wb_launch *l, const char *path, uint32_t pc, struct diag *d);

#endif
