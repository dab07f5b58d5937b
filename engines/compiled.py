"""How Kibitz compiles: one option set, one dispatcher by game, one cache.

``generic`` turns a stub into a function with an implementation per game, chosen by the type of its first
argument, in plain Python (``functools.singledispatch``) and in compiled code (``numba.extending.overload``)
from the same registry. ``entry`` compiles the few functions that Python calls; only they are cached on disk.
``helper`` marks what those call. With ``NUMBA_DISABLE_JIT=1`` the very same code runs as plain Python.
"""

import contextlib
import functools
import hashlib
import os
import pickle
import platform
import stat
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.extending import overload, register_jitable

# Other options on one entry point would compile every shared callee again.
OPTIONS = {"nogil": True, "error_model": "numpy"}
SOURCES = ("engines", "solvers", "evaluation")

helper = register_jitable(**OPTIONS)


def silent(name: str) -> None:
    """Say nothing about a compilation that begins."""


announce: Callable[[str], None] = silent
"""Called with the name of each entry point that is about to be compiled; the command line prints it."""


def generic(stub: Callable) -> Any:
    """Make a contract function: one name, one implementation per game.

    Games register theirs with ``@name.register`` under the class of their rules. Implementations need
    names of their own: Numba tells functions of one module apart by name.
    """
    function = functools.singledispatch(stub)

    def choose(rules: Any, *args: Any) -> Callable | None:
        implementation = function.dispatch(getattr(rules, "instance_class", object))
        return None if implementation is stub else implementation

    overload(function, jit_options=OPTIONS, strict=False)(choose)
    return function


def entry(function: Callable) -> Any:
    """Compile a function that Python calls, and keep the result on disk."""
    dispatcher = numba.njit(**OPTIONS)(function)
    if not numba.config.DISABLE_JIT:
        dispatcher._cache = DiskCache(function)
    return dispatcher


class DiskCache(_Cache):
    """Compiled code in the user's cache folder, a file per entry point, signature and processor.

    Numba's own cache misses edits in callees and shares an index that two cold starts can corrupt. Here
    the folder's name is a digest of all our sources and the versions, and a file is written beside and
    moved into place, so readers see all of it or nothing. Whatever goes wrong only costs time.
    """

    def __init__(self, function: Callable) -> None:
        self._name = f"{function.__module__}.{function.__qualname__}"

    @property
    def cache_path(self) -> str:
        """The folder of the cache, or an empty text if there is none."""
        return str(cache_folder() or "")

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the compiled function for a signature, or None if it must be compiled."""
        target_context.refresh()
        path = self._path(sig, target_context.codegen())
        try:
            payload = path.read_bytes() if path else b""
            if payload:
                return CompileResult._rebuild(target_context, *pickle.loads(payload))
        except Exception:  # unreadable, cut off or of an unknown make: compile it again
            pass
        announce(self._name)
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep a compiled function for the next process."""
        path = self._path(sig, data.codegen)
        if path is None or data.library.has_dynamic_globals:
            return
        payload = pickle.dumps(data._reduce(), protocol=pickle.HIGHEST_PROTOCOL)
        with contextlib.suppress(OSError):
            handle, draft = tempfile.mkstemp(dir=path.parent, prefix=".draft-")
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(payload)
                os.replace(draft, path)
            except BaseException:
                os.unlink(draft)
                raise

    def enable(self) -> None:
        """Do nothing: the cache is always on."""

    def disable(self) -> None:
        """Do nothing: the cache is always on."""

    def flush(self) -> None:
        """Do nothing: every file is whole when it appears."""

    def _path(self, sig: Any, codegen: Any) -> Path | None:
        folder = cache_folder()
        if folder is None:
            return None
        key = hashlib.sha256(repr((str(sig), codegen.magic_tuple())).encode()).hexdigest()[:24]
        return folder / f"{self._name}-{key}.bin"


@functools.cache
def cache_folder() -> Path | None:
    """Return the private folder for compiled code, made if need be; None if there can be none."""
    base = (
        os.environ.get("KIBITZ_CACHE") or os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    )
    try:
        root = Path(base) if base else Path.home() / ".cache"
        folder = root / "kibitz" / sources_digest()
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = folder.stat()
        # The files are pickles: never load what another user could have written.
        foreign = hasattr(os, "getuid") and (
            status.st_uid != os.getuid() or status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
        )
        return None if foreign else folder
    except (OSError, RuntimeError):
        return None


def sources_digest() -> str:
    """Return a digest of all that compiled code depends on: our sources and the versions."""
    digest = hashlib.sha256()
    versions = (sys.version, platform.machine(), numba.__version__, llvmlite.__version__, np.__version__)
    digest.update(repr(versions).encode())
    top = Path(__file__).resolve().parent.parent
    for package in SOURCES:
        for path in sorted((top / package).rglob("*.py")):
            digest.update(path.relative_to(top).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:24]
