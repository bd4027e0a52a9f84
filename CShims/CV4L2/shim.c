#include "CV4L2.h"

#include <errno.h>
#include <fcntl.h>
#include <libv4l2.h>
#include <sys/mman.h>
#include <unistd.h>

const unsigned long CV4L2_QUERYCAP = VIDIOC_QUERYCAP;
const unsigned long CV4L2_ENUM_FMT = VIDIOC_ENUM_FMT;
const unsigned long CV4L2_ENUM_FRAMESIZES = VIDIOC_ENUM_FRAMESIZES;
const unsigned long CV4L2_ENUM_FRAMEINTERVALS = VIDIOC_ENUM_FRAMEINTERVALS;
const unsigned long CV4L2_S_FMT = VIDIOC_S_FMT;
const unsigned long CV4L2_G_PARM = VIDIOC_G_PARM;
const unsigned long CV4L2_S_PARM = VIDIOC_S_PARM;
const unsigned long CV4L2_REQBUFS = VIDIOC_REQBUFS;
const unsigned long CV4L2_QUERYBUF = VIDIOC_QUERYBUF;
const unsigned long CV4L2_QBUF = VIDIOC_QBUF;
const unsigned long CV4L2_DQBUF = VIDIOC_DQBUF;
const unsigned long CV4L2_STREAMON = VIDIOC_STREAMON;
const unsigned long CV4L2_STREAMOFF = VIDIOC_STREAMOFF;

int CV4L2_open(const char *path) {
    int fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) return -1;
    if (v4l2_fd_open(fd, V4L2_DISABLE_CONVERSION) >= 0) return fd;
    int error = errno;
    close(fd);
    errno = error;
    return -1;
}

int CV4L2_close(int fd) { return v4l2_close(fd); }

int CV4L2_ioctl(int fd, unsigned long request, void *argument) { return v4l2_ioctl(fd, request, argument); }

void *CV4L2_map(int fd, size_t length, int64_t offset) {
    void *start = v4l2_mmap(NULL, length, PROT_READ, MAP_SHARED, fd, offset);
    return start == MAP_FAILED ? NULL : start;
}

int CV4L2_unmap(void *start, size_t length) { return v4l2_munmap(start, length); }
