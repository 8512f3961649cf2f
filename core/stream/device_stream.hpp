// SPDX-License-Identifier: MIT
// core/stream/device_stream.hpp — sources and epilogues that do their work where a device's planes
// are, so that nothing but results travels.
#pragma once
#include <cstddef>
#include "core/cuda/runtime/device.hpp"
#include "core/cuda/runtime/stream.hpp"
#include "core/run/memory_budget.hpp"
#include "core/run/task_pool.hpp"
#include "core/volume/box.hpp"

namespace synthoscope::cuda {

/// Where a run takes place.
struct DeviceContext {
  const DeviceInfo& device;
  MemoryBudget& memory;  ///< of the device
  TaskPool& pool;        ///< of the host; kernels are compiled by it
};

/// What a Source gives, made on a device (Source::make_on_device).
class DeviceSource {
 public:
  virtual ~DeviceSource() = default;

  /// Compiles, takes memory and sends tables: once, before the first read.
  /// @throws PlanError  beyond the budget.  @throws OutOfDeviceMemory, CudaError
  virtual void prepare(const DeviceContext& gpu, const Stream& stream) = 0;

  /// Enqueues writing the voxels of `box` to `out`, in the source's pixel type, in z, y, x order
  /// without gaps; memory of the device. Returns at once.
  virtual void enqueue_read(const Stream& stream, const Box3& box, std::byte* out) = 0;

  /// Once all is read: takes into account on the host what was counted on the device. Waits.
  /// @throws CudaError
  virtual void finish(const Stream& stream) { static_cast<void>(stream); }
};

/// What an Epilogue does, done on a device (Epilogue::make_on_device).
class DeviceEpilogue {
 public:
  virtual ~DeviceEpilogue() = default;

  /// As DeviceSource::prepare.
  virtual void prepare(const DeviceContext& gpu, const Stream& stream) = 0;

  /// Enqueues Epilogue::apply for the voxels `in` of the box `core`, in z, y, x order without gaps;
  /// both are memory of the device. `out` is `in` where the format's type is as wide as float32.
  /// Returns at once.
  virtual void enqueue_apply(const Stream& stream, const Box3& core, const float* in,
                             std::byte* out) = 0;

  /// Takes into account on the host what was counted on the device, such as clipped voxels. Waits.
  virtual void finish(const Stream& stream) = 0;
};

}  // namespace synthoscope::cuda
