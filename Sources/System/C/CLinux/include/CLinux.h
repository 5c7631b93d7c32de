#pragma once

// What Glibc's Swift module leaves out. No _GNU_SOURCE here: it would turn socket addresses into a union that Swift can
// not pass. What needs it stands in CLinux.c.

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>

/// accept4(2) with SOCK_NONBLOCK and SOCK_CLOEXEC; -1 and errno on failure.
int clinux_accept(int listener, struct sockaddr *address, socklen_t *length);

/// A stream socket with SOCK_NONBLOCK and SOCK_CLOEXEC; -1 and errno on failure.
int clinux_stream_socket(int family);

/// Names the calling thread (15 bytes) and blocks SIGPIPE in it, so that a write to a closed peer is an error and not a
/// death.
void clinux_begin_thread(const char *name);

/// Lets close(2) drop unsent bytes and reset the connection.
void clinux_reset_on_close(int descriptor);
