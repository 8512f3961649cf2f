// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <optional>
#include "core/round_up.hpp"
#include "kernels/affine.hpp"
#include "kernels/device/counted.hpp"
#include "kernels/device/device_resample.hpp"
#include "kernels/device/lookup.hpp"
#include "kernels/device/programs.hpp"

namespace synthoscope::kernels::device {
namespace {

std::string_view taps_name(Interpolation how) {
  switch (how) {
    case Interpolation::nearest:
      return "NearestTap";
    case Interpolation::linear:
      return "LinearTaps";
    case Interpolation::cubic:
      return "CubicTaps";
    case Interpolation::lanczos:
      break;
  }
  return "LanczosTaps";
}

std::string_view along_name(LookupAlong along) {
  return along == LookupAlong::planes ? "Along::planes"
         : along == LookupAlong::rows ? "Along::rows"
                                      : "Along::columns";
}

/// Blocks that share a multiprocessor: as many as leave a thread the registers that it needs.
int blocks_at_once(Interpolation how, ResampleStrategy strategy) {
  const bool is_column = strategy == ResampleStrategy::column;
  return is_column == (how == Interpolation::linear || how == Interpolation::nearest) ? 4 : 3;
}

constexpr int kTileRows = 4;          ///< of a thread, where a tile is copied
constexpr int kTileBytes = 47 << 10;  ///< that a tile may take; four share a multiprocessor

class DeviceResample final : public DeviceOperation {
 public:
  DeviceResample(const Extent3& image, const AffineMap& map, const ResampleSpec& spec,
                 TellResampled tell)
      : image_{image},
        map_{map},
        spec_{spec},
        strategy_{spec.strategy != ResampleStrategy::automatic ? spec.strategy
                  : is_diagonal(map.affine())                  ? ResampleStrategy::column
                                                               : ResampleStrategy::pixel},
        tell_{std::move(tell)} {}

  [[nodiscard]] std::int64_t working_bytes(const Extent3&) const override {
    return DeviceCounts::kBytes;
  }

  void prepare(const cuda::DeviceSetting& setting, PixelType type, const Extent3& box,
               const cuda::Stream& stream) override {
    shape_ = lookup_shape(map_.affine(), spec_.interpolation, box, setting.device.multiprocessors);
    if (strategy_ == ResampleStrategy::column) shape_ = column_shape(shape_, spec_.interpolation);
    if (strategy_ == ResampleStrategy::tile) shape_.rows = std::min(shape_.rows, kTileRows);
    kernel_ = compile_kernel(
        setting.device,
        fmt::format("{}.cuh", strategy_ == ResampleStrategy::pixel ? "resample" : kernel_word()),
        kernel_name(type));
    counts_.prepare(setting, stream);
  }

  void enqueue_apply(const cuda::Stream& stream, const DeviceWindow& in, const Box3& box,
                     std::span<std::byte* const> out) override {
    ResampleArguments a;
    a.in = held_voxels(in);
    a.out = made_voxels(box, out[0], counts_.data());
    const auto axes = lookup_axes(
        map_, {image_, {0, 0, 0}, image_, in.box, spec_.interpolation, map_.whole_axes()}, box);
    a.z = axes[0];
    a.y = axes[1];
    a.x = axes[2];
    a.tiles_y = parts_of<std::int64_t>(box.size.y, rows_of(shape_));
    a.tiles_x = parts_of<std::int64_t>(box.size.x, columns_of(shape_));
    a.rows_each = shape_.rows;
    a.outside = static_cast<int>(spec_.outside);
    a.fill = has_fill(spec_.outside) ? spec_.fill : 0;
    kernel_->launch(stream, {{a.tiles_x * a.tiles_y * box.size.z}, {32, kLookupWarps}, 0}, a);
  }

  void finish(const cuda::Stream& stream) override { tell_(counts_.finish(stream)); }

 private:
  [[nodiscard]] std::string kernel_word() const {
    return fmt::format("resample_{}", name_of(strategy_));
  }
  [[nodiscard]] std::string kernel_name(PixelType type) const {
    const Interpolation how = spec_.interpolation;
    const WholeAxes whole = map_.whole_axes();
    const std::string what =
        fmt::format("{}<{}, {}, {}, {}, {}", kernel_word(), cuda_name(type), cuda_name(spec_.type),
                    taps_name(how), taps_of(how, whole.z).count, taps_of(how, whole.y).count);
    const int blocks = blocks_at_once(how, strategy_);
    if (strategy_ == ResampleStrategy::column)
      return fmt::format("{}, {}, {}>", what, shape_.columns, blocks);
    const std::string pixel =
        fmt::format("{}, {}, {}, {}, {}, {}", what, along_name(along_of(map_.affine(), 0)),
                    along_name(along_of(map_.affine(), 1)), shape_.wide, shape_.columns, blocks);
    if (strategy_ == ResampleStrategy::pixel) return pixel + ">";
    const std::int64_t copied = how == Interpolation::nearest ? size_of(type) : sizeof(float);
    return fmt::format("{}, {}>", pixel, kTileBytes / copied);
  }

  Extent3 image_;
  const AffineMap& map_;
  ResampleSpec spec_;
  ResampleStrategy strategy_;
  TellResampled tell_;
  LookupShape shape_;
  std::optional<cuda::Kernel> kernel_;
  DeviceCounts counts_;
};

}  // namespace

std::unique_ptr<DeviceOperation> make_device_resample(const Extent3& image,
                                                      const CoordinateMap& map,
                                                      const ResampleSpec& spec,
                                                      TellResampled tell) {
  const auto* const affine = dynamic_cast<const AffineMap*>(&map);
  if (!affine || spec.interpolation == Interpolation::cubic) return nullptr;
  return std::make_unique<DeviceResample>(image, *affine, spec, std::move(tell));
}

}  // namespace synthoscope::kernels::device
