/* OpenCL C and PTX in a build that starts no programs (the module of a page): recognised, and refused. */
#include <string.h>

#include "device/config.h"
#include "api/opencl.h"
#include "api/ptx.h"

static bool refuse(struct diag *d, const char *language)
{
	return diag_set(d, DIAG_INPUT, "this build compiles nothing; found %s, expected assembly text", language);
}

bool opencl_is(const struct wb_config *c, const char *name)
{
	const char *format = config_text(c, OPT_FORMAT), *dot = strrchr(name, '.');

	return !strcmp(format, "opencl") || (!strcmp(format, "auto") && dot && !strcmp(dot, ".cl"));
}

bool opencl_compile(const struct wb_config *c, struct files *f, struct arena *a, const char *name, const void *source,
		    size_t n, uint8_t **object, size_t *size, struct opencl_warnings *w, struct diag *d)
{
	(void)c, (void)f, (void)a, (void)source, (void)n, (void)object, (void)size, (void)w;
	refuse(d, "OpenCL C");
	return diag_in_file(d, name);
}

bool ptx_is(const struct wb_config *c, const void *bytes, size_t n)
{
	(void)bytes, (void)n;
	return !strcmp(config_text(c, OPT_FORMAT), "ptx");
}

bool ptx_image(struct wb_program *p, const struct wb_config *c, const char *name, const void *bytes, size_t n,
	       const char *source, struct load_options *o, struct diag *d)
{
	(void)p, (void)c, (void)name, (void)bytes, (void)n, (void)source, (void)o;
	return refuse(d, "PTX");
}

int ptx_source_line(const void *bytes, size_t n, int ptx_line)
{
	(void)bytes, (void)n;
	return ptx_line;
}

bool ptx_load(struct wb_program *p, const struct wb_config *c, const char *name, const void *bytes, size_t n,
	      struct load_options *o, struct diag *d)
{
	return ptx_image(p, c, name, bytes, n, NULL, o, d);
}

bool ptx_find_source(struct wb_program *p, const struct wb_config *c, struct diag *d)
{
	(void)p, (void)c, (void)d;
	return true;
}
