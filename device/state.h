/* The state that a launch of a device begins with, as bytes (wb_launch_state, the argument "state=FILE"). */
#ifndef WB_DEVICE_STATE_H
#define WB_DEVICE_STATE_H

#include "device/launch.h"

/* Give the launch, which has a device of its own and no arguments yet, the state in n bytes. */
bool state_take(struct wb_launch *l, const uint8_t *bytes, size_t n, struct diag *d);

#endif
