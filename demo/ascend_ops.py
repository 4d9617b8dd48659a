"""Rows of kernel_details.csv: operators of a layer, their shapes and PMU columns."""

from collections.abc import Sequence
from random import Random
from typing import NamedTuple

HEADER = (
    "Device_id,Model ID,Task ID,Stream ID,Name,Type,OP State,Accelerator Core,Start Time(us),"
    "Duration(us),Wait Time(us),Block Num,Mix Block Num,HF32 Eligible,Input Shapes,"
    "Input Data Types,Input Formats,Output Shapes,Output Data Types,Output Formats,Context ID,"
    "aicore_time(us),aic_total_cycles,aic_mac_time(us),aic_mac_ratio,aic_scalar_time(us),"
    "aic_scalar_ratio,aic_mte1_time(us),aic_mte1_ratio,aic_mte2_time(us),aic_mte2_ratio,"
    "aic_fixpipe_time(us),aic_fixpipe_ratio,aic_icache_miss_rate,aiv_time(us),aiv_total_cycles,"
    "aiv_vec_time(us),aiv_vec_ratio,aiv_scalar_time(us),aiv_scalar_ratio,aiv_mte2_time(us),"
    "aiv_mte2_ratio,aiv_mte3_time(us),aiv_mte3_ratio,aiv_icache_miss_rate,cube_utilization(%)\r\n"
)
NO_MODEL = 4294967295
CYCLES_PER_US = 1650
AIC_RATIOS = (0.347, 0.212, 0.189, 0.581, 0.094)
AIV_RATIOS = (0.268, 0.124, 0.433, 0.187)
IDLE_AIC = "0.0,0," + "0.0," * 11
IDLE_AIV = "0.0,0," + "0.0," * 9
AIC = ("AI_CORE", "MIX_AIC")
AIV = ("AI_VECTOR_CORE", "MIX_AIV", "MIX_AIC")
VARIANTS = 8


class Operator(NamedTuple):
    """An operator of a forward pass; `T` in a shape stands for the tokens."""

    type: str
    core: str
    decode_us: float
    inputs: str
    input_types: str
    outputs: str
    output_types: str = "DT_BF16"


class Row(NamedTuple):
    """One launch: the text around its task id, its duration, the text after its wait."""

    head: str
    middle: str
    dur_ns: int
    tail: str


EMBEDDING = Operator("GatherV2", "AI_VECTOR_CORE", 6.4, "154880,6144;T", "DT_BF16;INT64", "T,6144")
LM_HEAD = Operator(
    "MatMulV2", "AI_CORE", 1180.0, "T,6144;154880,6144", "DT_BF16;DT_BF16", "T,154880"
)
ARG_MAX = Operator("ArgMax", "AI_VECTOR_CORE", 21.7, "T,154880;", "DT_BF16;INT64", "T", "INT64")
DISPATCH = Operator(
    "DispatchFFNCombine",
    "MIX_AIC",
    0.0,
    "T,6144;8,6144,4096;8,2048,6144;T,8;8,4096;8,6144;T,8;1;1;1",
    "DT_BF16;INT8;INT8;INT32;INT64;INT64;FLOAT;BOOL;INT32;INT32",
    "T,6144",
)

