// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>
#include "kernels/device/correlate_arguments.hpp"
#include "kernels/device/counted.hpp"
#include "kernels/device/device_correlation.hpp"
#include "kernels/device/marching.hpp"
#include "kernels/device/volume_kernel.hpp"

namespace synthoscope::kernels::device {
namespace {

/// More weights along an axis than registers hold are summed one thread a voxel.
constexpr std::int64_t kMostSlidingWeights = 97;

/// Neighbouring results that a thread makes at once, steps whose voxels are on their way, and
/// blocks that a multiprocessor holds, which limits registers: what was fastest on an H200.
struct SlidingShape {
  int columns, ahead, blocks;
};
SlidingShape rows_and_columns_for(PixelType from, std::int64_t reach) {
  // Narrow integers are unpacked, which takes registers
  if (size_of(from) < 4 && reach <= 15) return {4, 1, reach <= 9 ? 6 : 4};
  if (reach <= 9) return {4, 1, 7};
  if (reach <= 15) return {4, 1, 5};
  if (reach <= 23) return {4, 1, 4};
  if (reach <= 31) return {4, 1, 3};
  return reach <= 65 ? SlidingShape{2, 1, 3} : SlidingShape{1, 1, 3};
}
SlidingShape columns_for(March axis, std::int64_t reach) {
  if (reach <= 17) return axis == March::along_y ? SlidingShape{2, 4, 4} : SlidingShape{4, 1, 4};
  return reach <= 65 ? SlidingShape{2, 1, 3} : SlidingShape{1, 1, 3};
}

/// A volume made of another one along some axes; the next pass reads it.
struct Pass {
  enum class Kind { rows_and_columns, columns, axis };
  Kind kind = Kind::axis;
  bool z = false, y = false, x = false;  ///< axes that it sums along
};

class DeviceSeparable final : public DeviceOperation {
 public:
  DeviceSeparable(const NeighbourhoodSetting& setting, const SeparableStencil& stencil,
                  SeparableStrategy strategy, TellCounts tell)
      : setting_{setting},
        extent_{stencil.extent},
        centre_{stencil.centre},
        z_{floats(stencil.terms[0].z)},
        y_{floats(stencil.terms[0].planes[0].y)},
        x_{floats(stencil.terms[0].planes[0].x)},
        tell_{std::move(tell)} {
    const bool along_z = leaves_trace(extent_.z, centre_.z),
               along_y = leaves_trace(extent_.y, centre_.y),
               along_x = leaves_trace(extent_.x, centre_.x);
    join_single_weights(along_z, along_y, along_x);
    const auto slides = [&](std::int64_t n) {
      return strategy == SeparableStrategy::fused && n <= kMostSlidingWeights;
    };
    if (!slides(extent_.y) || !slides(extent_.x)) {
      if (along_x) passes_.push_back({Pass::Kind::axis, false, false, true});
      if (along_y) passes_.push_back({Pass::Kind::axis, false, true, false});
    } else if (along_x) {
      passes_.push_back({Pass::Kind::rows_and_columns, false, true, true});
    } else if (along_y) {
      passes_.push_back({Pass::Kind::columns, false, true, false});
    }
    if (along_z)
      passes_.push_back(
          {slides(extent_.z) ? Pass::Kind::columns : Pass::Kind::axis, true, false, false});
    may_be_one_ = passes_.size() == 2 && passes_[0].kind != Pass::Kind::axis &&
                  passes_[1].kind != Pass::Kind::axis;
    if (passes_.empty()) passes_.push_back({Pass::Kind::axis, false, false, true});
  }

  [[nodiscard]] std::int64_t working_bytes(const Extent3& box) const override {
    // One sweep wants nothing between passes, but which device it will be is not known yet
    std::int64_t bytes = DeviceCounts::kBytes + 4 * (extent_.z + extent_.y + extent_.x);
    for (std::size_t i = 0; i + 1 < passes_.size(); ++i)
      bytes += 4 * volume(made_extent(i, reached(box)));
    return bytes;
  }

