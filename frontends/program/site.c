/* The place in the program that asked for a launch: the first frame of the stack that belongs to another file than this
 * library, by the program's own debug information. Only a message asks, so time does not matter. */
#include <dlfcn.h>
#include <elfutils/libdwfl.h>
#include <execinfo.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "frontends/program/state.h"

/* Debug information that is not in the file itself stays unknown: nothing is looked for in other files or networks. */
static int no_debuginfo(Dwfl_Module *m, void **data, const char *name, Dwarf_Addr base, const char *file,
			const char *link, GElf_Word crc, char **found)
{
	(void)m, (void)data, (void)name, (void)base, (void)file, (void)link, (void)crc, (void)found;
	return -1;
}

/* "main (app.c:42)", as much as is known. */
static void describe(Dwfl *dwfl, Dwarf_Addr address, char *text, size_t size)
{
	Dwfl_Module *m = dwfl_addrmodule(dwfl, address);
	const char *function = m ? dwfl_module_addrname(m, address) : NULL, *file = NULL;
	Dwfl_Line *line = m ? dwfl_module_getsrc(m, address) : NULL;
	int number = 0;

	if (line)
		file = dwfl_lineinfo(line, NULL, &number, NULL, NULL, NULL);
	if (file && strrchr(file, '/'))
		file = strrchr(file, '/') + 1;
	if (file && function)
		snprintf(text, size, " in %.60s (%.120s:%d)", function, file, number);
	else if (function)
		snprintf(text, size, " in %.60s", function);
}

static void look(void *address, char *text, size_t size)
{
	static const Dwfl_Callbacks callbacks = {
		.find_elf = dwfl_linux_proc_find_elf, .find_debuginfo = no_debuginfo,
	};
	Dwfl *dwfl = dwfl_begin(&callbacks);

	if (dwfl && !dwfl_linux_proc_report(dwfl, getpid()) && !dwfl_report_end(dwfl, NULL, NULL))
		describe(dwfl, (Dwarf_Addr)(uintptr_t)address - 1, text, size);
	if (dwfl)
		dwfl_end(dwfl);
}

void program_site(char *text, size_t size)
{
	enum { FRAMES = 32 };
	void *frame[FRAMES];
	int n = backtrace(frame, FRAMES);
	Dl_info ours, other;

	*text = '\0';
	if (!dladdr((void *)(uintptr_t)program_site, &ours))
		return;
	for (int i = 0; i < n; i++)
		if (dladdr(frame[i], &other) && other.dli_fbase != ours.dli_fbase) {
			look(frame[i], text, size);
			return;
		}
}
