// SPDX-License-Identifier: MIT
// fftconv/device/parts/link.hpp — copies batches of bytes to a device and back through pinned
// buffers that are allocated once; copies overlap with computing on host and device.
#pragma once
#include <deque>
#include <functional>
#include <vector>
#include "core/cuda/memory/buffer.hpp"
#include "core/cuda/runtime/device.hpp"

namespace synthoscope::fftconv::device {

/// Copies batches to a device: a batch is filled while those before it are copied. For one thread.
class BatchesUp {
 public:
  /// @param lands  batches get separate memory on the device
  /// @throws PlanError  beyond a budget.  @throws OutOfDeviceMemory, CudaError
  BatchesUp(const cuda::DeviceInfo& device, std::int64_t bytes, bool lands,
            MemoryBudget& device_memory, MemoryBudget& host_memory);

  /// Returns pinned memory for the next batch. Waits until the last copy from it is done.
  std::byte* room();

  /// Copies the batch to `to`, or to its own memory on the device if `to` is null. Returns the
  /// address on the device. Work that is enqueued on `compute` from now on waits for the copy.
  std::byte* send(cuda::Stream& compute, std::int64_t bytes, std::byte* to);

  /// Ends a batch: all work that reads it in its own memory on the device is enqueued.
  void taken(const cuda::Stream& compute);

  /// After a failure: waits for all copies.
  void drain() const noexcept { stream_.drain(); }

 private:
  std::int64_t bytes_;
  std::int64_t sent_ = 0;
  cuda::Stream stream_;
  cuda::PinnedBuffer<std::byte> host_;
  cuda::DeviceBuffer<std::byte> device_;
  std::vector<cuda::Event> came_, used_;
};

/// Copies batches from a device: a batch is finished on the host while the next ones are computed
/// and copied. For one thread.
class BatchesDown {
 public:
  /// Is called with a batch that is on the host.
  using Finish = std::function<void(std::byte*)>;

  /// @param starts  batches get separate memory on the device
  /// @throws as BatchesUp
  BatchesDown(const cuda::DeviceInfo& device, std::int64_t bytes, bool starts,
              MemoryBudget& device_memory, MemoryBudget& host_memory);

  /// Returns memory on the device for the next batch, to which work that is enqueued on `compute`
  /// from now on can write.
  std::byte* room(cuda::Stream& compute);

  /// Copies what `compute` has written to `from`. A later call of `send` or finish_all calls
  /// `finish`, batch after batch.
  /// @throws what `finish` does, CudaError
  void send(const cuda::Stream& compute, const std::byte* from, std::int64_t bytes, Finish finish);
  void finish_all();

  /// After a failure: waits for all copies.
  void drain() const noexcept { stream_.drain(); }

 private:
  struct Batch {
    std::size_t slot;
    Finish finish;
  };
  void finish_oldest();

  std::int64_t bytes_;
  std::int64_t sent_ = 0;
  cuda::Stream stream_;
  cuda::PinnedBuffer<std::byte> host_;
  cuda::DeviceBuffer<std::byte> device_;
  std::vector<cuda::Event> computed_, went_;
  std::deque<Batch> waiting_;
};

}  // namespace synthoscope::fftconv::device
