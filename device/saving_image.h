/* The state of a machine as bytes without addresses (device/saving.h). */
#ifndef WB_DEVICE_SAVING_IMAGE_H
#define WB_DEVICE_SAVING_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

struct machine;

/* Copy the state to n = state_bytes(m) bytes, zero before: addresses that a run changes become numbers, the same for
 * each process; all others stay as machine_prepare has set them. */
void state_image(const struct machine *m, uint8_t *image);
/* Put back such a copy of a machine with the same plan, in which words have changed since `prepared`. False, and
 * nothing is put back: a number is none of an object of this machine. */
bool state_from_image(struct machine *m, uint8_t *image, const uint8_t *prepared);
/* A number that two machines share whose images have the same members at the same places. */
uint64_t state_layout(const struct machine *m);

#endif
