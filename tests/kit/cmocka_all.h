/* cmocka and the headers that must precede it. */
#ifndef WB_TESTS_UNIT_CMOCKA_ALL_H
#define WB_TESTS_UNIT_CMOCKA_ALL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#endif
