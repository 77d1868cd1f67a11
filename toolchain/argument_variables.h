/* Arguments of a kernel as variables of the source, where no debug information says of others. */
#ifndef WB_TOOLCHAIN_ARGUMENT_VARIABLES_H
#define WB_TOOLCHAIN_ARGUMENT_VARIABLES_H

#include <stdbool.h>

struct image;

/* Give each kernel of an image without variables its parameters as variables, by their names and types. False: the host
 * has no memory. */
bool argument_variables(struct image *im);

#endif
