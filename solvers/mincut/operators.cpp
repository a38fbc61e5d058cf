// SPDX-License-Identifier: Apache-2.0
#include "solvers/mincut/operators.h"

#include <string>
#include <unordered_map>

namespace remat::mincut {

namespace {

/// ATen operators on the partitioner's allow-list, those tagged `pointwise` included; without the ones that write to
/// their inputs, which traces do not have.
constexpr std::string_view kRecomputableNames =
    "__and__ __ilshift__ __ixor__ __lshift__ __or__ __rshift__ __xor__ _grad_sum_to_size _to_copy _unsafe_view "
    "abs acos acosh add addcdiv addcmul alias amax angle any arange argmax as_strided asin asinh atan atan2 atanh "
    "bitwise_and bitwise_left_shift bitwise_not bitwise_or bitwise_right_shift bitwise_xor broadcast_tensors ceil "
    "celu clamp clamp_max clamp_min clip clone conj_physical copysign cos cosh deg2rad digamma div elu empty "
    "empty_like eq equal erf erfc erfinv exp exp2 expand expm1 float_power floor fmax fmin fmod frac frexp full "
    "full_like gather gcd ge gelu gelu_backward gt hardshrink hardsigmoid hardtanh heaviside hypot i0 igamma "
    "igammac index isfinite isinf isnan isneginf isposinf lcm ldexp le lerp lgamma lift_fresh_copy log log10 "
    "log1p log2 logaddexp logaddexp2 logical_and logical_not logical_or logical_xor logit logit_backward lt "
    "masked_fill max maximum mean min minimum mish mul mvlgamma nan_to_num native_dropout_backward ne neg "
    "new_zeros nextafter ones permute polygamma positive pow rad2deg reciprocal relu relu6 remainder reshape "
    "round rrelu rsqrt rsub scalar_tensor select selu sgn sigmoid sigmoid_backward sign signbit silu "
    "silu_backward sin sinc sinh slice softplus softshrink special_airy_ai special_bessel_j0 special_bessel_j1 "
    "special_bessel_y0 special_bessel_y1 special_chebyshev_polynomial_t special_chebyshev_polynomial_u "
    "special_chebyshev_polynomial_v special_chebyshev_polynomial_w special_entr special_erfcx "
    "special_hermite_polynomial_h special_hermite_polynomial_he special_i0e special_i1 special_i1e "
    "special_laguerre_polynomial_l special_legendre_polynomial_p special_log_ndtr special_modified_bessel_i0 "
    "special_modified_bessel_i1 special_modified_bessel_k0 special_modified_bessel_k1 special_ndtri "
    "special_scaled_modified_bessel_k0 special_scaled_modified_bessel_k1 special_shifted_chebyshev_polynomial_t "
    "special_shifted_chebyshev_polynomial_u special_shifted_chebyshev_polynomial_v "
    "special_shifted_chebyshev_polynomial_w special_spherical_bessel_j0 special_xlog1py special_zeta split sqrt "
    "square squeeze std sub sum sum_to_size t tan tanh tanh_backward threshold threshold_backward to triu "
    "true_divide trunc type_as unsqueeze var var_mean view where xlogy zeros zeros_like ";

constexpr std::string_view kRecomputablePrims = "_low_memory_max_pool_offsets_to_indices broadcast_in_dim "
                                                "convert_element_type div iota sum var ";
constexpr std::string_view kRandomNames = "native_dropout rand_like randn_like ";
constexpr std::string_view kIntensiveNames =
    "_efficient_attention_forward _flash_attention_forward _scaled_dot_product_efficient_attention "
    "_scaled_dot_product_flash_attention _scaled_mm addmm bmm convolution convolution_backward mm "
    "upsample_bilinear2d ";
constexpr std::string_view kViewNames = "alias as_strided expand permute select slice split squeeze t unsqueeze view ";

using Table = std::unordered_map<std::string, std::uint8_t>;

/// `names` are words, each followed by a blank.
void mark(Table &table, const std::string &space, std::string_view names, std::uint8_t bit)
{
    for (std::size_t from = 0; from < names.size();) {
        const std::size_t end = names.find(' ', from);
        std::string name = space;
        name.append(names.substr(from, end - from));
        table[name] = static_cast<std::uint8_t>(table[name] | bit);
        from = end + 1;
    }
}

Table makeTable()
{
    Table table;
    mark(table, "aten::", kRecomputableNames, kRecomputable);
    mark(table, "prims::", kRecomputablePrims, kRecomputable);
    mark(table, "aten::", kRandomNames, kRandom);
    mark(table, "aten::", kIntensiveNames, kComputeIntensive);
    mark(table, "aten::", kViewNames, kView);
    mark(table, "prims::", "broadcast_in_dim ", kView);
    mark(table, "aten::", "cat ", kConcatenation);
    mark(table, "aten::", "lift_fresh lift_fresh_copy ", kAlwaysFree);
    return table;
}

} // namespace

std::uint8_t operatorClasses(std::string_view opName)
{
    static const Table kTable = makeTable();
    const auto found = kTable.find(std::string(opName));
    return found == kTable.end() ? 0 : found->second;
}

} // namespace remat::mincut
