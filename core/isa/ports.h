/* Registers appended to struct ports (core/latency.h), by a machine's ports.c. A full array takes no more. */
#ifndef WB_CORE_ISA_PORTS_H
#define WB_CORE_ISA_PORTS_H

#include "core/latency.h"

static inline void ports_read(struct ports *p, unsigned port)
{
	if (p->nread < PORTS_READ)
		p->read[p->nread++] = (uint16_t)port;
}

static inline void ports_write(struct ports *p, unsigned port)
{
	if (p->nwrite < PORTS_WRITE)
		p->write[p->nwrite++] = (uint16_t)port;
}

#endif
