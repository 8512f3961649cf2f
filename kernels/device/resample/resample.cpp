// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <algorithm>
#include <optional>
#include "core/base/round_up.hpp"
#include "core/cuda/memory/texture.hpp"
#include "kernels/coordinates/affine.hpp"
#include "kernels/device/code/counted.hpp"
#include "kernels/device/code/programs.hpp"
#include "kernels/device/resample/at.hpp"
#include "kernels/device/resample/device_warp.hpp"
#include "kernels/device/resample/lookup.hpp"
#include "kernels/device/splines/prefilter.hpp"
#include "kernels/resample/device_resample.hpp"

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

std::string_view along_name(Along along) {
  return along == Along::planes ? "Along::planes"
         : along == Along::rows ? "Along::rows"
                                : "Along::columns";
}

/// Returns the blocks that share a multiprocessor: as many as leave a thread enough registers.
/// @param counted  voxels that count for one result
int blocks_at_once(Interpolation how, int counted, ResampleStrategy strategy) {
  const bool is_light = how == Interpolation::nearest || how == Interpolation::linear;
  if (strategy == ResampleStrategy::column) return is_light ? 4 : 3;
  return how == Interpolation::linear && counted <= 4 ? 3 : 4;
}

/// Returns the strategy that is expected to be fastest. Column reads a row of the image once for
/// all results that need it. That pays if successive results share at least a third of their rows;
/// otherwise, and if the image is flipped, threads wait longer than they save (H200).
ResampleStrategy fastest_strategy(const AffineMap* map, Interpolation how) {
  if (!map || !is_diagonal(map->affine())) return ResampleStrategy::pixel;
  const int taps = taps_of(how, map->whole_axes().y).count;
  const double step = map->affine().rows[1][1];
  const bool shares_rows = 0 <= step && 3 * step <= 2 * taps;
  return taps == 1 || shares_rows ? ResampleStrategy::column : ResampleStrategy::pixel;
}

/// Blocks of kernels that warp: coordinates in double precision need many registers.
constexpr int kWarpBlocks = 3;

constexpr int kTileRows = 4;          ///< of a thread, if tiles are copied
constexpr int kTileBytes = 47 << 10;  ///< of a tile; four fit a multiprocessor

/// Device memory of a cubic spline.
struct SplineMemory {
  std::int64_t coefficients = 0, working = 0;  ///< in floats

  SplineMemory& operator+=(const SplineMemory& other) {
    coefficients = std::max(coefficients, other.coefficients);
    working = std::max(working, other.working);
    return *this;
  }
};

class DeviceResample final : public DeviceOperation {
 public:
  /// Resamples by an affine map, or by a warp if `affine` is null.
  DeviceResample(const Resample& of, const AffineMap* affine, std::unique_ptr<DeviceWarp> warp,
                 TellCounts tell)
      : of_{of},
        affine_{affine},
        warp_{std::move(warp)},
        how_{of.spec().interpolation},
        strategy_{of.spec().strategy != ResampleStrategy::automatic
                      ? of.spec().strategy
                      : fastest_strategy(affine, how_)},
        tell_{std::move(tell)} {
    if (const CoordinateProduct how = of.spec().coordinates; how != CoordinateProduct::fused)
      at_products_.emplace(affine->affine(), how_, how);
  }

  [[nodiscard]] std::int64_t working_bytes(const Extent3& box) const override {
    const SplineMemory room = spline_room(box);
    return DeviceCounts::kBytes + (room.coefficients + room.working) * std::int64_t{sizeof(float)} +
           (uses_texture() ? volume(most_held(box)) * std::int64_t{sizeof(float)} : 0) +
           (at_products_ ? LookupAtProducts::working_bytes(box) : 0) +
           (warp_ ? warp_->working_bytes() : 0);
  }
  [[nodiscard]] std::int64_t travelling_bytes(const Extent3& box) const override {
    return warp_ ? warp_->travelling_bytes(box) : 0;
  }
  void write_travelling(const Box3& box, std::byte* to, TaskPool& pool) const override {
    if (warp_) warp_->write_travelling(box, to, pool);
  }

  [[nodiscard]] std::vector<cuda::KernelName> kernels(const cuda::DeviceInfo& device,
                                                      PixelType type,
                                                      const Extent3& box) const override {
    std::vector<cuda::KernelName> all;
    if (how_ == Interpolation::cubic) {
      all = DeviceSpline::kernels(type, spline_axes());
      type = PixelType::float32;
    }
    const auto lookup = at_products_
                            ? at_products_->kernels(lookup_types(type))
                            : std::vector{kernel_for(type, shape_for(box, device.multiprocessors))};
    all.insert(all.end(), lookup.begin(), lookup.end());
    return all;
  }

