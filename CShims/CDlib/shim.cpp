#include "CDlib.h"
