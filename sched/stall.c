#include "sched/stall.h"

struct stall_info stall_info(enum stall r)
{
	static const struct stall_info row[STALLS] = {
#define STALL(id, name, letter, by, dark, light, text) { name, letter, text, dark, light },
#include "sched/stall.def"
	};

	return row[r];
}
