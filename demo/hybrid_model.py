"""Launches of a hybrid model: three linear-attention layers, then one with full attention."""

from typing import NamedTuple, TypeAlias

from .figures import DecodeFigures


class Launch(NamedTuple):
    """A launch call: kernel, or a copy or memset where `bytes` is set; time in parts of a pool."""

    kernel: str
    pool: str
    weight: float
    call: str = "hipLaunchKernel"
    block: int = 256
    bytes: int = 0


class Op(NamedTuple):
    """A CPU operator with its tensors (`T` = tokens) and what it runs inside."""

    name: str
    dims: str
    inside: tuple["Op | Launch", ...] = ()


Node: TypeAlias = Op | Launch

_BF16 = "__hip_bfloat16"
LLGEMM1 = f"void LLGemm1_kernel<{_BF16}, 4>({_BF16} const*, {_BF16} const*, {_BF16}*, int)"
_TENSILE = (
    "Cijk_Alik_Bljk_BBS_BH_Bias_HA_S_SAV_UserArgs_{tile}_SN_LDSB1_AFC1_AFEM1_AFEM1_ASEM1_CLR1_"
    "CADS0_DTVA0_DTVB0_EPS0_FDSI0_GRPM1_GRVWA8_GRVWB8_GSUAMB_GLS0_ISA936_IU1_K1_LBSPPA512_"
    "LBSPPB256_LBSPPM0_LPA16_LPB16_LPM0_LRVW8_LWPMn1_MIAV0_MO40_NTn1_NTA0_NTB0_NTC0_NTD4_NTM0_"
    "NEPBS16_NLCA1_NLCB1_ONLL1_PGR2_PLR1_PKA1_SIA3_SS1_SPO0_SRVW0_SSO0_SVW2_SK0_SKXCCM0_TLDS1_"
    "ULSGRO0_USL1_UIOFGRO0_USFGROn1_VSn1_VWA2_VWB1_WSGRA0_WSGRB0_WS64_{groups}_1"
)
GEMV = _TENSILE.format(tile="MT32x16x128_MI16x16x1", groups="WG16_8")
GEMM = _TENSILE.format(tile="MT256x192x64_MI16x16x1", groups="WG64_4")
GEMM_THIN = _TENSILE.format(tile="MT32x64x128_MI16x16x1", groups="WG16_16")
NORM = (
    "std::enable_if<(((8) > (0))) && vllm::_typeConvert<c10::BFloat16>::exists, void>::type "
    "vllm::fused_add_rms_norm_kernel<c10::BFloat16, 8>(c10::BFloat16*, long, c10::BFloat16*, "
    "c10::BFloat16 const*, float, int, int)"
)
HEAD_NORM = (
    "void vllm::rms_norm_kernel<c10::BFloat16, 8, 3>(c10::BFloat16*, c10::BFloat16 const*, long, "
    "long, long, long, long, c10::BFloat16 const*, float, int, int)"
)
GATED_NORM = "layer_norm_fwd_kernel"
ROPE = (
    "void vllm::rotary_embedding_kernel<c10::BFloat16, true>(long const*, c10::BFloat16*, "
    "c10::BFloat16*, c10::BFloat16 const*, int, long, long, long, int, int, int)"
)
KV_WRITE = (
    f"void vllm::reshape_and_cache_flash_kernel<{_BF16}, {_BF16}, (vllm::Fp8KVCacheDataType)0>"
    f"({_BF16} const*, {_BF16} const*, {_BF16}*, {_BF16}*, long const*, long, long, long, long, "
    "long, int, int, int, float const*, float const*, int)"
)
SILU_MUL = (
    "void vllm::act_and_mul_kernel<c10::BFloat16, &(c10::BFloat16 vllm::silu_kernel<c10::BFloat16>"
    "(c10::BFloat16 const&)), true>(c10::BFloat16*, c10::BFloat16 const*, int)"
)
PAGED_ATTENTION = "kernel_paged_attention_2d"
FLASH_ATTENTION = (
    "void flash::flash_fwd_splitkv_kernel<Flash_fwd_kernel_traits<256, 64, 64, 4, false, false, "
    "cutlass::bfloat16_t>, true, false, false, false, true, false, true, false>"
    "(flash::Flash_fwd_params)"
)
RECURRENCE = "fused_recurrent_gated_delta_rule_packed_decode_kernel"
CONV_UPDATE = "_causal_conv1d_update_kernel"
COPY = (
    "void at::native::elementwise_kernel_manual_unroll<128, 4, at::native::gpu_kernel_impl_nocast"
    "<at::native::direct_copy_kernel_cuda(at::TensorIteratorBase&)::{lambda()#3}::operator()() "
    "const::{lambda()#12}::operator()() const::{lambda(c10::BFloat16)#1}>(at::TensorIteratorBase&, "
    "at::native::direct_copy_kernel_cuda(at::TensorIteratorBase&)::{lambda()#3}::operator()() "
    "const::{lambda()#12}::operator()() const::{lambda(c10::BFloat16)#1} const&)::"
    "{lambda(int, bool)#1})"
)
_VECTOR = (
    "void at::native::vectorized_elementwise_kernel<4, at::native::{functor}, "
    "std::array<char*, {arrays}ul> >(int, at::native::{functor}, std::array<char*, {arrays}ul>)"
)
MUL = _VECTOR.format(
    functor="BinaryFunctor<c10::BFloat16, c10::BFloat16, c10::BFloat16, "
    "at::native::binary_internal::MulFunctor<float> >",
    arrays=3,
)
ADD = _VECTOR.format(functor="CUDAFunctor_add<c10::BFloat16>", arrays=3)
FILL = _VECTOR.format(functor="FillFunctor<int>", arrays=1)
GATHER = (
    "void at::native::vectorized_gather_kernel<16, long>"
    "(char*, char*, long*, int, long, long, long, long, bool)"
)
ARG_MAX = (
    "void at::native::reduce_kernel<512, 1, at::native::ReduceOp<c10::BFloat16, at::native::"
    "ArgMaxOps<float>, unsigned int, long, 4, 4> >(at::native::ReduceOp<c10::BFloat16, "
    "at::native::ArgMaxOps<float>, unsigned int, long, 4, 4>)"
)
H2D = "Memcpy HtoD (Host -> Device)"
D2H = "Memcpy DtoH (Device -> Host)"
MEMSET = "Memset (Device)"


