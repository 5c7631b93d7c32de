#define _GNU_SOURCE
#include "CCurl.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) { return curl_easy_setopt(easy, option, value); }

CURLcode ccurl_set_text(CURL *easy, CURLoption option, const char *text) {
  return curl_easy_setopt(easy, option, text);
}

CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, const void *pointer) {
  return curl_easy_setopt(easy, option, pointer);
}

CURLcode ccurl_set_list(CURL *easy, CURLoption option, struct curl_slist *list) {
  return curl_easy_setopt(easy, option, list);
}

CURLcode ccurl_set_body(CURL *easy, const void *bytes, size_t count) {
  // With a size set libcurl copies that many bytes, else up to the first 0.
  CURLcode code = curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count);
  return code == CURLE_OK ? curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, bytes) : code;
}

CURLcode ccurl_set_write(CURL *easy, CURLoption option, curl_write_callback callback) {
  return curl_easy_setopt(easy, option, callback);
}

CURLcode ccurl_set_prereq(CURL *easy, curl_prereq_callback callback) {
  return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, callback);
}

CURLcode ccurl_set_open_socket(CURL *easy, curl_opensocket_callback callback) {
  return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, callback);
}

CURLcode ccurl_set_close_socket(CURL *easy, curl_closesocket_callback callback) {
  return curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, callback);
}

const char *ccurl_default_authorities(void) { return curl_version_info(CURLVERSION_NOW)->cainfo; }

long ccurl_get_long(CURL *easy, CURLINFO info) {
  long value = 0;
  return curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}

void *ccurl_get_private(CURL *easy) {
  char *value = NULL;
  return curl_easy_getinfo(easy, CURLINFO_PRIVATE, &value) == CURLE_OK ? value : NULL;
}

CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

CURLMcode ccurl_multi_set_callbacks(
    CURLM *multi, curl_socket_callback socket, curl_multi_timer_callback timer, void *context) {
  CURLMcode code = curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, socket);
  if (code == CURLM_OK) code = curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
  if (code == CURLM_OK) code = curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, timer);
  if (code == CURLM_OK) code = curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context);
  return code;
}

CURL *ccurl_multi_finished(CURLM *multi, CURLcode *code) {
  int left = 0;
  CURLMsg *message;
  while ((message = curl_multi_info_read(multi, &left)) != NULL) {
    if (message->msg != CURLMSG_DONE) continue;
    *code = message->data.result;
    return message->easy_handle;
  }
  return NULL;
}

int ccurl_address(const struct curl_sockaddr *address, uint8_t bytes[16]) {
  if (address->family == AF_INET) {
    memcpy(bytes, &((const struct sockaddr_in *)&address->addr)->sin_addr, 4);
    return 4;
  }
  if (address->family == AF_INET6) {
    memcpy(bytes, &((const struct sockaddr_in6 *)&address->addr)->sin6_addr, 16);
    return 16;
  }
  return 0;
}

int ccurl_parse_address(const char *text, uint8_t bytes[16]) {
  if (text == NULL) return 0;
  if (inet_pton(AF_INET, text, bytes) == 1) return 4;
  if (inet_pton(AF_INET6, text, bytes) == 1) return 16;
  return 0;
}

curl_socket_t ccurl_open_socket(const struct curl_sockaddr *address) {
  return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

int ccurl_poll_open(void) { return epoll_create1(EPOLL_CLOEXEC); }

int ccurl_poll_set(int poll, int descriptor, int interest) {
  struct epoll_event event = {.data.fd = descriptor};
  if (interest & CURL_POLL_IN) event.events |= EPOLLIN;
  if (interest & CURL_POLL_OUT) event.events |= EPOLLOUT;
  if (interest == 0) return epoll_ctl(poll, EPOLL_CTL_DEL, descriptor, &event);
  if (epoll_ctl(poll, EPOLL_CTL_MOD, descriptor, &event) == 0) return 0;
  return errno == ENOENT ? epoll_ctl(poll, EPOLL_CTL_ADD, descriptor, &event) : -1;
}

int ccurl_poll_wait(int poll, int *descriptors, int *masks, int capacity, int milliseconds) {
  struct epoll_event events[256];
  int count = epoll_wait(poll, events, capacity < 256 ? capacity : 256, milliseconds);
  for (int index = 0; index < count; index++) {
    int mask = 0;
    if (events[index].events & (EPOLLIN | EPOLLHUP | EPOLLRDHUP)) mask |= CURL_CSELECT_IN;
    if (events[index].events & EPOLLOUT) mask |= CURL_CSELECT_OUT;
    if (events[index].events & EPOLLERR) mask |= CURL_CSELECT_ERR;
    descriptors[index] = events[index].data.fd;
    masks[index] = mask;
  }
  return count < 0 ? 0 : count;
}

int ccurl_bell_open(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

void ccurl_bell_ring(int bell) {
  const uint64_t one = 1;
  ssize_t ignored = write(bell, &one, sizeof one);
  (void)ignored;
}

void ccurl_bell_clear(int bell) {
  uint64_t count;
  ssize_t ignored = read(bell, &count, sizeof count);
  (void)ignored;
}
