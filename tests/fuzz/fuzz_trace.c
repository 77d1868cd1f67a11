/* Trace files, whole and damaged: run again, compared with themselves, turned into each form of export. The first byte
 * decides which; a file may be packed or not. */
#include "tests/fuzz/fuzz_cli.h"
#include "tests/fuzz/fuzz_image.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	static const char *const formats[] = { "perfetto", "kanata", "vcd", "folded", "jsonl", "csv" };
	enum { FORMATS = sizeof formats / sizeof *formats };
	const char *export[] = { "export", "--format", NULL, "-q", "-o", "/dev/null", INPUT_FILE, NULL };
	static const char *const diff[] = { "diff", INPUT_FILE, INPUT_FILE, NULL };
	static const char *const run[] = { "run", "-q", "--max-cycles", "5000", "--max-insns", "5000", "--max-memory",
					   "256M", "--timing", "on", "--threads", "1", INPUT_FILE, NULL };
	const char *file;

	if (!size)
		return 0;
	file = fuzz_file(bytes + 1, size - 1);
	if (*bytes % 8 < FORMATS) {
		export[2] = formats[*bytes % 8];
		fuzz_verb(export, file);
	} else {
		fuzz_verb(*bytes % 8 == FORMATS ? diff : run, file);
	}
	return 0;
}
