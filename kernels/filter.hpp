// SPDX-License-Identifier: MIT
// kernels/filter.hpp — chooses how an image is filtered with a kernel.
#pragma once
#include <memory>
#include <optional>
#include <string_view>
#include <variant>
#include "kernels/factoring.hpp"
#include "kernels/tiled_operation.hpp"

namespace synthoscope::kernels {

/// global: every voxel by the definition. shared and registers: voxels are read once for several
/// results; on the host they are one, make_direct_correlation. separable: passes along the axes.
enum class FilterStrategy { automatic, global, shared, registers, separable };

std::string_view name_of(FilterStrategy strategy);

/// Weights as they are known: all of them, or as products.
using FilterKernel = std::variant<Stencil, SeparableStencil>;

/// What a filter turned out to be.
struct ChosenFilter {
  std::unique_ptr<TiledOperation> operation;
  FilterStrategy strategy = FilterStrategy::automatic;  ///< never automatic
  std::int64_t products = 0;                            ///< of a separable one
  double host_seconds = 0;                              ///< that a thread takes for a voxel
  /// Of its device, which has costs of its own: separable, or a direct one.
  FilterStrategy on_device = FilterStrategy::automatic;
};

/// Seconds that a thread takes for a voxel, direct and along the axes, beside what both take to
/// read and write it. Their ratio is what counts.
/// @param products  along y and x, of which `sums_along_z` are made
double direct_seconds(const Extent3& weights);
double separable_seconds(const Extent3& weights, std::int64_t sums_along_z = 1,
                         std::int64_t products = 1);

/// An operation for `kernel`. `automatic` takes the cheaper of direct sums and passes along the
/// axes, of which as many as `tolerance` asks for (as_sum_of_products), on the host and on a device
/// each by itself. A strategy that has no room for its weights on a device is another direct one
/// there.
/// @throws InvalidSpec  as the operations and as_sum_of_products do.
ChosenFilter make_filter(const NeighbourhoodSetting& setting, const FilterKernel& kernel,
                         FilterStrategy strategy = FilterStrategy::automatic,
                         double tolerance = kFactorTolerance);

}  // namespace synthoscope::kernels
