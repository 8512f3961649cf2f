// SPDX-License-Identifier: MIT
// fftconv/device/link/results.hpp — converts results to stored voxels, on the device if possible,
// so that fewer bytes are copied, otherwise on the host; and writes them to the sink.
#pragma once
#include <memory>
#include "core/run/host_buffer.hpp"
#include "core/run/run_context.hpp"
#include "core/stream/device_stream.hpp"
#include "fftconv/device/link/plane_copies.hpp"
#include "fftconv/device/passes/spectra.hpp"
#include "fftconv/planes/finish.hpp"
#include "fftconv/planes/second_output_sink.hpp"

namespace synthoscope::fftconv::device {

/// Where computed voxels are converted to stored ones.
enum class Finishing {
  last_pass,  ///< in the last pass of the transform, by the rules of StoreAs
  device,     ///< by the DeviceEpilogue
  host,       ///< on the host, to which floats are copied
};

class Results {
 public:
  /// @param batch_voxels  most voxels that are copied at once
  /// @throws PlanError  beyond a budget.  @throws OutOfDeviceMemory, CudaError
  Results(const cuda::DeviceInfo& device, const Plan& plan, std::int64_t batch_voxels,
          Epilogue& epilogue, Sink& sink, MemoryBudget& device_memory, MemoryBudget& host_memory,
          Timeline* timeline);

  /// Returns the type of the voxels that the last pass makes.
  [[nodiscard]] PixelType computed_type() const;

  /// Is called once for a run. @throws as DeviceEpilogue::prepare
  void prepare(const cuda::DeviceContext& gpu, const cuda::Stream& compute);

  /// Whether `give` writes the planes `box` to the sink's memory. Then `box` may be larger than a
  /// slot: no buffer of this class holds them.
  [[nodiscard]] bool goes_in_place(const Box3& box) const {
    return computed_.count() == 0 && in_place(box) != nullptr;
  }

  /// Sets the mean that was subtracted from the image, and its response, which must outlive this.
  void restore(double mean, const BoxSums* response);

  /// Enqueues the last pass and the conversion for `planes` of the result spectra. Voxels that are
  /// not written to the sink's memory at once are then copied to the sink or to the host.
  /// @param box  of these planes in the work problem
  void give(int slot, const cuda::Stream& compute, Spectra& spectra, const Interval& planes,
            const Box3& box);

  /// Waits for the planes and writes them to the sink. For one thread, in the order of `give`.
  /// @throws what epilogue and sink throw, CudaError
  void store(int slot, const Box3& box, const RunContext& context);

  /// Is called when all are stored. @throws CudaError
  void finish(const cuda::Stream& compute);

  /// After a failure: waits for all copies.
  void drain() const noexcept { link_.drain(); }

 private:
  [[nodiscard]] std::byte* in_place(const Box3& box) const;
  void hand_over(const Box3& box, const std::byte* voxels, TaskPool& pool);
  void finish_on_host(const Box3& box, float* voxels, TaskPool& pool);
  void write_in_order(const Box3& box, const std::byte* voxels);
  /// Writes `box` to the sink: voxels from `first` on of `count`, and the second values, which
  /// follow all `count` voxels.
  void write(const Box3& box, const std::byte* voxels, std::int64_t count, std::int64_t first);

  cuda::DeviceId device_;
  PlaneOutput output_;
  WorkAxes axes_;
  Extent3 wanted_;                                  ///< of the work problem
  PixelType type_;                                  ///< that is stored
  std::unique_ptr<cuda::DeviceEpilogue> finisher_;  ///< null: the last pass or the host finishes
  Finishing finishing_;
  SecondOutputSink* both_;  ///< the sink, if the device makes its second output
  std::unique_ptr<cuda::DeviceEpilogue> second_;  ///< makes it
  PixelType second_type_;                         ///< of that
  std::optional<VoxelView>
      direct_;  ///< the sink's voxels, if they are copied there without the host
  Timeline* timeline_;
  LinkDown link_;
  cuda::DeviceBuffer<float> computed_;  ///< voxels that the DeviceEpilogue reads
  HostBuffer<std::byte> finished_;      ///< by the host
  HostBuffer<std::byte> gathered_;      ///< rows of a flat image, which is written whole
};

}  // namespace synthoscope::fftconv::device
