// Found through -I, as a project's own headers are.
#pragma once
#ifndef SOFTMAX_THREADS
#error "give SOFTMAX_THREADS with -D"
#endif
