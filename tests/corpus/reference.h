/* The machine's arithmetic once more, for expectations: written from the pages of facts for one value at a time, with
 * the host's doubles where they are exact. It shares no code with the emulator. Values are bit patterns. */
#ifndef WB_TESTS_CORPUS_REFERENCE_H
#define WB_TESTS_CORPUS_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>

enum rounding { NEAREST, ZERO };

uint32_t ref_bits(float f);
float ref_float(uint32_t v);

/* f32 (tesla-facts 4.1, 4.2, 4.3, 4.5). */
uint32_t ref_add(uint32_t a, uint32_t b, enum rounding mode);
uint32_t ref_mul(uint32_t a, uint32_t b, enum rounding mode);
uint32_t ref_mad(uint32_t a, uint32_t b, uint32_t c);
uint32_t ref_min(uint32_t a, uint32_t b);
uint32_t ref_max(uint32_t a, uint32_t b);
uint32_t ref_copy(uint32_t a);         /* cvt f32 f32 that rounds nothing */
uint32_t ref_saturate(uint32_t a);     /* cvt sat f32 f32 */
uint32_t ref_floor(uint32_t a);        /* cvt rmi f32 f32 */
uint32_t ref_from_int(int32_t v);      /* cvt rz f32 s32 */
uint32_t ref_to_int(uint32_t a);       /* cvt rzi s32 f32 */

/* 24-bit products (facts 4.7): bits 31:0 or 47:16. */
uint32_t ref_mul24(uint32_t a, uint32_t b, bool is_signed, bool high);

/* The special functions (facts 4.8), with the ROM read from the evidence; ref_sfu_load returns false without it. */
bool ref_sfu_load(const char *path);
uint32_t ref_rcp(uint32_t a);
uint32_t ref_rsqrt(uint32_t a);
uint32_t ref_lg2(uint32_t a);
uint32_t ref_ex2(uint32_t a);          /* preex2, then ex2 */
uint32_t ref_sin(uint32_t a);          /* presin, then sin */
uint32_t ref_cos(uint32_t a);

#endif
