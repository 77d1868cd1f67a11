/* Programs so hot that native code comes into a launch that runs (`auto`), from the compiler, or for the next launch
 * from the cache. */
#ifndef WB_TESTS_KIT_HOT_H
#define WB_TESTS_KIT_HOT_H

#include "tests/kit/launches.h"

/* The outcome of threaded code, and with `auto`, on one thread and then on two. The program is freed. */
static inline void same_while_hot(struct wb_program *p, const char *arg)
{
	static const char *const when[] = { "off", "auto", "auto" };
	char *text[3];

	for (unsigned i = 0; i < 3; i++) {
		struct wb_launch *l = launch(p, (struct setting[]){ { "timing", "off" }, { "native", when[i] },
								    { "threads", i < 2 ? "1" : "2" },
								    { NULL, NULL } });
		struct wb_diag d = { 0 };
		enum wb_status status;
		assert_int_equal(wb_launch_arg(l, arg, &d), WB_OK);
		status = wb_launch_run(l, &d);
		text[i] = outcome(l, status, &d);
		wb_launch_free(l);
	}
	for (unsigned i = 1; i < 3; i++) {
		assert_string_equal(text[0], text[i]);
		free(text[i]);
	}
	free(text[0]);
	wb_program_free(p);
}

#endif
