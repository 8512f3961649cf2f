// SPDX-License-Identifier: MIT
#include "kernels/resample/resample.hpp"
#include <algorithm>
#include <cmath>
#include "core/base/round_up.hpp"
#include "kernels/coordinates/affine.hpp"
#include "kernels/operation/scratch.hpp"
#include "kernels/resample/device_resample.hpp"
#include "kernels/resample/tile.hpp"
#include "kernels/splines/prefilter.hpp"

namespace synthoscope::kernels {
namespace {

bool is_diagonal(const CoordinateMap& map) {
  const auto* const affine = dynamic_cast<const AffineMap*>(&map);
  return affine && is_diagonal(affine->affine());
}

/// Returns for how many voxels outside each face coefficients are made: there the last voxels of
/// the image count together with values outside.
std::int64_t coefficients_outside(const ResampleSpec& spec) {
  const bool is_other_outside =
      spec.outside == Outside::nearest || spec.outside == Outside::grid_constant;
  return spec.interpolation == Interpolation::cubic && is_other_outside ? kSplineReach : 0;
}

bool holds_value(PixelType type, double value) {
  return visit_pixel_type(type, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_floating_point_v<T>) return true;
    return value >= static_cast<double>(std::numeric_limits<T>::min()) &&
           value <= static_cast<double>(std::numeric_limits<T>::max()) &&
           value == std::floor(value);
  });
}

SplineAxes spline_axes(const WholeAxes& whole) {
  return {!whole.z, !whole.y};
}

/// Calls `body` for the tiles of `box` with the position in the box and the size of each.
template <class Body>
void for_tiles(TaskPool& pool, const Extent3& box, const Extent3& tile, const Body& body) {
  const Extent3 n{parts_of(box.z, tile.z), parts_of(box.y, tile.y), parts_of(box.x, tile.x)};
  pool.for_each(volume(n), [&](std::int64_t i) {
    const Index3 at{i / n.x / n.y * tile.z, i / n.x % n.y * tile.y, i % n.x * tile.x};
    body(intersection({at, tile}, whole(box)));
  });
}

}  // namespace

Resample::Resample(const Extent3& image, std::shared_ptr<const CoordinateMap> map,
                   const ResampleSpec& spec)
    : image_{image}, map_{std::move(map)}, spec_{spec}, whole_{map_->whole_axes()} {
  if (!is_positive(image) || !is_positive(spec.result))
    throw InvalidSpec(fmt::format(
        "resample an image of {} to {}: both need at least a voxel along each axis; give the "
        "result another size",
        image, spec.result));
  if (has_fill(spec.outside) && !holds_value(spec.type, spec.fill))
    throw InvalidSpec(fmt::format(
        "fill the outside with {}: a result of type {} cannot hold this value; use another one",
        spec.fill, name_of(spec.type)));
  if (spec.strategy == ResampleStrategy::column && !is_diagonal(*map_))
    throw InvalidSpec(
        "resample by columns: the transformation mixes axes of the image, and columns are for axes "
        "that are only scaled and shifted; use the strategy auto, pixel or tile");
  if (spec.strategy == ResampleStrategy::texture &&
      (spec.interpolation != Interpolation::linear || !dynamic_cast<const AffineMap*>(map_.get())))
    throw InvalidSpec(
        "resample by textures: their units interpolate linearly, at coordinates of a matrix; use "
        "--order 1 without a warp, or the strategy auto");
  if (spec.coordinates != CoordinateProduct::fused) check_coordinates_of_planes();
  const std::int64_t beside = coefficients_outside(spec);
  outside_ = {whole_.z ? 0 : beside, whole_.y ? 0 : beside, beside};
  there_ = device::make_device_resample(*this, [this](const StoredCounts& counts) {
    clipped_ += counts.clipped;
    non_finite_ += counts.non_finite;
  });
}

void Resample::check_coordinates_of_planes() const {
  const auto* const affine = dynamic_cast<const AffineMap*>(map_.get());
  if (!affine || !keeps_planes(affine->affine()))
    throw InvalidSpec(fmt::format(
        "compute coordinates as a product of matrices, {}: the matrix must rotate, scale and shift "
        "all planes in the same way, each within itself; use coordinates fused",
        name_of(spec_.coordinates)));
  if (spec_.strategy != ResampleStrategy::automatic && spec_.strategy != ResampleStrategy::pixel)
    throw InvalidSpec(
        fmt::format("resample with coordinates {}: they are read voxel by voxel, but the strategy "
                    "{} computes its own; use the strategy pixel, or coordinates fused",
                    name_of(spec_.coordinates), name_of(spec_.strategy)));
}

