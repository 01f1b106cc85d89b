"""The functions and triggers that keep `search_entry`, the entries of what is published already.

Text is folded by the database for entries and queries alike, so the two cannot differ: small letters, no accents,
Cyrillic in Latin letters the official Bulgarian way, with y and i as one.
"""

from django.db import migrations

SINGLE = dict(
    zip("абвгдезийклмнопрстуфхъэыёіїєјљњћђџѓќѕѝøłđıð", "abvgdeziiklmnoprstufhaeieiiejlncddgkzioldid", strict=True)
)
SEVERAL = {
    "ж": "zh",
    "ц": "ts",
    "ч": "ch",
    "ш": "sh",
    "щ": "sht",
    "ю": "iu",
    "я": "ia",
    "æ": "ae",
    "œ": "oe",
    "ß": "ss",
}
MARKS = "".join(map(chr, range(0x300, 0x370)))
# Some servers are set up with a locale that has no capitals but A to Z.
CAPITALS = "АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЭЫЁІЇЄЈЉЊЋЂЏЃЌЅЍЮЯØŁĐÆŒÐ"


def _folded() -> str:
    text = f"lower(translate(given, '{CAPITALS}', '{CAPITALS.lower()}'))"
    text = f"translate({text}, '{''.join(SINGLE)}ьЬ', '{''.join(SINGLE.values())}')"
    for letter, latin in SEVERAL.items():
        text = f"replace({text}, '{letter}', '{latin}')"
    text = f"regexp_replace(normalize({text}, NFKD), '[{MARKS[0]}-{MARKS[-1]}]', '', 'g')"
    # Translating looks through all its letters for each one of the text: what is plain English is spared that.
    text = f"CASE WHEN octet_length(given) = char_length(given) THEN lower(given) ELSE {text} END"
    return f"replace(replace({text}, 'y', 'i'), 'ii', 'i')"


FUNCTIONS = """
    CREATE FUNCTION folded(given text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
        SELECT EXPRESSION
    $$;
    CREATE FUNCTION store_search_entries(ids uuid[]) RETURNS void LANGUAGE plpgsql AS $$
    BEGIN
        DELETE FROM search_entry WHERE record_id IN
            (SELECT id FROM record WHERE id = ANY(ids) AND status <> 'published');
        INSERT INTO search_entry (record_id, kind, name, words, town, folded_town, start_date, deadline, is_free,
                                  is_online, is_cancelled, published_at)
        SELECT id, kind, folded(name),
               setweight(to_tsvector('simple', folded(name)), 'A')
                   || setweight(to_tsvector('simple', folded(concat_ws(' ', fields->>'venue_name', fields->>'locality',
                          fields->>'region', fields->>'organizer_name', fields->>'funder_name',
                          fields->>'provider_name'))), 'B')
                   || setweight(to_tsvector('simple', folded(concat_ws(' ', fields->>'keywords', fields->>'address',
                          fields->>'eligibility'))), 'C')
                   || setweight(to_tsvector('simple', folded(left(coalesce(fields->>'description', ''), 5000))), 'D'),
               coalesce(fields->>'locality', ''), folded(coalesce(fields->>'locality', '')), start_date, deadline,
               fields->>'is_accessible_for_free' IS NOT DISTINCT FROM 'true',
               fields ? 'virtual_url' OR coalesce(fields->>'attendance_mode', '') ~* 'online|mixed',
               coalesce(fields->>'event_status', '') ~* 'cancel', published_at
        FROM record WHERE id = ANY(ids) AND status = 'published'
        ORDER BY id
        ON CONFLICT (record_id) DO UPDATE SET
            kind = excluded.kind, name = excluded.name, words = excluded.words, town = excluded.town,
            folded_town = excluded.folded_town, start_date = excluded.start_date, deadline = excluded.deadline,
            is_free = excluded.is_free, is_online = excluded.is_online, is_cancelled = excluded.is_cancelled,
            published_at = excluded.published_at;
    END $$;
    CREATE FUNCTION record_is_searched() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        PERFORM store_search_entries(array_agg(id)) FROM written;
        RETURN NULL;
    END $$;
    ALTER TABLE search_entry ADD CONSTRAINT search_entry_of_record FOREIGN KEY (record_id) REFERENCES record
        ON DELETE CASCADE;
    CREATE TRIGGER record_added AFTER INSERT ON record REFERENCING NEW TABLE AS written
        FOR EACH STATEMENT EXECUTE FUNCTION record_is_searched();
    CREATE TRIGGER record_changed AFTER UPDATE ON record REFERENCING NEW TABLE AS written
        FOR EACH STATEMENT EXECUTE FUNCTION record_is_searched();
"""
GONE = """
    ALTER TABLE search_entry DROP CONSTRAINT search_entry_of_record;
    DROP TRIGGER record_changed ON record;
    DROP TRIGGER record_added ON record;
    DROP FUNCTION record_is_searched();
    DROP FUNCTION store_search_entries(uuid[]);
    DROP FUNCTION folded(text);
"""


class Migration(migrations.Migration):
    dependencies = [("publishing", "0001_initial")]
    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '10s'", migrations.RunSQL.noop),
        migrations.RunSQL(FUNCTIONS.replace("EXPRESSION", _folded()), GONE),
        migrations.RunSQL("SELECT store_search_entries(array_agg(id)) FROM record", migrations.RunSQL.noop),
    ]
