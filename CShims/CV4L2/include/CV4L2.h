// Video4Linux for Swift: VIDIOC_* and v4l2_fourcc are macros with arguments, and libv4l2's calls are variadic.
// The structs of videodev2.h are imported as they are.
#pragma once
#include <linux/videodev2.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

extern const unsigned long CV4L2_QUERYCAP;
extern const unsigned long CV4L2_ENUM_FMT;
extern const unsigned long CV4L2_ENUM_FRAMESIZES;
extern const unsigned long CV4L2_ENUM_FRAMEINTERVALS;
extern const unsigned long CV4L2_S_FMT;
extern const unsigned long CV4L2_G_PARM;
extern const unsigned long CV4L2_S_PARM;
extern const unsigned long CV4L2_REQBUFS;
extern const unsigned long CV4L2_QUERYBUF;
extern const unsigned long CV4L2_QBUF;
extern const unsigned long CV4L2_DQBUF;
extern const unsigned long CV4L2_STREAMON;
extern const unsigned long CV4L2_STREAMOFF;

/// open(O_RDWR | O_CLOEXEC | O_NONBLOCK) and v4l2_fd_open with conversion off; -1 with errno where either fails.
int CV4L2_open(const char *path);
/// v4l2_close.
int CV4L2_close(int fd);
/// v4l2_ioctl.
int CV4L2_ioctl(int fd, unsigned long request, void *argument);
/// v4l2_mmap of a capture buffer, shared and for reading only; NULL with errno instead of MAP_FAILED.
void *CV4L2_map(int fd, size_t length, int64_t offset);
/// v4l2_munmap.
int CV4L2_unmap(void *start, size_t length);

#ifdef __cplusplus
}
#endif
