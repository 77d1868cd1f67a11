/* Sums of memory counters (counts.h). */
#include "mem/counts.h"

/* Accesses that are one transaction under both rules are coherent under the older rule. */
static void add_known(struct mem_counts *sum, const struct tally *known)
{
	sum->serialize += known->extra_passes;
	*counts_of_size(sum->gld, known->run_bytes) += known->loads;
	*counts_of_size(sum->gst, known->run_bytes) += known->stores;
	sum->gld_coherent += known->loads;
	sum->gst_coherent += known->stores;
	sum->bytes += known->run_bytes * (known->loads + known->stores);
}

void counts_add(struct mem_counts *sum, const struct mem_counts *c)
{
	for (int k = 0; k < 3; k++) {
		sum->gld[k] += c->gld[k];
		sum->gst[k] += c->gst[k];
	}
	sum->gld_coherent += c->gld_coherent;
	sum->gld_incoherent += c->gld_incoherent;
	sum->gst_coherent += c->gst_coherent;
	sum->gst_incoherent += c->gst_incoherent;
	sum->serialize += c->serialize;
	sum->bytes += c->bytes;
	add_known(sum, &c->known);
}
