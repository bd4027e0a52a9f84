// SHA-256 of libcrypto. Its headers import as a whole only at the cost of some hundred thousand lines in every Swift
// file that touches them; one function is all that is needed.
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The SHA-256 of `count` bytes, into `digest`. Returns 0 where libcrypto failed.
int CCrypto_sha256(const void *bytes, size_t count, uint8_t digest[32]);

#ifdef __cplusplus
}
#endif
