/* OpenCL C on the host: clang compiles a source for the host as for the machine, and the kernels run here, each
 * work-item a coroutine that a barrier switches away from. host.cl has the functions for kernels. */
#ifndef WB_TESTS_GCN_HOST_H
#define WB_TESTS_GCN_HOST_H

#include <stdbool.h>
#include <stdint.h>

struct host_program;

/* Has the host a clang that compiles OpenCL C for the host? */
bool host_can_compile(void);
/* Compile a file together with host.cl of `folder`; NULL: an error, printed by clang. */
struct host_program *host_compile(const char *folder, const char *path);
void host_free(struct host_program *p);
/* Run a kernel with parameters (global out, global in, uint n) and, unless table is NULL, (constant table), over
 * `groups` work-groups of `local` work-items. */
bool host_run(const struct host_program *p, const char *kernel, unsigned groups, unsigned local, void *out,
	      const void *in, uint32_t n, const void *table);

#endif
