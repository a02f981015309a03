#pragma once
#include <zmq.h>
// In the library since 4.3.0, in the header of draft builds only.
#ifndef ZMQ_ZAP_ENFORCE_DOMAIN
#define ZMQ_ZAP_ENFORCE_DOMAIN 93
#endif
