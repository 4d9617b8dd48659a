"""The rules that sort kernels into families, name them stably and find their token counts."""

import csv
import gzip
import json
import re
from collections import Counter
from pathlib import Path

import duckdb
import pytest

RULES = Path(__file__).parents[1] / "sql" / "rules"
SHARED = Path(__file__).parents[2] / "shared"  # shared traces beside the checkout
FAMILIES = set(
    "gemm gemv attention linear_attention moe norm rope kv_cache quantisation activation"
    " convolution communication fused_communication copy pointwise sampling other".split()
)

# family, implementation, name of the kernel: the same on every GPU
GPU = """
copy memcpy Memcpy HtoD (Pageable -> Device)
copy memcpy Memcpy DtoD (Device -> Device)
copy memcpy CopyDeviceToHost
copy memcpy __amd_rocclr_copyBuffer
copy memset Memset (Device)
copy memset __amd_rocclr_fillBufferAligned
attention inductor triton_tem_fused_flex_attention_0
attention inductor triton_flex_attention
convolution inductor triton_tem_fused_convolution_4
gemm inductor triton_tem_fused_addmm_relu_3
gemm inductor triton_mm_7
norm inductor triton_red_fused_add_mean_mul_pow_rsqrt_0
norm inductor triton_per_fused_native_layer_norm_2
norm inductor triton_red_fused__to_copy_add_all_reduce_mean_mul_pow_rsqrt_1
activation inductor triton_poi_fused__unsafe_view_mul_silu_2
sampling inductor triton_red_fused_argmax_1
copy inductor triton_poi_fused__to_copy_1
copy inductor triton_poi_fused_clone_permute_12
pointwise inductor triton_poi_fused_0
pointwise inductor triton_poi_fused__unsafe_view_add_3
pointwise inductor triton_poi_fused_constant_pad_nd_moe_forward_0
pointwise inductor triton__0d1d2d
fused_communication norm_comm void flashinfer::trtllm_allreduce_fusion::allreduce_fusion_kernel<4>()
fused_communication dispatch_combine moeAlltoAllKernel
fused_communication deep_ep void deep_ep::internode_ll::dispatch<true, false>(void*)
fused_communication mori mori::moe::EpDispatchIntraNodeKernel
fused_communication norm_comm void aiter::local_device_load_rmsnorm_naive<c10::BFloat16>()
fused_communication norm_comm fused_all_reduce_rms_norm_kernel
fused_communication matmul_comm allgather_gemm_kernel
fused_communication norm_comm void flashinfer::trtllm_mnnvl_allreduce::rmsNormLamport<4>()
fused_communication dispatch_combine void flashinfer::moe_a2a_dispatch_kernel<8>(int)
fused_communication dispatch_ffn void deep_gemm::sm100_fp8_fp4_mega_moe_impl<1u>(int)
fused_communication dispatch_ffn dispatch_ffn_combine_kernel
fused_communication matmul_comm gemm_reduce_scatter_kernel
communication nccl ncclDevKernel_example
communication nccl ncclDevKernel_AllGather_RING_LL(ncclDevKernelArgsStorage<4096ul>)
communication nccl ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL
communication nccl ncclKernel_AllReduce_RING_LL_Sum_float(ncclDevComm*, unsigned long, ncclWork*)
communication nvshmem nvshmemi_transfer_rma_nbi
communication symm_mem void (anonymous namespace)::multimem_all_reduce_kernel<c10::BFloat16, 16>()
communication custom_allreduce void vllm::cross_device_reduce_1stage<__nv_bfloat16, 8>(void*)
communication custom_allreduce all_reduce_example_two_shot
communication custom_allreduce reduce_scatter_kernel
linear_attention conv1d _causal_conv1d_update_kernel
linear_attention conv1d void causal_conv1d_fwd_kernel<Causal_conv1d_fwd_kernel_traits<128, 4>>()
linear_attention mamba void selective_scan_fwd_kernel<Selective_Scan_fwd_kernel_traits<64>>(int)
linear_attention mamba _chunk_scan_fwd_kernel
linear_attention fla chunk_gated_delta_rule_fwd_kernel_h_blockdim64
linear_attention fla fused_recurrent_gated_delta_rule_fwd_kernel
linear_attention fla chunk_fwd_kernel_o
linear_attention fla fused_gdn_gating_kernel
linear_attention fla merge_16x16_to_64x64_inverse_kernel
linear_attention lightning _linear_attn_decode_kernel
kv_cache vllm void vllm::reshape_and_cache_flash_kernel<__nv_bfloat16, unsigned char>()
kv_cache vllm void vllm::concat_and_cache_mla_kernel<__nv_bfloat16>(void*)
kv_cache vllm void vllm::indexer_k_quant_and_cache_kernel<__nv_bfloat16>()
kv_cache vllm _copy_page_indices_kernel
kv_cache sglang void (anonymous namespace)::store_kvcache<2048l, 4, false, long>(int)
kv_cache sglang create_flashinfer_kv_indices_triton
kv_cache sglang set_mla_kv_buffer_kernel
kv_cache flashinfer void flashinfer::AppendPagedKVCacheDecodeKernel<128u, 16u>()
kv_cache trtllm void tensorrt_llm::kernels::applyBiasRopeUpdateKVCacheV2<__nv_bfloat16>()
kv_cache other quantise_kv_cache_kernel
attention indexer void deep_gemm::sm90_fp8_paged_mqa_logits<1u>()
attention indexer void vllm::topKPerRowDecode<512>(float const*)
attention indexer void deep_gemm::smxx_clean_logits<1u>(unsigned int)
attention metadata void deep_gemm::smxx_paged_mqa_logits_metadata<32u>(unsigned int)
attention metadata get_mla_metadata_kernel(Mla_metadata_params)
attention metadata void flash::prepare_varlen_num_blocks_kernel<1, true>(int)
gemm other void router_gemm_kernel_float_output<__nv_bfloat16, 128>(float*)
moe marlin void marlin_moe_wna16::Marlin<__nv_bfloat16, 256>(int4 const*)
moe routing void marlin_moe_wna16::permute_cols_kernel<256>(int4 const*)
moe deepgemm void deep_gemm::sm90_fp8_gemm_1d2d_impl<1u, (deep_gemm::GemmType)1>(float*)
moe trtllm bmm_Bfloat16_MxE2m1MxE4m3_Fp32_t128x16x256u2_s3_et128x16_clmp_dynBatch_sm100f
moe routing void tensorrt_llm::kernels::cutlass_kernels::doGatedActivationKernel<__nv_bfloat16>()
moe routing void moe::dev::finalize::finalizeKernelVecLoad<cutlass::bfloat16_t>(int)
moe routing void tensorrt_llm::kernels::cutlass_kernels::expandInputRowsKernel<__nv_bfloat16>()
moe cutlass void cutlass::device_kernel<cutlass::gemm::GroupProblemShape<int>>(int)
moe cutlass moe_example_cutlass
moe cutlass kernel_cutlass_grouped_gemm_masked
moe trtllm void cutlass::Kernel<cutlass::gemm::kernel::MoeFCGemm<int>>(int)
moe trtllm void fused_moe::run_global<fused_moe::Fused_Moe_Kernel_sm80<__nv_bfloat16>>()
moe routing void get_group_gemm_starts<cutlass::bfloat16_t>(int*)
moe routing compute_problem_sizes_w_dtypes
moe routing void moe::dev::routing::routingIndicesHistogramKernel<__nv_bfloat16>(int)
moe ck void ck::kernel_moe_gemm<ck::GridwiseMoeGemm<ck::tensor_layout::gemm::RowMajor>>(int)
moe routing _ZN7ck_tile6kentryILi1ENS_16MoeSortingKernelINS_16MoeSortingProblem
moe aiter fmoe_bf16_blockscaleFp8_g1u1_novs_silu_1tg_32x256
moe aiter _moe_gemm_a8w8_swiglu
moe ck _ZN7ck_tile6kentryILi1ENS_16MoeFlatmmKernel
moe vllm void vllm::moe::moe_wna16_gemm_kernel<__half, 4>(int)
moe routing _ZN5aiter17moe_fused_gate_kernelE
moe routing void vllm::moe::count_and_sort_expert_tokens_kernel<int>(int const*)
moe routing void aiter::topk_softmax_kernel<float>(float const*)
moe routing void vllm::moe::moe_align_block_size_kernel<int>(int const*)
moe routing void vllm::moe::topkGating<8, 128, 4, 16>(float const*)
moe triton _matmul_ogs_NNT_bf16xbf16xmxfp4_128x128x128x1_swiglu
moe routing _finalize_matmul_scatter_bf16
moe routing _combined_routing_memset
moe routing _topk_forward
moe triton fused_moe_kernel
moe triton fused_moe_kernel_gptq_awq
moe triton _p_matmul_ogs_NNT_bf16xbf16xmxfp4_128x256x64x1
moe triton batched_triton_kernel
moe triton grouped_gemm_triton_kernel
moe routing _combined_routing_compute
moe routing _sum_bitmatrix_rows
moe routing _count_expert_num_tokens
moe routing void grouped_topk_fused_kernel<float, 8>(float*)
moe routing void moe_sum_reduce_warp_per_token_vec_kernel<8>(int)
moe routing moe_align_block_size_small_batch_expert_kernel
moe routing _fwd_kernel_ep_scatter_1
moe routing count_and_sort_expert_tokens_kernel
moe other moe_example_trtllm
moe other shared_expert_example
moe other grouped_gemm_example
attention cudnn cudnn_generated_fort_native_sdpa_sm90_flash_fprop_wgmma_f16_knob_7_128x128x128
attention sparse void sm90::fwd::sparse_attn_fwd_kernel<576>(int)
attention reduce void paged_attention_ll4mi_reduce_kernel<__hip_bfloat16, 128>(int)
attention reduce void vllm::paged_attention_v2_reduce_kernel<__nv_bfloat16, 128>(float*)
attention reduce void flash::flash_fwd_splitkv_combine_kernel<Flash_fwd_kernel_traits<128>>(int)
attention reduce void cutlass::device_kernel<flash::FlashAttnFwdCombine<64>>(int)
attention reduce void flash_fwd_mla_combine_kernel<float, 512>(int)
attention reduce reduce_segments
attention reduce _fwd_kernel_stage2
attention reduce void flashinfer::MergeStatesKernel<8u, __nv_bfloat16>(int)
attention reduce fmhaReductionKernelHeadDim512
attention reduce _ZN7ck_tile6kentryILi1ENS_23FmhaFwdSplitKVCombineKernel
attention reduce _ZN5aiter16kn_mla_reduce_v1E
attention reduce void aiter::pa_reduce_kernel<128>(int)
attention reduce void flash_attn_stream_k_fixup<64, 8>(float*)
attention flash kernel_cutlass_kernel_flash_attn_cute_FlashAttentionForwardSm100
attention paged void aiter::pa_fwd_bf16_kernel<128>(int)
attention mla void flash_fwd_splitkv_mla_kernel<Flash_fwd_kernel_traits_mla<576>>()
attention mla void cutlass::device_kernel<cutlass::fmha::kernel::Sm100FmhaMlaKernel<int>>(int)
attention mla mla_a16w16_qh16_m16x4_n16x1_coex0_mask1
attention mla void flashinfer::BatchMLAPagedAttentionKernel<64>(int)
attention paged void paged_attention_ll4mi_QKV_mfma16_kernel<0, (vllm::Fp8KVCacheDataType)0>()
attention paged void vllm::paged_attention_v2_kernel<__nv_bfloat16, 128>(float*)
attention paged example_paged_attention_kernel
attention flashinfer void flashinfer::BatchPrefillWithPagedKVCacheKernel<64>(int)
attention reduce void flashinfer::PersistentVariableLengthMergeStatesKernel<8u>()
attention trtllm fmhaSm100aKernel_QkvE4m3OBfloat16H64PagedKvCausalP16VarSeqQ128Kv128Persistent
attention ck _ZN7ck_tile6kentryILi1ENS_13FmhaFwdKernelINS_17BlockFmhaPipeline
attention aiter _ZN5aiter30fmha_fwd_hd128_bf16_causal_rtzE
attention fmha fmha_cutlassF_bf16_aligned_64x64_rf_sm80(PyTorchMemEffAttention::Params)
attention aotriton attn_fwd
attention flash void flash::flash_fwd_splitkv_kernel<Flash_fwd_kernel_traits<128>>(int)
attention flash void cutlass::device_kernel<flash::FlashAttnFwdSm90<cutlass::bfloat16_t>>(int)
attention triton kernel_unified_attention_2d
attention triton _fwd_grouped_kernel_stage1
attention triton _fwd_kernel
attention reduce merge_attn_states_kernel
attention other my_attention_kernel
copy cudnn void cudnn::ops::nchwToNhwcKernel<float, float>(int)
copy miopen batched_transpose_16x64_pack_1x4_ediv_1x2_half
copy miopen SubTensorOpWithCastTensor1d
pointwise cudnn void cudnn::ops::scalePackedTensor_kernel<float, float>(long, float*, float)
pointwise miopen SubTensorOpWithScalar1d
norm cudnn void cudnn::bn_fw_tr_1C11_kernel_NCHW<float, float, 512>(cudnnTensorStruct)
norm miopen MIOpenBatchNormFwdTrainSpatial
convolution miopen igemm_fwd_gtcx2_nhwc_bf16_bx0_ex1_bt64x64x64_wt16x16x16_ws1x1_wr2x2
convolution ck void ck::kernel_grouped_conv_fwd_multiple_abd_xdl_cshuffle<ck::GridwiseGemm<1>>(int)
convolution cudnn volta_scudnn_128x64_relu_interior_nn_v1
convolution cudnn void implicit_convolve_sgemm<float, float, 128, 5, 5, 3, 3>(int)
convolution cudnn sm80_xmma_fprop_implicit_gemm_tf32f32_tf32f32_f32_nhwckrsc_nhwc_tilesize64x128x32
convolution cudnn void cutlass_cudnn_train::Kernel<cutlass_cudnn_train::ReduceSplitK<4>>()
convolution torch void at::native::(anonymous namespace)::max_pool_forward_nchw<float, float>(int)
convolution other global_avg_pool_kernel
pointwise cublas void dot_kernel<float, 128, 0, cublasDotParams<cublasGemvTensor<float const>>>()
gemv LLMM1 void LLGemm1_kernel<c10::BFloat16, 4>(float4 const*)
gemv LLMM1 LLMM1
gemv wvSplitK void wvSplitK_hf_sml_<__hip_bfloat16, 64, 2, 16, 8, 2, 4>(int)
gemv wvSplitK wvSplitKrc
gemv wvSplitK void wvSplitK_hf_<__hip_bfloat16, 64, 2, 16, 8, 2, 4>(int)
gemv wvSplitK void wvSplitK_hf_big_<__hip_bfloat16, 64, 2, 16, 8, 2, 4>(int)
gemv wvSplitK void wvSplitKQ_hf_sml_<__hip_bfloat16, 64, 2, 16, 16, 2, 1>(int)
gemv wvSplitK void wvSplitKrc_<__hip_bfloat16, 64, 16, 4>(int)
gemv wvSplitK void aiter::wv_splitk_small_fp16_bf16_kernel<c10::BFloat16>(int)
gemv cublas void gemv2T_kernel_val<int, int, float, float>(cublasGemvParamsEx<int, float>)
gemv cublas std::enable_if<!(false), void>::type internal::gemvx::kernel<int, int, float>(int)
gemv ggml void mul_mat_vec_q<__nv_bfloat16, 32, 4>(void const*)
gemv other awq_gemv_kernel
gemm tensile Cijk_Alik_Bljk_BBS_BH_MT32x32x64_example
gemm splitk_reduce Cijk_SB_PostGSU8_VW4
gemm nvjet nvjet_tst_64x16_64x16_2x4_2cta_h_bz_bias_TNT
gemm nvjet nvjet_tst_64x8_64x16_1x4_h_bz_splitK_TNT
gemm tensile Custom_Cijk_Alik_Bljk_BBS_BH_MT256x256x64_example
gemm splitk_reduce Cijk_SB_GA
gemm splitk_reduce Dijk_S_Reduction
gemm splitk_reduce void cutlass::Kernel<cutlass::reduction::kernel::ReduceSplitK<int>>(int)
gemm splitk_reduce void rocblas_gemvt_sn_reduce<128, 8, float>(int)
gemm splitk_reduce _gemm_a16w16_reduce_kernel
gemm splitk_reduce reduce_splitk_kernel
gemm splitk_reduce void mul_mat_q_stream_k_fixup<2, 64>(int)
quantisation deepgemm void deep_gemm::transpose_and_pack_fp32_into_ue8m0<512u>(float*)
copy marlin void marlin::gptq_marlin_repack_kernel<256, 4>(int)
gemm lora _lora_shrink_kernel
gemm deepgemm void deep_gemm::sm100_fp8_gemm_1d1d_impl<1u, (deep_gemm::GemmType)0>(float*)
gemm deepgemm sm90_fp8_gemm_1d2d_impl
gemm marlin void marlin::Marlin<__nv_bfloat16, 256>(int4 const*)
gemm machete void machete::prepack_kernel<128>(int)
gemm trtllm gemm_Bfloat16_E2m1E2m1_Fp32_t128x64x256u2_s4_et128x64_sm100f
gemm hipblaslt hipblasltExtOpAMax
gemm rocblas void rocblas_gemm_kernel<128, float>(int)
gemm cublas ampere_fp16_s16816gemm_fp16_64x64_ldg8_f2f_stages_64x5_tn
gemm cublas volta_sgemm_64x64_nt
gemm cublas sm80_xmma_gemm_f16f16_f16f32_f32_tn_n_tilesize64x64x64_stage3
gemm splitk_reduce void cublasLt::splitKreduce_kernel<32, 16>(cublasLt::cublasSplitKParams<int>)
gemm cutlass void cutlass::Kernel<cutlass_80_tensorop_s1688gemm_64x64_16x6_tn_align4>(int)
gemm cutlass void cutlass::device_kernel<cutlass::gemm::kernel::GemmUniversal<int>>(int)
gemm ck void ck::kernel_gemm_xdl_cshuffle_v3<ck::GridwiseGemm_xdl_cshuffle_v3<int>>(int)
gemm ck _ZN7ck_tile6kentryILi1ENS_13FlatmmKernelINS_16GemmTile
gemm aiter _gemm_a8w8_blockscale_kernel
gemm aiter bf16gemm_fp32bf16_tn_64x64_splitk_clean
gemm triton matmul_kernel_persistent
gemm triton _w8a8_block_fp8_matmul
gemm ggml void mul_mat_q<__nv_bfloat16, 64>(void const*)
gemm other gemm_example
gemm other gemm_splitk_example
gemm other void vllm::awq::gemm_forward_4bit_cuda_m16nXk32<64>(int)
rope vllm void vllm::rotary_embedding_kernel<c10::BFloat16, true>(long const*)
rope vllm void rotary_embedding_kernel<c10::BFloat16, true>(long const*)
rope flashinfer void flashinfer::BatchQKApplyRotaryPosIdsCosSinCacheKernel<true, 128u>()
rope aiter _ZN5aiter24kn_entry_2c_sbhd_cached_indirect_inplace_rope
rope other _triton_mrope_forward
rope other fusedQKNormRopeKernel
norm vllm void vllm::rms_norm_static_fp8_quant_kernel<c10::BFloat16>(void*)
norm vllm std::enable_if<(((8)>(0))), void>::type vllm::fused_add_rms_norm_kernel<float, 8>()
norm aiter _ZN5aiter24add_rmsnorm_quant_kernelIDF16bDF16bLi256ELi16ELb1ELb0ELb1ELi1EEEvPT0
norm ck _ZN7ck_tile6kentryILi1ENS_12Rmsnorm2dFwdINS_27Rmsnorm2dFwdPipelineOnePass
norm flashinfer void flashinfer::norm::FusedAddRMSNormKernel<8u, __nv_bfloat16>()
norm torch void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<float, float>()
norm torch void at::native::batch_norm_backward_kernel<c10::BFloat16, float, int>(int)
norm other l2norm_fwd_kernel
activation vllm void vllm::act_and_mul_kernel<c10::BFloat16, &vllm::silu_kernel>(void*)
activation sglang _ZN7sgl_hip10activation18act_and_mul_kernelI14__hip_bfloat16TnPFT_RKS3
activation flashinfer void flashinfer::activation::act_and_mul_kernel<__nv_bfloat16>()
activation torch void at::native::vectorized_elementwise_kernel<8, at::native::silu_kernel>(int)
activation other relu_example
activation other _silu_and_mul_quant_kernel
quantisation vllm void vllm::scaled_fp8_quant_kernel_strided<c10::BFloat16, c10::Float8_e4m3fn>()
quantisation trtllm void tensorrt_llm::kernels::quantize_with_block_size<32, true>(int)
quantisation aiter void aiter::dynamic_per_group_scaled_quant_kernel<c10::BFloat16>()
quantisation other _per_token_group_quant_fp8
sampling flashinfer void flashinfer::sampling::TopKTopPSamplingFromProbKernel<1024u>()
sampling torch void at::native::reduce_kernel<512, 1, at::native::ArgMaxOps<float>>(int)
sampling torch void at::native::(anonymous namespace)::cunn_SoftMaxForward<4, float>(float*)
sampling torch void at::native::sbtopk::gatherTopK<float, unsigned int, 2, false>()
sampling cub void at_cuda_detail::cub::CUB_200802_NS::DeviceRadixSortOnesweepKernel<int>()
sampling sglang void VerifyTreeGreedy_verify_tree_greedy<int>()
sampling other sample_example
sampling other _gumbel_sample_kernel
sampling other apply_repetition_penalties_kernel
copy torch void at::native::elementwise_kernel<128, 4, at::native::direct_copy_kernel_cuda>(int)
copy torch void at::native::(anonymous namespace)::CatArrayBatchedCopy<float, 4, 64, 64>(float*)
copy torch void at::native::vectorized_gather_kernel<16, long>(char*)
copy other concat_transpose_kernel
pointwise torch void at::native::vectorized_elementwise_kernel<4, at::native::FillFunctor<int>>(int)
pointwise torch void at::native::vectorized_elementwise_kernel<4, at::native::rsqrt_kernel_cuda>()
pointwise torch void at::native::reduce_kernel<512, 1, at::native::MeanOps<float, float>>(int)
pointwise cub void rocprim::ROCPRIM_400200_NS::detail::trampoline_kernel<long>(long)
pointwise sglang void (anonymous namespace)::clamp_position_kernel<long>(long*)
pointwise other elementwise_example<0>
pointwise other add
pointwise other mul_example
pointwise other partial_reduce_kernel
other other late_example
other other kernel_a
other other forward_example
other other custom_op<int,float>
"""
ROCM = """
gemv rocblas void rocblas_gemvt_kernel<true, 256, float>(int)
gemv rocblas gemvn_kernel
"""
ASCEND_TYPES = """
fused_communication dispatch_ffn DispatchFFNCombine
fused_communication dispatch_combine MoeDistributeDispatchV2
fused_communication matmul_comm MatmulAllReduceAddRmsNorm
fused_communication matmul_comm AllGatherMatmul
fused_communication dispatch_ffn DispatchGmmCombineDecode
fused_communication dispatch_ffn FusedDeepMoe
fused_communication dispatch_ffn AlltoAllvGroupedMatMul
fused_communication dispatch_combine MoeDistributeCombineAddRmsNorm
fused_communication dispatch_combine NotifyDispatch
fused_communication matmul_comm QuantMatmulAllReduce
fused_communication norm_comm AllReduceAddRmsNorm
attention reduce AttentionUpdate
attention sparse SparseAttention
attention flash SparseFlashAttention
attention aclnn NsaAttentionInfer
moe aclnn GroupedMatmulFinalizeRouting
moe aclnn FFNV3
moe routing MoeTokenUnpermute
communication hccl hcom_allReduce_
linear_attention aclnn ChunkGatedDeltaRule
kv_cache aclnn ReshapeAndCache
kv_cache aclnn KvRmsNormRopeCache
moe aclnn GroupedMatmulSwigluQuant
moe routing MoeGatingTopKSoftmax
attention mla MlaPreprocess
attention paged PagedAttention
attention flash FusedInferAttentionScore
attention indexer LightningIndexer
rope aclnn ApplyRotaryPosEmb
norm aclnn AddRmsNormDynamicQuant
norm aclnn GemmaRmsNorm
gemm aclnn MatMulV3
gemm aclnn QuantBatchMatmulV3
activation aclnn DequantSwigluQuant
activation aclnn Gelu
quantisation aclnn DynamicQuant
convolution aclnn Conv2DBackpropFilter
convolution aclnn MaxPoolGradWithArgmaxV1
sampling aclnn ArgMaxWithValue
sampling aclnn ApplyTopKTopP
sampling aclnn LogSoftmaxV2
copy aclnn TransData
copy aclnn GatherV2
copy aclnn MemSet
pointwise aclnn RealDiv
pointwise aclnn ReduceSum
pointwise aclnn ForeachAddList
other other Custom
"""
ASCEND_NAMES = """
fused_communication dispatch_ffn DispatchFFNCombine
communication hccl hcom_allReduce__586_0_1
fused_communication dispatch_combine aclnnMoeDistributeCombineV2_MoeDistributeCombineV2
fused_communication matmul_comm aclnnMatmulAllReduce_MatmulAllReduce_MatmulAllReduce
fused_communication norm_comm AllReduceAddRmsNorm
moe aclnn aclnnGroupedMatmulV5_GroupedMatmul_GroupedMatmul
attention reduce aclnnAttentionUpdate_AttentionUpdate_AttentionUpdate
attention indexer aclnnLightningIndexer_LightningIndexer_LightningIndexer
attention aclnn aclnnRainFusionAttention_RainFusionAttention
communication hccl reduce_scatterAicpuKernel
linear_attention aclnn aclnnRecurrentGatedDeltaRule_RecurrentGatedDeltaRule_RecurrentGatedDeltaRule
linear_attention conv1d _causal_conv1d_update_kernel_npu_tiled
kv_cache aclnn aclnnScatterPaKvCache_ScatterPaKvCache_ScatterPaKvCache
moe routing aclnnMoeInitRoutingV2_MoeInitRoutingV2_MoeInitRoutingV2
attention mla MlaProlog_3
attention paged PagedAttentionMaskNdKernel
attention flash aclnnFlashAttentionScore_FlashAttentionScore_FlashAttentionScore_varlen
attention sparse aclnnSparseAttention_SparseAttention
rope aclnn RotaryPositionEmbedding
norm aclnn RmsNorm_1
gemm aclnn aclnnMatmul_MatMulV2_MatMulV2
gemm aclnn aclnnMatmul_MatMulV3Common_MatMulV5
activation aclnn SwiGlu
quantisation aclnn aclnnDynamicQuant_DynamicQuant_DynamicQuant
convolution aclnn Conv2DBackpropFilter10
sampling aclnn aclnnTopk_TopkV2_TopKV2
copy aclnn trans_TransData_12
copy aclnn aclnnMm_MatMulCommon_MemSet
copy aclnn Conv2DBackpropFilter6_MemSet
pointwise aclnn aclnnTopk_CastAiCore_Cast
pointwise aclnn ReduceSum7
pointwise aclnn aclnnMuls_MulAiCore_Mul
"""
STABLE = """
triton_poi_fused_add_mul_17 -> triton_poi_fused_add_mul
triton_poi_fused_0 -> triton_poi_fused
triton_poi_fused__to_copy_1 -> triton_poi_fused__to_copy
triton_poi_fused_copy__3 -> triton_poi_fused_copy_
triton_red_fused_add_mean_mul_pow_rsqrt_0 -> triton_red_fused_add_mean_mul_pow_rsqrt
triton_poi_fused_add_mul_17_0d1d2d -> triton_poi_fused_add_mul
fused_moe_kernel_0d1d2d3de4c -> fused_moe_kernel
triton__0d1d2d -> triton_
Cijk_Alik_Bljk_MT64x64x32_WG16_4_1.kd -> Cijk_Alik_Bljk_MT64x64x32_WG16_4_1
gemm_kernel(int*) [clone .kd] -> gemm_kernel(int*)
void rocprim::ROCPRIM_400200_NS::detail::f<int>() -> void rocprim::detail::f<int>()
void at_cuda_detail::cub::CUB_200802_SM_900_NS::g() -> void at_cuda_detail::cub::g()
_ZN40_GLOBAL__N__73da4bea_8_Shape_cu_49f7391c3CatE -> _ZN40_GLOBAL__N__8_Shape_cu3CatE
hcom_allReduce__586_0_1 -> hcom_allReduce
hcom_allReduce__586_0_1@123456789 -> hcom_allReduce
trans_TransData_0 -> trans_TransData
RmsNorm_1 -> RmsNorm
GatherV2_5 -> GatherV2
Conv2D1 -> Conv2D
ReduceSum7 -> ReduceSum
Conv2DBackpropFilter6_MemSet -> Conv2DBackpropFilter_MemSet
"""
# Names that must stay as they are: tiles, template arguments, versions, what counts no build
KEPT = """
Cijk_Alik_Bljk_BBS_BH_MT128x128x64_MI16x16x1_WS64_WG32_8_1
Cijk_Alik_Bljk_BBS_BH_MT128x128x64_MI16x16x1_WS64_WG64_4_1
ampere_fp16_s16816gemm_fp16_64x64_ldg8_f2f_stages_32x6_tn
void cutlass::Kernel<cutlass_80_tensorop_s1688gemm_64x64_16x6_tn_align4>(Params)
elementwise_example<0>
elementwise_example<1>
kernel_unified_attention_2d
chunk_gated_delta_rule_fwd_kernel_h_blockdim64
_fwd_kernel_ep_scatter_1
_fwd_kernel_ep_scatter_2
_fwd_kernel_stage1
fmoe_fp8_g1u1_subGU_256
_gemm_a16_w16_kernel_BLOCK_SIZE_M_64_NUM_KSPLIT_4
kernel_num_warps_8
nvjet_tst_64x16_64x16_2x4_2cta_h_bz_bias_TNT
aclnnMatmul_MatMulV3Common_MatMulV5
volta_scudnn_128x64_relu_interior_nn_v1
"""

