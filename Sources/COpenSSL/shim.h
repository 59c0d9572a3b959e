// The part of OpenSSL 3's libcrypto that Sources/Passwords uses, as Swift sees it.

#ifndef SUBTRACKIT_COPENSSL_SHIM_H
#define SUBTRACKIT_COPENSSL_SHIM_H

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/param_build.h>
#include <openssl/rand.h>

// Swift imports no macro that joins others.
static const int subtrackit_key_pair = EVP_PKEY_KEYPAIR;
static const int subtrackit_public_key = EVP_PKEY_PUBLIC_KEY;

// OpenSSL keeps the addresses of these names, and a Swift string has one for a single call only.
static inline const char *subtrackit_group_parameter(void) { return OSSL_PKEY_PARAM_GROUP_NAME; }
static inline const char *subtrackit_public_parameter(void) { return OSSL_PKEY_PARAM_PUB_KEY; }
static inline const char *subtrackit_private_parameter(void) { return OSSL_PKEY_PARAM_PRIV_KEY; }
static inline const char *subtrackit_p256(void) { return SN_X9_62_prime256v1; }

#endif