def is_full(layer: int, decode: DecodeFigures) -> bool:
    """Whether the layer has full attention."""
    return (layer + 1) % decode.full_attention_interval == 0


def replay(decode: DecodeFigures) -> list[Launch]:
    """The launches of one graph replay, in order; linears weigh their megabytes."""
    launches = [Launch(GATHER, "other", 3.0)]
    for layer in range(decode.layers):
        launches += _FULL_REPLAY if is_full(layer, decode) else _LINEAR_REPLAY
        launches += _MLP_REPLAY
    return [*launches, Launch(NORM, "other", 4.6), Launch(GEMV, "tensile", 2543)]


_LINEAR_REPLAY = (
    Launch(NORM, "other", 4.6),
    Launch(LLGEMM1, "llgemm1", 168),
    Launch(LLGEMM1, "llgemm1", 9),
    Launch(COPY, "other", 3.4),
    Launch(CONV_UPDATE, "other", 6.9),
    Launch(MUL, "other", 3.1),
    Launch(RECURRENCE, "recurrence", 1),
    Launch(COPY, "other", 3.2),
    Launch(GATED_NORM, "other", 5.2),
    Launch(GEMV, "tensile", 63),
)
_FULL_REPLAY = (
    Launch(NORM, "other", 4.6),
    Launch(LLGEMM1, "llgemm1", 147),
    Launch(HEAD_NORM, "other", 4.4),
    Launch(HEAD_NORM, "other", 3.8),
    Launch(ROPE, "other", 4.1),
    Launch(KV_WRITE, "other", 3.7),
    Launch(PAGED_ATTENTION, "attention", 1),
    Launch(MUL, "other", 3.1),
    Launch(GEMV, "tensile", 63),
)
_MLP_REPLAY = (
    Launch(NORM, "other", 4.6),
    Launch(LLGEMM1, "llgemm1", 357),
    Launch(SILU_MUL, "other", 5.0),
    Launch(GEMV, "tensile", 178),
)


def eager_layer(full: bool) -> list[Op]:
    """The operators of one layer in eager prefill."""
    return [_norm(), *(_FULL_EAGER if full else _LINEAR_EAGER), _norm(), *_MLP_EAGER]


def linear(out_features: int, in_features: int, rows: str = "T") -> Op:
    """An unquantised linear layer down to `aten::mm`."""
    weight = max(out_features * in_features / 1e6, 4.0) if rows == "T" else 75.0
    kernel = GEMM if out_features > 128 else GEMM_THIN
    gemm = Launch(kernel, "mm", weight, "hipExtModuleLaunchKernel")
    dims = f"[[{rows}, {in_features}], [{in_features}, {out_features}]]"
    stored = f"[[{rows}, {in_features}], [{out_features}, {in_features}], []]"
    node: Node = Op("aten::mm", dims, (gemm,))
    for name, shape in (("aten::matmul", dims), ("aten::linear", stored)):
        node = Op(name, shape, (node,))
    return Op("vllm::rocm_unquantized_gemm", stored, (node,))


def elementwise(turn: int) -> Op:
    """A small operator between the named ones."""
    name, kernel, weight = _ELEMENTWISE[turn % len(_ELEMENTWISE)]
    return Op(name, "[[T, 5120], [T, 5120], []]", (Launch(kernel, "other", weight),))


