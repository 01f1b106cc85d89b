"""SQL statements of intake: set-based, each with its reason and the index that it uses."""

from __future__ import annotations

# Statements that look up many things of one source use a lateral join, so that PostgreSQL looks them up one by one. It
# has no statistics about a new source, and would otherwise read all of the source for each thing.

# Current versions of these things. Index: observation_current_once.
CURRENT_VERSIONS = """
    SELECT wanted.kind, wanted.external_id, id::text, payload_hash, version, record::text, first_observed
    FROM unnest(%(kinds)s::text[], %(keys)s::text[]) AS wanted (kind, external_id)
         CROSS JOIN LATERAL (
             SELECT * FROM observation
             WHERE source_id = %(source)s AND kind = wanted.kind AND external_id = wanted.external_id
               AND superseded_at IS NULL
             LIMIT 1
         ) AS now
"""
# Only the time changes and no index covers it, so this is a HOT update.
MARK_SEEN = """
    UPDATE observation SET last_seen = %(now)s, not_seen_since = NULL WHERE id = ANY(%(ids)s::uuid[])
"""
# Indexes: observation_current_once, observation_pkey.
MARK_NOT_SEEN = """
    UPDATE observation SET not_seen_since = coalesce(not_seen_since, %(now)s)
    FROM unnest(%(kinds)s::text[], %(keys)s::text[]) AS wanted (kind, external_id)
         CROSS JOIN LATERAL (
             SELECT id FROM observation
             WHERE source_id = %(source)s AND kind = wanted.kind AND external_id = wanted.external_id
               AND superseded_at IS NULL
             LIMIT 1
         ) AS gone
    WHERE observation.id = gone.id
"""
# Previous versions of these things. Index: observation_version.
PREVIOUS_VERSIONS = """
    SELECT given.id::text, payload
    FROM json_to_recordset(%(rows)s) AS given (id uuid, kind text, external_id text, version int)
         CROSS JOIN LATERAL (
             SELECT payload FROM observation
             WHERE source_id = %(source)s AND kind = given.kind AND external_id = given.external_id
               AND version = given.version
             LIMIT 1
         ) AS before
"""
# Runs before the insert, since each thing may have only one current version.
SUPERSEDE = """
    UPDATE observation SET superseded_at = %(now)s WHERE id = ANY(%(ids)s::uuid[]) AND superseded_at IS NULL
"""
# All versions of one thing of a source have the same record. Indexes: observation_version, observation_pkey.
ATTACH = """
    UPDATE observation SET record = given.record, resolved_at = coalesce(resolved_at, %(now)s)
    FROM unnest(%(kinds)s::text[], %(keys)s::text[], %(records)s::uuid[]) AS given (kind, external_id, record)
         CROSS JOIN LATERAL (
             SELECT id FROM observation
             WHERE source_id = %(source)s AND kind = given.kind AND external_id = given.external_id
             OFFSET 0
         ) AS version
    WHERE observation.id = version.id
"""
_RECORD = """
    SELECT id::text, kind, status, name, fields, provenance, identity_hash, place_id::text, organization_id::text,
           start_date, deadline, published_at IS NOT NULL, updated_at, merged_into_id::text, notes, rules,
           (SELECT json_agg(json_build_array(
                encode(other.identity_hash, 'hex'), other.place_id, other.organization_id, other.loose))
            FROM other_identity AS other WHERE other.record_id = record.id)
    FROM record
"""
_HAS_OTHER_IDENTITY = """
    WHERE id IN (SELECT record_id FROM other_identity WHERE identity_hash = ANY(%(answers)s::bytea[]))
"""
# Records in any state, by id and by all identities. Indexes: record_pkey,
# record_identity, other_identity_found, other_identity_record.
RECORDS = (
    f"{_RECORD} WHERE id = ANY(%(ids)s::uuid[]) UNION ALL {_RECORD} WHERE identity_hash = ANY(%(hashes)s::bytea[])"
    f" UNION ALL {_RECORD} {_HAS_OTHER_IDENTITY}"
)
# Those of these ids that no record has, whatever became of it. Index: record_pkey.
UNUSED = """
    SELECT wanted.id::text FROM unnest(%(ids)s::uuid[]) AS wanted (id)
    WHERE NOT EXISTS (SELECT FROM record WHERE record.id = wanted.id)
"""
# Index: other_identity_record.
DELETE_IDENTITIES = """
    DELETE FROM other_identity USING json_to_recordset(%(rows)s)
        AS gone (record uuid, identity text, place uuid, organization uuid)
    WHERE record_id = record AND identity_hash = decode(identity, 'hex')
      AND place_id IS NOT DISTINCT FROM place AND organization_id IS NOT DISTINCT FROM organization
"""
INSERT_IDENTITIES = """
    INSERT INTO other_identity (record_id, identity_hash, place_id, organization_id, loose)
    SELECT record, decode(identity, 'hex'), place, organization, loose
    FROM json_to_recordset(%(rows)s) AS row (record uuid, identity text, place uuid, organization uuid, loose bool)
"""
# The final survivor of each merged record. Index: record_pkey.
SURVIVORS = """
    WITH RECURSIVE way AS (
        SELECT id AS origin, id, merged_into_id, 0 AS steps FROM record WHERE id = ANY(%(ids)s::uuid[])
        UNION ALL
        SELECT origin, record.id, record.merged_into_id, steps + 1
        FROM way JOIN record ON record.id = way.merged_into_id WHERE steps < 1000
    )
    SELECT origin::text, id::text FROM way WHERE merged_into_id IS NULL
"""
# The record and all that were merged into it. Index: record_merged.
ABSORBED = """
    WITH RECURSIVE family AS (
        SELECT id FROM record WHERE id = %(id)s
        UNION
        SELECT record.id FROM family JOIN record ON record.merged_into_id = family.id
    )
    SELECT id FROM family
"""
# In the order of ids, so that writers cannot deadlock.
LOCK = "SELECT FROM record WHERE id = ANY(%(ids)s::uuid[]) ORDER BY id FOR NO KEY UPDATE"
# Current observations of these records, without those of blacklisted domains, with the current trust of each source.
# Index: observation_of_record.
OBSERVATIONS = """
    SELECT record::text, observation.id::text, source_id::text, trust, first_observed, observation.kind, external_id,
           payload, extractor, asks
    FROM observation JOIN source ON source.id = source_id LEFT JOIN domain ON domain.id = source.domain_id
    WHERE record = ANY(%(ids)s::uuid[]) AND superseded_at IS NULL
      AND domain.processing_status IS DISTINCT FROM 'blacklisted'
"""
# Index: observation_current_once.
REFERENCES = """
    SELECT source_id::text, kind, external_id, record::text
    FROM observation JOIN unnest(%(sources)s::uuid[], %(kinds)s::text[], %(keys)s::text[])
              AS wanted (source_id, kind, external_id) USING (source_id, kind, external_id)
    WHERE superseded_at IS NULL AND record IS NOT NULL
"""
# Index: edit_of_record.
EDITS = """
    SELECT record_id::text, id::text, field, value, at FROM edit
    WHERE record_id = ANY(%(ids)s::uuid[]) AND withdrawn_at IS NULL
"""
# Index: occurrence_once.
OCCURRENCES = """
    SELECT record_id::text, start, "end", start_date FROM occurrence WHERE record_id = ANY(%(ids)s::uuid[])
    ORDER BY record_id, start
"""
UPDATE = """
    UPDATE record
    SET name = row.name, fields = row.fields, provenance = row.provenance, identity_hash = decode(row.identity, 'hex'),
        place_id = row.place, organization_id = row.organization, start_date = row.start_date,
        deadline = row.deadline, notes = row.notes, rules = row.rules, version = version + 1, updated_at = %(now)s
    FROM json_to_recordset(%(rows)s)
        AS row (id uuid, name text, fields jsonb, provenance jsonb, identity text, place uuid, organization uuid,
                start_date date, deadline date, notes text[], rules int)
    WHERE record.id = row.id
"""
CLEAR_OCCURRENCES = "DELETE FROM occurrence WHERE record_id = ANY(%(ids)s::uuid[])"
