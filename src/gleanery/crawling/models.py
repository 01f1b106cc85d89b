"""Tables of crawling: sites and their leases, crawls and their visits, pages and their snapshots."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from gleanery.crawling.crawl_lifecycle import CRAWL, KINDS, OPEN, VISIT_STATES
from gleanery.crawling.rendering.script_detection import PLAIN, RENDERINGS
from gleanery.discovery.models import Session
from gleanery.domains.models import Code, Domain, choices
from gleanery.domains.urls import LONGEST
from gleanery.ids import uuid7


class Site(models.Model):
    """A domain's request lease, shared by all workers: who may send requests, and from when."""

    domain = models.OneToOneField(Domain, on_delete=models.PROTECT, primary_key=True, related_name="site")
    base = models.CharField(max_length=300, default="", db_default="", help_text="The origin that answered.")
    ready_at = models.DateTimeField(db_default=Now(), help_text="No request before this moment.")
    lease = models.UUIDField(null=True)
    leased_until = models.DateTimeField(null=True)
    # The database connection that took the lease: if it is gone, so is its worker, and the lease is free at once.
    holder = models.CharField(max_length=80, default="", db_default="")
    wanted_until = models.DateTimeField(null=True, help_text="A feed of it is to be read first: crawls wait so long.")

    class Meta:
        db_table = "site"

    def __str__(self) -> str:
        return str(self.domain)


class Host(models.Model):
    """The request lease of a host that is not a known domain but serves feeds of our sources."""

    name = models.CharField(max_length=253, primary_key=True)
    ready_at = models.DateTimeField(db_default=Now())
    lease = models.UUIDField(null=True)
    leased_until = models.DateTimeField(null=True)
    holder = models.CharField(max_length=80, default="", db_default="")

    class Meta:
        db_table = "host"

    def __str__(self) -> str:
        return self.name


class Robots(models.Model):
    """The robots.txt of one origin as last fetched; parsed again when needed."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    domain = models.ForeignKey(
        Domain,
        on_delete=models.PROTECT,
        null=True,
        related_name="robots",
        db_index=False,
        help_text="Empty: of a host.",
    )
    origin = models.CharField(max_length=300)
    status = models.PositiveSmallIntegerField(help_text="0: it could not be read.")
    body = models.BinaryField(default=b"")
    reason = models.TextField(default="", db_default="")
    fetched_at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "robots"
        verbose_name_plural = "robots"
        constraints = [
            models.UniqueConstraint(fields=["domain", "origin"], name="robots_once", nulls_distinct=False),
        ]

    def __str__(self) -> str:
        return f"robots.txt of {self.origin}"


class Crawl(models.Model):
    """One pass over a domain; its counters are derived from its visits."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    domain = models.ForeignKey(Domain, on_delete=models.PROTECT, related_name="crawls")
    session = models.ForeignKey(
        Session, on_delete=models.PROTECT, null=True, editable=False, related_name="crawls", db_index=False
    )
    kind = Code(max_length=10, choices=choices(KINDS))
    status = Code(max_length=10, choices=choices(CRAWL.states), default=CRAWL.first)
    max_depth = models.PositiveSmallIntegerField()
    max_pages = models.PositiveIntegerField()
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", editable=False, db_index=False
    )
    created_at = models.DateTimeField(db_default=Now())
    started_at = models.DateTimeField(null=True)
    completed_at = models.DateTimeField(null=True)
    end_reason = models.TextField(default="", db_default="", help_text="Why it ended as it did.")

    class Meta:
        db_table = "crawl"
        # Partial, since most crawls belong to no session.
        indexes = [models.Index(fields=["session"], name="crawl_of_session", condition=Q(session__isnull=False))]
        constraints = [
            # One open crawl per domain; also the index that finds open crawls.
            models.UniqueConstraint(fields=["domain"], condition=Q(status__in=OPEN), name="crawl_open_once"),
            models.CheckConstraint(name="failed_crawl_needs_reason", condition=~Q(status="failed") | ~Q(end_reason="")),
        ]

    def __str__(self) -> str:
        return f"{self.kind} crawl of {self.domain}"


