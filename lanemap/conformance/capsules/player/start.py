# __main__.py of every capsule. It must compile with any Python, old ones too.
import sys

if sys.version_info < (3, 8):
    sys.stderr.write(
        "lanemap capsule: Python 3.8 or newer is needed, this is %d.%d\n" % sys.version_info[:2]
    )
    sys.exit(3)

import zipfile

try:
    damaged = zipfile.ZipFile(sys.argv[0]).testzip()
except Exception:  # a damaged stream may raise anything
    damaged = sys.argv[0]
if damaged:
    sys.stderr.write("lanemap capsule: this file was damaged on its way; fetch it again\n")
    sys.exit(3)

from lanemap.conformance.capsules.player.main import main

sys.exit(main())
