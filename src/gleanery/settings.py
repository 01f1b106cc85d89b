"""Django settings, derived from environment variables, which are read only here."""

from __future__ import annotations

import os
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

import django_stubs_ext
from django.templatetags.static import static
from django.urls import reverse_lazy

from gleanery import environment as _environment
from gleanery.database import launcher
from gleanery.logs import logging_settings, on_a_terminal
from gleanery.secret import secret_key

# Allows generic annotations such as `ModelForm[User]` at run time.
django_stubs_ext.monkeypatch()

ENVIRONMENT = _environment.read(os.environ)


def _database() -> dict[str, Any]:
    """Return the operator's server, or the embedded one in the data directory."""
    if not ENVIRONMENT.database_url:
        where = launcher.connection_of(ENVIRONMENT.data_dir)
        return {"NAME": where["dbname"], "USER": where["user"], "HOST": where["host"], "PORT": where["port"]}
    parts = urlsplit(ENVIRONMENT.database_url)
    options = dict(parse_qsl(parts.query))
    return {
        "NAME": unquote(parts.path[1:]),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": options.pop("host", unquote(parts.hostname or "")),
        "PORT": options.pop("port", str(parts.port or "")),
        "OPTIONS": options,
    }


DATABASES = {"default": {"ENGINE": "django.db.backends.postgresql", "CONN_HEALTH_CHECKS": True, **_database()}}
SECRET_KEY = secret_key(ENVIRONMENT)
PUBLIC = urlsplit(ENVIRONMENT.public_url)
# This machine is always allowed, for health checks and the first login.
ALLOWED_HOSTS = list(
    dict.fromkeys([*ENVIRONMENT.allowed_hosts, *filter(None, [PUBLIC.hostname]), "localhost", "127.0.0.1", "[::1]"])
)
DEBUG = False

INSTALLED_APPS = [
    "unfold.apps.BasicAppConfig",
    "gleanery.interfaces.console.apps.ConsoleAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "axes",
    "procrastinate.contrib.django",
    "gleanery.accounts",
    "gleanery.domains",
    "gleanery.discovery",
    "gleanery.judging",
    "gleanery.crawling",
    "gleanery.extraction",
    "gleanery.feeds",
    "gleanery.resolution",
    "gleanery.review",
    "gleanery.publishing",
    "gleanery.interfaces.console",
    "gleanery.interfaces.public",
]
MIDDLEWARE = [
    "gleanery.interfaces.headers.SecurityHeaders",
    "gleanery.interfaces.compression.Compression",
    "gleanery.interfaces.cross_origin.CrossOrigin",
    "gleanery.interfaces.api.problems.ApiProblems",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "axes.middleware.AxesMiddleware",
    "gleanery.interfaces.error_pages.ErrorPages",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "builtins": ["gleanery.interfaces.console.template_filters"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "gleanery.interfaces.public.context.public",
            ],
        },
    }
]
ROOT_URLCONF = "gleanery.interfaces.urls"
WSGI_APPLICATION = "gleanery.interfaces.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
MIGRATION_MODULES: dict[str, str] = {}

USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en"
FORMAT_MODULE_PATH = ["gleanery.interfaces.console.formats"]

STATIC_URL = "/static/"
# Static files are served from the packages, so that no collectstatic step is needed.
WHITENOISE_USE_FINDERS = True

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", "django.contrib.auth.backends.ModelBackend"]
PASSWORD_HASHERS = ["gleanery.accounts.hashing.LimitedArgon2Hasher"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "admin:login"
LOGIN_REDIRECT_URL = "admin:index"

# Five wrong passwords for one name from one address lock that combination for 15 minutes.
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_RESET_ON_SUCCESS = True
AXES_LOCKOUT_CALLABLE = "gleanery.interfaces.error_pages.locked"
AXES_CLIENT_IP_CALLABLE = "gleanery.accounts.caller.counted_as"
AXES_ENABLE_ADMIN = False

SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SAMESITE = "Lax"
# Behind a TLS proxy, forms are sent from https while the application sees http.
CSRF_TRUSTED_ORIGINS = [
    f"https://{'*' + host if host.startswith('.') else host}" for host in ALLOWED_HOSTS if host != "*"
]
# With a public address there is a proxy in front, which reports whether a request used TLS.
if PUBLIC.scheme == "https":
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True
    SECURE_HSTS_SECONDS = 31_536_000
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

# How long each web process keeps what the start page shows.
FRONT_SECONDS = 60

PROCRASTINATE_IMPORT_PATHS = [
    "gleanery.jobs",
    "gleanery.database.backup.tasks",
    "gleanery.publishing.changes.tasks",
    "gleanery.publishing.webhooks.tasks",
]
LOGGING = logging_settings(pretty=on_a_terminal())

UNFOLD: dict[str, Any] = {
    "SITE_TITLE": "Gleanery",
    "SITE_HEADER": "Gleanery",
    "SITE_SUBHEADER": "One clean, sourced record of everything",
    "SITE_SYMBOL": "grass",
    "SITE_FAVICONS": [{"rel": "icon", "type": "image/svg+xml", "href": lambda request: static("console/icon.svg")}],
    "STYLES": [lambda request: static("console/console.css")],
    "SHOW_HISTORY": False,
    "SHOW_VIEW_ON_SITE": False,
    "BORDER_RADIUS": "6px",
    "COLORS": {
        "primary": {
            "50": "#f2f8f3",
            "100": "#e0eee2",
            "200": "#c3ddc8",
            "300": "#98c4a1",
            "400": "#67a374",
            "500": "#468655",
            "600": "#346b42",
            "700": "#2a5636",
            "800": "#24452d",
            "900": "#1e3926",
            "950": "#0f2015",
        }
    },
    "ACCOUNT": {"navigation": [{"title": "Set your password", "link": reverse_lazy("admin:password_change")}]},
    "SIDEBAR": {"show_search": False, "navigation": "gleanery.interfaces.console.site.navigation"},
}