Lookup Resample::lookup(const Window* voxels) const {
  return {*map_,  spec_.interpolation, spec_.outside,  spec_.fill, whole_, is_diagonal(*map_),
          image_, spec_.level,         spec_.strategy, outside_,   voxels};
}

Box3 Resample::fitted(const Box3& box) const {
  const Extent3 extent{image_.z + 2 * outside_.z, image_.y + 2 * outside_.y,
                       image_.x + 2 * outside_.x};
  const Box3 positions = shifted(positions_of(lookup(nullptr), box), outside_);
  return shifted(held_box(boundary_of(spec_.outside), positions, extent), outside_, -1);
}

Box3 Resample::needs(const Box3& box) const {
  const Box3 positions = spec_.interpolation == Interpolation::cubic
                             ? spline_positions(spline_axes(whole_), fitted(box))
                             : positions_of(lookup(nullptr), box);
  return held_box(boundary_of(spec_.outside), positions, image_);
}

std::int64_t Resample::working_bytes(const Extent3& box, int threads) const {
  const std::int64_t tiles = threads * tile_floats() * std::int64_t{sizeof(float)};
  if (spec_.interpolation != Interpolation::cubic) return tiles;
  std::int64_t most = 0, planes = 0;
  const auto& result = spec_.result;
  for (std::int64_t z = 0; z < result.z; z += box.z)
    for (std::int64_t y = 0; y < result.y; y += box.y)
      for (std::int64_t x = 0; x < result.x; x += box.x) {
        const Box3 positions = fitted(intersection({{z, y, x}, box}, whole(result)));
        const Box3 kept =
            spline_kept(boundary_of(spec_.outside), spline_axes(whole_), positions, image_);
        most = std::max(most, volume(kept.size));
        planes = std::max(planes, positions.size.z);
      }
  return tiles + most * std::int64_t{sizeof(float)} + spline_working_bytes(planes, threads);
}

void Resample::apply(const Window& in, const Box3& box, std::span<const VoxelView> out,
                     TaskPool& pool) {
  if (is_for_devices_alone())
    throw InvalidSpec(fmt::format(
        "resample by {}: only a GPU has them; give --gpus all, or the strategy auto and "
        "coordinates fused",
        spec_.strategy == ResampleStrategy::texture ? "textures" : "products of matrices"));
  if (spec_.interpolation != Interpolation::cubic) return make(lookup(&in), box, out[0], pool);
  const Boundary boundary = boundary_of(spec_.outside);
  const Box3 positions = fitted(box);
  const Box3 kept = spline_kept(boundary, spline_axes(whole_), positions, image_);
  Scratch memory{volume(kept.size)};
  const HostView3<float> coefficients{memory.data(), kept.size};
  fit_spline(in, boundary, spline_axes(whole_), positions, static_cast<float>(spec_.fill),
             coefficients, spec_.level, pool);
  const Window fitted_window{
      {image_.z + 2 * outside_.z, image_.y + 2 * outside_.y, image_.x + 2 * outside_.x},
      shifted(kept, outside_),
      HostView3<const float>{coefficients}};
  make(lookup(&fitted_window), box, out[0], pool);
}

void Resample::make(const Lookup& lookup, const Box3& box, VoxelView out, TaskPool& pool) {
  ThreadScratch scratch{tile_floats(), pool};
  for_tiles(pool, box.size, resample_tile(lookup, box.size), [&](const Box3& part) {
    const Box3 tile = shifted(part, box.origin);
    ResultRows rows{{&out, 1}, part, lookup.level};
    if (spec_.interpolation == Interpolation::nearest)
      copy_tile(lookup, tile, out, part.origin, rows);
    else
      make_tile(lookup, tile, scratch.mine(), rows);
    clipped_ += rows.counts().clipped;
    non_finite_ += rows.counts().non_finite;
  });
}

}  // namespace synthoscope::kernels
