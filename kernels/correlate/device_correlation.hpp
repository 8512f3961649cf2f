// SPDX-License-Identifier: MIT
// kernels/correlate/device_correlation.hpp — direct and separable correlation on a device.
#pragma once
#include <memory>
#include <optional>
#include <string_view>
#include "kernels/correlate/stencil.hpp"
#include "kernels/operation/device_operation.hpp"
#include "kernels/operation/tiled_operation.hpp"

namespace synthoscope::kernels::device {

/// How threads share the voxels that they read. global: every thread reads all that its voxel
/// needs. shared: a block of threads copies a tile and its margin into shared memory. registers: a
/// window slides along an axis (z for volumes, otherwise y), and a thread holds the sums of as many
/// results along it as there are weights. All give the same bits.
enum class DirectStrategy { automatic, global, shared, registers };

std::string_view name_of(DirectStrategy strategy);
std::optional<DirectStrategy> direct_strategy_named(std::string_view name);

/// Returns whether the strategy supports so many weights. `automatic` and `global` always do.
bool has_room_for(DirectStrategy strategy, const Extent3& weights);

/// Returns the strategy that `automatic` means.
DirectStrategy fastest_for(const Extent3& weights);

/// Returns the bytes of shared memory of a block of DirectStrategy::shared.
std::int64_t shared_tile_bytes(const Extent3& weights);

/// Makes a direct correlation; null in a build without CUDA.
///
/// @accuracy  Products and sums are float32, fused; each row of weights is summed separately, then
///            the sums are added. Voxels of 32 bits and more are first rounded to float32.
/// @param strategy  with has_room_for(strategy, stencil.extent)
std::unique_ptr<DeviceOperation> make_device_correlation(const NeighbourhoodSetting& setting,
                                                         const Stencil& stencil,
                                                         DirectStrategy strategy, TellCounts tell);

/// fused: rows and columns in one pass, then along z; with few weights all three in one pass.
/// plain: one axis after another, one thread a voxel; slow, for comparison.
enum class SeparableStrategy { fused, plain };

/// Makes a sum of products of weights along the axes, one product after another; null in a build
/// without CUDA.
///
/// @accuracy  As make_device_correlation; values between passes, and sums of several products, are
///            float32.
std::unique_ptr<DeviceOperation> make_device_separable(const NeighbourhoodSetting& setting,
                                                       const SeparableStencil& stencil,
                                                       SeparableStrategy strategy, TellCounts tell);

/// Returns the seconds for a voxel on an H200, for images of several megavoxels, fitted to
/// docs/benchmarks/crossover.md; smaller images leave the device partly idle.
double device_direct_seconds(const Extent3& weights);
/// @param products  number of products of weights along the axes, whose results are added up
double device_separable_seconds(const Extent3& weights, std::int64_t products = 1);

}  // namespace synthoscope::kernels::device
