/* Buffers of arguments, and arguments that are images and samplers. */
#ifndef WB_DEVICE_INPUTS_BUFFER_ARGS_H
#define WB_DEVICE_INPUTS_BUFFER_ARGS_H

#include "device/launch.h"

struct buffer_text {
	const char *in;         /* file to upload, or NULL */
	char *out;              /* file to write, or NULL */
	uint64_t bytes;         /* of a buffer without a file to upload */
};

/* "4096", "0x1000", "4K". */
bool buffer_size(const char *text, uint64_t *bytes, struct diag *d);
/* "in=F", "zero=N", "out=F:N", "inout=A:B". `value` is a writable copy that lives in the launch's arena. */
bool buffer_parse(const char *key, char *value, struct buffer_text *b, struct diag *d);
/* Make the buffer of an argument; the parameter is the caller's. */
bool buffer_make(struct wb_launch *l, struct argument *a, const struct buffer_text *b, struct diag *d);

/* "image=FILE.png", "image=FORMAT:WIDTHxHEIGHT:zero" and the like; "sampler=linear,clamp_to_edge": the texels are the
 * argument's buffer, the parameter is the address of the descriptor. `value` is such a copy (image_args.c). */
bool image_argument(struct wb_launch *l, struct argument *a, char *value, struct diag *d);
bool sampler_argument(struct wb_launch *l, struct argument *a, char *value, struct diag *d);

#endif
