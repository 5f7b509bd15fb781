"""One figure of how well a variant does, out of success, duration and quality; it decides nothing. Pure.

The success rate counts 0.4, duration and quality 0.3 each. Duration is put against the median of all
variants: half where both are alike, more where the variant is faster. Parts that nothing is known of are
left out, and the others count for more.
"""

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean, median
from typing import Any

from learnloop.learn.hear.outcomes import TOPIC_CONFIDENCE
from learnloop.models.experiment import Experiment, VariantScore

_WEIGHTS = {"success": 0.4, "duration": 0.3, "quality": 0.3}
Moment = Mapping[str, Any]


def scores(experiment: Experiment, moments: Iterable[Moment]) -> tuple[VariantScore, ...]:
    """The figure of each variant by its stored moments, with its parts."""
    by_variant: dict[str, list[Moment]] = {variant.name: [] for variant in experiment.variants}
    for doc in moments:
        for name in {arm[2] for arm in doc.get("arms", ()) if arm[0] == experiment.id}:
            by_variant.setdefault(name, []).append(doc)
    usual = _duration([doc for docs in by_variant.values() for doc in docs])
    return tuple(_score(variant.name, by_variant[variant.name], usual) for variant in experiment.variants)


def _score(name: str, docs: Sequence[Moment], usual: float | None) -> VariantScore:
    judged = [doc for doc in docs if _is_corrected(doc) or doc.get("outcome", "unknown") != "unknown"]
    good = [doc for doc in judged if doc.get("outcome") == "success" and not _is_corrected(doc)]
    mine = _duration(docs)
    parts = {
        "success": len(good) / len(judged) if judged else None,
        "duration": usual / (usual + mine) if usual and mine is not None else None,
        "quality": fmean(TOPIC_CONFIDENCE if doc.get("inferred") else 1.0 for doc in good) if good else None,
    }
    known = {part: value for part, value in parts.items() if value is not None}
    weight = sum(_WEIGHTS[part] for part in known)
    whole = sum(_WEIGHTS[part] * value for part, value in known.items()) / weight if known else None
    return VariantScore(
        variant=name, score=_rounded(whole), **{part: _rounded(parts[part]) for part in parts}
    )


def _is_corrected(doc: Moment) -> bool:
    return bool(doc.get("corrected") or doc.get("own"))


def _duration(docs: Sequence[Moment]) -> float | None:
    known = [doc["ms"] for doc in docs if "ms" in doc]
    return median(known) if known else None


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)
