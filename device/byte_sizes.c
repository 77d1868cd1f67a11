/* Sizes in options: 4096, 0x1000, 4K, 1MB. */
#include <errno.h>
#include <stdlib.h>
#include <strings.h>

#include "warpbeam.h"

bool wb_size(const char *text, uint64_t *bytes)
{
	static const struct { const char *name; unsigned shift; } units[] = {
		{ "", 0 }, { "B", 0 }, { "K", 10 }, { "KB", 10 }, { "KiB", 10 }, { "M", 20 }, { "MB", 20 },
		{ "MiB", 20 }, { "G", 30 }, { "GB", 30 }, { "GiB", 30 },
	};
	char *end;

	errno = 0;
	unsigned long long v = strtoull(text, &end, 0);
	if (*text < '0' || *text > '9' || errno)
		return false;
	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		if (strcasecmp(end, units[i].name) || v > UINT64_MAX >> units[i].shift)
			continue;
		*bytes = (uint64_t)v << units[i].shift;
		return true;
	}
	return false;
}
