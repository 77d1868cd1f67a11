/* The table of formats. */
#include "frontends/trace/export.h"

const struct export_format *const export_formats[] = {
	&export_perfetto, &export_kanata, &export_vcd, &export_folded, &export_jsonl, &export_csv, NULL,
};
