/* Whether the build has AddressSanitizer, by gcc's word or by clang's. */
#ifndef WB_CORE_BASE_SANITIZED_H
#define WB_CORE_BASE_SANITIZED_H

#ifdef __SANITIZE_ADDRESS__
#define ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ADDRESS_SANITIZER 1
#endif
#endif

#endif
