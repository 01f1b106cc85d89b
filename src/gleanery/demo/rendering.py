"""Renders pages of the sample web: layout, menu, dates, robots.txt and sitemap."""

from __future__ import annotations

from datetime import date, timedelta
from functools import cache
from html import escape
from string import Template
from urllib.parse import quote

from gleanery.demo import dates
from gleanery.demo.sites import DATA, Page, Site, page_in

BARE = "none"


def text_of(site: Site, page: Page, day: date) -> str:
    """Return the document; without a layout, or if not HTML, only the body."""
    layout = page.layout or site.layout
    if page.type != "text/html" or layout == BARE:
        return dates.render(page.body.lstrip("\n"), day, page.language)
    document = template(layout).substitute(
        language=page.language,
        charset=site.charset,
        title=escape(full_title(site, page)),
        description=f'<meta name="description" content="{escape(page.description)}">' if page.description else "",
        head=page.head,
        json_ld=f'<script type="application/ld+json">{page.json_ld}</script>' if page.json_ld else "",
        colour=site.colour,
        name=escape(site.name),
        tagline=escape(site.tagline),
        menu=menu(site),
        body=page.body.strip(),
        footer=site.footer.strip(),
    )
    return dates.render(document, day, page.language)


def full_title(site: Site, page: Page) -> str:
    return page.title if page.path == "/" or not page.title else f"{page.title} | {site.name}"


def menu(site: Site) -> str:
    return "\n".join(f'<a href="{escape(page.path)}">{escape(page.nav)}</a>' for page in site.pages if page.nav)


@cache
def template(layout: str) -> Template:
    return Template((DATA / "layouts" / f"{layout}.html").read_text("utf-8"))


def robots_txt(site: Site) -> str | None:
    """Return robots.txt, None if the site has none."""
    if site.robots:
        return site.robots
    lines = [f"Disallow: {path}" for path in site.disallow]
    if site.crawl_delay is not None:
        lines.append(f"Crawl-delay: {site.crawl_delay:g}")
    if site.sitemap:
        lines.append(f"Sitemap: http://{site.main_host}/sitemap.xml")
    return "\n".join(["User-agent: *", *(lines or ["Disallow:"]), ""]) if lines else None


def sitemap_xml(site: Site, day: date, version: int) -> str | None:
    if not site.sitemap:
        return None
    entries = [
        f"<url><loc>http://{site.main_host}{quote(page.path)}</loc>"
        f"<lastmod>{last_changed(page, day, version)}</lastmod></url>"
        for page in site.pages
        if page_in(page, version) and is_plain_page(page)
    ]
    body = "\n".join(entries)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
        f"{body}\n</urlset>\n"
    )


def is_plain_page(page: Page) -> bool:
    """Return True for a normal HTML page that sitemaps and search engines list."""
    return page.type == "text/html" and page.status == 200 and not page.redirect and not page.handler  # noqa: PLR2004


def last_changed(page: Page, day: date, version: int) -> date:
    return day if version > 1 and is_newer(page) else day - timedelta(days=page.updated)


def is_newer(page: Page) -> bool:
    """Return True if the page differs in version 2."""
    return bool(page.changes) or 1 not in page.versions
