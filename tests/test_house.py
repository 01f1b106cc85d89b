"""Conventions checked by tests: module sizes, names, up-to-date documents."""

import ast
import os
import re
import subprocess
import tomllib
from collections import Counter
from pathlib import Path

import pytest
from django.core.management import call_command
from tools import docs

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "gleanery"
MODULES = sorted(path for path in SOURCE.rglob("*.py") if "migrations" not in path.parts)
# Names that attract unrelated code. Exceptions need a name and a reason.
FORBIDDEN = {"utils", "helpers", "misc", "common", "manager"}
LONG_FOR_A_REASON: dict[str, str] = {}


def tracked() -> list[Path]:
    """Return the files tracked by git."""
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / name for name in listing.split("\0") if name and (ROOT / name).is_file()]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_module_is_short_enough_to_read(path: Path) -> None:
    name = str(path.relative_to(SOURCE))
    assert len(path.read_text().splitlines()) <= 300 or name in LONG_FOR_A_REASON


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_module_has_a_meaningful_name_and_a_docstring(path: Path) -> None:
    assert not {part.removesuffix(".py") for part in path.relative_to(SOURCE).parts} & FORBIDDEN
    first = path.read_text().lstrip()
    assert first.startswith('"""'), "a module begins with a docstring"


# A docstring starts with a noun or a verb: "Near duplicates per record, best first", not "Of each its near duplicates".
RIDDLES = re.compile(r"(What|Whether|Who|Whom|Whose|Of)\b")


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_no_docstring_begins_like_a_riddle(path: Path) -> None:
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    nodes = (node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, kinds))
    assert [text for node in nodes if (text := ast.get_docstring(node)) and RIDDLES.match(text)] == []


MOST_MODULES = 20


def test_a_folder_holds_few_enough_modules_to_look_through() -> None:
    folders = Counter(str(path.parent.relative_to(SOURCE)) for path in MODULES if path.name != "__init__.py")
    assert {folder: count for folder, count in folders.items() if count > MOST_MODULES} == {}


def test_the_map_lists_every_folder() -> None:
    listed = set(re.findall(r"^\| `([\w/.]+/)` \|", (ROOT / "docs" / "map.md").read_text(), re.MULTILINE))
    there = {f"{path.parent.relative_to(ROOT)}/" for path in SOURCE.rglob("__init__.py")}
    there -= {folder for folder in there if "migrations" in folder}
    there |= {f"{folder}/" for folder in ("tests", "bench", "docs", "tools") if (ROOT / folder).is_dir()}
    assert listed == there


@pytest.mark.django_db
def test_no_migration_is_missing() -> None:
    call_command("makemigrations", "--check", "--dry-run", verbosity=0)


@pytest.mark.parametrize("page", list(docs.PAGES))
def test_generated_pages_are_up_to_date(page: str) -> None:
    assert page not in docs.stale(), "run `make docs FIX=1`"


def test_every_adr_is_listed_and_complete() -> None:
    folder = ROOT / "docs" / "adr"
    index = (folder / "README.md").read_text()
    for record in sorted(folder.glob("0*.md")):
        text = record.read_text()
        assert record.name in index, f"{record.name} is not in docs/adr/README.md"
        assert re.search(r"^## (Decision|Why)", text, re.MULTILINE)


@pytest.mark.parametrize("folder", ["adr", "howto"])
def test_an_index_lists_every_page(folder: str) -> None:
    pages = {page.name for page in (ROOT / "docs" / folder).glob("*.md")} - {"README.md"}
    listed = re.findall(r"\]\(([^)/]+\.md)\)", (ROOT / "docs" / folder / "README.md").read_text())
    assert sorted(listed) == sorted(pages)
    if folder == "adr":
        assert listed == sorted(pages), "in the order of their numbers"


def test_the_changelog_has_one_list_per_kind_of_change() -> None:
    unreleased = (ROOT / "CHANGELOG.md").read_text().split("\n## ")[1]
    headings = re.findall(r"^### (.*)$", unreleased, re.MULTILINE)
    assert headings == [kind for kind in ("Added", "Changed", "Removed", "Fixed") if kind in headings]


def test_lock_files_contain_only_names_versions_and_hashes() -> None:
    for path in ROOT.glob("requirements*.lock"):
        for line in path.read_text().splitlines():
            assert re.fullmatch(r"[\w.\[\]-]+==[\w.]+( ;.*)? \\|    --hash=sha256:[0-9a-f]{64}( \\)?", line), line


def test_lock_files_pin_all_dependencies() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    pinned = set(re.findall(r"^([\w.-]+)==", (ROOT / "requirements.lock").read_text(), re.MULTILINE))
    asked = {re.split(r"[\[<>=]", each)[0].lower() for each in project["dependencies"]}
    assert asked <= pinned


