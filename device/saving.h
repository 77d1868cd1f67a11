/* Saved runs: a launch that stops between two turns becomes bytes, and another launch goes on from the bytes
 * (wb_launch_save, wb_launch_resume). */
#ifndef WB_DEVICE_SAVING_H
#define WB_DEVICE_SAVING_H

#include "device/launch.h"

struct saving {
	/* Why the run stands still, as the diagnostic of wb_launch_run. A pointer, so that no code for saved runs is in
	 * a program without saved runs. */
	bool (*paused)(const struct wb_launch *l, struct diag *d);
	uint64_t stop;                  /* instructions at which the run stops; UINT64_MAX: at none */
	_Atomic bool asked;             /* wb_launch_pause: the run stops soon */
	uint8_t *prepared;              /* the state before the first instruction, without addresses (state_image) */
	const uint8_t *bytes;           /* of the run to go on with, the caller's; NULL: none */
	size_t size;
	struct first_page *first_page;  /* pages as before the first instruction; NULL: not needed again */
	bool writes;                    /* outputs of arguments go to the host's files, despite wb_config_files */
};

/* Make l->saving, unless there is one: the run of l may be saved, or go on from bytes. NULL, with a diagnostic: the
 * launch can do neither. */
struct saving *saving_of(struct wb_launch *l, struct diag *d);
/* The run of launch l, which stands still, as bytes to be freed. False: the host has no memory. */
bool saving_write(const struct wb_launch *l, uint8_t **bytes, size_t *n, struct diag *d);
/* Whether n bytes are those of saving_write, whole and of this version. */
bool saving_check(const uint8_t *bytes, size_t n, struct diag *d);

#endif
