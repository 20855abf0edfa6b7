"""Launches a kernel that adds 1 to 60 elements, and ends in the way that its argument says.

`rows` of 32 stay within the elements; 64 of the second row do not, which is a hazard.
"""

import atexit
import multiprocessing
import os
import signal
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import torch
import triton
import triton.language as tl


@triton.jit
def add(x_ptr, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(x_ptr + at, tl.load(x_ptr + at) + 1)


x = torch.zeros(60, device="cuda")


def right():
    add[(1,)](x, BLOCK=32)


def wrong():
    add[(1,)](x, BLOCK=64)


def sees_the_gpu():
    made = torch.ones(3, device="cuda")
    assert x.is_cuda and made.is_cuda and (made + x[:3]).is_cuda
    right()
    assert x.sum().item() == 32


def fails():
    raise RuntimeError("of a thread")


def fork(act, status):
    child = os.fork()
    if not child:
        act()
        sys.exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == status


match sys.argv[1]:
    case "nothing":
        pass
    case "_exit":
        wrong()
        os._exit(0)
    case "_exit, clean":
        right()
        os._exit(0)
    case "_exit, 5":
        right()
        os._exit(5)
    case "execv":
        wrong()
        os.execv("/bin/true", ["true"])
    case "execv, clean":
        right()
        os.execv("/bin/true", ["true"])
    case "killed":
        wrong()
        os.kill(os.getpid(), signal.SIGKILL)
    case "interrupted":
        wrong()
        os.kill(os.getpid(), signal.SIGINT)
    case "files closed":
        wrong()
        os.closerange(3, 256)
        os._exit(0)
    case "thread":
        threads = [threading.Thread(target=sees_the_gpu)]
        threads[0].start()
        threads[0].join()
        print("joined")
    case "pool":
        print(ThreadPoolExecutor(4).submit(sees_the_gpu).result())
    case "thread, wrong":
        threading.Thread(target=wrong).start()
    case "thread, failing":
        right()
        threading.Thread(target=fails).start()
    case "thread, unknown":
        import _thread

        done = _thread.allocate_lock()
        done.acquire()

        def work():
            try:
                right()
            finally:
                done.release()

        _thread.start_new_thread(work, ())
        done.acquire()
    case "late":
        right()
        threading.Timer(0.3, wrong).start()
    case "at exit":
        right()
        atexit.register(wrong)
    case "fork":
        fork(right, 3)
    case "fork, wrong":
        right()
        fork(wrong, 0)
    case "multiprocessing":
        right()
        process = multiprocessing.get_context("fork").Process(target=wrong)
        process.start()
        process.join()
