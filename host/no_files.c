/* Files of a host that has none (the module of a page): a program's files come with the program (wb_config_files). */
#include "host/files.h"
#include "host/output.h"

int input_open(const char *path, struct diag *d)
{
	diag_set(d, DIAG_ENV, "cannot open: this build has no files but those of the program");
	diag_in_file(d, path);
	return -1;
}

bool host_read(struct arena *a, const char *path, uint64_t most, uint8_t **bytes, size_t *size, struct diag *d)
{
	(void)a, (void)most, (void)bytes, (void)size;
	return input_open(path, d) >= 0;
}

size_t host_head(const char *path, uint8_t *head, size_t n)
{
	(void)path, (void)head, (void)n;
	return 0;
}

/* Memory of a module: what a page may grow to, twice (frontends/web/module.sh), as a launch may take half. */
uint64_t host_free_bytes(void)
{
	return 1 << 30;
}

uint64_t host_idle_bytes(void)
{
	return host_free_bytes();
}

bool host_is_below(const char *program, const char *path, struct diag *d)
{
	(void)program;
	return input_open(path, d) >= 0;
}

bool output_open(struct output *o, const char *path, struct diag *d)
{
	*o = (struct output){ .fd = -1 };
	diag_set(d, DIAG_ENV, "cannot write: this build writes no files");
	return diag_in_file(d, path);
}

bool output_check(const char *path, struct diag *d)
{
	(void)path, (void)d;
	return true;
}

bool output_close(struct output *o, bool whole, struct diag *d)
{
	(void)o, (void)whole, (void)d;
	return true;
}

bool output_all(const char *path, const void *bytes, size_t n, struct diag *d)
{
	struct output o;

	(void)bytes, (void)n;
	return output_open(&o, path, d);
}
