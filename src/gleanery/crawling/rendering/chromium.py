"""Which Chromium shows pages, and how it is started."""

from __future__ import annotations

import shutil
from importlib.util import find_spec

from gleanery.crawling.rendering import confinement
from gleanery.environment import variable_of
from gleanery.errors import BadSetting

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ON = "on"

# What would ask for other addresses than the page does, or show it otherwise than over the wire that it came.
NOT_WANTED = (
    "AimEnabled",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PreconnectToSearch",
    "Prerender2",
    "ThirdPartyStoragePartitioning",
    "Translate",
)

# It has no socket of the internet (see confinement.py); these keep it from trying, and from work that nobody sees.
ARGUMENTS = (
    "--headless",
    "--remote-debugging-pipe",
    "--no-startup-window",
    "--no-first-run",
    "--no-default-browser-check",
    "--proxy-server=http://nowhere.invalid",
    "--proxy-bypass-list=<-loopback>",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-quic",
    "--dns-prefetch-disable",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-component-extensions-with-background-pages",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-extensions",
    "--disable-sync",
    "--disable-breakpad",
    "--disable-crash-reporter",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-features=" + ",".join(NOT_WANTED),
    "--disable-field-trial-config",
    "--blink-settings=imagesEnabled=false",
    "--mute-audio",
    "--metrics-recording-only",
    "--password-store=basic",
    "--use-mock-keychain",
)


def find_chromium(told: str) -> str:
    """Its path, "" where the operator did not turn it on; BadSetting where it is on and pages cannot be rendered."""
    if not told:
        return ""
    setting = variable_of("browser")
    if problem := confinement.problem():
        raise BadSetting(f"{setting} is on, but {problem}")
    if find_spec("playwright") is None:
        raise BadSetting(f"{setting} is on, but playwright is missing: run `pip install 'gleanery[browser]'`.")
    found = next((path for name in (NAMES if told == ON else (told,)) if (path := shutil.which(name))), "")
    if not found:
        raise BadSetting(
            f"{setting} is on, but there is no Chromium{f' at {told}' if told != ON else ''}: install the package "
            f"chromium, or set {setting} to the path of one."
        )
    return found
