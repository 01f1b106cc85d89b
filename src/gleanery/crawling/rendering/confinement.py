"""Kernel limits for the browser: no internet sockets, no connections, bounded memory and file size.

Run as `python -I -m ... PROFILE CHROMIUM ARGUMENTS`, it replaces itself with Chromium.
"""

from __future__ import annotations

import ctypes
import os
import platform
import resource
import signal
import struct
import subprocess
import sys

# A user ID that nothing else uses and that owns only the profile; it needs no entry in /etc/passwd. Not that of the
# embedded PostgreSQL, which owns the database.
NOBODY_ELSE = 65_433
ROOT = 0

MOST_DATA = 2 << 30  # bytes of memory per process
LARGEST_FILE = 64 << 20

PR_SET_PDEATHSIG, PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, FILTER = 1, 38, 22, 2
CLONE_NEWUSER, CLONE_NEWPID = 0x1000_0000, 0x2000_0000
TRY = "--try"

# Per machine type: the kernel's architecture number, and the numbers of socket(2) and connect(2).
MACHINES = {"x86_64": (0xC000_003E, 41, 42), "aarch64": (0xC000_00B7, 198, 203)}
IO_URING_SETUP = 425  # on all machines; it could open sockets past the filter
X32 = 0x4000_0000  # system calls from here on use the x32 ABI
# Chromium does not start without these: a socket in its profile, and the list of network interfaces.
AF_UNIX, AF_NETLINK = 1, 16
ALLOW, REFUSE, KILL = 0x7FFF_0000, 0x0005_0000 | 13, 0x8000_0000  # 13 is EACCES
LOAD, IF_EQUAL, IF_AT_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06
NUMBER, ARCHITECTURE, FIRST_ARGUMENT = 0, 4, 16  # offsets in struct seccomp_data

NEEDS_LINUX = "pages are only rendered on Linux (x86_64 or aarch64), where the kernel can block the browser's network."
NEEDS_SANDBOX = (
    "this machine does not allow user namespaces, which Chromium's sandbox needs: allow them "
    "(sysctl kernel.unprivileged_userns_clone=1, or in a container --security-opt seccomp=unconfined)."
)


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))


def problem() -> str:
    """Return why a browser cannot be confined here, "" if it can."""
    if sys.platform != "linux" or platform.machine() not in MACHINES:
        return NEEDS_LINUX
    return "" if os.geteuid() == ROOT or _makes_namespaces() else NEEDS_SANDBOX


def confine() -> None:
    """Restrict this process and all it starts, irrevocably."""
    for what, most in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, LARGEST_FILE),
        (resource.RLIMIT_DATA, MOST_DATA),
    ):
        resource.setrlimit(what, (most, most))
    _prctl(PR_SET_NO_NEW_PRIVS, 1)
    code = b"".join(struct.pack("HBBI", *each) for each in _filter(*MACHINES[platform.machine()]))
    kept = ctypes.create_string_buffer(code)
    program = _Program(len(code) // 8, ctypes.addressof(kept))
    _prctl(PR_SET_SECCOMP, FILTER, ctypes.addressof(program))


def _filter(architecture: int, socket: int, connect: int) -> list[tuple[int, int, int, int]]:
    """Return the BPF program: operation, lines to skip if true, lines to skip if false, operand."""
    return [
        (LOAD, 0, 0, ARCHITECTURE),
        (IF_EQUAL, 1, 0, architecture),
        (RETURN, 0, 0, KILL),
        (LOAD, 0, 0, NUMBER),
        (IF_AT_LEAST, 6, 0, X32),
        (IF_EQUAL, 5, 0, IO_URING_SETUP),
        (IF_EQUAL, 4, 0, connect),
        (IF_EQUAL, 0, 4, socket),
        (LOAD, 0, 0, FIRST_ARGUMENT),
        (IF_EQUAL, 2, 0, AF_UNIX),
        (IF_EQUAL, 1, 0, AF_NETLINK),
        (RETURN, 0, 0, REFUSE),
        (RETURN, 0, 0, ALLOW),
    ]


def _makes_namespaces() -> bool:
    """Try user namespaces in another process, since the process that creates one enters it."""
    tried = subprocess.run([sys.executable, "-I", "-m", __spec__.name, TRY], check=False)  # noqa: S603 - ourselves
    return tried.returncode == 0


def _make_namespaces() -> bool:
    made: int = _libc().unshare(CLONE_NEWUSER | CLONE_NEWPID)
    return made == 0


def own(path: str) -> None:
    """As root, give a file to the user that Chromium will run as."""
    if os.geteuid() == ROOT:
        os.chown(path, NOBODY_ELSE, NOBODY_ELSE)


def _become_chromium(profile: str, path: str, arguments: list[str]) -> None:
    """Run Chromium in place of this process; as root, under its own user, and without sandbox if there is none."""
    was_root = os.geteuid() == ROOT
    if was_root:
        os.setgroups([])
        os.setresgid(NOBODY_ELSE, NOBODY_ELSE, NOBODY_ELSE)
        os.setresuid(NOBODY_ELSE, NOBODY_ELSE, NOBODY_ELSE)
    _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)  # after the change of user, which clears it
    if was_root and not _could_make_namespaces():
        arguments = ["--no-sandbox", *arguments]
    os.chdir(profile)
    os.execv(path, [path, f"--user-data-dir={profile}", *arguments])  # noqa: S606 - the operator's own browser


def _could_make_namespaces() -> bool:
    """Try user namespaces in a fork, since this user may be unable to read the Python installation."""
    child = os.fork()
    if not child:
        os._exit(not _make_namespaces())
    return os.waitpid(child, 0)[1] == 0


def _prctl(option: int, *values: int) -> None:
    if _libc().prctl(option, *(ctypes.c_ulong(each) for each in (*values, 0, 0, 0, 0)[:4])):
        raise OSError(ctypes.get_errno(), f"prctl {option} was refused")


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


if __name__ == "__main__":
    if sys.argv[1] == TRY:
        sys.exit(not _make_namespaces())
    _become_chromium(sys.argv[1], sys.argv[2], sys.argv[3:])