  void prepare(const cuda::DeviceSetting& setting, PixelType type, const Extent3& box,
               const cuda::Stream& stream) override {
    counts_.prepare(setting, stream);
    weights_ = {};  // of a run that failed
    weights_ = {setting.device.id, setting.memory, extent_.z + extent_.y + extent_.x, "weights"};
    float* to = weights_.data();
    for (const std::vector<float>* axis : {&z_, &y_, &x_}) {
      cuda::enqueue_copy(stream, to, axis->data(),
                         static_cast<std::int64_t>(axis->size() * sizeof(float)));
      to += axis->size();
    }
    between_.clear();
    sliding_.clear();
    plain_.clear();
    volume_.reset();
    if (may_be_one_ && VolumeKernel::has_room_for(extent_, setting.device)) {
      const std::string types = fmt::format("{}, {}", cuda_name(type), cuda_name(setting_.type));
      volume_.emplace(setting.device, types, extent_, VolumeKernel::choice_for(extent_));
      return;
    }
    for (std::size_t i = 0; i < passes_.size(); ++i) {
      const bool is_last = i + 1 == passes_.size();
      if (!is_last)
        between_.emplace_back(setting.device.id, setting.memory,
                              volume(made_extent(i, reached(box))), "volumes between passes");
      compile(setting.device, passes_[i], i == 0 ? type : PixelType::float32,
              is_last ? setting_.type : PixelType::float32);
    }
  }

  void enqueue_apply(const cuda::Stream& stream, const DeviceWindow& in, const Box3& box,
                     std::span<std::byte* const> out) override {
    if (volume_) return run_volume(stream, in, made_voxels(box, out[0], counts_.data()));
    HeldVoxels from = held_voxels(in);
    for (std::size_t i = 0; i < passes_.size(); ++i) {
      const bool is_last = i + 1 == passes_.size();
      // Axes that are still to be summed along stay as they are held
      const Box3 made = is_last ? box : still_held(i, in.box, box);
      std::byte* const to = is_last ? out[0] : reinterpret_cast<std::byte*>(between_[i].data());
      // What is not finite between passes is so at the end, too
      run(stream, i, from, made_voxels(made, to, is_last ? counts_.data() : nullptr));
      from = held_voxels({in.image, made, PixelType::float32, to});
    }
  }

  void finish(const cuda::Stream& stream) override {
    tell_(counts_.finish(stream));
    weights_ = {};
    between_.clear();
  }

 private:
  static std::vector<float> floats(const std::vector<double>& weights) {
    return {weights.begin(), weights.end()};
  }
  static bool leaves_trace(std::int64_t extent, std::int64_t centre) {
    return extent > 1 || centre != 0;
  }
  /// Axes that have no pass of their own give their only weight to one that has.
  void join_single_weights(bool along_z, bool along_y, bool along_x) {
    float factor = 1;
    if (!along_z) factor *= std::exchange(z_[0], 1.0F);
    if (!along_y) factor *= std::exchange(y_[0], 1.0F);
    if (!along_x) factor *= std::exchange(x_[0], 1.0F);
    for (float& weight : along_z ? z_ : along_y ? y_ : x_) weight *= factor;
  }
  [[nodiscard]] Extent3 reached(const Extent3& box) const {
    return {box.z + extent_.z - 1, box.y + extent_.y - 1, box.x + extent_.x - 1};
  }

  /// What pass `i`, which is not the last one, makes of a window for `box`.
  [[nodiscard]] Box3 still_held(std::size_t i, const Box3& window, const Box3& box) const {
    Box3 made = box;
    for (std::size_t next = i + 1; next < passes_.size(); ++next) {
      if (passes_[next].z) {
        made.origin.z = window.origin.z;
        made.size.z = window.size.z;
      }
      if (passes_[next].y) {
        made.origin.y = window.origin.y;
        made.size.y = window.size.y;
      }
    }
    return made;
  }
  /// The same of the largest window; windows are no larger than what is reached.
  [[nodiscard]] Extent3 made_extent(std::size_t i, const Extent3& window) const {
    return still_held(i, {{}, window}, {{}, window}).size;
  }

  void compile(const cuda::DeviceInfo& device, const Pass& pass, PixelType from, PixelType to) {
    const std::string types = fmt::format("{}, {}", cuda_name(from), cuda_name(to));
    Marching shape;
    shape.axis = pass.z ? March::along_z : March::along_y;
    shape.reach = static_cast<int>(pass.z ? extent_.z : extent_.y);
    const SlidingShape chosen = pass.x ? rows_and_columns_for(from, std::max(extent_.y, extent_.x))
                                       : columns_for(shape.axis, shape.reach);
    shape.columns = chosen.columns;
    sliding_.emplace_back();
    plain_.emplace_back();
    if (pass.kind == Pass::Kind::axis)
      plain_.back() =
          compile_kernel(device, "separable.cuh", fmt::format("correlate_axis<{}>", types));
    else if (pass.kind == Pass::Kind::columns)
      sliding_.back().emplace(
          device, "separable.cuh",
          fmt::format("correlate_columns<{}, {}, {}, {}, {}, {}, {}>", types, cuda_name(shape.axis),
                      shape.reach, shape.columns, shape.warps, chosen.ahead, chosen.blocks),
          shape);
    else
      sliding_.back().emplace(
          device, "separable.cuh",
          fmt::format("correlate_rows_and_columns<{}, {}, {}, {}, {}, {}, {}>", types, shape.reach,
                      extent_.x, shape.columns, shape.warps, chosen.ahead, chosen.blocks),
          shape);
  }

