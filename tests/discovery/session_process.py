"""`python -m tests.discovery.session_process NAME ID` runs a session in a separate process, to be killed."""

import os
import sys

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
django.setup()

if __name__ == "__main__":
    from django.db import connection

    from gleanery.discovery.models import Session
    from gleanery.discovery.run import run

    connection.settings_dict["NAME"] = sys.argv[1]
    run(Session.objects.get(pk=sys.argv[2]))
