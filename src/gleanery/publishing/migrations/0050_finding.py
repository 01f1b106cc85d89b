"""Columns by which search lists a million entries: the next day and the last, a position, a language, access, freshness.

The statement that stores entries is replaced by one that fills the new columns; all entries are stored anew, and the
indexes are made after that.
"""

from datetime import date
from importlib import import_module

import django.contrib.postgres.indexes
import django.core.validators
import django.db.models.functions.comparison
from django.db import migrations, models
from django.db.models import F, Func, Q, Value

FAR = date.max
ACCESS = (
    "wheelchair[- ](accessible|access|friendly)|accessible (to|by|for) wheelchair|step[- ]free"
    "|достъп[[:alpha:]]* за (хора с увреждания|инвалидни колички)"
)
DENIED = r"\m(not|no|isn.t|aren.t|never|without|limited|poor|не|няма|без)\W+(\w+\W+){0,3}(" + ACCESS + ")"

FUNCTIONS = f"""
    -- The day on which it takes place next, else the one on which it closes. Index: occurrence_once.
    CREATE FUNCTION coming_day(which uuid, closes date, today date) RETURNS date LANGUAGE sql STABLE AS $$
        SELECT coalesce(
            (SELECT min(greatest(start_date, today)) FROM occurrence
             WHERE record_id = which AND (start_date >= today OR "end" >= today::timestamp AT TIME ZONE 'UTC')),
            CASE WHEN closes >= today THEN closes END)
    $$;
    -- Nothing where it is no number, or lies on no globe.
    CREATE FUNCTION degrees_of(value jsonb, most float8) RETURNS float8 LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
        SELECT CASE WHEN jsonb_typeof(value) = 'number' THEN
                   CASE WHEN abs((value #>> '{{}}')::numeric) <= most::numeric THEN (value #>> '{{}}')::float8 END END
    $$;
    CREATE FUNCTION language_code(given text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
        SELECT CASE lower(given) WHEN 'english' THEN 'en' WHEN 'bulgarian' THEN 'bg' WHEN 'български' THEN 'bg'
               ELSE coalesce(lower(substring(given from '^\\s*([A-Za-z]{{2,3}})(?![A-Za-z])')), '') END
    $$;
    -- Says that wheelchairs get in, and not that they do not.
    CREATE FUNCTION says_accessible(given text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
        SELECT given ~* '{ACCESS}' AND NOT given ~* '{DENIED}'
    $$;
    -- Kilometres over the ground.
    CREATE FUNCTION km_between(lat1 float8, lon1 float8, lat2 float8, lon2 float8) RETURNS float8 LANGUAGE sql
        IMMUTABLE STRICT PARALLEL SAFE AS $$
        SELECT 12742 * asin(sqrt(least(1, sind((lat2 - lat1) / 2) ^ 2
                                          + cosd(lat1) * cosd(lat2) * sind((lon2 - lon1) / 2) ^ 2)))
    $$;
    CREATE OR REPLACE FUNCTION store_search_entries(ids uuid[]) RETURNS void LANGUAGE plpgsql AS $$
    DECLARE
        today date := (now() AT TIME ZONE 'UTC')::date;
    BEGIN
        DELETE FROM search_entry WHERE record_id IN
            (SELECT id FROM record WHERE id = ANY(ids) AND status <> 'published');
        INSERT INTO search_entry (record_id, kind, name, words, town, folded_town, start_date, deadline, next_day,
                                  last_day, lat, lon, language, is_free, is_online, is_cancelled, is_accessible,
                                  published_at)
        SELECT record.id, record.kind, folded(record.name),
               setweight(to_tsvector('simple', folded(record.name)), 'A')
                   || setweight(to_tsvector('simple', folded(concat_ws(' ', fields->>'venue_name', fields->>'locality',
                          fields->>'region', fields->>'organizer_name', fields->>'funder_name',
                          fields->>'provider_name'))), 'B')
                   || setweight(to_tsvector('simple', folded(concat_ws(' ', fields->>'keywords', fields->>'address',
                          fields->>'eligibility'))), 'C')
                   || setweight(to_tsvector('simple', folded(left(coalesce(fields->>'description', ''), 5000))), 'D'),
               coalesce(fields->>'locality', ''), folded(coalesce(fields->>'locality', '')), start_date, deadline,
               CASE WHEN over.day >= today THEN coming_day(record.id, deadline, today) END, over.day,
               CASE WHEN own.lat IS NOT NULL AND own.lon IS NOT NULL THEN own.lat ELSE at_place.lat END,
               CASE WHEN own.lat IS NOT NULL AND own.lon IS NOT NULL THEN own.lon ELSE at_place.lon END,
               language_code(fields->>'in_language'),
               fields->>'is_accessible_for_free' IS NOT DISTINCT FROM 'true',
               fields ? 'virtual_url' OR coalesce(fields->>'attendance_mode', '') ~* 'online|mixed',
               coalesce(fields->>'event_status', '') ~* 'cancel',
               says_accessible(concat_ws('. ', left(fields->>'description', 5000), fields->>'keywords',
                                         left(fields->>'eligibility', 5000))),
               published_at
        FROM record
             CROSS JOIN LATERAL (
                 SELECT CASE WHEN record.kind = 'event' THEN
                            coalesce(max(greatest(start_date, ("end" AT TIME ZONE 'UTC')::date)), '0001-01-01')
                        ELSE '{FAR}' END AS day
                 FROM occurrence WHERE record_id = record.id AND record.kind = 'event'
             ) AS happens
             CROSS JOIN LATERAL (SELECT least(happens.day, deadline) AS day) AS over
             CROSS JOIN LATERAL (
                 SELECT degrees_of(fields->'lat', 90) AS lat, degrees_of(fields->'lon', 180) AS lon
             ) AS own
             LEFT JOIN LATERAL (
                 SELECT place.lat, place.lon FROM search_entry AS place WHERE place.record_id = record.place_id
             ) AS at_place ON true
        WHERE record.id = ANY(ids) AND record.status = 'published'
        ORDER BY record.id
        ON CONFLICT (record_id) DO UPDATE SET
            kind = excluded.kind, name = excluded.name, words = excluded.words, town = excluded.town,
            folded_town = excluded.folded_town, start_date = excluded.start_date, deadline = excluded.deadline,
            next_day = excluded.next_day, last_day = excluded.last_day, lat = excluded.lat, lon = excluded.lon,
            language = excluded.language, is_free = excluded.is_free, is_online = excluded.is_online,
            is_cancelled = excluded.is_cancelled, is_accessible = excluded.is_accessible,
            published_at = excluded.published_at;
        -- What is held at a place that has just learned where it is. Indexes: search_entry_pkey, record_held.
        UPDATE search_entry AS entry SET lat = place.lat, lon = place.lon
        FROM search_entry AS place JOIN record AS held ON held.place_id = place.record_id
        WHERE place.record_id = ANY(ids) AND place.kind = 'place' AND place.lat IS NOT NULL
          AND entry.record_id = held.id AND entry.lat IS NULL;
    END $$;
"""  # noqa: S608  # our own words
BEFORE = import_module("gleanery.publishing.migrations.0002_kept_by_the_database").FUNCTIONS
BEFORE = BEFORE[BEFORE.index("CREATE FUNCTION store_") : BEFORE.index("CREATE FUNCTION record_is")]
GONE = f"""
    {BEFORE.replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION")}
    DROP FUNCTION coming_day(uuid, date, date);
    DROP FUNCTION degrees_of(jsonb, float8);
    DROP FUNCTION language_code(text);
    DROP FUNCTION says_accessible(text);
    DROP FUNCTION km_between(float8, float8, float8, float8);
"""
# Of the stages before, whose tables have grown: those that go on for more than half a day, and what is listed no more.
INDEXES = """
    CREATE INDEX occurrence_lasting ON occurrence ("end", record_id) WHERE "end" - start > interval '12 hours';
    CREATE INDEX observation_not_seen ON observation (record)
        WHERE superseded_at IS NULL AND not_seen_since IS NOT NULL;
"""
NO_INDEXES = "DROP INDEX occurrence_lasting; DROP INDEX observation_not_seen"


