// SPDX-License-Identifier: MIT
#include <algorithm>
#include "core/cuda/memory/buffer.hpp"
#include "kernels/device/code/counted.hpp"
#include "kernels/device/variance/merge_by_merge.hpp"
#include "kernels/device/variance/merge_runs.hpp"
#include "kernels/device/variance/scale_sweep.hpp"
#include "kernels/variance/device_variance.hpp"

namespace synthoscope::kernels::device {
namespace {

/// Windows by threewise merges, and the results from them.
class ThreewiseWork final : public DeviceOperation {
 public:
  ThreewiseWork(const WindowWork& work, TellCounts tell)
      : has_bands_{work.gain.has_value()},
        merges_{work},
        runs_{work},
        sweep_{work},
        tell_{std::move(tell)} {}

  [[nodiscard]] std::int64_t working_bytes(const Extent3& box) const override {
    // A sweep needs nothing, but the device is not known yet
    return DeviceCounts::kBytes + band_count(box) * std::int64_t{sizeof(BandSum)} +
           std::max(merges_.working_bytes(box), runs_.working_bytes(box));
  }

  [[nodiscard]] std::vector<cuda::KernelName> kernels(const cuda::DeviceInfo& device,
                                                      PixelType type,
                                                      const Extent3&) const override {
    switch (way_on(device)) {
      case Way::sweep:
        return {sweep_.kernel(type)};
      case Way::runs:
        return runs_.kernels(type);
      case Way::merges:
        break;
    }
    return merges_.kernels(type);
  }

  void prepare(const cuda::DeviceContext& gpu, PixelType type, const Extent3& box,
               const cuda::Stream& stream) override {
    way_ = way_on(gpu.device);
    counts_.prepare(gpu, stream);
    bands_ = {};  // frees what a failed run left
    if (has_bands_) bands_ = {gpu.device.id, gpu.memory, band_count(box), "bands of voxels"};
    if (way_ == Way::sweep)
      sweep_.prepare(gpu.device, type);
    else if (way_ == Way::runs)
      runs_.prepare(gpu, type, box);
    else
      merges_.prepare(gpu, type, box, stream);
  }

  void enqueue_apply(const cuda::Stream& stream, const DeviceWindow& in, const Box3& box,
                     std::span<std::byte* const> out) override {
    const WorkResults results{out, bands_.data(), counts_.data()};
    if (way_ == Way::sweep)
      sweep_.enqueue(stream, in, box, results);
    else if (way_ == Way::runs)
      runs_.enqueue(stream, in, box, results);
    else
      merges_.enqueue(stream, in, box, results);
  }

  void finish(const cuda::Stream& stream) override {
    tell_(counts_.finish(stream));
    bands_ = {};
    merges_.release();
    runs_.release();
  }

 private:
  [[nodiscard]] std::int64_t band_count(const Extent3& box) const {
    return has_bands_ ? volume(box) : 0;
  }

  /// One launch for all scales, for each axis, or for each merge: the first that is possible.
  enum class Way { sweep, runs, merges };
  [[nodiscard]] Way way_on(const cuda::DeviceInfo& device) const {
    return sweep_.is_possible_on(device)   ? Way::sweep
           : runs_.are_possible_on(device) ? Way::runs
                                           : Way::merges;
  }

  bool has_bands_;
  MergeByMerge merges_;
  MergeRuns runs_;
  ScaleSweep sweep_;
  TellCounts tell_;
  Way way_ = Way::merges;
  DeviceCounts counts_;
  cuda::DeviceBuffer<BandSum> bands_;
};

}  // namespace

std::unique_ptr<DeviceOperation> make_device_variance(const LocalVarianceSpec& spec,
                                                      TellCounts tell) {
  return std::make_unique<ThreewiseWork>(WindowWork{spec, {}}, std::move(tell));
}

std::unique_ptr<DeviceOperation> make_device_contrast(const ContrastSpec& spec, TellCounts tell) {
  LocalVarianceSpec windows;
  windows.windows = spec.windows;
  windows.statistics.clear();
  windows.boundary = spec.boundary;
  windows.type = spec.type;
  return std::make_unique<ThreewiseWork>(WindowWork{windows, gain_of(spec)}, std::move(tell));
}

}  // namespace synthoscope::kernels::device
