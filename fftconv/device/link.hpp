// SPDX-License-Identifier: MIT
// fftconv/device/link.hpp — planes of voxels on their way to the device and back: pinned buffers
// taken once, copies that run beside the computation.
#pragma once
#include <deque>
#include <vector>
#include "core/cuda/buffer.hpp"
#include "fftconv/device/device_layout.hpp"
#include "fftconv/finish.hpp"
#include "fftconv/planes_forward.hpp"
#include "fftconv/turns.hpp"

struct float2;

namespace synthoscope::fftconv::device {

/// The part of a source plane that is read.
struct SourceRectangle {
  std::int64_t y = 0, rows = 0, x = 0, columns = 0;
};

/// Where a plane of results belongs: voxel (first, y, x) of the result is the first one of plane 0.
struct ResultBox {
  std::int64_t first = 0, y = 0, x = 0, rows = 0, columns = 0;
};

/// One direction at a time is used by one thread; both may run at once on the device.
class Link {
 public:
  /// Takes all memory.
  /// @throws PlanError  beyond a budget.  @throws OutOfDeviceMemory, CudaError
  Link(const cuda::DeviceInfo& device, const DeviceLayout& sizes, MemoryBudget& device_memory,
       MemoryBudget& host_memory);

  /// Reads planes of an input and sends them up; gives where they are once what is enqueued on
  /// `compute` after this runs. `taken` says that all that reads them is enqueued.
  /// @throws what the source does, CudaError
  const std::byte* bring(cuda::Stream& compute, const PlaneInput& input, const Stretch& planes,
                         const SourceRectangle& rectangle, const WorkAxes& axes, TaskPool& pool);
  void taken(const cuda::Stream& compute);

  /// Room on the device for the next planes down; what is enqueued on `compute` after this may
  /// write there.
  float* room_to_send(cuda::Stream& compute);

  /// Sends what `compute` has put there: these planes of the box. Meanwhile those sent before are
  /// finished on the host and written; the rest of them by finish_sending.
  /// @throws what epilogue and sink do, CudaError
  void send(const cuda::Stream& compute, const ResultBox& box, const Stretch& planes,
            const PlaneOutput& output, const WorkAxes& axes, const RunContext& context);
  void finish_sending(const PlaneOutput& output, const WorkAxes& axes, const RunContext& context);

 private:
  struct Batch {
    ResultBox box;
    Stretch planes;
    std::int64_t slot = 0;
  };
  void write_out_oldest(const PlaneOutput& output, const WorkAxes& axes, const RunContext& context);

  DeviceLayout sizes_;
  cuda::Stream up_, down_;
  cuda::PinnedBuffer<std::byte> host_up_, host_out_;
  cuda::PinnedBuffer<float> host_down_;
  cuda::DeviceBuffer<std::byte> device_up_;
  cuda::DeviceBuffer<float> device_down_;
  std::vector<cuda::Event> came_, used_, computed_, went_;  ///< one a batch in flight
  std::int64_t brought_ = 0, sent_ = 0;
  std::deque<Batch> waiting_;
};

}  // namespace synthoscope::fftconv::device
