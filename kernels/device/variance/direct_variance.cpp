// SPDX-License-Identifier: MIT
#include "kernels/variance/direct_variance.hpp"
#include <fmt/format.h>
#include <bit>
#include <optional>
#include "core/cuda/code/module.hpp"
#include "core/cuda/memory/buffer.hpp"
#include "kernels/device/code/counted.hpp"
#include "kernels/device/code/programs.hpp"
#include "kernels/device/variance/direct_variance_arguments.hpp"
#include "kernels/device/variance/merge_by_merge.hpp"
#include "kernels/variance/device_variance.hpp"

namespace synthoscope::kernels::device {
namespace {

std::string_view name_there(DirectWay way) {
  switch (way) {
    case DirectWay::online:
      return "DirectWay::online";
    case DirectWay::pairwise:
      return "DirectWay::pairwise";
    case DirectWay::koenig:
      return "DirectWay::koenig";
    case DirectWay::two_pass:
      break;
  }
  return "DirectWay::two_pass";
}

/// Statistics voxel by voxel. A box and its margin are copied as float32; every window is a launch.
class DirectVariance final : public DeviceOperation {
 public:
  DirectVariance(const LocalVarianceSpec& spec, TellCounts tell)
      : spec_{spec}, reach_{reach_of(spec.windows)}, tell_{std::move(tell)} {
    for (const LocalWindow& window : spec.windows) {
      const WindowWeights weights = weights_of(window);
      for (const std::vector<float>* axis : {&weights.z, &weights.y, &weights.x})
        weights_.insert(weights_.end(), axis->begin(), axis->end());
    }
  }

  [[nodiscard]] std::int64_t working_bytes(const Extent3& box) const override {
    return DeviceCounts::kBytes +
           (volume(around(box)) + weight_count()) * std::int64_t{sizeof(float)};
  }

  [[nodiscard]] std::vector<cuda::KernelName> kernels(const cuda::DeviceInfo&, PixelType type,
                                                      const Extent3&) const override {
    const char* const source = "variance/direct_variance.cuh";
    return {{source, fmt::format("bring_voxels<{}>", cuda_name(type))},
            {source, fmt::format("go_through_windows<{}, {}, {}>", cuda_name(spec_.type),
                                 name_there(direct_way(spec_.strategy)), levels())}};
  }

  void prepare(const cuda::DeviceContext& gpu, PixelType type, const Extent3& box,
               const cuda::Stream& stream) override {
    const std::vector<cuda::KernelName> wanted = kernels(gpu.device, type, box);
    bring_ = device_library().kernel(gpu.device, wanted[0]);
    go_through_ = device_library().kernel(gpu.device, wanted[1]);
    counts_.prepare(gpu, stream);
    release();  // frees what a failed run left
    voxels_ = {gpu.device.id, gpu.memory, volume(around(box)), "voxels of windows"};
    weights_there_ = {gpu.device.id, gpu.memory, weight_count(), "weights"};
    cuda::enqueue_copy(stream, weights_there_.data(), weights_.data(), weights_there_.bytes());
  }

  void enqueue_apply(const cuda::Stream& stream, const DeviceWindow& in, const Box3& box,
                     std::span<std::byte* const> out) override {
    const Extent3 n = around(box.size);
    const Index3& centre = reach_.centre;
    const PartsBox all{n.y * n.x, n.x, 0, 0, 0, n.z, n.y, n.x};
    bring_->launch(
        stream, shape_for(all),
        VoxelsArguments{held_voxels(in), static_cast<int>(spec_.boundary), box.origin.z - centre.z,
                        box.origin.y - centre.y, box.origin.x - centre.x, all, voxels_.data()});
    DirectArguments a;
    a.box = {n.y * n.x, n.x, centre.z, centre.y, centre.x, box.size.z, box.size.y, box.size.x};
    a.voxels = voxels_.data();
    a.counts = counts_.data();
    const float* weights = weights_there_.data();
    for (std::size_t window = 0; window < spec_.windows.size(); ++window) {
      const Extent3 half = half_reach(spec_.windows[window]);
      a.reach_z = static_cast<int>(half.z);
      a.reach_y = static_cast<int>(half.y);
      a.reach_x = static_cast<int>(half.x);
      a.weights_z = weights;
      a.weights_y = a.weights_z + 2 * half.z + 1;
      a.weights_x = a.weights_y + 2 * half.y + 1;
      weights = a.weights_x + 2 * half.x + 1;
      a.statistics = statistic_places(spec_, window, out);
      go_through_->launch(stream, shape_for(a.box), a);
    }
  }

  void finish(const cuda::Stream& stream) override {
    tell_(counts_.finish(stream));
    release();
  }

 private:
  [[nodiscard]] Extent3 around(const Extent3& box) const {
    const Extent3& more = reach_.extent;
    return {box.z + more.z - 1, box.y + more.y - 1, box.x + more.x - 1};
  }
  /// Returns the levels of PairedParts: as few as suffice, because each takes registers.
  [[nodiscard]] int levels() const {
    if (spec_.strategy != VarianceStrategy::pairwise) return 1;
    return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(volume(reach_.extent))));
  }
  [[nodiscard]] std::int64_t weight_count() const {
    return static_cast<std::int64_t>(weights_.size());
  }
  void release() {
    voxels_ = {};
    weights_there_ = {};
  }

  LocalVarianceSpec spec_;
  Reach reach_;
  TellCounts tell_;
  std::vector<float> weights_;  ///< of each window along z, then y, then x
  std::optional<cuda::GpuKernel> bring_, go_through_;
  cuda::DeviceBuffer<float> voxels_, weights_there_;
  DeviceCounts counts_;
};

}  // namespace

std::unique_ptr<DeviceOperation> make_device_direct_variance(const LocalVarianceSpec& spec,
                                                             TellCounts tell) {
  return std::make_unique<DirectVariance>(spec, std::move(tell));
}

}  // namespace synthoscope::kernels::device
