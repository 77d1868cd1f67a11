/* CLRX: the language of a text. */
#include "core/base/text.h"
#include "core/isa/gcn/clrx_asm.h"

/* Words that no text of the house's own assembler, of LLVM's or of another machine begins a line with. */
bool clrx_sniff(const char *text, size_t n)
{
	static const char *const words[] = {
		"amdcl2", "amd", "gallium", "rocm", "amd3", "rawcode", "gpu", "arch", "format", "config", "hsaconfig",
		"64bit", "32bit", NULL
	};

	return text_has_directive(text, n, words, " \t\r\n;#/");
}
