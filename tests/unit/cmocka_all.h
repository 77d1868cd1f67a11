/* cmocka and the headers it wants in front of it. */
#ifndef WB_TESTS_CMOCKA_ALL_H
#define WB_TESTS_CMOCKA_ALL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
