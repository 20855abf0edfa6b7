// c = A b with nvfp4 on CUDA cores; README.md draws the data path.
#include "nvfp4_fma.h"