  void prepare(const cuda::DeviceContext& gpu, PixelType type, const Extent3& box,
               const cuda::Stream& stream) override {
    if (how_ == Interpolation::cubic) {
      release();
      const SplineMemory room = spline_room(box);
      coefficients_ = {gpu.device.id, gpu.memory, room.coefficients, "coefficients"};
      working_ = {gpu.device.id, gpu.memory, room.working, "planes of coefficients"};
      spline_.emplace(gpu.device, type, boundary(), spline_axes());
      type = PixelType::float32;
    }
    if (uses_texture()) {
      release();
      const Extent3 most = most_held(box);
      if (!cuda::Texture::can_hold(type, most))
        throw InvalidSpec(fmt::format(
            "resample by textures: they hold voxels of type uint8, uint16 and float32, planes up "
            "to 65536x131072 and volumes up to 16384 along each axis, not {} of type {}; use "
            "another strategy",
            most, name_of(type)));
      texture_ = {gpu.device.id, gpu.memory, type, most};
    }
    counts_.prepare(gpu, stream);
    if (at_products_) return at_products_->prepare(gpu, lookup_types(type), box);
    if (warp_) warp_->prepare(gpu, stream);
    shape_ = shape_for(box, gpu.device.multiprocessors);
    kernel_ = device_library().kernel(gpu.device, kernel_for(type, shape_));
  }

  void enqueue_apply(const cuda::Stream& stream, const DeviceWindow& in, const Box3& box,
                     std::span<std::byte* const> out) override {
    if (how_ != Interpolation::cubic) {
      const Box3 held = uses_texture() ? fill_texture(stream, in, box) : in.box;
      return look_up(stream, in, {of_.image(), {0, 0, 0}, of_.image(), held, how_, whole()}, box,
                     out[0]);
    }
    const Box3 positions = of_.fitted(box);
    spline_->enqueue(stream, in, positions, static_cast<float>(of_.spec().fill),
                     coefficients_.data(), working_.data());
    const Index3& outside = of_.fitted_outside();
    const Extent3 extent{of_.image().z + 2 * outside.z, of_.image().y + 2 * outside.y,
                         of_.image().x + 2 * outside.x};
    const Box3 held = shifted(positions, outside);
    const auto* const voxels = reinterpret_cast<const std::byte*>(coefficients_.data());
    look_up(stream, {extent, held, PixelType::float32, voxels, in.travelled},
            {of_.image(), outside, extent, held, how_, whole()}, box, out[0]);
  }

  void finish(const cuda::Stream& stream) override {
    tell_(counts_.finish(stream));
    release();
  }

 private:
  [[nodiscard]] WholeAxes whole() const { return of_.map().whole_axes(); }
  [[nodiscard]] Boundary boundary() const { return boundary_of(of_.spec().outside); }
  [[nodiscard]] SplineAxes spline_axes() const { return {!whole().z, !whole().y}; }

  /// Returns the most that any of the boxes needs.
  [[nodiscard]] SplineMemory spline_room(const Extent3& box) const {
    SplineMemory room;
    if (how_ != Interpolation::cubic) return room;
    for_boxes(box, [&](const Box3& part) {
      const Box3 positions = of_.fitted(part);
      room += {volume(positions.size),
               DeviceSpline::working_floats(boundary(), spline_axes(), positions, of_.image())};
    });
    return room;
  }

  [[nodiscard]] bool uses_texture() const { return strategy_ == ResampleStrategy::texture; }
  [[nodiscard]] Extent3 most_held(const Extent3& box) const {
    Extent3 most{1, 1, 1};
    for_boxes(box, [&](const Box3& part) {
      const Extent3 held = of_.needs(part).size;
      most = {std::max(most.z, held.z), std::max(most.y, held.y), std::max(most.x, held.x)};
    });
    return most;
  }

  /// Calls `body` for the boxes that the result is cut into.
  template <class Body>
  void for_boxes(const Extent3& box, const Body& body) const {
    const Extent3& result = of_.spec().result;
    for (std::int64_t z = 0; z < result.z; z += box.z)
      for (std::int64_t y = 0; y < result.y; y += box.y)
        for (std::int64_t x = 0; x < result.x; x += box.x)
          body(intersection({{z, y, x}, box}, synthoscope::whole(result)));
  }

  /// Copies the part of a window that is needed. @returns the box that the texture then holds
  Box3 fill_texture(const cuda::Stream& stream, const DeviceWindow& in, const Box3& box) const {
    const Box3 held = of_.needs(box);
    const Index3& from = in.box.origin;
    texture_.enqueue_copy(stream, in.voxels, in.box.size, shifted(held, from, -1));
    return held;
  }

