// SPDX-License-Identifier: MIT
// fftconv/device/parts/share.hpp — the share of one device in a run in frequency parts that devices
// fold. A single device has all of the run.
//
// Every device holds the whole image and kernel; it copies its share of them from the host and the
// rest from the other devices. It convolves its share of the parts. Each device then unfolds and
// stores a share of the planes m of all parts, which are copied to it before. It adds the parts in
// order, so that the result has the same bits whichever device convolved them.
#pragma once
#include <optional>
#include <span>
#include "fftconv/device/parts/link.hpp"
#include "fftconv/device/parts/work.hpp"

namespace synthoscope::fftconv::device {

/// Progress of a share: convolved parts, then planes of the result.
inline constexpr const char *kConvolveParts = "convolve parts", *kStorePlanes = "store planes";

/// The number of this device among those that share the run, from 0.
struct Sharer {
  std::int64_t number = 0, count = 1;

  /// Returns the share of `all`; shares are contiguous, in order, and differ by one at most.
  [[nodiscard]] Interval share_of(std::int64_t all) const {
    const std::int64_t first = all * number / count;
    return {first, all * (number + 1) / count - first};
  }
};

/// All shares must have ended `load` before any begins `convolve`, and `convolve` before any begins
/// `unfold`. Each of these functions waits for the work that it enqueues. After a failure, all
/// shares drain before the first one is destroyed.
class PartsShare {
 public:
  /// All sharers, by their number.
  using All = std::span<PartsShare* const>;

  /// Allocates all memory and compiles kernels. `device_memory` and `work` must outlive this.
  /// @param context  of this share: its threads read and finish
  /// @throws PlanError  beyond a budget.  @throws OutOfDeviceMemory, CudaError
  PartsShare(const cuda::DeviceInfo& device, MemoryBudget& device_memory, const PartsWork& work,
             const Sharer& sharer, const RunContext& context);

  /// Copies this share's planes of kernel and image to all devices. @throws what the sources throw
  void load(All all);

  /// Convolves the parts of this share and sends their planes to the devices that unfold them.
  void convolve(All all);

  /// Unfolds this share's planes of all parts to planes of the result, in place.
  void unfold();

  /// Writes planes to the sink: directly to pinned memory if it takes them unchanged, otherwise
  /// through the threads of the host.
  /// @throws what epilogue and sink throw
  void store();

  /// After a failure: waits for all work that this share enqueued.
  void drain() const noexcept;

 private:
  using Voxels = cuda::DeviceBuffer<std::byte>;
  void load(Source& source, const Box3& box, Voxels PartsShare::*voxels, All all);
  void bring(Source& source, const Box3& box, const Interval& planes, std::byte* to);
  void give(std::int64_t part, All all);
  template <class Body>
  void for_results(Body&& body) const;
  void store_by_host();
  void store_directly(const VoxelView& to);
  void finish_planes(const Interval& planes, float* voxels);
  [[nodiscard]] Interval planes_of(std::int64_t sharer) const;
  [[nodiscard]] std::int64_t result_plane() const;

  const PartsWork& work_;
  Sharer sharer_;
  const RunContext& context_;
  PartSpectra spectra_;
  PartLoading image_loading_, kernel_loading_;
  PartUnfolding unfolding_;
  Voxels image_, kernel_;
  cuda::DeviceBuffer<float> result_;   ///< slots of its planes (UnfoldParts)
  cuda::DeviceBuffer<float> leaving_;  ///< planes of one part that others unfold
  std::optional<VoxelView>
      direct_;  ///< the sink's voxels, if they are copied there without the host
  cuda::DeviceBuffer<unsigned long long> counts_;  ///< of voxels that are copied there
  cuda::PinnedBuffer<unsigned long long> counted_;
  BatchesUp up_;
  BatchesDown down_;
  std::vector<HostBuffer<std::byte>> stored_;  ///< one for every thread
  cuda::Stream compute_, exchange_;
  cuda::Event given_;
  std::vector<cuda::Event> left_;  ///< for each sharer: its planes of the last part
};

}  // namespace synthoscope::fftconv::device
