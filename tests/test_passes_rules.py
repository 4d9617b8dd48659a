"""Single decisions of the inference, each on a list made for it."""

from dataclasses import replace

import numpy as np
import pytest

from profdb.ingest.passes import Kernels, infer
from profdb.ingest.passes.signatures import sign

from .passes_model import Model, Plan, run

DECODE = [("decode", 2, 2)] * 9 + [("decode", 3, 3)] * 8
PREFILL = [("prefill", 220, 1), ("prefill", 222, 1)]
SMALL = Model(24, 1)


def passes(model: Model, schedule, **window):
    found = infer(run(Plan(model, schedule, **window), 1).kernels)
    assert found.accepted, found.reason
    return found.passes


def signatures(*rows: tuple[str, str]) -> list[str]:
    ops, shapes = zip(*rows, strict=True)
    ids = np.arange(len(rows))
    signed = sign(Kernels(ids, ids, ids, ids, ops, shapes))
    return [signed.names[s] for s in signed.of]


def test_a_dimension_that_happens_to_equal_the_tokens_is_no_tokens() -> None:
    first, second, third = signatures(*(("F", f"{t},64;8,64,9;1;{t}") for t in (1, 2, 8)))
    assert first == second == third == "F|T,64;8,64,9;1;T"


def test_rows_chosen_from_the_tokens_are_one_signature() -> None:
    assert set(signatures(*(("G", f"{t},64;{r};1") for t, r in ((2, 2), (3, 3), (220, 1))))) == {
        "G|T,64;*;1"
    }


def test_a_table_of_embeddings_is_no_tokens_but_a_large_prefill_is() -> None:
    table = [("E", f"154880,64;{t};1") for t in (1, 8192)]
    assert set(signatures(*table)) == {"E|154880,64;T;1"}
    large = [(op, f"{t},64") for op in "ABC" for t in (1, 8192)]
    assert set(signatures(*large)) == {"A|T,64", "B|T,64", "C|T,64"}


def test_an_operator_of_decode_alone_is_no_anchor() -> None:
    model = replace(SMALL, phase_attention=True)
    found = passes(model, [*DECODE, *PREFILL, *DECODE])
    assert [p.phase for p in found].count("prefill") == 2 and len(found) == 36


def test_an_operator_of_every_fourth_layer_makes_no_pass_of_four() -> None:
    assert len(passes(Model(48, 48, once=False), [*DECODE, *PREFILL, *DECODE])) == 36


def test_attention_of_both_phases_or_several_rows_of_lm_head_make_a_mixed_pass() -> None:
    schedule = [*DECODE, ("mixed", 222, 3), *PREFILL, *DECODE]
    for model in (SMALL, replace(SMALL, phase_attention=True, once=False)):
        assert [p.phase for p in passes(model, schedule)].count("mixed") == 1
    bare = passes(replace(SMALL, once=False), schedule)
    assert [p.phase for p in bare].count("prefill") == 3


@pytest.mark.parametrize("drafts", [1, 3])
def test_drafts_are_passes_of_their_own(drafts: int) -> None:
    schedule = [("decode", r * (drafts + 1), r) for r in (1, 1, 2, 2, 1, 2, 1, 1, 2, 2) * 3]
    found = passes(replace(SMALL, drafts=drafts), schedule)
    assert [p.role for p in found] == (["target"] + ["draft"] * drafts) * 30
    assert {p.phase for p in found if p.role == "draft"} == {"draft"}
    assert all(p.complete for p in found)


def test_a_dummy_batch_samples_nothing() -> None:
    found = passes(SMALL, [*DECODE, ("idle", 2, 0), *DECODE])
    assert [p.phase for p in found].count("idle") == 1 and found[17].phase == "idle"


def test_a_first_pass_without_a_counted_launch_is_no_free_cut() -> None:
    for share in (0.5, 0.9, 0.97):
        found = passes(SMALL, [*DECODE, *PREFILL, *DECODE], cut_first=share)
        assert len(found) == 36 and not found[0].complete and found[1].complete


def test_idle_gaps_tell_where_nothing_else_does() -> None:
    model = Model(24, 24, once=False, preparing=False, every_fourth=False)
    found = passes(model, [("decode", 2, 2)] * 20)
    assert len(found) == 20 and all(p.complete for p in found)
    window = run(Plan(replace(model, gaps=False), [("decode", 2, 2)] * 20), 1)
    refused = infer(window.kernels)
    assert not refused.accepted and refused.reason


def test_one_kind_of_pass_is_judged_by_its_size() -> None:
    assert {p.phase for p in passes(SMALL, DECODE)} == {"decode"}
    chunks = [("prefill", t, 1) for t in (2048, 2048, 2040) * 5]
    assert {p.phase for p in passes(SMALL, chunks)} == {"prefill"}


def test_short_lists_and_lists_out_of_order() -> None:
    kernels = run(Plan(SMALL, DECODE), 1).kernels
    few = Kernels(*(c[:40] for c in vars(kernels).values() if isinstance(c, np.ndarray)),
                  kernels.ops, kernels.shapes)  # fmt: skip
    assert infer(few).reason == "fewer than 50 kernels"
    with pytest.raises(ValueError, match="ordered"):
        infer(replace(kernels, start_ns=kernels.start_ns[::-1]))
