// libturbojpeg needs no code of ours: its C API imports as it is. This target names the header and the library.
#pragma once
#include <turbojpeg.h>
