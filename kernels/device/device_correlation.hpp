// SPDX-License-Identifier: MIT
// kernels/device/device_correlation.hpp — direct and separable correlation on a device.
#pragma once
#include <memory>
#include <optional>
#include <string_view>
#include "kernels/device_operation.hpp"
#include "kernels/stencil.hpp"
#include "kernels/tiled_operation.hpp"

namespace synthoscope::kernels::device {

/// Who reads voxels for whom. global: every thread all that its voxel needs. shared: a block of
/// threads a tile and what lies around it, into shared memory. registers: as many results along an
/// axis as there are weights are summed in registers while a window slides along it (along z of
/// volumes, along y else). All give the same bits.
enum class DirectStrategy { automatic, global, shared, registers };

std::string_view name_of(DirectStrategy strategy);
std::optional<DirectStrategy> direct_strategy_named(std::string_view name);

/// True if the strategy can have so many weights. `automatic` and `global` always do.
bool has_room_for(DirectStrategy strategy, const Extent3& weights);

/// The one that `automatic` is.
DirectStrategy fastest_for(const Extent3& weights);

/// Shared memory of a block of DirectStrategy::shared.
std::int64_t shared_tile_bytes(const Extent3& weights);

/// Direct sums. In a build without CUDA, null.
///
/// @accuracy  Products and sums are float32, fused; rows of weights are summed by themselves, then
///            their sums. Voxels of 32 bits and more are rounded to float32 first.
/// @param strategy  has_room_for its weights
std::unique_ptr<DeviceOperation> make_device_correlation(const NeighbourhoodSetting& setting,
                                                         const Stencil& stencil,
                                                         DirectStrategy strategy, TellCounts tell);

/// fused: rows and columns at once, then along z; of few weights all three at once. plain: an axis
/// after the other, one thread a voxel; slow, and what the other is compared with.
enum class SeparableStrategy { fused, plain };

/// Products of weights along the axes, one after another; what they give is added up. In a build
/// without CUDA, null.
///
/// @accuracy  As make_device_correlation; what one axis gives the next is float32, and so is the
///            sum of several products.
std::unique_ptr<DeviceOperation> make_device_separable(const NeighbourhoodSetting& setting,
                                                       const SeparableStencil& stencil,
                                                       SeparableStrategy strategy, TellCounts tell);

}  // namespace synthoscope::kernels::device
