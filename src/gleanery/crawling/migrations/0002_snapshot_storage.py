"""How PostgreSQL keeps the two long columns of a snapshot."""

from django.db import migrations

# The bytes are compressed already. PostgreSQL's own compression of the text took longer than all else about a page, and
# text that is not compressed can be read in pieces.
TO_EXTERNAL = "ALTER TABLE snapshot ALTER COLUMN raw SET STORAGE EXTERNAL, ALTER COLUMN text SET STORAGE EXTERNAL"
TO_EXTENDED = "ALTER TABLE snapshot ALTER COLUMN raw SET STORAGE EXTENDED, ALTER COLUMN text SET STORAGE EXTENDED"


class Migration(migrations.Migration):
    dependencies = [("crawling", "0001_initial")]

    operations = [migrations.RunSQL(TO_EXTERNAL, TO_EXTENDED)]
