"""Takes the pictures of docs/images from a running demo: `python tools/pictures.py http://127.0.0.1:8000`."""

from __future__ import annotations

import base64
import re
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).parents[1]
IMAGES = ROOT / "docs" / "images"
SEARCH = "/search?kind=funding"
# Records of the sample web that show most, by the ends of their addresses.
PLAY, GRANT = "vishneva-gradina", "civic-bridges-small-grants"


def take(address: str) -> None:
    found = subprocess.run([ROOT / "tools" / "chromium"], capture_output=True, text=True, check=True)  # noqa: S603 - ours
    chromium = found.stdout.strip()
    IMAGES.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(base_url=address, viewport={"width": 1200, "height": 800})
        play, grant = _record(page, "/search?kind=event", PLAY), _record(page, SEARCH, GRANT)
        for name, path in (("start-page", "/"), ("entry", play), ("search", SEARCH)):
            page.goto(path)
            page.screenshot(path=IMAGES / f"{name}.png")
        _telephones(browser, page, address, ["/", grant, f"/report/{grant.split('/')[2]}/"])
        browser.close()


def _record(page: Page, listing: str, slug: str) -> str:
    page.goto(listing)
    for address in re.findall(r'"(/records/[^"]*)"', page.content()):
        if address.endswith(f"/{slug}/"):
            return str(address)
    sys.exit(f"The demo has no record {slug}: start `make demo` first.")


def _telephones(browser: Browser, page: Page, address: str, paths: list[str]) -> None:
    """Three pages side by side as a small dark screen shows them."""
    small = browser.new_page(base_url=address, viewport={"width": 390, "height": 800}, color_scheme="dark")
    images = ""
    for path in paths:
        small.goto(path)
        picture = base64.b64encode(small.screenshot()).decode()
        images += f'<img style="border-radius: 18px" src="data:image/png;base64,{picture}">'
    page.set_viewport_size({"width": 1290, "height": 860})
    page.set_content(f'<body style="margin: 30px; background: #e9e6dd; display: flex; gap: 30px">{images}')
    page.screenshot(path=IMAGES / "telephone.png")


if __name__ == "__main__":
    take(sys.argv[1])
