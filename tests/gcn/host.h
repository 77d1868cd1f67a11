/* OpenCL C on the host: clang compiles a source for the host as it does for the machine, and its kernels run here, each
 * work-item a coroutine that a barrier switches away from. The functions that kernels may call are those of host.cl. */
#ifndef WB_TESTS_GCN_HOST_H
#define WB_TESTS_GCN_HOST_H

#include <stdbool.h>
#include <stdint.h>

struct host_program;

/* Whether there is a clang that compiles OpenCL C for the host. */
bool host_can_compile(void);
/* Compile a file together with host.cl of `folder`; NULL: it does not compile, and clang has printed why. */
struct host_program *host_compile(const char *folder, const char *path);
void host_free(struct host_program *p);
/* Run a kernel that takes (global out, global in, uint n) over `groups` work-groups of `local` work-items. */
bool host_run(const struct host_program *p, const char *kernel, unsigned groups, unsigned local, void *out,
	      const void *in, uint32_t n);

#endif
