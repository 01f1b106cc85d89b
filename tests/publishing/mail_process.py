"""`python -m tests.publishing.mail_process DATABASE SMTP_URL`: a process that sends what waits, for a test to kill."""

import os
import sys
from dataclasses import replace

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
django.setup()

if __name__ == "__main__":
    from django.conf import settings
    from django.db import connection

    from gleanery.publishing.digests import queue, sending

    connection.settings_dict["NAME"] = sys.argv[1]
    settings.ENVIRONMENT = replace(settings.ENVIRONMENT, smtp_url=sys.argv[2], smtp_from="Town <news@town.example>")
    queue.queue_due()
    sending.send_waiting()
