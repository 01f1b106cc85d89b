from django.db import migrations

# What a thing names is known by the kind of that thing, too: `7#venue:…` of event 7 is `7#event.venue:…`. Those of two
# things of one number go to the first of their kinds, and are told anew of the other. What is too long stays as it is.
RENAME = """
    WITH parent AS (
        SELECT DISTINCT ON (source_id, external_id) source_id, external_id, kind FROM observation
        WHERE kind IN ('event', 'funding', 'service', 'opportunity') AND superseded_at IS NULL
        ORDER BY source_id, external_id, kind
    ), child AS (
        SELECT id, source_id, kind, regexp_match(external_id, '^(.*)#([a-z]+:[0-9a-f]*)$') AS parts FROM observation
        WHERE extractor = 'named' AND external_id ~ '#[a-z]+:[0-9a-f]*$'
    ), renamed AS (
        SELECT child.id, child.source_id, child.kind, parts[1] || '#' || parent.kind || '.' || parts[2] AS external_id
        FROM child JOIN parent ON parent.source_id = child.source_id AND parent.external_id = parts[1]
    )
    UPDATE observation SET external_id = renamed.external_id FROM renamed
    WHERE observation.id = renamed.id AND char_length(renamed.external_id) <= 500
      AND NOT EXISTS (
          SELECT FROM observation AS there WHERE there.source_id = renamed.source_id
             AND there.kind = renamed.kind AND there.external_id = renamed.external_id
      )
"""


class Migration(migrations.Migration):
    dependencies = [("resolution", "0006_likeness_anew"), ("extraction", "0002_record_of_observation")]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '10s'", migrations.RunSQL.noop),
        migrations.RunSQL(RENAME, migrations.RunSQL.noop),
    ]
