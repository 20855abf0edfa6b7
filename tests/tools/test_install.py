"""What uv is told of pip's configuration."""

from __future__ import annotations

from tools import install


def test_uv_looks_where_pip_would() -> None:
    printed = (
        ":env:.find-links='/opt/wheels'\n:env:.cert='/etc/ca.crt'\n"
        "global.extra-index-url='file:///opt/a file:///opt/b'\nglobal.timeout='60'\n"
        "global.find-links='\\n/opt/wheels\\n/opt/more'\nglobal.index-url='https://mirror/simple'\n"
    )
    assert install.environment(printed) == {
        "UV_INDEX_STRATEGY": "unsafe-best-match",
        "UV_DEFAULT_INDEX": "https://mirror/simple",
        "UV_INDEX": "file:///opt/a file:///opt/b",
        "UV_FIND_LINKS": "/opt/wheels,/opt/more",
        "SSL_CERT_FILE": "/etc/ca.crt",
    }
    assert install.environment("") == {"UV_INDEX_STRATEGY": "unsafe-best-match"}
