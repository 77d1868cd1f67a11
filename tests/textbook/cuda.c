/* nvcc, run as a program. */
#include "tests/textbook/cuda.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char nvcc[512];

bool cuda_found(void)
{
	const char *const usual[] = { getenv("NVCC"), "nvcc", "/usr/local/cuda/bin/nvcc" };
	char command[640];

	for (unsigned i = 0; i < sizeof usual / sizeof *usual; i++) {
		if (!usual[i])
			continue;
		snprintf(nvcc, sizeof nvcc, "%s", usual[i]);
		snprintf(command, sizeof command, "command -v '%s' >/dev/null 2>&1", nvcc);
		if (system(command) == 0)
			return true;
	}
	return false;
}

/* The first line of a file that tells of an error. */
static void read_error(const char *path, char *text, size_t size)
{
	FILE *f = fopen(path, "r");

	snprintf(text, size, "nvcc failed");
	while (f && fgets(text, (int)size, f))
		if (strstr(text, "error"))
			break;
	text[strcspn(text, "\n")] = 0;
	if (f)
		fclose(f);
}

bool cuda_compile(const char *source, const char *architecture, const char *option, char *ptx, size_t size, char *text,
		  size_t text_size)
{
	const char *folder = getenv("WB_TEXTBOOK_PTX"), *name = strrchr(source, '/');
	const char *flags = !strcmp(option, "lineinfo") ? "-lineinfo" : !strcmp(option, "G") ? "-G" : "";
	char command[3072], errors[1200], made[1100];

	if (folder)
		snprintf(ptx, size, "%s%s.%s.%s.ptx", folder, name ? name : source, architecture, option);
	else
		snprintf(ptx, size, "/tmp/wb-textbook-%ld.ptx", (long)getpid());
	if (folder && access(ptx, R_OK) == 0)
		return true;
	snprintf(made, sizeof made, "%s.%ld", ptx, (long)getpid());
	snprintf(errors, sizeof errors, "%s.err", made);
	snprintf(command, sizeof command, "'%s' -ptx -arch=%s %s%s %s -o '%s' '%s' >'%s' 2>&1", nvcc, architecture,
		 *flags ? "" : "-O", *flags ? "" : option, flags, made, source, errors);
	bool ok = system(command) == 0 && rename(made, ptx) == 0;
	if (!ok)
		read_error(errors, text, text_size);
	unlink(errors);
	return ok;
}

void cuda_done(const char *ptx)
{
	if (!getenv("WB_TEXTBOOK_PTX"))
		unlink(ptx);
}
