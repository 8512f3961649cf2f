// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <optional>
#include <vector>
#include "core/cuda/buffer.hpp"
#include "kernels/device/counted.hpp"
#include "kernels/device/device_variance.hpp"
#include "kernels/device/merge_runs.hpp"
#include "kernels/device/programs.hpp"
#include "kernels/device/strips.hpp"
#include "kernels/device/variance_arguments.hpp"
#include "kernels/merge_steps.hpp"

namespace synthoscope::kernels::device {
namespace {

PartsValue parts_value(LocalStatistic statistic) {
  return statistic == LocalStatistic::mean       ? PartsValue::mean
         : statistic == LocalStatistic::variance ? PartsValue::variance
                                                 : PartsValue::root;
}

/// The number of the scale that `window` is, from 0; nothing where it is none of the sweep's.
std::optional<int> scale_of(const LocalWindow& window) {
  if (window.shape != WindowShape::triangle || window.z != 1 || window.y != window.x) return {};
  for (int scale = 0; scale < kMostScales; ++scale)
    if (window.x == 2 << scale) return scale;
  return {};
}

/// How many scales a sweep has that makes all windows of `spec`; 0 where none does.
int scales_of(const LocalVarianceSpec& spec) {
  int scales = 0;
  for (const LocalWindow& window : spec.windows) {
    const auto scale = scale_of(window);
    if (!scale) return 0;
    scales = std::max(scales, *scale + 1);
  }
  return spec.type == PixelType::float32 ? scales : 0;
}

cuda::LaunchShape shape_for(const PartsBox& box) {
  return {{(box.rows + kPartsY - 1) / kPartsY * box.planes, (box.columns + kPartsX - 1) / kPartsX},
          {kPartsX, kPartsY},
          0};
}

/// One launch a merge; signals lie in memory as long as later merges want them.
class MergeByMerge {
 public:
  explicit MergeByMerge(const LocalVarianceSpec& spec)
      : spec_{spec}, chain_{merge_steps(spec.windows)}, places_(chain_.margins.size(), -1) {
    std::vector<std::size_t> last_use(places_.size());
    for (std::size_t i = 0; i < chain_.steps.size(); ++i)
      for (const int signal : {chain_.steps[i].sides, chain_.steps[i].centre})
        last_use[static_cast<std::size_t>(signal)] = i;
    // A place is free again after the last step that looks at its signal. Results are stored as
    // soon as they are made
    std::vector<std::size_t> free_from;
    for (std::size_t i = 0; i < chain_.steps.size(); ++i) {
      std::size_t place = 0;
      while (place < free_from.size() && free_from[place] > i) ++place;
      if (place == free_from.size()) free_from.push_back(0);
      free_from[place] = std::max(last_use[i + 1], i) + 1;
      places_[i + 1] = static_cast<int>(place);
    }
    volumes_ = 1 + 2 * static_cast<std::int64_t>(free_from.size());
    for (const MergeStep& step : chain_.steps)
      taps_.insert(taps_.end(), step.taps.begin(), step.taps.end());
  }

  [[nodiscard]] std::int64_t working_bytes(const Extent3& box) const {
    return (volumes_ * volume(padded(box)) + std::max<std::int64_t>(1, tap_count())) *
           std::int64_t{sizeof(float)};
  }

  void prepare(const cuda::DeviceSetting& setting, PixelType type, const Extent3& box,
               const cuda::Stream& stream) {
    const auto compiled = [&](const std::string& name) {
      return compile_kernel(setting.device, "variance.cuh", name);
    };
    bring_ = compiled(fmt::format("bring_voxels<{}>", cuda_name(type)));
    merge_ = compiled("merge_parts");
    store_ = compiled(fmt::format("store_statistic<{}>", cuda_name(spec_.type)));
    release();  // of a run that failed
    working_ = {setting.device.id, setting.memory, volumes_ * volume(padded(box)),
                "parts of windows"};
    taps_there_ = {setting.device.id, setting.memory, std::max<std::int64_t>(1, tap_count()),
                   "weights"};
    if (tap_count() > 0)
      cuda::enqueue_copy(stream, taps_there_.data(), taps_.data(),
                         tap_count() * std::int64_t{sizeof(float)});
  }

