#define _GNU_SOURCE
#include "CPlatform.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-journal.h>

#define ALL_SEALS (F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL)
#define MAX_DESCRIPTORS 16
#define MAX_FIELDS 32

int CPlatform_memfd_create(const char *name) { return memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING); }

int CPlatform_memfd_seal(int fd) { return fcntl(fd, F_ADD_SEALS, ALL_SEALS); }

int CPlatform_memfd_seals(int fd, int *all) {
    *all = ALL_SEALS;
    return fcntl(fd, F_GET_SEALS);
}

int CPlatform_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int CPlatform_peer_credentials(int fd, pid_t *pid, uid_t *uid, gid_t *gid) {
    struct ucred peer;
    socklen_t size = sizeof peer;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return -1;
    *pid = peer.pid;
    *uid = peer.uid;
    *gid = peer.gid;
    return 0;
}

int CPlatform_accept(int fd) { return accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK); }

ssize_t CPlatform_send(int fd, const void *bytes, size_t count, const int *descriptors, size_t descriptor_count) {
    if (descriptor_count > MAX_DESCRIPTORS) {
        errno = EINVAL;
        return -1;
    }
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
    union {
        struct cmsghdr align;
        char space[CMSG_SPACE(sizeof(int) * MAX_DESCRIPTORS)];
    } control;
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (descriptor_count > 0) {
        memset(&control, 0, sizeof control);
        message.msg_control = control.space;
        message.msg_controllen = CMSG_SPACE(sizeof(int) * descriptor_count);
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int) * descriptor_count);
        memcpy(CMSG_DATA(header), descriptors, sizeof(int) * descriptor_count);
    }
    return sendmsg(fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

ssize_t CPlatform_receive(int fd, void *bytes, size_t count, int *descriptors, size_t capacity, size_t *received,
                          int *truncated) {
    struct iovec part = {.iov_base = bytes, .iov_len = count};
    union {
        struct cmsghdr align;
        char space[CMSG_SPACE(sizeof(int) * MAX_DESCRIPTORS)];
    } control;
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (capacity > MAX_DESCRIPTORS) capacity = MAX_DESCRIPTORS;
    if (capacity > 0) {
        message.msg_control = control.space;
        message.msg_controllen = CMSG_SPACE(sizeof(int) * capacity);
    }
    *received = 0;
    ssize_t result = recvmsg(fd, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    *truncated = result >= 0 && (message.msg_flags & MSG_CTRUNC) != 0;
    if (result < 0) return result;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        size_t held = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        memcpy(descriptors + *received, CMSG_DATA(header), held * sizeof(int));
        *received += held;
    }
    return result;
}

int CPlatform_signalfd(const int *signals, size_t count) {
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < count; i++) sigaddset(&set, signals[i]);
    int error = pthread_sigmask(SIG_BLOCK, &set, NULL);
    if (error != 0) {
        errno = error;
        return -1;
    }
    return signalfd(-1, &set, SFD_CLOEXEC);
}

int CPlatform_forbid_core_dumps(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

void CPlatform_name_thread(const char *name) { (void)pthread_setname_np(pthread_self(), name); }

int CPlatform_journal(const char *const *fields, const size_t *lengths, size_t count) {
    struct iovec parts[MAX_FIELDS];
    if (count > MAX_FIELDS) return -EINVAL;
    for (size_t i = 0; i < count; i++) {
        parts[i].iov_base = (void *)fields[i];
        parts[i].iov_len = lengths[i];
    }
    return sd_journal_sendv(parts, (int)count);
}

int CPlatform_notify(const char *state) { return sd_notify(0, state); }

int CPlatform_watchdog(uint64_t *microseconds) { return sd_watchdog_enabled(0, microseconds); }

int CPlatform_listen_descriptors(void) { return sd_listen_fds(0); }