  void run(const cuda::Stream& stream, std::size_t i, const HeldVoxels& in,
           const MadeVoxels& out) const {
    const Pass& pass = passes_[i];
    if (pass.kind == Pass::Kind::axis) return run_plain(stream, i, in, out);
    MarchArguments a;
    a.in = in;
    a.out = out;
    a.boundary = static_cast<int>(setting_.boundary);
    if (pass.z) a.centre_z = static_cast<int>(centre_.z);
    if (pass.y) a.centre_y = static_cast<int>(centre_.y);
    if (pass.x) a.centre_x = static_cast<int>(centre_.x);
    MarchWeights weights{};
    // Axes of other passes may have more weights than fit here
    const auto give = [](const std::vector<float>& own, float* to) {
      SYNTHOSCOPE_ASSERT(own.size(), <=, std::size_t{MarchWeights::kMost});
      std::ranges::copy(own, to);
    };
    if (pass.z || pass.y) give(pass.z ? z_ : y_, weights.march);
    if (pass.x) give(x_, weights.x);
    sliding_[i]->launch(stream, a, weights);
  }

  void run_volume(const cuda::Stream& stream, const DeviceWindow& in, const MadeVoxels& out) const {
    MarchArguments a;
    a.in = held_voxels(in);
    a.out = out;
    a.boundary = static_cast<int>(setting_.boundary);
    a.centre_z = static_cast<int>(centre_.z);
    a.centre_y = static_cast<int>(centre_.y);
    a.centre_x = static_cast<int>(centre_.x);
    VolumeWeights weights{};
    std::ranges::copy(z_, weights.z);
    std::ranges::copy(y_, weights.y);
    std::ranges::copy(x_, weights.x);
    volume_->launch(stream, a, weights);
  }

  void run_plain(const cuda::Stream& stream, std::size_t i, const HeldVoxels& in,
                 const MadeVoxels& out) const {
    const Pass& pass = passes_[i];
    CorrelateArguments a;
    a.in = in;
    a.out = out;
    a.boundary = static_cast<int>(setting_.boundary);
    a.weights = weights_.data() + (pass.z ? 0 : pass.y ? extent_.z : extent_.z + extent_.y);
    if (pass.z) {
      a.extent_z = static_cast<int>(extent_.z);
      a.centre_z = static_cast<int>(centre_.z);
    } else if (pass.y) {
      a.extent_y = static_cast<int>(extent_.y);
      a.centre_y = static_cast<int>(centre_.y);
    } else {
      a.extent_x = static_cast<int>(extent_.x);
      a.centre_x = static_cast<int>(centre_.x);
    }
    plain_[i]->launch(
        stream,
        {{(out.rows + kPlainY - 1) / kPlainY * out.planes, (out.columns + kPlainX - 1) / kPlainX},
         {kPlainX, kPlainY},
         0},
        a);
  }

  NeighbourhoodSetting setting_;
  Extent3 extent_;
  Index3 centre_;
  std::vector<float> z_, y_, x_;
  TellCounts tell_;
  std::vector<Pass> passes_;
  bool may_be_one_ = false;                             ///< two passes that slide
  std::optional<VolumeKernel> volume_;                  ///< instead of all passes
  std::vector<std::optional<MarchingKernel>> sliding_;  ///< of each pass, or
  std::vector<std::optional<cuda::Kernel>> plain_;
  std::vector<cuda::DeviceBuffer<float>> between_;
  cuda::DeviceBuffer<float> weights_;
  DeviceCounts counts_;
};

}  // namespace

std::unique_ptr<DeviceOperation> make_device_separable(const NeighbourhoodSetting& setting,
                                                       const SeparableStencil& stencil,
                                                       SeparableStrategy strategy,
                                                       TellCounts tell) {
  if (stencil.terms.size() != 1 || stencil.terms[0].planes.size() != 1) return nullptr;
  return std::make_unique<DeviceSeparable>(setting, stencil, strategy, std::move(tell));
}

}  // namespace synthoscope::kernels::device
