/* CLRX: the language of a text. */
#include <string.h>
#include <strings.h>

#include "core/isa/gcn/clrx_asm.h"

/* Words that no text of the house's own assembler, of LLVM's or of another machine begins a line with. */
bool clrx_sniff(const char *text, size_t n)
{
	static const char *const words[] = {
		"amdcl2", "amd", "gallium", "rocm", "amd3", "rawcode", "gpu", "arch", "format", "config", "hsaconfig",
		"64bit", "32bit",
	};
	const char *end = text + n;

	for (const char *line = text; line < end; line++) {
		while (line < end && (*line == ' ' || *line == '\t'))
			line++;
		for (size_t i = 0; line < end && *line == '.' && i < sizeof words / sizeof *words; i++) {
			size_t length = strlen(words[i]);
			if ((size_t)(end - line) > length && !strncasecmp(line + 1, words[i], length) &&
			    ((size_t)(end - line) == length + 1 || strchr(" \t\r\n;#/", line[1 + length])))
				return true;
		}
		const char *stop = memchr(line, '\n', (size_t)(end - line));
		line = stop ? stop : end;
	}
	return false;
}
