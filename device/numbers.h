/* The timing values of a prepared kernel: the chip's, then a machine file's, then the command line's. */
#ifndef WB_DEVICE_NUMBERS_H
#define WB_DEVICE_NUMBERS_H

#include "device/prepared.h"

/* Fill k->plan.numbers and k->plan.chip. False: a bad file, key or value. */
bool set_numbers(struct wb_prepared *k, const struct chip *chip, struct diag *d);

#endif