class Page(models.Model):
    """An address that responded at least once, with what the next visit needs."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    domain = models.ForeignKey(Domain, on_delete=models.PROTECT, related_name="pages", db_index=False)
    url = models.CharField(max_length=LONGEST)
    depth = models.PositiveSmallIntegerField()
    current_snapshot = models.ForeignKey("Snapshot", on_delete=models.PROTECT, null=True, related_name="+")
    etag = models.CharField(max_length=300, default="", db_default="")
    last_modified = models.CharField(max_length=100, default="", db_default="")
    first_fetched_at = models.DateTimeField(db_default=Now())
    last_fetched_at = models.DateTimeField(db_default=Now())
    last_changed_at = models.DateTimeField(null=True)
    last_status = models.PositiveSmallIntegerField(default=0, db_default=0)
    unchanged_count = models.PositiveIntegerField(default=0, db_default=0)
    yielded_at = models.DateTimeField(null=True, help_text="When something was last found on it.")
    due_at = models.DateTimeField(db_default=Now())
    due_reason = models.CharField(max_length=200, default="", db_default="")

    class Meta:
        db_table = "page"
        indexes = [models.Index(fields=["domain", "due_at"], name="page_due")]
        constraints = [models.UniqueConstraint(fields=["url"], name="page_url_once")]

    def __str__(self) -> str:
        return self.url


class Snapshot(models.Model):
    """The content of an address at one time; equal content of an address is stored once."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    page = models.ForeignKey(Page, on_delete=models.PROTECT, related_name="snapshots")
    url = models.CharField(max_length=LONGEST)
    content_hash = models.BinaryField(max_length=32)
    fetched_at = models.DateTimeField(db_default=Now())
    content_type = models.CharField(max_length=100)
    charset = models.CharField(max_length=40, default="", db_default="")
    headers = models.JSONField(default=dict)
    raw = models.BinaryField(help_text="The bytes as they came, compressed with zlib.")
    raw_size = models.PositiveIntegerField()
    title = models.CharField(max_length=500, default="", db_default="")
    text = models.TextField(default="", db_default="", help_text="The main text, in Markdown.")
    language = models.CharField(max_length=20, default="", db_default="")
    canonical = models.CharField(max_length=LONGEST, default="", db_default="")
    outbound = models.JSONField(default=list, help_text="Other registrable names that it links to.")
    types = models.JSONField(default=list, help_text="Types of structured data that it carries.")
    rendering = Code(
        max_length=10,
        choices=choices(RENDERINGS),
        default=PLAIN,
        db_default=PLAIN,
        help_text="Whether scripts make it, and a browser ran them: then `raw` is what it showed.",
    )

    class Meta:
        db_table = "snapshot"
        constraints = [models.UniqueConstraint(fields=["url", "content_hash"], name="snapshot_once")]

    def __str__(self) -> str:
        return f"{self.url} of {self.fetched_at:%Y-%m-%d %H:%M}"


class Visit(models.Model):
    """One address within one crawl: part of the frontier while queued, then the result of the visit."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    crawl = models.ForeignKey(Crawl, on_delete=models.CASCADE, related_name="visits", db_index=False)
    url = models.CharField(max_length=LONGEST)
    kind = Code(max_length=10, choices=choices(("page", "sitemap")), default="page", db_default="page")
    depth = models.PositiveSmallIntegerField()
    hops = models.PositiveSmallIntegerField(default=0, db_default=0, help_text="Redirects that led here.")
    attempts = models.PositiveSmallIntegerField(default=0, db_default=0)
    state = Code(max_length=10, choices=choices(VISIT_STATES), default="queued", db_default="queued")
    reason = models.TextField(default="", db_default="")
    requests = models.PositiveSmallIntegerField(
        default=1, db_default=1, help_text="Its own, and those of a browser that showed it: all count for the crawl."
    )
    status = models.PositiveSmallIntegerField(null=True)
    size = models.PositiveIntegerField(null=True)
    elapsed_ms = models.PositiveIntegerField(null=True)
    visited_at = models.DateTimeField(null=True)
    snapshot = models.ForeignKey(Snapshot, on_delete=models.PROTECT, null=True, related_name="+", db_index=False)

    class Meta:
        db_table = "visit"
        indexes = [
            models.Index(fields=["crawl", "depth", "id"], name="visit_queued", condition=Q(state="queued")),
        ]
        constraints = [models.UniqueConstraint(fields=["crawl", "url"], name="visit_once")]

    def __str__(self) -> str:
        return self.url