_ELEMENTWISE = (
    ("aten::copy_", COPY, 90.0),
    ("aten::mul", MUL, 110.0),
    ("aten::fill_", FILL, 12.0),
    ("aten::add", ADD, 120.0),
)


def embedding() -> Op:
    """The token embedding."""
    gather = Launch(GATHER, "other", 60.0)
    inner = Op("aten::index_select", "[[248320, 5120], [], [T]]", (gather,))
    return Op("aten::embedding", "[[248320, 5120], [T], [], [], []]", (inner,))


def head() -> list[Op]:
    """The last norm and the logits of the last token."""
    return [_norm(), linear(248320, 5120, rows="1")]


def input_copies(count: int) -> list[Op]:
    """The copies of one step's inputs to the device; the first clears a buffer."""
    cleared = Launch(MEMSET, "other", 1.6, "hipMemsetAsync", bytes=1024)
    copied = Launch(H2D, "other", 1.9, "hipMemcpyAsync", bytes=13248)
    operators = [Op("aten::zero_", "[[256]]", (cleared,))] if count else []
    view = Op("aten::slice", "[[1024, 72], [], [], [], []]", (Op("aten::as_strided", "[[72]]"),))
    for _ in range(count - 1):
        operators += [view, Op("aten::copy_", "[[1, 72], [1, 72], []]", (copied,))]
    return operators


SAMPLING = (
    Op("aten::argmax", "[[1, 248320], [], []]", (Launch(ARG_MAX, "outside", 15.0),)),
    Op("aten::index_select", "[[1, 1], [], [1]]", (Launch(GATHER, "outside", 4.0),)),
    Op("aten::add", "[[1], [1], []]", (Launch(ADD, "outside", 3.0),)),
    Op(
        "aten::copy_",
        "[[1, 1], [1, 1], []]",
        (Launch(D2H, "outside", 5.0, "hipMemcpyAsync", bytes=8),),
    ),
)


def _norm() -> Op:
    fused = Launch(NORM, "other", 210.0)
    return Op("_C::fused_add_rms_norm", "[[T, 5120], [T, 5120], [5120], []]", (fused,))


def _triton(kernel: str, weight: float) -> Launch:
    return Launch(kernel, "other", weight, "hipModuleLaunchKernel")


_DELTA_RULE = Op(
    "vllm::gdn_attention_core",
    "[[T, 10240], [T, 48], [T, 48], [T, 48, 128], []]",
    (
        _triton("_causal_conv1d_fwd_kernel", 340.0),
        _triton("fused_gdn_gating_kernel", 25.0),
        _triton("l2norm_fwd_kernel", 70.0),
        _triton("l2norm_fwd_kernel", 70.0),
        _triton("chunk_local_cumsum_scalar_kernel", 15.0),
        _triton("chunk_scaled_dot_kkt_fwd_kernel", 210.0),
        _triton("merge_16x16_to_64x64_inverse_kernel", 160.0),
        _triton("recompute_w_u_fwd_kernel", 290.0),
        _triton("chunk_gated_delta_rule_fwd_kernel_h_blockdim64", 760.0),
        _triton("chunk_fwd_kernel_o", 430.0),
    ),
)
_LINEAR_EAGER = (
    linear(16384, 5120),
    linear(96, 5120),
    _DELTA_RULE,
    Op("vllm::rms_norm_gated", "[[T, 6144], [128], [T, 6144]]", (_triton(GATED_NORM, 190.0),)),
    linear(5120, 6144),
)
_KV = Op(
    "_C_cache_ops::reshape_and_cache_flash",
    "[[T, 4, 256], [T, 4, 256], [2048, 16, 4, 256], [2048, 16, 4, 256], [T], [], [], []]",
    (Launch(KV_WRITE, "other", 45.0, block=512),),
)
_FULL_EAGER = (
    linear(14336, 5120),
    Op("_C::rms_norm", "[[T, 6144], [T, 6144], [256], []]", (Launch(HEAD_NORM, "other", 90.0),)),
    Op("_C::rms_norm", "[[T, 1024], [T, 1024], [256], []]", (Launch(HEAD_NORM, "other", 30.0),)),
    Op(
        "_C::rotary_embedding",
        "[[T], [T, 6144], [T, 1024], [], [262144, 64], []]",
        (Launch(ROPE, "other", 70.0),),
    ),
    Op(
        "vllm::unified_attention_with_output",
        "[[T, 24, 256], [T, 4, 256], [T, 4, 256], [T, 24, 256], [], [], []]",
        (_KV, Launch(FLASH_ATTENTION, "attention", 1.0, "hipModuleLaunchKernel")),
    ),
    Op("aten::mul", "[[T, 6144], [T, 6144]]", (Launch(MUL, "other", 110.0),)),
    linear(5120, 6144),
)
_MLP_EAGER = (
    linear(34816, 5120),
    Op("_C::silu_and_mul", "[[T, 17408], [T, 34816]]", (Launch(SILU_MUL, "other", 390.0),)),
    linear(5120, 17408),
)
