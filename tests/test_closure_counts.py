"""Classes by counts, several launches per run, absorbed modules."""

from profdb.closure import Fit, Model, Module, Seen, infer

LINEAR = {"gate_up": 64, "down": 64, "qkvz": 48, "ba": 48, "out": 48, "qkv": 16, "o": 16}


def fit(
    kind: str, modules: dict[str, int], seen: dict[str, int], absorbed: dict[str, str] | None = None
) -> Fit:
    """Infer from counts alone."""
    by = absorbed or {}
    model = Model(tuple(Module(m, kind, n, absorbed_by=by.get(m)) for m, n in modules.items()))
    return infer(model, kind, [Seen((kind, group), kind, n) for group, n in seen.items()])


def served(result: Fit, place: int = 0) -> dict[str, tuple[str | None, int]]:
    """Implementation and launches per run of every module."""
    assignment = result.readings[place].assignment
    return {name: (group[1] if group else None, n) for name, (group, n) in assignment.items()}


def test_three_classes_of_sixteen_assignments() -> None:
    result = fit("linear", LINEAR | {"lm_head": 1}, {"LLMM1": 176, "tensile": 129})
    assert sorted(reading.assignments for reading in result.readings) == [1, 3, 12]
    assert all(reading.closes for reading in result.readings)
    assert result.residuals == {("linear", "LLMM1"): 0, ("linear", "tensile"): 0}
    assert result.readings[0].ambiguous == frozenset(LINEAR)
    assert result.readings[0].evidence is None
    assert result.complete


def test_one_class_names_its_modules() -> None:
    result = fit("linear", {"a": 5, "b": 3, "c": 3}, {"x": 6, "y": 5})
    (reading,) = result.readings
    assert reading.text == "x = 3 b + 3 c; y = 5 a"
    assert reading.assignments == 1 and not reading.ambiguous


def test_equal_counts_are_ambiguous_only_between_groups() -> None:
    result = fit("linear", {"a": 4, "b": 4, "c": 1, "d": 1}, {"x": 8, "y": 1, "z": 1})
    assert result.readings[0].assignments == 2
    assert result.readings[0].ambiguous == {"c", "d"}


def test_seven_kernels_per_linear_attention() -> None:
    result = fit("linear_attention", {"conv1d": 48, "gdn": 48}, {"fla": 336, "causal_conv": 48})
    assert sorted(served(result).values()) == [("causal_conv", 1), ("fla", 7)]
    assert result.readings[0].assignments == 2
    assert result.readings[0].ambiguous == {"conv1d", "gdn"}
    assert result.readings[0].text.startswith("fla = 7 × 48 ")


def test_one_attention_of_two_kernels() -> None:
    result = fit("attention", {"attention": 16}, {"paged": 32})
    assert result.readings[0].text == "paged = 2 × 16 attention"
    assert served(result) == {"attention": ("paged", 2)}


def test_fewest_groups_launch_several_times() -> None:
    result = fit("attention", {"full": 10, "window": 6}, {"a": 30, "b": 6})
    assert served(result) == {"full": ("a", 3), "window": ("b", 1)}


def test_a_linear_is_split_into_four_at_most() -> None:
    assert fit("linear", {"o": 10}, {"x": 40}).readings[0].closes
    assert not fit("linear", {"o": 10}, {"x": 50}).readings[0].closes


def test_experts_in_one_launch_per_layer() -> None:
    result = fit("experts", {"gate_up": 40, "down": 40}, {"fused": 40}, {"down": "gate_up"})
    (reading,) = result.readings
    assert reading.closes and not reading.ambiguous
    assert reading.text == "fused = 40 gate_up (down absorbed by gate_up)"
    assert served(result) == {"gate_up": ("fused", 1), "down": (None, 0)}


def test_separate_experts_are_not_absorbed() -> None:
    result = fit("experts", {"gate_up": 40, "down": 40}, {"fused": 80}, {"down": "gate_up"})
    assert served(result) == {"gate_up": ("fused", 1), "down": ("fused", 1)}


def test_shared_experts_absorbed_together_by_no_module() -> None:
    absorbed = {"shared_gate_up": "experts", "shared_down": "experts"}
    modules = {"o": 7, "shared_gate_up": 5, "shared_down": 5}
    result = fit("linear", modules, {"x": 7}, absorbed)
    assert [name for name, place in served(result).items() if place == (None, 0)] == [*absorbed]


def test_modules_that_absorb_each_other_do_not_both_vanish() -> None:
    result = fit("experts", {"a": 3, "b": 3}, {"x": 3}, {"a": "b", "b": "a"})
    assert [reading.closes for reading in result.readings] == [True, True]
    assert result.readings[0].ambiguous == {"a", "b"}


def test_modules_that_do_not_run_are_left_out() -> None:
    assert served(fit("linear", {"o": 4, "once": 0}, {"x": 4})) == {"o": ("x", 1)}


def test_nothing_at_all() -> None:
    assert fit("linear", {}, {}) == Fit("linear")


def test_all_absorbed_and_nothing_launched() -> None:
    (reading,) = fit("experts", {"down": 5}, {}, {"down": "mega_moe"}).readings
    assert reading.closes and reading.text == "(down absorbed by mega_moe)"
