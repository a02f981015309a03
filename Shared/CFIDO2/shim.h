// libfido2, and libcbor, on which it stands: what browsers send is one step further wrapped than what libfido2 1.12 reads.
#pragma once
#include <cbor.h>
#include <fido.h>
#include <fido/eddsa.h>
#include <fido/es256.h>
#include <fido/rs256.h>

// Whether it is a point of the curve, a key of its kind: libfido2 finds out only when it is used.
static inline int kampong_is_key(EVP_PKEY *key) {
  EVP_PKEY_free(key);
  return key != NULL;
}