_QUANT = "INT8;INT8;FLOAT;;FLOAT"
_ONE = "DT_BF16"
# In the order of the layer; the last launch of a layer is DISPATCH.
LAYER = (
    Operator("Add", "AI_VECTOR_CORE", 2.6, "T,6144;T,6144", "DT_BF16;DT_BF16", "T,6144"),
    Operator("RmsNorm", "AI_VECTOR_CORE", 4.2, "T,6144;6144", "DT_BF16;DT_BF16", "T,6144"),
    Operator("DynamicQuant", "AI_VECTOR_CORE", 3.1, "T,6144", _ONE, "T,6144;T", "INT8;FLOAT"),
    Operator("QuantBatchMatmulV3", "AI_CORE", 9.5, "T,6144;6144,2624;2624;;T", _QUANT, "T,2624"),
    Operator("RmsNorm", "AI_VECTOR_CORE", 3.0, "T,2048;2048", "DT_BF16;DT_BF16", "T,2048"),
    Operator(
        "QuantBatchMatmulV3", "AI_CORE", 11.2, "T,2048;2048,16384;16384;;T", _QUANT, "T,16384"
    ),
    Operator(
        "TransposeBatchMatMul",
        "AI_CORE",
        8.3,
        "T,64,192;64,192,512",
        "DT_BF16;DT_BF16",
        "T,64,512",
    ),
    Operator(
        "KvRmsNormRopeCache",
        "AI_VECTOR_CORE",
        6.1,
        "T,1,1,576;512;T,1,1,64;T,1,1,64;T;1024,128,1,64;1024,128,1,512",
        "DT_BF16;DT_BF16;DT_BF16;DT_BF16;INT64;DT_BF16;DT_BF16",
        "1024,128,1,64;1024,128,1,512",
        "DT_BF16;DT_BF16",
    ),
    Operator(
        "InterleaveRope",
        "AI_VECTOR_CORE",
        3.9,
        "T,64,1,64;T,1,1,64",
        "DT_BF16;DT_BF16",
        "T,64,1,64",
    ),
    Operator(
        "LightningIndexer",
        "MIX_AIC",
        12.4,
        "T,32,128;1024,128,1,128;T,32",
        "DT_BF16;DT_BF16;DT_BF16",
        "T,1,2048",
        "INT32",
    ),
    Operator(
        "SparseFlashAttention",
        "MIX_AIC",
        28.6,
        "T,64,512;1024,128,1,512;1024,128,1,512;T,1,2048",
        "DT_BF16;DT_BF16;DT_BF16;INT32",
        "T,64,512",
    ),
    Operator(
        "TransposeBatchMatMul", "AI_CORE", 8.1, "T,64,512;64,512,256", "DT_BF16;DT_BF16", "T,64,256"
    ),
    Operator("DynamicQuant", "AI_VECTOR_CORE", 3.4, "T,16384", _ONE, "T,16384;T", "INT8;FLOAT"),
    Operator("QuantBatchMatmulV3", "AI_CORE", 12.7, "T,16384;16384,6144;6144;;T", _QUANT, "T,6144"),
    Operator("hcom_allReduce_", "COMMUNICATION", 14.3, "", "", ""),
    Operator(
        "AddRmsNorm",
        "AI_VECTOR_CORE",
        4.4,
        "T,6144;T,6144;6144",
        "DT_BF16;DT_BF16;DT_BF16",
        "T,6144;T,1;T,6144",
        "DT_BF16;FLOAT;DT_BF16",
    ),
    Operator("Cast", "AI_VECTOR_CORE", 2.1, "T,6144", _ONE, "T,6144", "FLOAT"),
    Operator("MatMulV2", "AI_CORE", 5.5, "T,6144;256,6144", "FLOAT;FLOAT", "T,256", "FLOAT"),
    Operator(
        "MoeGatingTopK",
        "AI_VECTOR_CORE",
        6.2,
        "T,256;256",
        "FLOAT;FLOAT",
        "T,8;T,8;T,256",
        "FLOAT;INT32;FLOAT",
    ),
    Operator("QuantBatchMatmulV3", "AI_CORE", 9.8, "T,6144;6144,4096;4096;;T", _QUANT, "T,4096"),
    Operator(
        "DequantSwigluQuant",
        "AI_VECTOR_CORE",
        5.0,
        "T,4096;T",
        "DT_BF16;FLOAT",
        "T,2048;T",
        "INT8;FLOAT",
    ),
    Operator("QuantBatchMatmulV3", "AI_CORE", 8.4, "T,2048;2048,6144;6144;;T", _QUANT, "T,6144"),
)
# A layer of few operators keeps the first two always, then a share of the others in turn.
PRIORITY = (10, 3, 7, 1, 14, 2, 6, 16, 0, 15, 13, 5, 11, 17, 18, 19, 20, 21, 4, 8, 9, 12)
ALWAYS = 2
PATTERN = 4  # layers after which the turn comes round
# Further small operators, spread over the layer when more rows are wanted.
SMALL = (
    Operator("Cast", "AI_VECTOR_CORE", 1.9, "T,2048", "FLOAT", "T,2048"),
    Operator("Slice", "AI_VECTOR_CORE", 2.3, "T,2624;2;2", "DT_BF16;INT64;INT64", "T,576"),
    Operator("Mul", "AI_VECTOR_CORE", 2.2, "T,6144;", "DT_BF16;FLOAT", "T,6144"),
    Operator("Transpose", "AI_VECTOR_CORE", 3.3, "T,64,512;3", "DT_BF16;INT64", "64,T,512"),
    Operator("Add", "AI_VECTOR_CORE", 2.0, "T,256;256", "FLOAT;FLOAT", "T,256", "FLOAT"),
    Operator("ViewCopy", "AI_VECTOR_CORE", 2.5, "T,64,64;3;3", "DT_BF16;INT64;INT64", "T,64,64"),
)


