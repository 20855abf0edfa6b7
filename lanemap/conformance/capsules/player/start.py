# __main__.py of every capsule. It must compile with any Python, old ones too.
import sys

if sys.version_info < (3, 8):
    sys.stderr.write(
        "lanemap capsule: Python 3.8 or newer is needed, this is %d.%d\n" % sys.version_info[:2]
    )
    sys.exit(3)

from lanemap.conformance.capsules.player.main import main

sys.exit(main())
