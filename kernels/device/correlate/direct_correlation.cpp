// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <algorithm>
#include <optional>
#include <vector>
#include "kernels/correlate/device_correlation.hpp"
#include "kernels/device/code/counted.hpp"
#include "kernels/device/correlate/correlate_arguments.hpp"
#include "kernels/device/correlate/marching.hpp"

namespace synthoscope::kernels::device {
namespace {

/// The shape of the windows of DirectStrategy::registers.
struct RegisterWindow {
  Marching shape;
  int cross = 1, x = 1;
};
RegisterWindow register_window(const Extent3& weights) {
  RegisterWindow window;
  const bool along_z = weights.z > 1;
  window.shape.axis = along_z ? March::along_z : March::along_y;
  window.shape.alone = !along_z;
  window.shape.reach = static_cast<int>(along_z ? weights.z : weights.y);
  window.shape.warps = 8;
  // Instruction caches do not hold programs longer than about 4000 multiply-adds
  const bool few = window.shape.reach <= 15 && 4 * volume(weights) <= 2400;
  window.shape.columns = few ? 4 : 2;
  window.cross = along_z ? static_cast<int>(weights.y) : 1;
  window.x = static_cast<int>(weights.x);
  return window;
}

class DeviceCorrelation final : public DeviceOperation {
 public:
  DeviceCorrelation(const NeighbourhoodSetting& setting, const Stencil& stencil,
                    DirectStrategy strategy, TellCounts tell)
      : setting_{setting},
        extent_{stencil.extent},
        centre_{stencil.centre},
        weights_{stencil.weights.begin(), stencil.weights.end()},
        strategy_{strategy == DirectStrategy::automatic ? fastest_for(stencil.extent) : strategy},
        tell_{std::move(tell)} {
    SYNTHOSCOPE_ASSERT(has_room_for(strategy_, extent_), ==, true);
  }

  [[nodiscard]] std::int64_t working_bytes(const Extent3&) const override {
    return DeviceCounts::kBytes + static_cast<std::int64_t>(weights_.size() * sizeof(float));
  }

  [[nodiscard]] std::vector<cuda::KernelName> kernels(const cuda::DeviceInfo&, PixelType type,
                                                      const Extent3&) const override {
    return {kernel_for(type)};
  }

  void prepare(const cuda::DeviceContext& gpu, PixelType type, const Extent3&,
               const cuda::Stream& stream) override {
    counts_.prepare(gpu, stream);
    const cuda::KernelName wanted = kernel_for(type);
    if (strategy_ == DirectStrategy::registers) {
      sliding_.emplace(gpu.device, wanted.source, wanted.name, register_window(extent_).shape);
      return;
    }
    kernel_ = device_library().kernel(gpu.device, wanted);
    there_ = {};  // frees what a failed run left
    there_ = {gpu.device.id, gpu.memory, static_cast<std::int64_t>(weights_.size()), "weights"};
    cuda::enqueue_copy(stream, there_.data(), weights_.data(), there_.bytes());
  }

  void enqueue_apply(const cuda::Stream& stream, const DeviceWindow& in, const Box3& box,
                     std::span<std::byte* const> out) override {
    const MadeVoxels made = made_voxels(box, out[0], counts_.data());
    if (strategy_ == DirectStrategy::registers) return slide(stream, in, made);
    CorrelateArguments a;
    a.in = held_voxels(in);
    a.out = made;
    a.boundary = static_cast<int>(setting_.boundary);
    a.extent_z = static_cast<int>(extent_.z);
    a.extent_y = static_cast<int>(extent_.y);
    a.extent_x = static_cast<int>(extent_.x);
    a.centre_z = static_cast<int>(centre_.z);
    a.centre_y = static_cast<int>(centre_.y);
    a.centre_x = static_cast<int>(centre_.x);
    a.weights = there_.data();
    const bool shared = strategy_ == DirectStrategy::shared;
    const std::int64_t width = shared ? kSharedWidth : kPlainX,
                       height = shared ? kSharedHeight : kPlainY;
    kernel_->launch(
        stream,
        {{(box.size.y + height - 1) / height * box.size.z, (box.size.x + width - 1) / width},
         {kPlainX, kPlainY},
         shared ? shared_tile_bytes(extent_) : 0},
        a);
  }

  void finish(const cuda::Stream& stream) override {
    tell_(counts_.finish(stream));
    there_ = {};
  }

 private:
  [[nodiscard]] cuda::KernelName kernel_for(PixelType type) const {
    const char* const source = "correlate/correlate.cuh";
    const std::string types = fmt::format("{}, {}", cuda_name(type), cuda_name(setting_.type));
    if (strategy_ == DirectStrategy::global)
      return {source, fmt::format("correlate_global<{}>", types)};
    if (strategy_ != DirectStrategy::registers)
      return {source, fmt::format("correlate_shared<{}, {}>", types, extent_.x)};
    const RegisterWindow w = register_window(extent_);
    return {source, fmt::format("correlate_register<{}, {}, {}, {}, {}, {}, {}>", types,
                                cuda_name(w.shape.axis), w.shape.reach, w.cross, w.x,
                                w.shape.columns, w.shape.warps)};
  }

  void slide(const cuda::Stream& stream, const DeviceWindow& in, const MadeVoxels& made) {
    MarchArguments a;
    a.in = held_voxels(in);
    a.out = made;
    a.boundary = static_cast<int>(setting_.boundary);
    a.centre_z = static_cast<int>(centre_.z);
    a.centre_y = static_cast<int>(centre_.y);
    a.centre_x = static_cast<int>(centre_.x);
    Weights weights{};
    std::ranges::copy(weights_, weights.values);
    sliding_->launch(stream, a, weights);
  }

  NeighbourhoodSetting setting_;
  Extent3 extent_;
  Index3 centre_;
  std::vector<float> weights_;
  DirectStrategy strategy_;
  TellCounts tell_;
  std::optional<cuda::GpuKernel> kernel_;
  std::optional<MarchingKernel> sliding_;
  cuda::DeviceBuffer<float> there_;
  DeviceCounts counts_;
};

}  // namespace

std::unique_ptr<DeviceOperation> make_device_correlation(const NeighbourhoodSetting& setting,
                                                         const Stencil& stencil,
                                                         DirectStrategy strategy, TellCounts tell) {
  return std::make_unique<DeviceCorrelation>(setting, stencil, strategy, std::move(tell));
}

}  // namespace synthoscope::kernels::device
