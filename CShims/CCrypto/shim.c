#include "CCrypto.h"

#include <openssl/evp.h>

int CCrypto_sha256(const void *bytes, size_t count, uint8_t digest[32]) {
    return EVP_Digest(bytes, count, digest, NULL, EVP_sha256(), NULL);
}