  void enqueue(const cuda::Stream& stream, const DeviceWindow& in, const Box3& box,
               std::span<std::byte* const> out, unsigned long long* counts) const {
    const Extent3 &reach = chain_.reach(), around = padded(box.size);
    const Count row = around.x, plane = around.y * around.x;
    const auto part = [&](const Extent3& margin) {
      return PartsBox{plane,
                      row,
                      reach.z - margin.z,
                      reach.y - margin.y,
                      reach.x - margin.x,
                      box.size.z + 2 * margin.z,
                      box.size.y + 2 * margin.y,
                      box.size.x + 2 * margin.x};
    };
    const PartsBox all = part(reach), results = part({});
    bring_->launch(
        stream, shape_for(all),
        VoxelsArguments{held_voxels(in), static_cast<int>(spec_.boundary), box.origin.z - reach.z,
                        box.origin.y - reach.y, box.origin.x - reach.x, all, working_.data()});
    const auto store = [&](int signal) {
      for (std::size_t window = 0; window < chain_.results.size(); ++window)
        for (std::size_t i = 0; i < spec_.statistics.size(); ++i)
          if (chain_.results[window] == signal)
            store_->launch(
                stream, shape_for(results),
                StatisticArguments{
                    results, working_.data(), signal_at(signal, around),
                    static_cast<int>(parts_value(spec_.statistics[i])),
                    made_voxels(box, out[window * spec_.statistics.size() + i], counts)});
    };
    store(0);
    const float* taps = taps_there_.data();
    for (std::size_t i = 0; i < chain_.steps.size(); ++i) {
      const MergeStep& step = chain_.steps[i];
      MergeArguments a;
      a.box = part(chain_.margins[i + 1]);
      a.voxels = working_.data();
      a.sides = signal_at(step.sides, around);
      a.centre = signal_at(step.centre, around);
      a.made = signal_at(static_cast<int>(i) + 1, around);
      const Count along = step.axis == Axis::z ? plane : step.axis == Axis::y ? row : 1;
      a.apart = step.spacing * along;
      a.weights = three_weights(step.side);
      a.taps = static_cast<int>(step.taps.size());
      a.tap_weights = taps;
      taps += step.taps.size();
      merge_->launch(stream, shape_for(a.box), a);
      store(static_cast<int>(i) + 1);
    }
  }

  void release() {
    working_ = {};
    taps_there_ = {};
  }

 private:
  [[nodiscard]] Extent3 padded(const Extent3& box) const {
    const Extent3& reach = chain_.reach();
    return {box.z + 2 * reach.z, box.y + 2 * reach.y, box.x + 2 * reach.x};
  }
  [[nodiscard]] std::int64_t tap_count() const { return static_cast<std::int64_t>(taps_.size()); }
  [[nodiscard]] PartsSignal signal_at(int signal, const Extent3& around) const {
    const int place = places_[static_cast<std::size_t>(signal)];
    if (place < 0) return {};
    float* const offset = working_.data() + (1 + 2 * place) * volume(around);
    return {offset, offset + volume(around)};
  }

  LocalVarianceSpec spec_;
  MergeSteps chain_;
  std::vector<int> places_;  ///< of signals; that of the image is none
  std::int64_t volumes_ = 1;
  std::vector<float> taps_;
  std::optional<cuda::Kernel> bring_, merge_, store_;
  cuda::DeviceBuffer<float> working_, taps_there_;
};

/// All scales in one launch.
class ScaleSweep {
 public:
  explicit ScaleSweep(const LocalVarianceSpec& spec) : spec_{spec}, scales_{scales_of(spec)} {}

  [[nodiscard]] bool is_possible_on(const cuda::DeviceInfo& device) const {
    return scales_ > 0 && sweep_shared_bytes(scales_) <= device.shared_bytes;
  }

  void prepare(const cuda::DeviceInfo& device, PixelType type) {
    kernel_ = compile_kernel(device, "variance.cuh",
                             fmt::format("sweep_scales<{}, {}>", cuda_name(type), scales_));
    kernel_->allow_shared(sweep_shared_bytes(scales_));
    at_once_ =
        device.multiprocessors * std::max(1, kernel_->blocks_at_once(kSweepColumns * kSweepRows,
                                                                     sweep_shared_bytes(scales_)));
  }

