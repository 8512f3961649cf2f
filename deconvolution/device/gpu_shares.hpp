// SPDX-License-Identifier: MIT
// deconvolution/device/gpu_shares.hpp — which GPUs iterations run on, and what they take of memory
// and link.
#pragma once
#include <cstdint>
#include <span>
#include <vector>
#include "core/cuda/runtime/device.hpp"
#include "deconvolution/device/field_parts.hpp"

namespace synthoscope::deconvolution {

/// Which volumes lie on the host. The others lie in the memory of the GPU.
struct VolumesOnHost {
  bool image = false, estimates = false;
  /// Of a volume, pass through the GPU's memory at once; at least one plane.
  std::int64_t planes_bytes = std::int64_t{40} << 20;

  [[nodiscard]] bool any() const { return image || estimates; }
  friend bool operator==(const VolumesOnHost&, const VolumesOnHost&) = default;
};

/// Bytes that are copied to a GPU and back.
struct LinkBytes {
  std::int64_t up = 0, down = 0;
  friend bool operator==(const LinkBytes&, const LinkBytes&) = default;
};

/// Returns the bytes that an iteration copies, without its likelihood.
LinkBytes link_bytes(const Geometry& geometry, bool has_momentum, const VolumesOnHost& on_host);

/// A GPU, and the part of the field that it has.
struct GpuShare {
  cuda::DeviceInfo gpu;
  FieldPart part;
};

/// Gives one GPU the whole field.
std::vector<GpuShare> on_one_gpu(const Geometry& geometry, const cuda::DeviceInfo& gpu);

/// Gives each of several GPUs a part of the field, in the way that is expected to take the
/// shortest: cut along z or y; fewer GPUs, if more would not be faster.
/// @param gpus          all alike
/// @param device_bytes  of memory of each
/// @returns nothing if it fits in none of these ways with all volumes on the GPUs; also in a build
///          without CUDA
/// @throws InvalidSpec  the edges wrap.
std::vector<GpuShare> share_field(const Geometry& geometry, bool has_momentum,
                                  std::span<const cuda::DeviceInfo> gpus,
                                  std::int64_t device_bytes);

/// Returns the most bytes of a GPU's memory that ResidentRichardsonLucy takes; 0 in a build without
/// CUDA.
/// @param on_host  volumes of a field on one GPU
/// @throws InvalidSpec  the edges wrap.
/// @throws PlanError  an axis is longer than the GPU transforms.
std::int64_t resident_bytes(std::span<const GpuShare> shares, bool has_momentum,
                            const VolumesOnHost& on_host = {});

/// Returns the bytes of pinned memory that it takes if volumes of the host are not pinned.
std::int64_t staged_bytes(const Geometry& geometry, bool has_momentum,
                          const VolumesOnHost& on_host);

}  // namespace synthoscope::deconvolution