FIRST_MATCH = """
    SELECT name.platform, name.name, name.op_type, min(rule.rule),
        coalesce(arg_min(rule.family, rule.rule), 'other'),
        coalesce(arg_min(rule.implementation, rule.rule), 'other')
    FROM names AS name LEFT JOIN rules AS rule
        ON rule.platform IN ('any', name.platform)
        AND regexp_matches(
            CASE rule.applies_to WHEN 'name' THEN name.name ELSE name.op_type END, rule.pattern
        )
    GROUP BY ALL
"""


def rows(file):
    with open(RULES / file, newline="", encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def first_matches(names):
    """(platform, name, op_type) -> (rule, family, implementation), in one query."""
    with duckdb.connect() as con:
        con.execute(
            "CREATE TABLE rules AS FROM read_csv(?, header = true, all_varchar = true)",
            [str(RULES / "families.csv")],
        )
        con.execute("ALTER TABLE rules ALTER rule TYPE INTEGER")
        con.execute("CREATE TABLE names (platform TEXT, name TEXT, op_type TEXT)")
        con.executemany("INSERT INTO names VALUES (?, ?, ?)", sorted(set(names)))
        return {tuple(row[:3]): tuple(row[3:]) for row in con.execute(FIRST_MATCH).fetchall()}


def stable(names):
    with duckdb.connect() as con:
        con.execute("CREATE TABLE names AS SELECT unnest(?) AS given, given AS name", [names])
        for rule in rows("stable_names.csv"):
            con.execute(
                "UPDATE names SET name = regexp_replace(name, ?, ?, 'g')",
                [rule["pattern"], rule["replacement"]],
            )
        return dict(con.execute("FROM names").fetchall())


def lines_of(table):
    return table.strip().splitlines()


def examples():
    """((platform, name, op_type), (family, implementation)) of every example above."""
    for table, platforms in ((GPU, ("cuda", "rocm", "unknown")), (ROCM, ("rocm",))):
        for line in lines_of(table):
            family, implementation, name = line.split(maxsplit=2)
            yield from (((p, name, ""), (family, implementation)) for p in platforms)
    for line in lines_of(ASCEND_TYPES):
        family, implementation, op_type = line.split()
        yield ("ascend", "kernel_name", op_type), (family, implementation)
    for line in lines_of(ASCEND_NAMES):
        family, implementation, name = line.split()
        yield ("ascend", name, "N/A"), (family, implementation)


def duration(event):
    """Microseconds of an event."""
    return float(event.get("dur", 0))


def gpu_times(path, each=duration):
    """Device microseconds, or what `each` tells, by (platform, name, op_type) of a trace."""
    text = gzip.decompress(path.read_bytes()).decode("utf-8", "replace")
    trace = json.loads(text, strict=False)
    rocm = trace.keys() & {"roctracer_version", "hip_runtime_version"}
    times = Counter()
    for event in trace["traceEvents"]:
        kind = event.get("cat", "").lower().removeprefix("gpu_")
        if event.get("ph") == "X" and kind in ("kernel", "memcpy", "memset"):
            times["rocm" if rocm else "cuda", event["name"], ""] += each(event)
    return times


def ascend_times(path):
    times = Counter()
    with open(path, newline="", encoding="utf-8-sig", errors="replace") as lines:
        for row in csv.DictReader(lines):
            times["ascend", row["Name"].strip(), row["Type"].strip()] += float(row["Duration(us)"])
    return times


def real_traces():
    traces = SHARED / "traces"
    files = sorted((traces / "chrome").glob("*.json.gz"))
    return files + sorted((traces / "ascend").rglob("kernel_details.csv"))


def times_of(path):
    return ascend_times(path) if path.suffix == ".csv" else gpu_times(path)


@pytest.fixture(scope="module")
def matched():
    return first_matches(name for name, _ in examples())


def test_rules_are_well_formed():
    rules = rows("families.csv")
    assert list(rules[0]) == "rule platform applies_to pattern family implementation".split()
    numbers = [int(rule["rule"]) for rule in rules]
    assert numbers == sorted(set(numbers))
    assert {rule["family"] for rule in rules} <= FAMILIES
    assert {rule["platform"] for rule in rules} <= {"any", "cuda", "rocm", "ascend"}
    assert {rule["applies_to"] for rule in rules} == {"name", "op_type"}
    assert all(re.fullmatch(r"\w+", rule["implementation"]) for rule in rules)
    assert all(r["platform"] == "ascend" for r in rules if r["applies_to"] == "op_type")


def test_examples_are_enough():
    table = list(examples())
    assert len(table) >= 80
    assert {family for _, (family, _) in table} == FAMILIES


def test_patterns_compile():
    with duckdb.connect() as con:
        for rule in rows("families.csv") + rows("stable_names.csv"):
            con.execute("SELECT regexp_matches('x', ?)", [rule["pattern"]]).fetchall()


def test_families_of_examples(matched):
    wrong = {
        name: (matched[name], expected)
        for name, expected in examples()
        if matched[name][1:] != expected
    }
    assert wrong == {}


def test_op_type_goes_before_the_name():
    name = ("ascend", "aclnnRmsNorm_RmsNorm_RmsNorm", "Cast")
    assert first_matches([name])[name][1:] == ("pointwise", "aclnn")


def test_every_rule_decides_an_example(matched):
    used = {rule for rule, *_ in matched.values()}
    assert {int(rule["rule"]) for rule in rows("families.csv")} - used == set()


@pytest.mark.skipif(not real_traces(), reason="no shared traces beside the checkout")
@pytest.mark.parametrize("path", real_traces(), ids=lambda path: "-".join(path.parts[-3:]))
def test_little_time_is_other(path):
    times = times_of(path)
    families = first_matches(times)
    other = sum(time for name, time in times.items() if families[name][1] == "other")
    assert other <= 0.02 * sum(times.values())


def test_stable_names():
    expected = dict(line.split(" -> ") for line in lines_of(STABLE))
    expected |= {name: name for name in lines_of(KEPT)}
    assert stable(list(expected)) == expected
    assert stable(sorted(set(expected.values()))) == {name: name for name in expected.values()}


def test_stable_names_of_real_traces_keep_tiles_apart():
    names = {name for path in real_traces() for _, name, _ in times_of(path)}
    for library in ("Cijk_", "nvjet_", "igemm_", "bmm_", "volta_", "void at::native"):
        kept = [name for name in names if name.startswith(library)]
        assert len(set(stable(kept).values())) == len(kept)


def test_stable_name_rules_are_numbered_in_order():
    rules = rows("stable_names.csv")
    numbers = [int(rule["rule"]) for rule in rules]
    assert numbers == sorted(set(numbers))


def test_token_tensors():
    tensors = {row["op"]: int(row["tensor"]) for row in rows("token_tensors.csv")}
    assert len(tensors) == len(rows("token_tensors.csv"))
    assert all(number > 1 for number in tensors.values())
    assert tensors["GatherV2"] == tensors["aten::embedding"] == tensors["_rocm_C::LLMM1"] == 2
    assert "aten::mm" not in tensors and "MatMulV2" not in tensors
