/* Messages between the ranks of a sweep: the only interface to MPI, a module that is loaded in processes of mpirun
 * alone. */
#ifndef WB_FRONTENDS_CLI_TRANSPORT_H
#define WB_FRONTENDS_CLI_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>

enum { AGREED_MAX = 256 };

/* No function waits for a message but `agree`; lengths are in bytes. */
struct transport {
	/* Join the other ranks. False: MPI does not start. */
	bool (*open)(int *rank, int *size);
	/* Compare the n bytes of all ranks, at most AGREED_MAX, and add their numbers. *same: equal to the bytes of
	 * rank 0. True: the bytes of all ranks are equal. */
	bool (*agree)(const void *bytes, size_t n, bool *same, unsigned number, unsigned *sum);
	/* Length of an arrived message with `tag` from rank *from; -1: no message. A *from of -1 stands for any rank,
	 * and becomes the sender. */
	int (*arrived)(int *from, int tag);
	void (*receive)(void *bytes, int n, int from, int tag);
	void (*send)(const void *bytes, int n, int to, int tag);
	void (*close)(void);
};

#define TRANSPORT_MODULE "warpbeam-mpi.so"

extern const struct transport transport_mpi;

#endif
