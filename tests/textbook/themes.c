/* All tables of textbook kernels. */
#include "tests/textbook/textbook.h"
#include "tests/textbook/themes.h"

const struct textbook *const themes[] = {
	shared_kernels, sorting_kernels, lock_kernels, graph_kernels, number_kernels, numeric_kernels, string_kernels,
	control_kernels, NULL,
};
