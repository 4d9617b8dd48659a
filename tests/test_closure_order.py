"""The order of a step against the program of the model."""

from profdb.closure import Launch, Model, Module, Reading, Seen, infer

COUNTS = {"gate_up": 64, "down": 64, "qkvz": 48, "ba": 48, "out": 48, "qkv": 16, "o": 16}
GEMV, GEMM = ("gemv", "LLMM1"), ("gemm", "tensile")
GDN, PAGED = ("linear_attention", "gdn"), ("attention", "paged")
BY_LLMM1 = {"gate_up", "qkvz", "ba", "qkv"}
LINEAR_LAYER = ["qkvz", "ba", "gdn", "out", "gate_up", "down"]
FULL_LAYER = ["qkv", "attention", "o", "gate_up", "down"]
PROGRAM = (LINEAR_LAYER * 3 + FULL_LAYER) * 16 + ["lm_head"]


def model() -> Model:
    """64 layers, every fourth with full attention."""
    modules = [Module(name, "linear", n) for name, n in (COUNTS | {"lm_head": 1}).items()]
    others = [Module("gdn", "linear_attention", 48), Module("attention", "attention", 16)]
    return Model((*modules, *others), tuple(PROGRAM))


def launch(name: str) -> Launch:
    """The launch of a module in the published assignment."""
    if name == "gdn":
        return Launch(GDN, "linear_attention")
    if name == "attention":
        return Launch(PAGED, "attention")
    return Launch(GEMV if name in BY_LLMM1 else GEMM, "linear")


def first(step: list[Launch], llmm1: int = 176, tensile: int = 129) -> tuple[Reading, int]:
    """The first reading and the number of readings."""
    seen = [Seen(GEMV, "linear", llmm1), Seen(GEMM, "linear", tensile)]
    result = infer(model(), "linear", seen, step)
    return result.readings[0], len(result.left)


def published(reading: Reading) -> bool:
    """Whether the modules are served as published."""
    places = reading.assignment.items()
    return {name for name, (group, _) in places if group == GEMV} == BY_LLMM1


def test_the_order_leaves_one_assignment() -> None:
    reading, readings = first([launch(name) for name in PROGRAM])
    assert published(reading) and readings == 1
    assert reading.assignments == 1 and not reading.ambiguous
    assert reading.evidence == "order of the launches in a step"
    assert reading.text == (
        "LLMM1 = 64 gate_up + 48 qkvz + 48 ba + 16 qkv; "
        "tensile = 64 down + 48 out + 16 o + 1 lm_head"
    )


def test_landmarks_leave_one_where_neighbours_are_swapped() -> None:
    step = [launch(name) for name in PROGRAM]
    at = PROGRAM.index("out", 100)
    step[at], step[at + 1] = step[at + 1], step[at]
    reading, readings = first(step)
    assert published(reading) and readings == 1
    assert reading.evidence == "order of the launches in a step"


def test_a_step_without_order_leaves_all_classes() -> None:
    step = sorted((launch(name) for name in PROGRAM), key=lambda one: one.group)
    reading, readings = first(step)
    assert readings == 3 and reading.evidence is None


def test_kernels_without_landmark_are_read_off_all_the_same() -> None:
    reading, _ = first([launch(name) for name in PROGRAM if name not in ("gdn", "attention")])
    assert published(reading) and not reading.ambiguous


def test_landmarks_put_a_step_right_that_starts_at_another_module() -> None:
    modules = [Module(name, "linear", 8) for name in ("a", "b")]
    flash = Module("attention", "attention", 8)
    program = ("a", "b", "attention") * 8
    step = [Launch(("g", "y"), "linear"), Launch(("f", "z"), "attention")]
    step = [Launch(("g", "x"), "linear"), *step] * 8
    seen = [Seen(("g", "x"), "linear", 8), Seen(("g", "y"), "linear", 8)]
    for order in (step, step[1:] + step[:1]):
        (reading,) = infer(Model((*modules, flash), program), "linear", seen, order).left
        assert reading.assignment == {"a": (("g", "x"), 1), "b": (("g", "y"), 1)}


def test_neighbours_swapped_as_often_as_not_are_ambiguous() -> None:
    modules = [Module(name, "linear", 8) for name in ("a", "b", "c")]
    flash = Module("attention", "attention", 8)
    x, y, z = Launch(("g", "x"), "linear"), Launch(("g", "y"), "linear"), Launch(PAGED, "attention")
    model = Model((*modules, flash), ("a", "b", "attention", "c") * 8)
    seen = [Seen(x.group, "linear", 8), Seen(y.group, "linear", 16)]
    (reading,) = infer(model, "linear", seen, [x, y, z, y, y, x, z, y] * 4).left
    assert reading.ambiguous == {"a", "b"} and reading.assignments == 2
    assert reading.evidence == "order of the launches in a step"


def test_several_kernels_per_run_are_read_off() -> None:
    modules = (Module("conv1d", "linear_attention", 5), Module("gdn", "linear_attention", 5))
    conv, fla = ("linear_attention", "conv"), ("linear_attention", "fla")
    step = [Launch(group, "linear_attention") for group in [conv] + [fla] * 7] * 5
    seen = [Seen(fla, "linear_attention", 35), Seen(conv, "linear_attention", 5)]
    result = infer(Model(modules, ("conv1d", "gdn") * 5), "linear_attention", seen, step)
    (reading,) = result.left
    assert reading.assignment == {"conv1d": (conv, 1), "gdn": (fla, 7)}
    assert not reading.ambiguous


def test_lost_launches_are_placed_by_segments() -> None:
    step = [launch(name) for name in PROGRAM]
    for at in (200, 210, 220):
        del step[PROGRAM.index("gate_up", at)]
    result, _ = first(step, llmm1=173)
    assert published(result) and not result.closes
