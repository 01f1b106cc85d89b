"""Scrapy process of the crawl benchmark: `python bench/crawl_scrapy.py PLAN`.

Scrapy gets every fair advantage: it parses only links, stores nothing, has no unnecessary middleware, starts with a
filled DNS cache, and its time starts when the spider opens, not when Python starts.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from typing import Any

import scrapy
from lxml import etree
from scrapy import signals
from scrapy.crawler import Crawler, CrawlerProcess
from scrapy.http import HtmlResponse, Request
from scrapy.resolver import dnscache

HREFS = etree.XPath("//a/@href")
SETTINGS = {
    "ROBOTSTXT_OBEY": True,
    "CONCURRENT_REQUESTS": 200,
    "CONCURRENT_REQUESTS_PER_DOMAIN": 1,
    "DOWNLOAD_DELAY": 0,
    "LOG_LEVEL": "ERROR",
    "TELNETCONSOLE_ENABLED": False,
    "COOKIES_ENABLED": False,
    "RETRY_ENABLED": False,
    "REFERER_ENABLED": False,
    "HTTPCOMPRESSION_ENABLED": False,
    "EXTENSIONS": {"scrapy.extensions.logstats.LogStats": None, "scrapy.extensions.memusage.MemoryUsage": None},
}


class Spider(scrapy.Spider):
    name = "bench"
    addresses: list[str] = []
    # Without a set every link goes through Scrapy's duplicate filter, which is slow, so both ways are measured.
    keeps_a_set = False
    known: set[str] = set()
    seen = 0
    started = cpu = 0.0

    @classmethod
    def from_crawler(cls, crawler: Crawler, *args: Any, **kwargs: Any) -> Spider:
        spider = super().from_crawler(crawler, *args, **kwargs)
        crawler.signals.connect(spider.opened, signals.spider_opened)
        crawler.signals.connect(spider.closed_now, signals.spider_closed)
        return spider

    def opened(self) -> None:
        self.started, self.cpu = time.perf_counter(), time.process_time()

    def closed_now(self) -> None:
        plan = {
            "pages": self.seen,
            "seconds": time.perf_counter() - self.started,
            "cpu": time.process_time() - self.cpu,
        }
        print(json.dumps(plan), flush=True)

    async def start(self) -> Any:
        for address in self.addresses:
            yield Request(address, callback=self.parse)

    def parse(self, response: HtmlResponse) -> Iterator[Request]:
        """Use the bare selector and one request per address, which is faster than LinkExtractor and follow_all."""
        self.seen += 1
        for address in {response.urljoin(href) for href in HREFS(response.selector.root)} - self.known:
            if self.keeps_a_set:
                self.known.add(address)
            yield Request(address, callback=self.parse)


def main(plan: str) -> None:
    """`plan` is JSON: hosts, port, jobdir, keeps_a_set."""
    plan = json.loads(plan)
    for host in plan["hosts"]:
        dnscache[host] = "127.0.0.1"
    Spider.addresses = [f"http://{host}:{plan['port']}/" for host in plan["hosts"]]
    Spider.keeps_a_set = plan["keeps_a_set"]
    process = CrawlerProcess({**SETTINGS, "JOBDIR": plan["jobdir"]})
    process.crawl(Spider)
    process.start()


if __name__ == "__main__":
    main(sys.argv[1])
