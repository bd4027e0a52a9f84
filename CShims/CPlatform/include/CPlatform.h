// What Glibc's Swift overlay doesn't show: calls behind _GNU_SOURCE, CMSG_* macros and variadic functions.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/// memfd_create with MFD_CLOEXEC | MFD_ALLOW_SEALING, hidden behind _GNU_SOURCE. Returns a descriptor or -1.
int CPlatform_memfd_create(const char *name);
/// Forbids any later write, growth, shrinking or seal (F_ADD_SEALS is variadic fcntl with GNU constants).
int CPlatform_memfd_seal(int fd);
/// The F_SEAL_* bits of a memfd, or -1. `all` receives the bits that CPlatform_memfd_seal sets.
int CPlatform_memfd_seals(int fd, int *all);

/// eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), which the overlay lacks.
int CPlatform_eventfd(void);

/// The process, user and group at the other end of a Unix socket (SO_PEERCRED; struct ucred is GNU only).
int CPlatform_peer_credentials(int fd, pid_t *pid, uid_t *uid, gid_t *gid);

/// accept4 with SOCK_CLOEXEC | SOCK_NONBLOCK.
int CPlatform_accept(int fd);
/// sendmsg of one buffer with up to 16 descriptors (CMSG_* are macros). MSG_NOSIGNAL | MSG_DONTWAIT.
ssize_t CPlatform_send(int fd, const void *bytes, size_t count, const int *descriptors, size_t descriptor_count);
/// recvmsg into one buffer, MSG_CMSG_CLOEXEC | MSG_DONTWAIT; takes up to `capacity` (at most 16) descriptors and
/// closes none. `truncated` is set when the kernel had to drop descriptors.
ssize_t CPlatform_receive(int fd, void *bytes, size_t count, int *descriptors, size_t capacity, size_t *received,
                          int *truncated);

/// signalfd for the given signals, which are blocked in the calling thread first (sigset macros, GNU call).
int CPlatform_signalfd(const int *signals, size_t count);
/// prctl(PR_SET_DUMPABLE, 0): prctl is variadic.
int CPlatform_forbid_core_dumps(void);
/// pthread_setname_np for the calling thread (GNU only).
void CPlatform_name_thread(const char *name);

/// sd_journal_sendv of `count` "FIELD=value" strings; sd_journal_send is variadic and struct iovec needs a copy.
int CPlatform_journal(const char *const *fields, const size_t *lengths, size_t count);
/// sd_notify(0, state).
int CPlatform_notify(const char *state);
/// sd_watchdog_enabled: 1 with the interval in microseconds, 0 where there is none.
int CPlatform_watchdog(uint64_t *microseconds);
/// sd_listen_fds: the number of sockets handed over, the first of which is descriptor 3.
int CPlatform_listen_descriptors(void);

#ifdef __cplusplus
}
#endif
