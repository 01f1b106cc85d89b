"""The triggers that write `record_change`, the order in which changes are listed, and what is public already.

A record's times have a table of their own, so two tables are watched. Fields that only staff may see are passed over.
"""

from django.db import migrations

FUNCTIONS = """
    CREATE FUNCTION public_differences(before jsonb, after jsonb) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
        SELECT coalesce(array_agg(key ORDER BY key), '{}')
        FROM jsonb_each(before) AS a FULL JOIN jsonb_each(after) AS b USING (key)
        WHERE a.value IS DISTINCT FROM b.value AND key NOT IN ('phone', 'email')
    $$;
    CREATE FUNCTION record_added_is_a_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        INSERT INTO record_change (record_id, kind, change, transaction)
        SELECT id, kind, 'created', pg_current_xact_id()::text::bigint FROM written WHERE status = 'published'
        ORDER BY id;
        RETURN NULL;
    END $$;
    CREATE FUNCTION record_changed_is_a_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        INSERT INTO record_change (record_id, kind, change, fields, into_id, transaction)
        SELECT id, kind, change, fields, CASE WHEN change = 'merged' THEN merged_into_id END,
               pg_current_xact_id()::text::bigint
        FROM (
            SELECT after.id, after.kind, after.merged_into_id,
                   CASE WHEN after.status = 'published' AND before.status = 'published' THEN 'updated'
                        WHEN after.status = 'published' AND before.status = 'merged' THEN 'split'
                        WHEN after.status = 'published' THEN 'created'
                        WHEN after.status IN ('merged', 'deleted') THEN after.status
                        ELSE 'unpublished' END AS change,
                   CASE WHEN after.status = before.status
                             AND (after.fields, after.place_id, after.organization_id)
                                 IS DISTINCT FROM (before.fields, before.place_id, before.organization_id)
                        THEN public_differences(
                            before.fields || jsonb_build_object('place', before.place_id, 'organization', before.organization_id),
                            after.fields || jsonb_build_object('place', after.place_id, 'organization', after.organization_id))
                        ELSE '{}' END AS fields
            FROM written AS after JOIN overwritten AS before USING (id)
            WHERE 'published' IN (after.status, before.status)
        ) AS found
        WHERE change <> 'updated' OR fields <> '{}'
        ORDER BY id;
        RETURN NULL;
    END $$;
    CREATE FUNCTION occurrence_is_a_change() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        INSERT INTO record_change (record_id, kind, change, fields, transaction)
        SELECT id, kind, 'updated', '{occurrences}', pg_current_xact_id()::text::bigint
        FROM record WHERE id IN (SELECT record_id FROM written) AND status = 'published'
        ORDER BY id;
        RETURN NULL;
    END $$;
    CREATE TRIGGER record_added_listed AFTER INSERT ON record REFERENCING NEW TABLE AS written
        FOR EACH STATEMENT EXECUTE FUNCTION record_added_is_a_change();
    CREATE TRIGGER record_changed_listed AFTER UPDATE ON record
        REFERENCING OLD TABLE AS overwritten NEW TABLE AS written
        FOR EACH STATEMENT EXECUTE FUNCTION record_changed_is_a_change();
    CREATE TRIGGER occurrence_added_listed AFTER INSERT ON occurrence REFERENCING NEW TABLE AS written
        FOR EACH STATEMENT EXECUTE FUNCTION occurrence_is_a_change();
    CREATE TRIGGER occurrence_changed_listed AFTER UPDATE ON occurrence REFERENCING NEW TABLE AS written
        FOR EACH STATEMENT EXECUTE FUNCTION occurrence_is_a_change();
    CREATE TRIGGER occurrence_removed_listed AFTER DELETE ON occurrence REFERENCING OLD TABLE AS written
        FOR EACH STATEMENT EXECUTE FUNCTION occurrence_is_a_change();
"""
GONE = """
    DROP TRIGGER occurrence_removed_listed ON occurrence;
    DROP TRIGGER occurrence_changed_listed ON occurrence;
    DROP TRIGGER occurrence_added_listed ON occurrence;
    DROP TRIGGER record_changed_listed ON record;
    DROP TRIGGER record_added_listed ON record;
    DROP FUNCTION occurrence_is_a_change();
    DROP FUNCTION record_changed_is_a_change();
    DROP FUNCTION record_added_is_a_change();
    DROP FUNCTION public_differences(jsonb, jsonb);
"""
PRESENT = """
    INSERT INTO record_change (record_id, kind, change, transaction)
    SELECT id, kind, 'created', pg_current_xact_id()::text::bigint FROM record WHERE status = 'published' ORDER BY id
"""


class Migration(migrations.Migration):
    dependencies = [("publishing", "0030_changes")]
    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '10s'", migrations.RunSQL.noop),
        migrations.RunSQL(FUNCTIONS, GONE),
        migrations.RunSQL(PRESENT, migrations.RunSQL.noop),
    ]
