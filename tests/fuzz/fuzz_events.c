/* Records of events, whatever the bytes: each event has a text in both forms, or the record is said to be bad. */
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz_image.h"
#include "warpbeam.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	struct wb_events *r = wb_events_open(bytes, size);
	struct wb_event e;
	char text[512];
	bool bad = false;

	while (r && wb_events_next(r, &e, &bad)) {
		if (wb_event_text(&e, false, text, sizeof text) < strlen(text) ||
		    wb_event_text(&e, true, text, sizeof text) < strlen(text))
			abort();
		for (unsigned i = 0; wb_event_field(&e, i, text, sizeof text); i++)
			;
		uint32_t sum = 0;
		for (unsigned i = 0; e.kind == WB_EVENT_ISSUE && i < WB_STALLS; i++)
			sum += wb_events_detail(r, &e)->waits[i];
		if (e.kind == WB_EVENT_ISSUE && e.reason < WB_STALLS && sum != (uint32_t)e.waited)
			abort();
	}
	wb_events_close(r);
	return 0;
}
