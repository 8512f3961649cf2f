// SPDX-License-Identifier: MIT
// kernels/direct_variance.hpp — the strategies that local_variance keeps for comparison.
#pragma once
#include <memory>
#include "kernels/local_variance.hpp"

namespace synthoscope::kernels {

/// local_variance for every strategy but threewise. @throws as local_variance.
std::unique_ptr<Operation> direct_variance(const LocalVarianceSpec& spec, const Extent3& image,
                                           PixelType image_type);

}  // namespace synthoscope::kernels
