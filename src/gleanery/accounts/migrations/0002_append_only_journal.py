"""The trigger that makes the journal append-only."""

from django.db import migrations

APPEND_ONLY = """
    CREATE FUNCTION journal_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION 'the journal is append-only: % is refused', TG_OP USING ERRCODE = 'restrict_violation';
    END $$;
    CREATE TRIGGER journal_no_change BEFORE UPDATE OR DELETE ON journal
        FOR EACH ROW EXECUTE FUNCTION journal_is_append_only();
    CREATE TRIGGER journal_no_truncate BEFORE TRUNCATE ON journal
        FOR EACH STATEMENT EXECUTE FUNCTION journal_is_append_only();
"""
FREE = """
    DROP TRIGGER journal_no_truncate ON journal;
    DROP TRIGGER journal_no_change ON journal;
    DROP FUNCTION journal_is_append_only();
"""


class Migration(migrations.Migration):
    dependencies = [("accounts", "0001_initial")]
    operations = [migrations.RunSQL(APPEND_ONLY, FREE)]
