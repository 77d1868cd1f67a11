/* The header that programs include for this is the groups' own. */
#include "cooperative_groups.h"
