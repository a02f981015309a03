// libcurl, whose options are set by functions with variable arguments; Swift cannot call those, so each kind of option has a name here.
#pragma once
#define CURL_DISABLE_TYPECHECK
// Debian's libcurl knows newer names of some options, Ubuntu 22.04's does not.
#define CURL_DISABLE_DEPRECATION
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

typedef size_t (*kampong_curl_writer)(char *bytes, size_t size, size_t count, void *context);
typedef curl_socket_t (*kampong_curl_opener)(void *context, curlsocktype purpose, struct curl_sockaddr *address);

static inline CURLcode kampong_curl_write(CURL *curl, kampong_curl_writer writer, void *context) {
  CURLcode code = curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, writer);
  return code != CURLE_OK ? code : curl_easy_setopt(curl, CURLOPT_WRITEDATA, context);
}
// Copies them.
static inline CURLcode kampong_curl_body(CURL *curl, const void *bytes, size_t count) {
  CURLcode code = curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
  return code != CURLE_OK ? code : curl_easy_setopt(curl, CURLOPT_COPYPOSTFIELDS, count ? bytes : "");
}
static inline CURLcode kampong_curl_open(CURL *curl, kampong_curl_opener opener, void *context) {
  CURLcode code = curl_easy_setopt(curl, CURLOPT_OPENSOCKETFUNCTION, opener);
  return code != CURLE_OK ? code : curl_easy_setopt(curl, CURLOPT_OPENSOCKETDATA, context);
}
// Which schemes an address may have, and those that it redirects to: https, and http where it is said.
static inline CURLcode kampong_curl_schemes(CURL *curl, int http_too) {
  long first = CURLPROTO_HTTPS | (http_too ? CURLPROTO_HTTP : 0);
  CURLcode code = curl_easy_setopt(curl, CURLOPT_PROTOCOLS, first);
  return code != CURLE_OK ? code : curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS, (long)CURLPROTO_HTTPS);
}
static inline CURLcode kampong_curl_type(CURL *curl, const char **type) {
  return curl_easy_getinfo(curl, CURLINFO_CONTENT_TYPE, type);
}
static inline CURLcode kampong_curl_retry_after(CURL *curl, curl_off_t *seconds) {
  return curl_easy_getinfo(curl, CURLINFO_RETRY_AFTER, seconds);
}
// The address itself is longer than the field that it begins in.
static inline const struct sockaddr *kampong_curl_address(const struct curl_sockaddr *address) { return &address->addr; }
