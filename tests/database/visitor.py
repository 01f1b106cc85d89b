"""A separate process: `visitor.py stay DATA_DIR`, `visitor.py write DATA_DIR` or `visitor.py connect SOCKET_DIR`."""

import signal
import sys
from pathlib import Path

import psycopg

from gleanery.database import launcher
from gleanery.errors import DatabaseProblem


def say(*words: object) -> None:
    print(*words, flush=True)  # noqa: T201


def stay(data_dir: Path) -> None:
    """Use the server until a line is read or standard input is closed."""
    with launcher.running(data_dir):
        say("in")
        sys.stdin.readline()
    say("out")


def write(data_dir: Path) -> None:
    """Commit row after row, and print each one after its commit."""
    where = launcher.acquire(data_dir).connection
    with psycopg.connect(**where, autocommit=True) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS kept (n integer PRIMARY KEY)")
        for n in range(1_000_000):
            connection.execute("INSERT INTO kept VALUES (%s)", [n])
            say(n)


def connect(socket_dir: Path) -> None:
    try:
        psycopg.connect(host=str(socket_dir), user="gleanery", dbname="gleanery").close()
        say("connected")
    except psycopg.OperationalError as refusal:
        say(" ".join(str(refusal).split()))


if __name__ == "__main__":
    # Whoever runs the suite in the background hands down a SIGINT that is ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        {"stay": stay, "write": write, "connect": connect}[sys.argv[1]](Path(sys.argv[2]))
    except DatabaseProblem as problem:
        say("refused:", problem)
