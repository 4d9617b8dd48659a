"""The ingest: look through, name the runs, store one profile after the other."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from ..errors import ProfdbError
from ..warehouse import Warehouse, readable_errors
from . import ascend_twins, vendor
from .container import digest_of, sha256
from .labels import Naming, label_sources
from .registry import ingestor_of, look_through, require_any
from .source import Options, Skipped, Source, Unreadable
from .stage import Stage, remove_leftovers
from .store import store
from .twin_checks import TwinCheck, compare, read_twins
from .vendor_ranks import absent_ranks

STORED, KNOWN, TWIN, FAILED = "stored", "already stored", "same as another", "failed"


class Watcher(Protocol):
    """Is told how the ingest goes on."""

    def begin(self, source: Source, label: str) -> None:
        """A profile is about to be read."""

    def advance(self, size_bytes: int) -> None:
        """More bytes of its files were read."""

    def end(self, outcome: str) -> None:
        """The profile is done: stored, already stored, or failed."""


class Silence:
    """A watcher that keeps quiet."""

    def begin(self, source: Source, label: str) -> None:
        """Say nothing."""

    def advance(self, size_bytes: int) -> None:
        """Say nothing."""

    def end(self, outcome: str) -> None:
        """Say nothing."""


@dataclass(frozen=True)
class Outcome:
    """What became of one profile."""

    source: Source
    label: str
    state: str
    error: str = ""
    twins: tuple[TwinCheck, ...] = ()
    """How the same profile in other formats compares with what is stored."""


@dataclass
class Summary:
    """What an ingest did."""

    outcomes: list[Outcome] = field(default_factory=list)
    skipped: list[Skipped] = field(default_factory=list)
    absent: dict[str, str] = field(default_factory=dict)
    """By label what ranks a run lacks, where its profiles tell how many there were."""

    @property
    def labels(self) -> list[str]:
        """Labels of the runs that were given, in their order."""
        return list(dict.fromkeys(outcome.label for outcome in self.outcomes))

    @property
    def joined(self) -> list[str]:
        """Labels of runs that had some of the profiles before and got others now."""
        states = {(outcome.label, outcome.state) for outcome in self.outcomes}
        return [at for at in self.labels if {(at, KNOWN), (at, STORED)} <= states]

    @property
    def unreadable(self) -> list[Skipped]:
        """Files that may hold a profile and could not be read."""
        return [one for one in self.skipped if isinstance(one, Unreadable)]

    @property
    def failed(self) -> list[Outcome]:
        """Profiles that could not be stored."""
        return [outcome for outcome in self.outcomes if outcome.state == FAILED]


@dataclass(frozen=True)
class Plan:
    """Which profiles belong to which run, by label, and what is left."""

    runs: dict[str, list[Source]]
    skipped: list[Skipped]
    naming: Naming


def plan(
    paths: Iterable[Path], naming: Naming | None = None, prefer: str = ascend_twins.TEXT
) -> Plan:
    """Look through the paths and say which run each profile would belong to; nothing is written.

    `prefer` chooses between the table and the database of one profile: text or db.

    Raises ProfdbError where nothing is recognised.
    """
    given, naming = list(paths), naming or Naming()
    findings = look_through(given)
    findings.sources, findings.skipped = ascend_twins.one_of_each(
        findings.sources, findings.skipped, prefer
    )
    require_any(given, findings)
    return Plan(label_sources(given, findings.sources, naming), findings.skipped, naming)


def ingest(
    warehouse: Warehouse,
    plan: Plan,
    options: Options | None = None,
    watcher: Watcher | None = None,
) -> Summary:
    """Store every profile of a plan; one that fails does not lose the others.

    Raises ProfdbError where a label is taken, or a single profile fails.
    """
    remove_leftovers(warehouse.path)
    summary = Summary(skipped=plan.skipped)
    work = _Work(warehouse, plan.naming, options or Options(), watcher or Silence())
    for label, sources in plan.runs.items():
        outcomes = work.store_run(label, sources)
        summary.outcomes.extend(outcomes)
        home = outcomes[0].label
        present = {row["rank"] for row in warehouse.query("ingested_ranks", label=home)}
        if lacking := absent_ranks(sources, present):
            summary.absent[home] = lacking
    if len(summary.outcomes) == 1 and summary.failed:
        raise ProfdbError(summary.failed[0].error)
    return summary


@dataclass(frozen=True)
class _Work:
    warehouse: Warehouse
    naming: Naming
    options: Options
    watcher: Watcher

    def store_run(self, label: str, sources: list[Source]) -> list[Outcome]:
        stored = self.warehouse.query("stored_profiles")
        homes = {row["digest"]: row["label"] for row in stored}
        known = {source: homes.get(_known_digest(source, stored)) for source in sources}
        self._refuse_other_label(label, known)
        self._refuse_collision(label, known, set(homes.values()))
        replace = self.naming.replace
        outcomes = []
        for source, home in known.items():
            self.watcher.begin(source, home or label)
            if home and not self.naming.replace:
                outcome = Outcome(source, home, KNOWN)
            else:
                outcome = self._store(source, label, replace)
                replace = replace and outcome.state == FAILED
            self.watcher.end(outcome.state)
            outcomes.append(outcome)
        return outcomes

    def _store(self, source: Source, label: str, replace: bool) -> Outcome:
        twins = read_twins(self.warehouse, source, self.watcher.advance)
        try:
            with (
                readable_errors(f"cannot store {source.path}"),
                Stage(self.warehouse.con, self.warehouse.path) as stage,
            ):
                ingestor_of(source).stage(source, stage, self.options, self.watcher.advance)
                vendor.stage_files(source, stage, self.watcher.advance)
                twins = compare(self.warehouse, stage, twins)
                stored = store(self.warehouse, stage, label, replace)
            return Outcome(source, label, STORED if stored else TWIN, twins=tuple(twins))
        except ProfdbError as error:
            return Outcome(source, label, FAILED, str(error))
        except OSError as error:
            what = error.strerror or str(error)
            return Outcome(source, label, FAILED, f"cannot store {source.path}: {what}")

    def _refuse_other_label(self, label: str, known: dict[Source, str | None]) -> None:
        # A label that only comes from a folder is no wish: what is stored stays where it is.
        if not (self.naming.label or self.naming.add or self.naming.replace):
            return
        for source, home in known.items():
            if home and home != label:
                raise ProfdbError(
                    f"{source.path} is stored already, as run {home!r}; nothing was done"
                    f" (profdb runs rename gives it another label)"
                )

    def _refuse_collision(
        self, label: str, known: dict[Source, str | None], labels: set[str]
    ) -> None:
        if self.naming.add:
            if label not in labels:
                there = ", ".join(sorted(labels)) or "none yet"
                raise ProfdbError(f"--add {label}: no such run; the warehouse has {there}")
            return
        # A run of which some profiles are there goes on where an ingest was interrupted.
        goes_on = label in known.values() or all(known.values())
        if label in labels and not self.naming.replace and not goes_on:
            raise ProfdbError(
                f"run {label!r} exists with other content; --label NAME stores this as another run,"
                f" --add {label} adds it to that run, --replace puts it in its place"
            )


def _known_digest(source: Source, stored: list[dict[str, Any]]) -> str:
    """Digest of a source that is stored already; files are only read where sizes agree."""
    if all(row["size_bytes"] != source.size_bytes for row in stored):
        return ""
    digest = digest_of([sha256(file) for file in source.files])
    return digest if any(row["digest"] == digest for row in stored) else ""
