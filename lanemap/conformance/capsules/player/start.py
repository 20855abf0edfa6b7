#!/usr/bin/env python3
# -*- coding: latin-1 -*-
# The beginning of every capsule. What follows it is a zip in comments, so that Python runs a
# capsule that was cut off on its way too, and this program says so. Any Python must compile it.
import sys

if sys.version_info < (3, 8):
    sys.stderr.write(
        "lanemap capsule: Python 3.8 or newer is needed, this is %d.%d\n" % sys.version_info[:2]
    )
    sys.exit(3)

import hashlib
import os
import tempfile

#: Of the zip; `build` puts it here.
HASH = ""
#: What begins the comments, and the bytes of the zip that would end one: what stands for each.
MARK = b"\n# What follows is a zip.\n#"
ESCAPES = ((b"\1", b"\1A"), (b"\0", b"\1B"), (b"\n", b"\1C"), (b"\r", b"\1D"))


def as_comments(data, width=4000):
    # type: (bytes, int) -> bytes
    """Return bytes as comments of Python."""
    for byte, instead in ESCAPES:
        data = data.replace(byte, instead)
    return b"\n#".join(data[at : at + width] for at in range(0, len(data), width)) + b"\n"


def of_comments(text):
    # type: (bytes) -> bytes
    """Return what `as_comments` was given."""
    data = text.replace(b"\n#", b"").rstrip(b"\n")
    for byte, instead in reversed(ESCAPES):
        data = data.replace(instead, byte)
    return data


def refuse(sentence):
    # type: (str) -> int
    """End with a sentence."""
    sys.stderr.write("lanemap capsule: %s\n" % sentence)
    return 3


def start():
    # type: () -> int
    """Check the file, and run what is in it."""
    with open(__file__, "rb") as file:
        data = of_comments(file.read().partition(MARK)[2])
    if hashlib.sha256(data).hexdigest() != HASH:
        return refuse("this file was damaged on its way; fetch it again")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "capsule.zip")
        try:
            with open(path, "wb") as file:
                file.write(data)
        except OSError as error:
            return refuse("cannot write %s: %s" % (path, error.strerror))
        sys.path.insert(0, path)
        from lanemap.conformance.capsules.player.main import main

        return main(path)


if __name__ == "__main__":
    sys.exit(start())
