// libcurl, whose options are set by functions with variable arguments; Swift cannot call those, so each kind of option has a name here.
#pragma once
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

typedef size_t (*kampong_curl_reader)(char *buffer, size_t size, size_t count, void *context);

static inline CURLcode kampong_curl_number(CURL *curl, CURLoption option, long value) {
  return curl_easy_setopt(curl, option, value);
}
static inline CURLcode kampong_curl_text(CURL *curl, CURLoption option, const char *value) {
  return curl_easy_setopt(curl, option, value);
}
static inline CURLcode kampong_curl_pointer(CURL *curl, CURLoption option, void *value) {
  return curl_easy_setopt(curl, option, value);
}
static inline CURLcode kampong_curl_read(CURL *curl, kampong_curl_reader reader, void *context) {
  CURLcode code = curl_easy_setopt(curl, CURLOPT_READFUNCTION, reader);
  return code != CURLE_OK ? code : curl_easy_setopt(curl, CURLOPT_READDATA, context);
}
static inline CURLcode kampong_curl_answer(CURL *curl, long *status) {
  return curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, status);
}
// The macros of these are not constants that Swift can read.
static inline CURLcode kampong_curl_start(void) { return curl_global_init(CURL_GLOBAL_ALL); }
static const size_t kampong_curl_abort = CURL_READFUNC_ABORT;
