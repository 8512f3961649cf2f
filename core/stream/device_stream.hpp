// SPDX-License-Identifier: MIT
// core/stream/device_stream.hpp — sources and epilogues that work on a device, so that only results
// are copied to the host.
#pragma once
#include <cstddef>
#include "core/cuda/runtime/device.hpp"
#include "core/cuda/runtime/stream.hpp"
#include "core/run/memory_budget.hpp"
#include "core/run/task_pool.hpp"
#include "core/volume/box.hpp"

namespace synthoscope::cuda {

/// The device of a run, its memory budget, and the threads that compile its kernels.
struct DeviceContext {
  const DeviceInfo& device;
  MemoryBudget& memory;  ///< of the device
  TaskPool& pool;        ///< of the host
  bool counts = true;    ///< whether voxels that storing changed are counted
};

/// Makes the voxels of a Source on a device (Source::make_on_device).
class DeviceSource {
 public:
  virtual ~DeviceSource() = default;

  /// Compiles kernels, allocates memory and sends tables. Is called once, before the first read.
  /// @throws PlanError  beyond the budget.  @throws OutOfDeviceMemory, CudaError
  virtual void prepare(const DeviceContext& gpu, const Stream& stream) = 0;

  /// Enqueues writing the voxels of `box` to `out`, in the source's pixel type, in z, y, x order
  /// without gaps; memory of the device. Returns at once.
  virtual void enqueue_read(const Stream& stream, const Box3& box, std::byte* out) = 0;

  /// Adds the counts of the device to the counts of the host, after the last read. Waits
  /// for the device.
  /// @throws CudaError
  virtual void finish(const Stream& stream) { static_cast<void>(stream); }
};

/// Does the work of an Epilogue on a device (Epilogue::make_on_device).
class DeviceEpilogue {
 public:
  virtual ~DeviceEpilogue() = default;

  /// As DeviceSource::prepare.
  virtual void prepare(const DeviceContext& gpu, const Stream& stream) = 0;

  /// Enqueues Epilogue::apply for the voxels `in` of the box `core`, in z, y, x order without gaps;
  /// both are memory of the device. `out` is `in` if the format's type is as wide as float32.
  /// Returns at once.
  virtual void enqueue_apply(const Stream& stream, const Box3& core, const float* in,
                             std::byte* out) = 0;

  /// Adds the counts of the device, such as clipped voxels, to those of the host. Waits.
  virtual void finish(const Stream& stream) = 0;
};

}  // namespace synthoscope::cuda
