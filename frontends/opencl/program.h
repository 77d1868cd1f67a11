/* What building, compiling and linking share. */
#ifndef WB_FRONTENDS_OPENCL_PROGRAM_H
#define WB_FRONTENDS_OPENCL_PROGRAM_H

#include <limits.h>

#include "frontends/opencl/opencl.h"

typedef void CL_CALLBACK built_call(cl_program, void *);

extern const char source_name[];

/* The line between units of a source that are compiled by themselves and linked. */
#define UNIT_LINE "\n#pragma warpbeam unit\n"

/* A program for the chosen places; chosen NULL: for all. NULL: no memory. */
cl_program program_new(cl_context c, const bool *chosen);
/* The places of a list of devices; list NULL: of the program. */
cl_int program_devices(cl_program p, cl_uint n, const cl_device_id *list, bool places[DEVICES_MOST]);
/* Build n bytes of text or binary for a place whose build is empty. */
cl_int program_load(cl_program p, cl_uint place, const char *options, const char *text, size_t n, const char *name);
/* Have the program called back; notify NULL: not. */
void program_notify(cl_program p, built_call *notify, void *user_data);

/* The path of a header by the folders of -I, the working folder first. False: no folder has the header. */
bool options_find(const char *options, const char *name, char path[PATH_MAX]);

/* ---- link.c: compiled programs as files, which have their source ---- */

bool object_file_is(const void *bytes, size_t n);
cl_program_binary_type object_file_type(const void *bytes, size_t n);

#endif
