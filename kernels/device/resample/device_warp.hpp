// SPDX-License-Identifier: MIT
// kernels/device/resample/device_warp.hpp — a warp whose coordinates device code makes: what it
// keeps on the device, and what travels there with each box of a result.
#pragma once
#include <memory>
#include <string_view>
#include "core/cuda/code/module.hpp"
#include "core/stream/device_stream.hpp"
#include "kernels/coordinates/coordinates.hpp"
#include "kernels/device/resample/arguments.hpp"

namespace synthoscope::kernels::device {

class DeviceWarp {
 public:
  virtual ~DeviceWarp() = default;

  /// Returns the map's name in device code.
  [[nodiscard]] virtual std::string_view name() const = 0;

  /// Device memory for the time of a run, in bytes.
  [[nodiscard]] virtual std::int64_t working_bytes() const { return 0; }
  virtual void prepare(const cuda::DeviceContext&, const cuda::Stream&) {}
  virtual void release() {}

  /// As in DeviceOperation.
  [[nodiscard]] virtual std::int64_t travelling_bytes(const Extent3&) const { return 0; }
  virtual void write_travelling(const Box3&, std::byte*, TaskPool&) const {}

  /// Enqueues `kernel`, a resample_warp for this map, and returns at once.
  /// @param travelled  what write_travelling wrote for the box `a.out`, on the device
  virtual void launch(const cuda::GpuKernel& kernel, const cuda::Stream& stream,
                      const cuda::LaunchShape& shape, const ResampleArguments& a,
                      const std::byte* travelled) const = 0;
};

/// Makes the warp of a map; null if device code does not know it.
/// @param map  must outlive the result
std::unique_ptr<DeviceWarp> make_device_warp(const CoordinateMap& map);

}  // namespace synthoscope::kernels::device
