// SPDX-License-Identifier: MIT
// fftconv/device/link/results.hpp — results of a run become what is stored: on the device where
// that can be done there, so that native types travel; on the host otherwise.
#pragma once
#include <memory>
#include "core/run/host_buffer.hpp"
#include "core/run/run_context.hpp"
#include "core/stream/device_stream.hpp"
#include "fftconv/device/link/down.hpp"
#include "fftconv/device/passes/spectra.hpp"
#include "fftconv/planes/finish.hpp"
#include "fftconv/planes/second_output_sink.hpp"

namespace synthoscope::fftconv::device {

/// Who makes voxels what is stored.
enum class Finishing {
  last_pass,  ///< the transform's last pass, by the rules of StoreAs
  device,     ///< the epilogue's own device form
  host,       ///< floats travel
};

class Results {
 public:
  /// @param batch_voxels  most voxels that travel at once
  /// @throws PlanError  beyond a budget.  @throws OutOfDeviceMemory, CudaError
  Results(const cuda::DeviceInfo& device, const Plan& plan, std::int64_t batch_voxels,
          Epilogue& epilogue, Sink& sink, MemoryBudget& device_memory, MemoryBudget& host_memory,
          Timeline* timeline);

  /// What the last pass stores.
  [[nodiscard]] PixelType computed_type() const;

  /// Once for a run. @throws what DeviceEpilogue::prepare does
  void prepare(const cuda::DeviceContext& gpu, const cuda::Stream& compute);

  /// A constant that was taken out of the image; `response` is kept by the caller.
  void restore(double mean, const BoxSums* response);

  /// Enqueues making planes `planes` of the result spectra what is stored, and their way down.
  /// @param box  of the work problem, that these planes are
  void give(int slot, const cuda::Stream& compute, Spectra& spectra, const Interval& planes,
            const Box3& box);

  /// Waits for them and hands them to the sink. By one thread, in the order of `give`.
  /// @throws what epilogue and sink do, CudaError
  void store(int slot, const Box3& box, const RunContext& context);

  /// Once all are stored. @throws CudaError
  void finish(const cuda::Stream& compute);

  /// After a failure: waits for all copies.
  void drain() const noexcept { link_.drain(); }

 private:
  void hand_over(const Box3& box, const std::byte* voxels, TaskPool& pool);
  void finish_on_host(const Box3& box, float* voxels, TaskPool& pool);
  void write_in_order(const Box3& box, const std::byte* voxels);
  /// Writes `box` to the sink, with the additional values: voxels from `first` on of `count`, which
  /// those values follow.
  void write(const Box3& box, const std::byte* voxels, std::int64_t count, std::int64_t first);

  PlaneOutput output_;
  WorkAxes axes_;
  Extent3 wanted_;                                  ///< of the work problem
  PixelType type_;                                  ///< that is stored
  std::unique_ptr<cuda::DeviceEpilogue> finisher_;  ///< null: the last pass or the host finishes
  Finishing finishing_;
  SecondOutputSink* both_;  ///< the sink, if the device makes what it stores in addition to voxels
  std::unique_ptr<cuda::DeviceEpilogue> second_;  ///< that makes it
  PixelType second_type_;                         ///< of that
  std::optional<VoxelView> direct_;  ///< the sink's voxels, where they go without the host
  Timeline* timeline_;
  LinkDown link_;
  cuda::DeviceBuffer<float> computed_;  ///< what the epilogue's device form reads
  HostBuffer<std::byte> finished_;      ///< by the host
  HostBuffer<std::byte> gathered_;      ///< rows of a flat image, which is written whole
};

}  // namespace synthoscope::fftconv::device
