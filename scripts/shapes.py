"""What `--json` prints, a type for each verb: docs/json.md is made from it, and tests hold the verbs to it.

Most verbs print stored documents or reports as they are; scripts/shape_documents.py has what is put together.
"""

from typing import Any, NamedTuple

from pydantic import TypeAdapter
from scripts import shape_documents

from learnloop.ingest.analyze import AnalyzeReport
from learnloop.models.agent import AgentPerformance
from learnloop.models.base import Document
from learnloop.models.experiment import ExperimentReport
from learnloop.models.fact import Fact, FactRun, KnownFacts
from learnloop.models.lesson import Lesson
from learnloop.models.memory import Memory
from learnloop.models.patch import Patch
from learnloop.models.task import DayLog, Task
from learnloop.models.turn import Feedback
from learnloop.recall.backtest import Backtest
from learnloop.recall.explain import Explained
from learnloop.service.experiments.reports import SizeReport
from learnloop.service.facts.fact_quality import AnswerScore
from learnloop.service.facts.modes import ReadingMode
from learnloop.service.health.check import Check
from learnloop.service.intake.backfill import BackfillReport
from learnloop.service.intake.transcript_files import TranscriptProject
from learnloop.service.lessons.query import LessonStatistics
from learnloop.service.lessons.queue import ListedDraft
from learnloop.service.memory.near_tasks import NearTask, Priming, PrimingPlace
from learnloop.service.patches.block_upkeep import GcReport
from learnloop.service.patches.file_jobs import PatchResult
from learnloop.service.review.check_trial import Trial


class Shape(NamedTuple):
    """What one form of a verb prints: a document, or a list of them."""

    usage: str
    document: type[Document]
    is_list: bool = True

    @property
    def adapter(self) -> TypeAdapter[Any]:
        """Reads and checks such output."""
        shape: Any = self.document
        return TypeAdapter(tuple[shape, ...] if self.is_list else shape)


SHAPES = (
    Shape("config", shape_documents.Setting),
    Shape("config --trust --list", shape_documents.Trusted),
    Shape("facts --init", KnownFacts, is_list=False),
    Shape("backfill", TranscriptProject),
    Shape("backfill PATH", BackfillReport, is_list=False),
    Shape("ingest", shape_documents.Ingested, is_list=False),
    Shape("ingest --all", AnalyzeReport, is_list=False),
    Shape("status", shape_documents.Status, is_list=False),
    Shape("sessions", shape_documents.SessionNow),
    Shape("sessions ID", shape_documents.Line),
    Shape("sessions --tasks", Task),
    Shape("sessions --tasks ID", Task, is_list=False),
    Shape("sessions --log", DayLog),
    Shape("prime --memories", Memory),
    Shape("prime --memories show ID", Memory, is_list=False),
    Shape("prime", PrimingPlace),
    Shape("prime TASK", Priming, is_list=False),
    Shape("prime TASK --explain", NearTask),
    Shape("experiments", ExperimentReport),
    Shape("experiments size", SizeReport, is_list=False),
    Shape("experiments --holdout ID", ExperimentReport, is_list=False),
    Shape("sessions --projects", shape_documents.ProjectRow),
    Shape("lessons --drafts", ListedDraft),
    Shape("lessons", Lesson),
    Shape("lessons --stats", LessonStatistics, is_list=False),
    Shape("show ID", Lesson, is_list=False),
    Shape("check ID", Trial, is_list=False),
    Shape("why --backtest ID", Backtest, is_list=False),
    Shape("lessons --upkeep", shape_documents.Upkeep, is_list=False),
    Shape("patches", Patch),
    Shape("patches targets", shape_documents.PromptFile),
    Shape("patches show ID", shape_documents.PatchShown),
    Shape("patches preview ID", shape_documents.FileChange),
    Shape("patches apply ID", PatchResult),
    Shape("patches revert ID", PatchResult),
    Shape("patches history", shape_documents.PatchEvent),
    Shape("patches gc", GcReport, is_list=False),
    Shape("patches --teach", shape_documents.FileChange),
    Shape("team members", shape_documents.TeamMember),
    Shape("facts", Fact),
    Shape("facts runs", FactRun),
    Shape("facts modes", ReadingMode),
    Shape("facts score LABELS --answers LABELS", AnswerScore),
    Shape("facts show", shape_documents.AskedRequest),
    Shape("discover --summary S --details D --category C", shape_documents.Recorded, is_list=False),
    Shape("discover", shape_documents.Discovery),
    Shape("discover --draft --from output", Lesson),
    Shape("why --command C", Explained),
    Shape("why", shape_documents.Applying, is_list=False),
    Shape("sessions --feedback", Feedback),
    Shape("undo --history", shape_documents.Verdict),
    Shape("agents", AgentPerformance),
    Shape("preferences", shape_documents.PreferencesPage, is_list=False),
    Shape("doctor", Check),
)
"""Every form that prints JSON; `config KEY` prints the bare value."""
