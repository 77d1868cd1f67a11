/* MPI as a transport, a module. */
#include "frontends/cli/transport.h"

#include <mpi.h>
#include <string.h>

static bool mpi_open(int *rank, int *size)
{
	if (MPI_Init(NULL, NULL) != MPI_SUCCESS)
		return false;
	MPI_Comm_rank(MPI_COMM_WORLD, rank);
	MPI_Comm_size(MPI_COMM_WORLD, size);
	return true;
}

static bool mpi_agree(const void *bytes, size_t n, bool *same, unsigned number, unsigned *sum)
{
	char first[AGREED_MAX];
	int alike, all = 0;

	memcpy(first, bytes, n);
	MPI_Bcast(first, (int)n, MPI_CHAR, 0, MPI_COMM_WORLD);
	alike = *same = !memcmp(first, bytes, n);
	MPI_Allreduce(&alike, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
	MPI_Allreduce(&number, sum, 1, MPI_UNSIGNED, MPI_SUM, MPI_COMM_WORLD);
	return all;
}

static int mpi_arrived(int *from, int tag)
{
	MPI_Status status;
	int there = 0, n;

	MPI_Iprobe(*from < 0 ? MPI_ANY_SOURCE : *from, tag, MPI_COMM_WORLD, &there, &status);
	if (!there)
		return -1;
	MPI_Get_count(&status, MPI_CHAR, &n);
	*from = status.MPI_SOURCE;
	return n;
}

static void mpi_receive(void *bytes, int n, int from, int tag)
{
	MPI_Recv(bytes, n, MPI_CHAR, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void mpi_send(const void *bytes, int n, int to, int tag)
{
	MPI_Send(bytes, n, MPI_CHAR, to, tag, MPI_COMM_WORLD);
}

static void mpi_close(void)
{
	MPI_Finalize();
}

__attribute__((visibility("default"))) const struct transport transport_mpi = {
	.open = mpi_open,
	.agree = mpi_agree,
	.arrived = mpi_arrived,
	.receive = mpi_receive,
	.send = mpi_send,
	.close = mpi_close,
};