def index(name: str, *fields: str, when: Q | None = None) -> migrations.AddIndex:
    return migrations.AddIndex("searchentry", models.Index(fields=fields, name=name, condition=when))


class Migration(migrations.Migration):
    dependencies = [("publishing", "0040_subscriptions"), ("extraction", "0005_what_feeds_say")]
    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '10s'", migrations.RunSQL.noop),
        migrations.AddField(
            "publicsite",
            "hide_after_days",
            models.PositiveSmallIntegerField(
                null=True,
                blank=True,
                validators=[
                    django.core.validators.MinValueValidator(1),
                    django.core.validators.MaxValueValidator(3650),
                ],
                verbose_name="hide what is no longer listed after (days)",
                help_text="Empty: never; it is shown with a note that its source no longer lists it.",
            ),
        ),
        migrations.AddField(
            "searchentry",
            "next_day",
            models.DateField(null=True, help_text="When it takes place next, else when it closes; empty once over."),
        ),
        migrations.AddField(
            "searchentry",
            "last_day",
            models.DateField(default=FAR, db_default=FAR, help_text="After this day it is over."),
        ),
        migrations.AddField(
            "searchentry",
            "soon",
            models.GeneratedField(
                expression=django.db.models.functions.comparison.Coalesce("next_day", Value(FAR)),
                output_field=models.DateField(),
                db_persist=True,
            ),
        ),
        migrations.AddField("searchentry", "lat", models.FloatField(null=True)),
        migrations.AddField("searchentry", "lon", models.FloatField(null=True)),
        migrations.AddField(
            "searchentry",
            "language",
            models.CharField(max_length=3, default="", db_default="", help_text="Its code, such as bg."),
        ),
        migrations.AddField(
            "searchentry",
            "is_accessible",
            models.BooleanField(default=False, db_default=False, help_text="Says that wheelchairs get in."),
        ),
        migrations.AddField(
            "searchentry",
            "unconfirmed_since",
            models.DateTimeField(
                null=True, help_text="Since when no source lists it, if all were read again twice without it."
            ),
        ),
        migrations.RunSQL(FUNCTIONS, GONE),
        migrations.RunSQL("SELECT store_search_entries(array_agg(id)) FROM record", migrations.RunSQL.noop),
        migrations.RunSQL("SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED", migrations.RunSQL.noop),
        index("search_soonest", "soon", "record"),
        index("search_kind_soonest", "kind", "soon", "record"),
        migrations.RemoveIndex("searchentry", "search_town"),
        index("search_town_soonest", "folded_town", "soon", "record", when=~Q(folded_town="")),
        index("search_by_name", "name", "record"),
        index("search_unconfirmed", "unconfirmed_since", when=Q(unconfirmed_since__isnull=False)),
        migrations.AddIndex(
            "searchentry",
            django.contrib.postgres.indexes.GinIndex(
                Func(F("name"), template="to_tsvector('simple'::regconfig, %(expressions)s)"), name="search_name_words"
            ),
        ),
        migrations.AddIndex(
            "searchentry",
            django.contrib.postgres.indexes.GistIndex(
                Func(F("lon"), F("lat"), function="point"), name="search_position", condition=Q(lat__isnull=False)
            ),
        ),
        migrations.RunSQL(INDEXES, NO_INDEXES),
    ]
