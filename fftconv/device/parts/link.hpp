// SPDX-License-Identifier: MIT
// fftconv/device/parts/link.hpp — batches of bytes on their way to a device and back, through
// pinned buffers that are allocated once; copies overlap with computing on host and device.
#pragma once
#include <deque>
#include <functional>
#include <vector>
#include "core/cuda/memory/buffer.hpp"
#include "core/cuda/runtime/device.hpp"

namespace synthoscope::fftconv::device {

/// Used by one thread. A batch is filled while those before it travel.
class BatchesUp {
 public:
  /// @param lands  batches arrive in separate memory on the device as well
  /// @throws PlanError  beyond a budget.  @throws OutOfDeviceMemory, CudaError
  BatchesUp(const cuda::DeviceInfo& device, std::int64_t bytes, bool lands,
            MemoryBudget& device_memory, MemoryBudget& host_memory);

  /// Pinned room for the next batch; waits until the copy that was made from it is done.
  std::byte* room();

  /// Sends what was put there to `to`, or where it lands if that is null, and gives that place.
  /// What is enqueued on `compute` after this finds it there.
  std::byte* send(cuda::Stream& compute, std::int64_t bytes, std::byte* to);

  /// Says that all that reads the batch where it landed is enqueued. Ends a batch.
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

/// Used by one thread. A batch is finished on the host while the next ones are computed and travel.
class BatchesDown {
 public:
  /// What becomes of a batch once it is there.
  using Finish = std::function<void(std::byte*)>;

  /// @param starts  batches leave from separate memory on the device
  /// @throws as BatchesUp
  BatchesDown(const cuda::DeviceInfo& device, std::int64_t bytes, bool starts,
              MemoryBudget& device_memory, MemoryBudget& host_memory);

  /// Room on the device for the next batch; what is enqueued on `compute` after this may write
  /// there.
  std::byte* room(cuda::Stream& compute);

  /// Sends what `compute` has put at `from`; `finish` is called later, by this or by finish_all,
  /// batch after batch.
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
