/* The timing values of a launch: the chip's, then a machine file's, then the command line's. */
#ifndef WB_DEVICE_NUMBERS_H
#define WB_DEVICE_NUMBERS_H

#include "device/launch.h"

/* Fill l->plan.numbers and l->plan.chip. False: a bad file, key or value. */
bool set_numbers(struct wb_launch *l, const struct chip *chip, struct diag *d);

#endif
