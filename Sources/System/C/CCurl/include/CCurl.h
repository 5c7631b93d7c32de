#pragma once

// libcurl with types: Swift imports no variadic function, so each kind of option has a call of its own here.
// Beside it the few calls of epoll and eventfd that drive libcurl's multi interface.

#include <curl/curl.h>
#include <stdint.h>

CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value);
CURLcode ccurl_set_text(CURL *easy, CURLoption option, const char *text);
CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, const void *pointer);
CURLcode ccurl_set_list(CURL *easy, CURLoption option, struct curl_slist *list);
/// Copies a body to send; NULL takes the last one back.
CURLcode ccurl_set_body(CURL *easy, const void *bytes, size_t count);
CURLcode ccurl_set_write(CURL *easy, CURLoption option, curl_write_callback callback);
CURLcode ccurl_set_prereq(CURL *easy, curl_prereq_callback callback);
CURLcode ccurl_set_open_socket(CURL *easy, curl_opensocket_callback callback);
CURLcode ccurl_set_close_socket(CURL *easy, curl_closesocket_callback callback);

/// The file of authorities that libcurl was built to trust, or NULL.
const char *ccurl_default_authorities(void);

// Return 0 or NULL where libcurl does not know.
long ccurl_get_long(CURL *easy, CURLINFO info);
void *ccurl_get_private(CURL *easy);

CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value);
CURLMcode ccurl_multi_set_callbacks(
    CURLM *multi, curl_socket_callback socket, curl_multi_timer_callback timer, void *context);

/// A finished transfer, or NULL when there is none left; its result in `code`.
CURL *ccurl_multi_finished(CURLM *multi, CURLcode *code);

/// Writes the bare address (4 or 16 bytes) and returns its length; 0 for what is not an Internet address.
int ccurl_address(const struct curl_sockaddr *address, uint8_t bytes[16]);
/// The address in a text as libcurl reports it, likewise; 0 when it is none.
int ccurl_parse_address(const char *text, uint8_t bytes[16]);
curl_socket_t ccurl_open_socket(const struct curl_sockaddr *address);

/// A new epoll descriptor; below 0 on failure.
int ccurl_poll_open(void);
/// Watches `descriptor` for `interest` (CURL_POLL_IN, CURL_POLL_OUT, both, or 0 to forget it); 0 on success.
int ccurl_poll_set(int poll, int descriptor, int interest);
/// Waits up to `milliseconds` (below 0: for ever); fills descriptors and CURL_CSELECT_ masks, returns how many.
int ccurl_poll_wait(int poll, int *descriptors, int *masks, int capacity, int milliseconds);

/// A new eventfd; below 0 on failure.
int ccurl_bell_open(void);
void ccurl_bell_ring(int bell);
void ccurl_bell_clear(int bell);
