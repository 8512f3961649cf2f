// SPDX-License-Identifier: MIT
// kernels/filters/filter.hpp — chooses how an image is filtered with a kernel.
#pragma once
#include <memory>
#include <optional>
#include <string_view>
#include <variant>
#include "kernels/correlate/factoring.hpp"
#include "kernels/operation/tiled_operation.hpp"

namespace synthoscope::kernels {

/// global: every voxel by the definition. shared and registers: voxels are read once for several
/// results; on the host both are make_direct_correlation. separable: passes along the axes.
enum class FilterStrategy { automatic, global, shared, registers, separable };

std::string_view name_of(FilterStrategy strategy);

/// The weights of a kernel: all of them, or as products.
using FilterKernel = std::variant<Stencil, SeparableStencil>;

/// The operation that make_filter chose.
struct ChosenFilter {
  std::unique_ptr<TiledOperation> operation;
  FilterStrategy strategy = FilterStrategy::automatic;  ///< never automatic
  std::int64_t products = 0;                            ///< of a separable one
  double host_seconds = 0;                              ///< that a thread needs for a voxel
  /// On its device, whose costs differ: separable, or a direct one.
  FilterStrategy on_device = FilterStrategy::automatic;
};

/// Return the seconds that a thread needs for a voxel, direct and along the axes, without reading
/// and writing it. Only their ratio matters.
/// @param sums_along_z  number of passes along z
/// @param products      number of pairs of passes along y and x
double direct_seconds(const Extent3& weights);
double separable_seconds(const Extent3& weights, std::int64_t sums_along_z = 1,
                         std::int64_t products = 1);

/// Makes an operation for `kernel`. `automatic` chooses the cheaper of direct sums and as many
/// passes along the axes as `tolerance` requires (as_sum_of_products), separately for host and
/// device. If a device has no space for the weights of a strategy, another direct one is used
/// there.
/// @throws InvalidSpec  as the operations and as_sum_of_products do.
ChosenFilter make_filter(const NeighbourhoodSetting& setting, const FilterKernel& kernel,
                         FilterStrategy strategy = FilterStrategy::automatic,
                         double tolerance = kFactorTolerance);

}  // namespace synthoscope::kernels
