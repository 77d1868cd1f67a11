/* Files of a host that has none (the module of a page): a program's files come with it (wb_config_files). */
#include "api/files.h"
#include "inspect/public_diag.h"

int input_open(const char *path, struct diag *d)
{
	diag_set(d, DIAG_ENV, "cannot open: this build has no files but those of the program");
	diag_in_file(d, path);
	return -1;
}

int wb_input_open(const char *path, struct wb_diag *wd)
{
	struct diag d = { 0 };

	input_open(path, &d);
	public_diag(wd, &d);
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

struct wb_output *wb_output_open(const char *path, struct wb_diag *wd)
{
	struct diag d = { 0 };

	diag_set(&d, DIAG_ENV, "cannot write: this build writes no files");
	diag_in_file(&d, path);
	public_diag(wd, &d);
	return NULL;
}

int wb_output_fd(const struct wb_output *o)
{
	(void)o;
	return -1;
}

enum wb_status wb_output_close(struct wb_output *o, bool whole, struct wb_diag *wd)
{
	(void)o, (void)whole, (void)wd;
	return WB_OK;
}

enum wb_status wb_output_all(const char *path, const void *bytes, size_t n, struct wb_diag *wd)
{
	struct diag d = { 0 };

	(void)bytes, (void)n;
	diag_set(&d, DIAG_ENV, "cannot write: this build writes no files");
	diag_in_file(&d, path);
	return public_diag(wd, &d);
}
