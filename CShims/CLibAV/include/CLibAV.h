// FFmpeg's libraries for Swift. Most of their API imports as it is; macros that cast or build error codes don't.
#pragma once
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/display.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>

#ifdef __cplusplus
extern "C" {
#endif

/// AVERROR_EOF, an error code built by a macro.
extern const int CLibAV_end;
/// AVERROR(EAGAIN): the codec wants more input, or its output read, first.
extern const int CLibAV_again;
/// AV_NOPTS_VALUE, a macro with a cast.
extern const int64_t CLibAV_no_time;

#ifdef __cplusplus
}
#endif