def layer_operators(count: int, turn: int) -> list[Operator]:
    """The operators of a layer that has `count` beside DISPATCH, in order."""
    kept = set(_kept(count, turn))
    rounds, rest = divmod(max(0, count - len(LAYER)), len(LAYER))
    operators = []
    for position, operator in enumerate(LAYER):
        if position in kept:
            operators.append(operator)
        for again in range(rounds + (position < rest)):
            operators.append(SMALL[(position + again) % len(SMALL)])
    return operators


def _kept(count: int, turn: int) -> tuple[int, ...]:
    others = PRIORITY[ALWAYS:]
    shift = turn * max(0, count - ALWAYS) % len(others)
    return (PRIORITY[:ALWAYS] + others[shift:] + others[:shift])[:count]


def variants(operator: Operator, tokens: int, rng: Random) -> list[Row]:
    """Launches of the operator at a token count, a few percent apart."""
    nominal = operator.decode_us * 1000 * (1 + tokens / 150)
    durations = [round(nominal * rng.uniform(0.94, 1.07)) for _ in range(VARIANTS)]
    return [launch(operator, tokens, dur_ns) for dur_ns in durations]


def launch(operator: Operator, tokens: int, dur_ns: int) -> Row:
    """One launch of the operator at a token count, `dur_ns` long."""
    if operator.core == "COMMUNICATION":
        head = f"0,{NO_MODEL},N/A,N/A,{operator.type}_586_"
        middle = f"_1,{operator.type},N/A,COMMUNICATION,"
        return Row(head, middle, dur_ns, "0" + ",N/A" * 34 + "\r\n")
    middle = f",2,{_kernel_name(operator.type)},{operator.type},dynamic,{operator.core},"
    return Row(f"0,{NO_MODEL},", middle, dur_ns, _tail(operator, tokens, dur_ns))


def _kernel_name(type_: str) -> str:
    return f"aclnn{type_}_{type_}AiCore_{type_}"


def _tail(operator: Operator, tokens: int, dur_ns: int) -> str:
    mixed = operator.core == "MIX_AIC"
    inputs, outputs = (_tensors(t, tokens) for t in (operator.inputs, operator.outputs))
    return (
        f"{24 if mixed else 40},{48 if mixed else 0},NO,"
        f"{inputs},{operator.input_types},{_formats(operator.input_types)},"
        f"{outputs},{operator.output_types},{_formats(operator.output_types)},"
        f"{0 if mixed else 'N/A'},{_pmu(operator.core, dur_ns / 1000)}\r\n"
    )


def _tensors(shape: str, tokens: int) -> str:
    return f'"""{shape.replace("T", str(tokens))}"""'


def _formats(types: str) -> str:
    return ";".join("ND" for _ in types.split(";"))


def _pmu(core: str, dur_us: float) -> str:
    aic = _pipes(dur_us * 0.93, AIC_RATIOS, "0.004,") if core in AIC else IDLE_AIC
    aiv = _pipes(dur_us * 0.91, AIV_RATIOS, "0.021,") if core in AIV else IDLE_AIV
    return f"{aic}{aiv}{88.412 if core in AIC else 0.0:.3f}"


def _pipes(busy_us: float, ratios: Sequence[float], icache: str) -> str:
    pipes = "".join(f"{busy_us * ratio:.3f},{ratio}," for ratio in ratios)
    return f"{busy_us:.3f},{round(busy_us * CYCLES_PER_US * 24)},{pipes}{icache}"
