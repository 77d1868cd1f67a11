/* Pages have no assembler of CLRX's files: their module has a bounded size (docs/explanation/page.md). */
#include "core/base/diag.h"
#include "core/isa/gcn/clrx_asm.h"

bool clrx_assemble(const struct isa_source *source, struct image *im, struct diag *d)
{
	(void)source, (void)im;
	return diag_set(d, DIAG_INPUT, "a page does not assemble CLRX's files; make the page of the program as a text "
			"of Warpbeam's own: warpbeam dis --source FILE >FILE.gcn");
}
