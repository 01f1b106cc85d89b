"""A Frictionless Data Package: one CSV file for each kind in a ZIP, and a description of their columns."""

from __future__ import annotations

import json
import zipfile
from typing import Any, BinaryIO, Final

from gleanery.kinds import FLAG, KINDS, LATITUDE, LONGITUDE, NUMBER, URL
from gleanery.publishing.exports.cells import SOURCES, columns
from gleanery.publishing.exports.contents import Contents
from gleanery.publishing.exports.csv_table import write_rows
from gleanery.publishing.exports.format import Format
from gleanery.publishing.exports.hashed import Hashed
from gleanery.publishing.site import presentation

TYPES: Final[dict[str, str]] = {NUMBER: "number", LATITUDE: "number", LONGITUDE: "number", FLAG: "boolean"}
DESCRIPTION: Final = "datapackage.json"


def write(contents: Contents, out: BinaryIO) -> None:
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
        resources = [_resource(contents, kind, package) for kind in contents.kinds(FORMAT.kinds)]
        package.writestr(entry(DESCRIPTION), json.dumps(_described(contents, resources), ensure_ascii=False, indent=2))


def entry(name: str) -> zipfile.ZipInfo:
    """A file in a ZIP without the moment at which it was written: the same records give the same file."""
    info = zipfile.ZipInfo(name)
    info.compress_type = zipfile.ZIP_DEFLATED
    return info


def _resource(contents: Contents, kind: str, package: zipfile.ZipFile) -> dict[str, Any]:
    names = columns([kind]) + (list(SOURCES) if contents.with_sources else [])
    with package.open(entry(f"{kind}.csv"), "w", force_zip64=True) as file:
        hashed = Hashed(file)
        write_rows(names, contents.rows(kind), hashed)  # type: ignore[arg-type]  # it takes all that it is given
    return {
        "name": kind,
        "path": f"{kind}.csv",
        "profile": "tabular-data-resource",
        "format": "csv",
        "mediatype": "text/csv",
        "encoding": "utf-8",
        "bytes": hashed.count,
        "hash": f"sha256:{hashed.digest}",
        "schema": {"fields": [_field(kind, name) for name in names], "primaryKey": "id"},
    }


def _field(kind: str, name: str) -> dict[str, Any]:
    type_name = KINDS[kind].fields.get(name, "")
    described: dict[str, Any] = {"name": name, "type": TYPES.get(type_name, "string")}
    if type_name == URL:
        described["format"] = "uri"
    if name in ("id", "kind", "name"):
        described["constraints"] = {"required": True}
    return described


def _described(contents: Contents, resources: list[dict[str, Any]]) -> dict[str, Any]:
    site = presentation.current()
    return {
        "profile": "tabular-data-package",
        "name": "records",
        "title": site.name,
        **({"description": site.about} if site.about else {}),
        "homepage": contents.root,
        "created": f"{contents.made_at:%Y-%m-%dT%H:%M:%SZ}",
        "resources": resources,
    }


FORMAT = Format(
    name="datapackage",
    label="Frictionless Data Package, CSV in a ZIP",
    ending="zip",
    media_type="application/zip",
    write=write,
    whole_name="datapackage.zip",
)
