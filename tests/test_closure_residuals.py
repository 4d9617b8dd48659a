"""What is said where no class closes."""

import pytest

from profdb.closure import Fit, Model, Module, Seen, infer

LINEAR = {"gate_up": 64, "down": 64, "qkvz": 48, "ba": 48, "out": 48, "qkv": 16, "o": 16}
LLMM1, TENSILE = ("linear", "LLMM1"), ("linear", "tensile")


def fit(kind: str, modules: dict[str, int], seen: dict[str, int], **more: object) -> Fit:
    """Infer from counts alone."""
    model = Model(tuple(Module(name, kind, count) for name, count in modules.items()))
    groups = [Seen((kind, group), kind, count) for group, count in seen.items()]
    return infer(model, kind, groups, **more)  # type: ignore[arg-type]


def linear(llmm1: int, tensile: int) -> Fit:
    """The published model with other counts."""
    return fit("linear", LINEAR | {"lm_head": 1}, {"LLMM1": llmm1, "tensile": tensile})


def test_a_module_is_missing() -> None:
    result = linear(128, 129)
    assert result.residuals == {LLMM1: -48, TENSILE: 0}
    assert not any(reading.closes for reading in result.readings)
    assert result.readings[0].text.endswith(
        "48 missing: as many as qkvz, ba or out, so lost or fused into others"
    )
    assert result.readings[1].text == (
        "one module of count 48 (qkvz, ba or out) is served by kernels of another family"
    )
    elsewhere = result.readings[1].assignment
    gone = [name for name, (group, _) in elsewhere.items() if group is None]
    assert len(gone) == 1 and gone[0] in ("qkvz", "ba", "out")


def test_either_group_may_be_short() -> None:
    shorts = {reading.text.count("- 48; tensile") for reading in linear(128, 129).readings}
    assert shorts == {0, 1}


def test_losses_in_both_groups_leave_many_readings() -> None:
    result = linear(170, 120)
    assert sum(result.residuals.values()) == -15
    assert len(result.readings) > 3 and "lm_head" in result.readings[0].ambiguous


def test_lost_events() -> None:
    result = linear(173, 129)
    assert result.residuals[LLMM1] == -3
    assert result.readings[0].text.endswith(
        "3 missing is not the count of one or two modules: lost events, or modules"
        " served by kernels that no rule names"
    )


@pytest.mark.parametrize(
    ("modules", "seen", "text"),
    [
        ({"a": 10, "b": 4}, {"x": 18}, "4 more: b launched twice (split-K?)"),
        ({"a": 10, "b": 4, "c": 3}, {"x": 10}, "7 missing: as many as b and c together, so lost"),
        ({"a": 10, "b": 4, "c": 3}, {"x": 24}, "7 more: b and c launched twice"),
        ({"a": 10}, {"x": 12}, "+2 is no module's count: launches of other work"),
        ({"a": 10, "b": 4}, {"x": 9, "y": 3}, "; y: 1 missing is not the count of"),
        ({"a": 10}, {"x": 10, "y": 3}, "3 launches that no module accounts for"),
    ],
)
def test_what_a_residual_equals(modules: dict[str, int], seen: dict[str, int], text: str) -> None:
    assert text in fit("linear", modules, seen).readings[0].text


def test_draft_passes_or_all_layers() -> None:
    draft = (Module("experts", "experts", 1), Module("eh_proj", "linear", 1))
    result = fit("experts", {"experts": 75}, {"fused": 78}, draft=draft, layers=78)
    texts = [reading.text for reading in result.readings]
    assert texts[0] == "fused = 75 experts + 3. 75 + 3 draft passes of 1"
    assert texts[1] == "78 with experts in all 78 layers, not in 75"
    assert not any(reading.closes for reading in result.readings)


def test_absorbed_experts_with_draft_passes() -> None:
    def experts(count: int) -> tuple[Module, Module]:
        up = Module("gate_up", "experts", count)
        return up, Module("down", "experts", count, absorbed_by="gate_up")

    seen = [Seen(("moe", "fused"), "experts", 78)]
    result = infer(Model(experts(75)), "experts", seen, draft=experts(1))
    assert result.residuals == {("moe", "fused"): 3}
    assert result.readings[0].text == (
        "fused = 75 gate_up + 3 (down absorbed by gate_up). 75 + 3 draft passes of 1"
    )


def test_several_kernels_per_run_and_a_lost_event() -> None:
    result = fit("attention", {"attention": 16}, {"paged": 31})
    assert result.residuals == {("attention", "paged"): -1}
    assert result.readings[0].assignment == {"attention": (("attention", "paged"), 2)}


def test_kernels_of_a_kind_without_modules() -> None:
    result = fit("attention", {}, {"paged": 16})
    assert result.residuals == {("attention", "paged"): 16}
    assert result.readings[0].text == ("paged = 0 + 16. The model has no module of kind attention")


def test_modules_without_kernels() -> None:
    result = fit("experts", {"gate_up": 5, "down": 4}, {})
    assert result.residuals == {}
    assert result.readings[0].text == ("no kernels of kind experts in a step: 9 launches expected")
