/* OpenCL C, CUDA C++, HIP C++ and PTX in a build that starts no programs (the module of a page): recognised, and
 * refused. */
#include "toolchain/cpp/cpp.h"
#include "toolchain/bundle.h"
#include "toolchain/explain.h"
#include "toolchain/fat.h"
#include "toolchain/opencl/make.h"
#include "toolchain/ptx.h"

static bool refuse(struct build *b, const char *language)
{
	return diag_set(b->diag, DIAG_INPUT, "this build compiles nothing; found %s, expected assembly text", language);
}

bool opencl_make(struct build *b)
{
	refuse(b, "OpenCL C");
	languages_explain(b->bytes, b->size, true, b->diag);
	return diag_in_file(b->diag, b->name);
}

bool cuda_make(struct build *b)
{
	refuse(b, "CUDA C++");
	return diag_in_file(b->diag, b->name);
}

bool hip_make(struct build *b)
{
	refuse(b, "HIP C++");
	return diag_in_file(b->diag, b->name);
}

bool fat_sniff(const uint8_t *bytes, size_t size)
{
	(void)bytes, (void)size;
	return false;
}

bool fat_make(struct build *b)
{
	refuse(b, "a fat binary");
	return diag_in_file(b->diag, b->name);
}

bool bundle_sniff(const uint8_t *bytes, size_t size)
{
	(void)bytes, (void)size;
	return false;
}

bool bundle_make(struct build *b)
{
	refuse(b, "an offload bundle");
	return diag_in_file(b->diag, b->name);
}

bool ptx_sniff(const uint8_t *bytes, size_t size)
{
	(void)bytes, (void)size;
	return false;
}

bool ptx_make(struct build *b)
{
	refuse(b, "PTX");
	return diag_in_file(b->diag, b->name);
}
