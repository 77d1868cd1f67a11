/* Options of the compiler within the driver: a limit of registers, and buffers of the program's for two logs. */
#ifndef WB_FRONTENDS_CUDA_DRIVER_JIT_H
#define WB_FRONTENDS_CUDA_DRIVER_JIT_H

#include "frontends/cuda/driver/driver.h"

/* A buffer of the program's for a log. */
struct jit_log {
	char *buffer;           /* NULL: not wanted */
	size_t size, used;      /* bytes: of the buffer, and of the text so far */
	void **answer;          /* place for the text's size; NULL: not wanted */
};
struct jit {
	unsigned registers;     /* of a thread at most; 0: not said */
	struct jit_log info, error;
	float *wall;            /* place for milliseconds; NULL: not wanted */
};

/* False: an option without a value, or an unknown one below the known ones. */
bool jit_read(struct jit *j, unsigned n, const CUjit_option *options, void **values);
/* Options into a configuration, whose log goes to the buffers. */
void jit_prepare(struct jit *j, struct wb_config *c);
/* The configuration that a module keeps writes into no buffer of the program's any more. */
void jit_forget_log(const struct loaded *m);
/* End the logs; d: why the module was refused, or NULL. */
void jit_finish(struct jit *j, const struct wb_diag *d);

#endif
