"""Mutation test of net/: breaks one condition at a time in a copy of the package and runs its tests.

Run: .venv/bin/python bench/guard_mutants.py [part of a name]. The claim: every mutant is detected.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
GUARD, SSRF, CLIENT, LIMITS, REDIRECT = "test_guard", "test_ssrf", "test_client", "test_limits", "test_redirect"


PLUGINS_OFF = "-p no:django -p no:randomly -p no:cacheprovider"


class Mutant(NamedTuple):
    name: str
    file: str
    before: str
    after: str
    tests: tuple[str, ...]


CONTROL = Mutant("nothing", "guard", "2000::/3", "2000::/3", (GUARD, SSRF, CLIENT, LIMITS, REDIRECT))

MUTANTS = (
    Mutant(
        "everything is public",
        "guard",
        "    if isinstance(parsed, IPv4Address):",
        "    return None\n    if 0:",
        (GUARD,),
    ),
    Mutant("a non-address is public", "guard", 'return "not an address"', "return None", (GUARD,)),
    Mutant("mapped is not unwrapped", "guard", "parsed.ipv4_mapped is not None and", "False and", (GUARD,)),
    Mutant("mapped with a zone is unwrapped", "guard", " and parsed.scope_id is None", "", (GUARD,)),
    Mutant("a zone is no reason", "guard", 'return "bound to one interface"', "pass", (GUARD,)),
    Mutant("all of IPv6 is unicast", "guard", '"2000::/3"', '"::/0"', (GUARD,)),
    Mutant("unicast begins too early", "guard", '"2000::/3"', '"::/2"', (GUARD,)),
    Mutant("unicast ends too early", "guard", '"2000::/3"', '"2000::/4"', (GUARD,)),
    Mutant(
        "IPv6 blocks are not read", "guard", "BLOCKED_V6 if address in network", "() if address in network", (GUARD,)
    ),
    Mutant("Teredo is public", "guard", '"2001::/23"', '"2001:0:8000::/33"', (GUARD,)),
    Mutant("6to4 is public", "guard", '"2002::/16"', '"2002::/128"', (GUARD,)),
    Mutant("loopback is one address", "guard", '"127.0.0.0/8"', '"127.0.0.1/32"', (GUARD,)),
    Mutant("private is too small", "guard", '"172.16.0.0/12"', '"172.16.0.0/13"', (GUARD,)),
    Mutant("CGNAT is too small", "guard", '"100.64.0.0/10"', '"100.64.0.0/11"', (GUARD,)),
    Mutant("benchmarks are too small", "guard", '"198.18.0.0/15"', '"198.18.0.0/16"', (GUARD,)),
    Mutant("link-local is too large", "guard", '"169.254.0.0/16"', '"169.254.0.0/15"', (GUARD,)),
    Mutant("the cloud's address is off by one", "guard", "168.63.129.16/32", "168.63.129.17/32", (GUARD,)),
    Mutant("multicast is public", "guard", '"224.0.0.0/4"', '"224.0.0.0/32"', (GUARD,)),
    Mutant("reserved is public but broadcast", "guard", '"240.0.0.0/4"', '"255.255.255.255/32"', (GUARD,)),
    Mutant("the socket is not guarded", "dialling", "refuse_blocked(str(where[4][0]))", "pass", (SSRF,)),
    Mutant("DNS answers are not guarded", "dialling", 'refuse_blocked(found["host"])', "pass", (SSRF,)),
    Mutant("only the first answer counts", "dialling", "for found in results:", "for found in results[:1]:", (SSRF,)),
    Mutant("only the last answer counts", "dialling", "for found in results:", "for found in results[-1:]:", (SSRF,)),
    Mutant("answers are cached", "dialling", "use_dns_cache=False", "use_dns_cache=True", (SSRF,)),
    Mutant("any port will do", "target", "if target.port not in WEB_PORTS:", "if False:", (SSRF,)),
    Mutant("any scheme will do", "target", "    if scheme not in SCHEMES:", "    if False:", (SSRF,)),
    Mutant("userinfo will do", "target", 'if "@" in authority:', "if False:", (SSRF,)),
    Mutant("port 0 is the usual one", "target", "if port is None else port", "if not port else port", (SSRF,)),
    Mutant("redirects skip the check", "redirect", "target = web_target(", "target = any_target(", (SSRF,)),
    Mutant("all is exempt", "client", "request.operator or step.target.host in self.fixed", "True", (SSRF,)),
    Mutant(
        "operator redirects are followed",
        "client",
        "        if request.operator:\n            raise",
        "        if 0:\n            raise",
        (REDIRECT,),
    ),
    Mutant(
        "any origin is the operator's",
        "client",
        "if target.origin not in self._operator_origins:",
        "if False:",
        (CLIENT,),
    ),
    Mutant("one pool for all", "client", "return self", "self._guarded = self._exempt\n        return self", (CLIENT,)),
    Mutant("a sixth redirect", "client", "len(hops) > MOST_REDIRECTS", "len(hops) > MOST_REDIRECTS + 1", (REDIRECT,)),
    Mutant("only four redirects", "client", "len(hops) > MOST_REDIRECTS", "len(hops) >= MOST_REDIRECTS", (REDIRECT,)),
    Mutant("secrets cross origins", "redirect", "if target.origin != step.target.origin:", "if False:", (REDIRECT,)),
    Mutant("no limit to the decoded size", "answer", "if len(body) > largest:", "if False:", (LIMITS,)),
    Mutant("the limit is one too small", "answer", "if len(body) > largest:", "if len(body) >= largest:", (LIMITS,)),
    Mutant("input does not count", "answer", "if received > largest:", "if False:", (LIMITS,)),
    Mutant("a reset is an end", "answer", "parting is not None and parting.done()", "False", (LIMITS,)),
    Mutant("a torn encoding is whole", "answer", "        decoder.finish()", "        pass", (LIMITS,)),
    Mutant("layers are peeled once", "inflate", "len(names) > 1 or", "", (LIMITS,)),
    Mutant("no deadline", "client", "asyncio.timeout(request.deadline)", "asyncio.timeout(None)", (LIMITS,)),
    Mutant("proxies of the environment", "client", "trust_env=False", "trust_env=True", (CLIENT,)),
    Mutant("cookies are kept", "client", "cookie_jar=DummyCookieJar()", "cookie_jar=None", (CLIENT,)),
)


def caught(mutant: Mutant, workplace: Path) -> bool:
    """Return True if a test fails; tests must actually run, so a copy that cannot be imported does not count."""
    package = workplace / "gleanery"
    shutil.copytree(ROOT / "src/gleanery", package, ignore=shutil.ignore_patterns("__pycache__"))
    file = package / "net" / f"{mutant.file}.py"
    text = file.read_text()
    assert text.count(mutant.before) == 1, (
        f"{mutant.name}: {mutant.before!r} is there {text.count(mutant.before)} times"
    )
    changed = text.replace(mutant.before, mutant.after)
    if "any_target(" in mutant.after:
        changed = changed.replace("import Target, web_target", "import Target, any_target")
    file.write_text(changed)
    tests = [str(ROOT / f"tests/net/{name}.py") for name in mutant.tests]
    settings = workplace / "pytest.ini"
    settings.write_text(
        f"[pytest]\ntimeout = 20\naddopts = -qx --tb=no --confcutdir={ROOT / 'tests/net'} {PLUGINS_OFF}\n"
    )
    done = subprocess.run(  # noqa: S603 - our own tests
        [sys.executable, "-m", "pytest", "-c", str(settings), *tests],
        env={**os.environ, "PYTHONPATH": str(workplace), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode in {0, 1}, done.stdout + done.stderr
    return done.returncode == 1


def main() -> int:
    wanted = sys.argv[1] if len(sys.argv) > 1 else ""
    with tempfile.TemporaryDirectory() as workplace:
        assert not caught(CONTROL, Path(workplace)), "the tests fail without any mutation"
    survived = 0
    for mutant in MUTANTS:
        if wanted not in mutant.name:
            continue
        with tempfile.TemporaryDirectory() as workplace:
            noticed = caught(mutant, Path(workplace))
        survived += not noticed
        print(f"{'caught' if noticed else 'SURVIVED':9} {mutant.file:9} {mutant.name}", flush=True)
    print(f"{survived} survived")
    return 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main())
