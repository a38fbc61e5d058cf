// SPDX-License-Identifier: Apache-2.0
#include "gpu/torch/vector_math.h"

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/ops/full.h>
#include <c10/core/GradMode.h>
#include <string>
#include <vector>

namespace remat {

void settleVectorMath()
{
    static const bool kSettled = [] {
        const at::AutoDispatchBelowADInplaceOrView belowAutograd;
        const c10::NoGradGuard noGrad;
        for (const c10::ScalarType type : {at::kFloat, at::kDouble})
            for (const char *name : {"acos", "asin", "atan", "cos", "erf", "erfc", "erfinv", "exp", "expm1", "log",
                                     "log10", "log1p", "log2", "lgamma", "sin", "sqrt", "tan", "tanh"}) {
                std::vector<c10::IValue> stack = {at::full({1}, 0.5, type)};
                c10::Dispatcher::singleton()
                    .findSchemaOrThrow((std::string("aten::") + name).c_str(), "")
                    .callBoxed(&stack);
            }
        return true;
    }();
    static_cast<void>(kSettled);
}

} // namespace remat