  void look_up(const cuda::Stream& stream, const DeviceWindow& in, const LookedUp& looked_up,
               const Box3& box, std::byte* out) {
    const ResampleSpec& spec = of_.spec();
    const auto axes = affine_ ? lookup_axes(*affine_, looked_up, box) : lookup_axes(looked_up);
    ResampleArguments a;
    a.in = held_voxels(in);
    a.out = made_voxels(box, out, counts_.data());
    a.z = axes[0];
    a.y = axes[1];
    a.x = axes[2];
    a.plane = in.box.size.y * in.box.size.x;
    a.row = static_cast<int>(in.box.size.x);
    a.first = in.voxels + size_of(in.type) * (a.z.first * a.plane + a.y.first * a.row + a.x.first);
    a.outside = static_cast<int>(spec.outside);
    a.fill = has_fill(spec.outside) ? spec.fill : 0;
    if (at_products_) return at_products_->enqueue(stream, a, size_of(spec.type));
    a.tiles_y = parts_of<std::int64_t>(box.size.y, rows_of(shape_));
    a.tiles_x = parts_of<std::int64_t>(box.size.x, columns_of(shape_));
    a.rows_each = shape_.rows;
    const cuda::LaunchShape launch{{a.tiles_x * a.tiles_y * box.size.z}, {32, kLookupWarps}, 0};
    if (warp_)
      warp_->launch(*kernel_, stream, launch, a, in.travelled);
    else if (uses_texture())
      kernel_->launch(stream, launch, a, texture_.handle(), texture_.is_plane());
    else
      kernel_->launch(stream, launch, a);
  }

  void release() {
    texture_ = {};
    coefficients_ = {};
    working_ = {};
    if (at_products_) at_products_->release();
    if (warp_) warp_->release();
  }

  [[nodiscard]] LookupShape shape_for(const Extent3& box, int multiprocessors) const {
    LookupShape shape = lookup_shape(of_.map(), how_, box, multiprocessors);
    if (strategy_ == ResampleStrategy::column) shape = column_shape(shape, how_);
    if (strategy_ == ResampleStrategy::tile) shape.rows = std::min(shape.rows, kTileRows);
    return shape;
  }

  [[nodiscard]] std::string source() const {
    if (warp_) return "resample/warp.cuh";
    const bool is_pixel = strategy_ == ResampleStrategy::pixel;
    return fmt::format("resample/{}.cuh", is_pixel ? "resample" : name_of(strategy_));
  }
  [[nodiscard]] std::string kernel_word() const {
    return fmt::format("resample_{}", warp_ ? "warp" : name_of(strategy_));
  }
  /// Returns the first template parameters of all kernels that look up voxels of a type.
  [[nodiscard]] std::string lookup_types(PixelType type) const {
    return fmt::format("{}, {}, {}, {}, {}", cuda_name(type), cuda_name(of_.spec().type),
                       taps_name(how_), taps_of(how_, whole().z).count,
                       taps_of(how_, whole().y).count);
  }
  [[nodiscard]] cuda::KernelName kernel_for(PixelType type, const LookupShape& shape) const {
    const std::string what = fmt::format("{}<{}", kernel_word(), lookup_types(type));
    const int blocks = blocks_at_once(how_, voxels_counted(how_, whole()), strategy_);
    if (warp_)
      return {source(), fmt::format("{}, {}, {}, {}, {}, {}>", what, warp_->name(), whole().z,
                                    shape.wide, shape.columns, kWarpBlocks)};
    if (strategy_ == ResampleStrategy::column)
      return {source(), fmt::format("{}, {}, {}>", what, shape.columns, blocks)};
    const Affine& map = affine_->affine();
    const std::string pixel =
        fmt::format("{}, {}, {}, {}, {}, {}", what, along_name(along_of(map, 0)),
                    along_name(along_of(map, 1)), shape.wide, shape.columns, blocks);
    if (strategy_ != ResampleStrategy::tile) return {source(), pixel + ">"};
    const std::int64_t copied = how_ == Interpolation::nearest ? size_of(type) : sizeof(float);
    return {source(), fmt::format("{}, {}>", pixel, kTileBytes / copied)};
  }

  const Resample& of_;
  const AffineMap* affine_;
  std::unique_ptr<DeviceWarp> warp_;
  Interpolation how_;
  ResampleStrategy strategy_;
  TellCounts tell_;
  LookupShape shape_;
  std::optional<cuda::GpuKernel> kernel_;
  std::optional<LookupAtProducts> at_products_;
  std::optional<DeviceSpline> spline_;
  cuda::DeviceBuffer<float> coefficients_, working_;
  cuda::Texture texture_;
  DeviceCounts counts_;
};

}  // namespace

std::unique_ptr<DeviceOperation> make_device_resample(const Resample& of, TellCounts tell) {
  const auto* const affine = dynamic_cast<const AffineMap*>(&of.map());
  std::unique_ptr<DeviceWarp> warp;
  if (!affine) {
    warp = make_device_warp(of.map());
    if (!warp || of.spec().strategy == ResampleStrategy::tile) return nullptr;
  }
  return std::make_unique<DeviceResample>(of, affine, std::move(warp), std::move(tell));
}

}  // namespace synthoscope::kernels::device
