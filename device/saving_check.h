/* The state of a saved run as read, before the machine gets it. */
#ifndef WB_DEVICE_SAVING_CHECK_H
#define WB_DEVICE_SAVING_CHECK_H

#include "device/launch.h"

#ifndef __wasm__
/* Why the prepared machine of l cannot go on from the state in *image (state_image) and *run, or NULL. `good` is a copy
 * of the prepared image, which is left as the image if nothing is wrong. */
const char *saving_wrong(const struct wb_launch *l, const uint8_t *image, uint8_t *good, const struct run_state *run);
/* The same of a multiprocessor's clock, once the machine has the state. */
const char *saving_wrong_clock(const struct machine *m);
#else
/* Pages go on from no state of outside. */
static inline const char *saving_wrong(const struct wb_launch *l, const uint8_t *image, uint8_t *good,
				       const struct run_state *run)
{
	return "a state of another machine";
}

static inline const char *saving_wrong_clock(const struct machine *m)
{
	return NULL;
}
#endif

#endif
