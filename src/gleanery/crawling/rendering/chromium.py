"""Finds Chromium, and its command-line arguments."""

from __future__ import annotations

import shutil
from importlib.util import find_spec

from gleanery.crawling.rendering import confinement
from gleanery.environment import variable_of
from gleanery.errors import BadSetting

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ON = "on"

# Features that would request other addresses than the page does, or change how it is fetched.
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

# It cannot open internet sockets (see confinement.py); these keep it from trying, and from needless work.
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


def find_chromium(setting: str) -> str:
    """Return the path of Chromium, "" if rendering is off; raise BadSetting if it is on but not possible."""
    if not setting:
        return ""
    variable = variable_of("browser")
    if problem := confinement.problem():
        raise BadSetting(f"{variable} is on, but {problem}")
    if find_spec("playwright") is None:
        raise BadSetting(f"{variable} is on, but Playwright is missing: run `pip install 'gleanery[browser]'`.")
    found = next((path for name in (NAMES if setting == ON else (setting,)) if (path := shutil.which(name))), "")
    if not found:
        raise BadSetting(
            f"{variable} is on, but there is no Chromium{f' at {setting}' if setting != ON else ''}. Install the "
            f"package chromium, or set {variable} to its path."
        )
    return found
