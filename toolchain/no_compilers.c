/* OpenCL C, CUDA C++, HIP C++ and PTX in a build that starts no programs (the module of a page): recognised, and
 * refused. */
#include "toolchain/explain.h"
#include "toolchain/language.h"

static bool refuse(struct build *b, const char *language)
{
	diag_set(b->diag, DIAG_INPUT, "this build compiles nothing; found %s, expected assembly text", language);
	return diag_in_file(b->diag, b->name);
}

bool opencl_make(struct build *b)
{
	refuse(b, "OpenCL C");
	languages_explain(b->bytes, b->size, true, b->diag);
	return false;
}

bool cuda_make(struct build *b) { return refuse(b, "CUDA C++"); }
bool hip_make(struct build *b) { return refuse(b, "HIP C++"); }
bool fat_make(struct build *b) { return refuse(b, "a fat binary"); }
bool bundle_make(struct build *b) { return refuse(b, "an offload bundle"); }
bool ptx_make(struct build *b) { return refuse(b, "PTX"); }
bool fat_sniff(const uint8_t *bytes, size_t size) { return sniff_none(bytes, size); }
bool bundle_sniff(const uint8_t *bytes, size_t size) { return sniff_none(bytes, size); }
bool ptx_sniff(const uint8_t *bytes, size_t size) { return sniff_none(bytes, size); }
