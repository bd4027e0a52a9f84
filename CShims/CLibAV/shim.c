#include "CLibAV.h"

const int CLibAV_end = AVERROR_EOF;
const int CLibAV_again = AVERROR(EAGAIN);
const int64_t CLibAV_no_time = AV_NOPTS_VALUE;