def test_links_between_documents_work() -> None:
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\((?!https?:|#|mailto:)([^)#]+)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.relative_to(ROOT)} points to {target}"


def test_no_file_contains_paths_of_the_development_machine() -> None:
    pattern = re.compile(r"(?<![\w./])/(?:work|root|home)/\w")
    for path in tracked():
        if path.suffix in {".py", ".md", ".toml", ".yml", ".yaml", ".html"} and path != Path(__file__):
            assert not pattern.search(path.read_text()), path


# A use case opens its transaction. It stands in a services.py, or alone in a module with its reason here.
OPEN_TRANSACTIONS = {
    "accounts/actor.py": "makes the person at this terminal once",
    "accounts/idempotency.py": "keeps an answer with what it answered",
    "accounts/journal.py": "moves a row and writes the journal together",
    "crawling/schedule/weekly.py": "fills the weekly session",
    "crawling/visiting/crawl_stages.py": "begins, pauses and ends a crawl",
    "database/backup/stores_aside.py": "puts a store aside and back",
    "discovery/intake.py": "stores a page of results",
    "discovery/questions.py": "reserves a question under a daily cap",
    "discovery/tasks.py": "stores a session with its job",
    "domains/submissions/submitting.py": "takes in a submission",
    "extraction/model_reading/model_session.py": "reserves a question to the model under its caps",
    "publishing/changes/listing.py": "numbers committed changes",
    "publishing/webhooks/delivering.py": "settles one delivery",
    "publishing/webhooks/messages.py": "makes the next message of a webhook",
    "resolution/decisions/delete.py": "use cases of one decision",
    "resolution/decisions/edit.py": "use cases of one decision",
    "resolution/decisions/merge.py": "use cases of one decision",
    "resolution/decisions/publish.py": "use cases of one decision",
    "resolution/decisions/verdicts.py": "use cases of one decision",
    "resolution/importing/import_file.py": "rolls a dry run back",
    "resolution/intake/batch.py": "takes in a batch",
    "resolution/intake/recompute.py": "computes a batch of records again",
    "resolution/intake/trust.py": "follows a trust, a batch at a time",
    "review/queue/claims.py": "claims and releases an item",
    "review/records/record_decisions.py": "use cases of deciding about a record",
    "review/sources/previewing.py": "one preview that fails costs no other",
    "review/sources/source_decisions.py": "use cases of deciding about a source",
}


def test_only_use_cases_open_transactions() -> None:
    opening = {
        str(path.relative_to(SOURCE))
        for path in MODULES
        if path.name != "services.py" and re.search(r"\batomic\b", path.read_text())
    }
    assert opening == set(OPEN_TRANSACTIONS)


@pytest.mark.parametrize(
    ("what", "where"),
    [
        (r"^@app\.(task|periodic)\b", r"(tasks|jobs)\.py"),
        (r"^\w+ = Router\(", r"(\w+_)?api\.py"),
        (r"^class \w+\(models\.Model\):", r"models\.py"),
        (r"^@admin\.register\b", r"(\w+_)?admin\.py"),
    ],
    ids=["jobs", "routes", "tables", "console pages"],
)
def test_every_stage_keeps_its_furniture_where_the_others_do(what: str, where: str) -> None:
    found = [path for path in MODULES if re.search(what, path.read_text(), re.MULTILINE)]
    assert found
    assert [path for path in found if not re.fullmatch(where, path.name)] == []


# Only these print, or read where a request comes from; each has its reason.
PRINTS = {
    "interfaces/cli/terminal/output.py": "cleans all that reaches a terminal",
    "interfaces/cli/operations/processes.py": "gives children a place to print to; they clean it themselves",
}
READS_ADDRESSES = {"accounts/caller.py"}
PRINTING = re.compile(
    r"(print|input|Console|Terminal|getpass\.getpass)\(|(typer|click)\.(echo|secho|confirm|prompt)\(|"
    r"\w+\.print(_json)?\(|(out|err)\.(file|log|rule|status|input)\b|TextColumn\((?!.*markup=False)"
)
STREAM = re.compile(r"sys\.(__)?std(out|err)(__)?")


def calls_that_print(path: Path) -> list[str]:
    """Return calls that write to the terminal: `print`, `typer.echo` and the like, consoles, and streams."""
    nodes = list(ast.walk(ast.parse(path.read_text())))
    calls = [ast.unparse(node) for node in nodes if isinstance(node, ast.Call)]
    streams = [ast.unparse(node) for node in nodes if isinstance(node, ast.Attribute)]
    return [each for each in calls if PRINTING.match(each)] + [each for each in streams if STREAM.fullmatch(each)]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_only_listed_modules_print(path: Path) -> None:
    """Calls of isatty() are allowed."""
    if str(path.relative_to(SOURCE)) not in PRINTS:
        asked = len(re.findall(r"sys\.std(?:out|err)\.isatty\(\)", path.read_text()))
        assert len(calls_that_print(path)) == asked, calls_that_print(path)


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_only_listed_modules_read_client_addresses(path: Path) -> None:
    if str(path.relative_to(SOURCE)) not in READS_ADDRESSES:
        constants = {
            str(node.value).upper() for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Constant)
        }
        assert not constants & {"X-FORWARDED-FOR", "HTTP_X_FORWARDED_FOR", "REMOTE_ADDR", "X-REAL-IP", "FORWARDED"}


@pytest.mark.parametrize("path", sorted((SOURCE / "interfaces" / "cli").rglob("*.py")), ids=lambda path: path.stem)
def test_recommended_commands_are_written_so_that_settings_can_be_added(path: Path) -> None:
    """Commands must follow a backtick, two spaces, or the start of the text."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            assert not re.search(r"(?<!`)(?<!  )(?<!^)\bgleanery [a-z]", node.value), node.value


@pytest.mark.xdist_group("house")
def test_a_group_of_tests_stays_in_one_process(request: pytest.FixtureRequest) -> None:
    """Tests of a group share a server or data directory; one version of pytest-xdist separated them silently."""
    if os.environ.get("PYTEST_XDIST_WORKER"):
        assert request.node.nodeid.endswith("@house")