  void enqueue(const cuda::Stream& stream, const DeviceWindow& in, const Box3& box,
               std::span<std::byte* const> out, unsigned long long* counts) const {
    SweepArguments a;
    a.in = held_voxels(in);
    a.boundary = static_cast<int>(spec_.boundary);
    a.z = box.origin.z;
    a.y = box.origin.y;
    a.x = box.origin.x;
    a.planes = box.size.z;
    a.rows = box.size.y;
    a.columns = box.size.x;
    a.counts = counts;
    for (std::size_t i = 0; i < out.size(); ++i) {
      const LocalStatistic statistic = spec_.statistics[i % spec_.statistics.size()];
      const int scale = *scale_of(spec_.windows[i / spec_.statistics.size()]);
      auto& results = statistic == LocalStatistic::mean       ? a.mean
                      : statistic == LocalStatistic::variance ? a.variance
                                                              : a.root;
      results[scale] = reinterpret_cast<float*>(out[i]);
    }
    const std::int64_t made = kSweepColumns - 2 * sweep_reach(scales_);
    const std::int64_t strips = (box.size.x + made - 1) / made;
    a.band = strip_of({.results = box.size.y,
                       .beside = strips * box.size.z,
                       .at_once = at_once_,
                       .reach = 2 * sweep_reach(scales_) + 1,
                       .most = box.size.y});
    const std::int64_t bands = (box.size.y + a.band - 1) / a.band;
    kernel_->launch(
        stream,
        {{bands * box.size.z, strips}, {kSweepColumns, kSweepRows}, sweep_shared_bytes(scales_)},
        a);
  }

 private:
  LocalVarianceSpec spec_;
  int scales_;
  std::int64_t at_once_ = 1;
  std::optional<cuda::Kernel> kernel_;
};

class DeviceVariance final : public DeviceOperation {
 public:
  DeviceVariance(const LocalVarianceSpec& spec, TellCounts tell)
      : merges_{spec}, runs_{spec}, sweep_{spec}, tell_{std::move(tell)} {}

  [[nodiscard]] std::int64_t working_bytes(const Extent3& box) const override {
    // Of a sweep nothing, but which device it will be is not known yet
    return DeviceCounts::kBytes + std::max(merges_.working_bytes(box), runs_.working_bytes(box));
  }

  void prepare(const cuda::DeviceSetting& setting, PixelType type, const Extent3& box,
               const cuda::Stream& stream) override {
    way_ = sweep_.is_possible_on(setting.device)   ? Way::sweep
           : runs_.are_possible_on(setting.device) ? Way::runs
                                                   : Way::merges;
    counts_.prepare(setting, stream);
    if (way_ == Way::sweep)
      sweep_.prepare(setting.device, type);
    else if (way_ == Way::runs)
      runs_.prepare(setting, type, box);
    else
      merges_.prepare(setting, type, box, stream);
  }

  void enqueue_apply(const cuda::Stream& stream, const DeviceWindow& in, const Box3& box,
                     std::span<std::byte* const> out) override {
    if (way_ == Way::sweep)
      sweep_.enqueue(stream, in, box, out, counts_.data());
    else if (way_ == Way::runs)
      runs_.enqueue(stream, in, box, out, counts_.data());
    else
      merges_.enqueue(stream, in, box, out, counts_.data());
  }

  void finish(const cuda::Stream& stream) override {
    tell_(counts_.finish(stream));
    merges_.release();
    runs_.release();
  }

 private:
  /// All scales in one launch, one an axis, or one a merge: the first that there is room for.
  enum class Way { sweep, runs, merges };
  MergeByMerge merges_;
  MergeRuns runs_;
  ScaleSweep sweep_;
  TellCounts tell_;
  Way way_ = Way::merges;
  DeviceCounts counts_;
};

}  // namespace

std::unique_ptr<DeviceOperation> make_device_variance(const LocalVarianceSpec& spec,
                                                      TellCounts tell) {
  return std::make_unique<DeviceVariance>(spec, std::move(tell));
}

}  // namespace synthoscope::kernels::device
