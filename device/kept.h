/* What a device keeps of launches that are over, for the next launch of the same kernel and size: the one place for
 * results of kernel, size and options alone. Kept are the plan and the memory of the machine. Made anew, as for any
 * launch, are all results of arguments and of the device's memory, buffers of the launch included, and the machine's
 * whole state, in the old memory. */
#ifndef WB_DEVICE_KEPT_H
#define WB_DEVICE_KEPT_H

#include "device/launch.h"

/* Keep the launch, whose machine is given back, for kept_take. False: the launch is the caller's, to be freed. */
bool kept_add(struct wb_launch *l);
/* A launch of k on v with a plan of this size, to be given parameters and prepared; NULL: none is kept, or c[] has been
 * written to. */
struct wb_launch *kept_take(struct wb_device *v, const struct wb_prepared *k, const struct wb_launch_size *size);
void kept_free(struct wb_device *v);

#endif
