"""The statements of exports: published records as text, in batches, from one snapshot."""

from __future__ import annotations

from gleanery.publishing.showing.reading import Said

COUNT = "SELECT count(*) FROM search_entry AS entry WHERE {where} AND entry.kind = %(of_kind)s"
# The database writes the JSON: a record is text from here on, unless its format needs its fields. `wider` are records
# whose sources name more dates than its own fields do. Indexes: search_entry_pkey, record_pkey, occurrence_once.
RECORDS = """
    SELECT record.id::text, record.kind,
           '{{"id": "' || record.id || '", "kind": "' || record.kind || '", "name": ' || to_json(record.name)
           || CASE WHEN rest.text = '{{}}' THEN '}}' ELSE ', ' || substr(rest.text, 2) END,
           coming.count > CASE WHEN jsonb_typeof(fields->'occurrences') = 'array'
                               THEN jsonb_array_length(fields->'occurrences') ELSE 1 END
    FROM search_entry AS entry JOIN record ON record.id = entry.record_id
         CROSS JOIN LATERAL (SELECT (fields - %(hidden)s::text[])::text) AS rest (text)
         CROSS JOIN LATERAL (SELECT count(*) FROM occurrence WHERE record_id = record.id) AS coming
    WHERE {where} AND entry.kind = %(of_kind)s
    ORDER BY entry.record_id
"""
IDS = "SELECT entry.record_id FROM search_entry AS entry WHERE {where} AND entry.kind = %(of_kind)s ORDER BY record_id"
_FACTS = {
    "id": "observation.id::text",
    "source": "source.name",
    "page": "page.url",
    "url": "payload->>'url'",
    "last_seen": "last_seen",
    "not_seen_since": "CASE WHEN in_feed THEN NULL ELSE not_seen_since END",
    "domain": "domain.name",
    "payload": "payload",
}
# What each source says now of these records, the most trusted first. Index: observation_of_record.
SAID = f"""
    SELECT record::text, {", ".join(_FACTS[name] for name in Said._fields)}
    FROM observation JOIN source ON source.id = source_id LEFT JOIN domain ON domain.id = source.domain_id
         LEFT JOIN page ON page.id = page_id
    WHERE record = ANY(%(ids)s::uuid[]) AND superseded_at IS NULL
      AND domain.processing_status IS DISTINCT FROM 'blacklisted'
    ORDER BY record, trust DESC, first_observed, observation.id
"""  # noqa: S608  # columns that stand above
# Index: record_pkey.
COUNTRIES = "SELECT id::text, fields->>'country' FROM record WHERE id = ANY(%(ids)s::uuid[])"
# The newest change of what is published, and how much that is: another answer means another file.
STATE = """
    SELECT count(*), max(record.updated_at) FROM search_entry AS entry JOIN record ON record.id = entry.record_id
"""
