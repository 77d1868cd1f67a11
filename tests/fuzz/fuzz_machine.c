/* A file as --machine takes it, and a line of --timing-set, whatever the bytes: a configuration or a diagnostic. The
 * first byte decides which. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/fuzz/fuzz_image.h"
#include "warpbeam.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static const char program[] = ".kernel k\n.chip g200\n.block 32\nexit nop\n";
	struct wb_config *c = wb_config_new();
	struct wb_program *p = NULL;
	struct wb_launch *l;
	struct wb_diag d = { 0 };
	char name[64], line[256];
	int fd = memfd_create("machine", 0);

	if (!size || fd < 0 || write(fd, bytes + 1, size - 1) != (ssize_t)size - 1)
		goto done;
	snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
	snprintf(line, sizeof line, "%.*s", (int)(size - 1), (const char *)bytes + 1);
	wb_config_set(c, "format", "asm", NULL);
	wb_config_set(c, "max-cycles", "10000", NULL);
	if (wb_program_load(program, sizeof program - 1, "machine", c, &p, &d) != WB_OK)
		abort();
	if ((*bytes & 1 ? wb_config_set(c, "timing-set", line, &d) : wb_config_set(c, "machine", name, &d)) != WB_OK ||
	    wb_launch_new(p, NULL, c, &l, &d) != WB_OK) {
		if (!*d.text)
			abort();
		goto done;
	}
	wb_launch_run(l, &d);
	wb_launch_free(l);
done:
	wb_program_free(p);
	wb_config_free(c);
	if (fd >= 0)
		close(fd);
	return 0;
}
