"""The trigger that keeps results as they came: only a rescue and the emptying of the spam bin change one."""

from django.db import migrations

IMMUTABLE = """
    CREATE FUNCTION result_is_immutable() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE allowed result;
    BEGIN
        IF TG_OP = 'UPDATE' THEN
            allowed := OLD;
            IF OLD.outcome = 'spam' AND OLD.emptied_at IS NULL AND NEW.outcome IN ('new', 'duplicate')
               AND NEW.rescued_at IS NOT NULL AND NEW.rescued_by_id IS NOT NULL THEN
                allowed.outcome := NEW.outcome;
                allowed.domain_id := NEW.domain_id;
                allowed.rescued_at := NEW.rescued_at;
                allowed.rescued_by_id := NEW.rescued_by_id;
            ELSIF OLD.outcome IN ('spam', 'blacklisted', 'invalid') AND OLD.emptied_at IS NULL THEN
                allowed.url := '';
                allowed.title := '';
                allowed.description := '';
                allowed.reason := '';
                allowed.emptied_at := NEW.emptied_at;
            END IF;
            IF NEW IS NOT DISTINCT FROM allowed THEN
                RETURN NEW;
            END IF;
        END IF;
        RAISE EXCEPTION 'results are immutable: % is refused', TG_OP USING ERRCODE = 'restrict_violation';
    END $$;
    CREATE TRIGGER result_no_change BEFORE UPDATE OR DELETE ON result
        FOR EACH ROW EXECUTE FUNCTION result_is_immutable();
    CREATE TRIGGER result_no_truncate BEFORE TRUNCATE ON result
        FOR EACH STATEMENT EXECUTE FUNCTION result_is_immutable();
"""
FREE = """
    DROP TRIGGER result_no_truncate ON result;
    DROP TRIGGER result_no_change ON result;
    DROP FUNCTION result_is_immutable();
"""


class Migration(migrations.Migration):
    dependencies = [("discovery", "0003_deep_crawl_session")]
    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '10s'", migrations.RunSQL.noop),
        migrations.RunSQL(IMMUTABLE, FREE),
    ]
