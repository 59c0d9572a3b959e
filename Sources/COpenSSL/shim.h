// The part of OpenSSL 3's libcrypto that Sources/Passwords uses, as Swift sees it.

#ifndef SUBTRACKIT_COPENSSL_SHIM_H
#define SUBTRACKIT_COPENSSL_SHIM_H

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#endif
