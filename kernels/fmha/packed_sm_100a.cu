// Tables of packed sequences, on the device; README.md says when.
#include "packed_sequences.h"
