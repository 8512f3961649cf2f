// SPDX-License-Identifier: MIT
#include "fftconv/request.hpp"
#include <fmt/format.h>
#include "core/base/names.hpp"
#include "fftconv/axis.hpp"
#include "fftconv/machine.hpp"

namespace synthoscope::fftconv {
namespace {

constexpr NameTable<Shape, 3> kShapes{
    {{Shape::same, "same"}, {Shape::full, "full"}, {Shape::valid, "valid"}}};
constexpr NameTable<Precision, 2> kPrecisions{
    {{Precision::float32, "single"}, {Precision::float64, "double"}}};
constexpr NameTable<Strategy, 7> kStrategies{{{Strategy::automatic, "auto"},
                                              {Strategy::in_core, "in-core"},
                                              {Strategy::ring, "ring"},
                                              {Strategy::tiles, "tiles"},
                                              {Strategy::parts, "parts"},
                                              {Strategy::direct, "direct"},
                                              {Strategy::separable, "separable"}}};

/// Bytes of a voxel in all files of a result together.
constexpr std::int64_t kLargestStored = 64;

void require_valid_axis(const Problem& p, const char* name, const VolumeAxis& axis) {
  const std::int64_t image = p.image.*axis.size, kernel = p.kernel.*axis.size,
                     center = p.center.*axis.at;
  if (center < 0 || center >= kernel)
    throw InvalidSpec(
        fmt::format("convolve: the kernel's centre is at {} = {}, outside its {} voxels; give a "
                    "centre from 0 to {}",
                    name, center, kernel, kernel - 1));
  if (p.shape == Shape::valid && kernel > image)
    throw InvalidSpec(fmt::format(
        "convolve: shape valid needs a kernel no larger than the image, but along {} it has {} "
        "voxels and the image {}; use shape same or full, or swap the two",
        name, kernel, image));
  const Interval part{p.part.origin.*axis.at, p.part.size.*axis.size};
  const std::int64_t whole =
      axis_geometry(image, kernel, center, p.boundary, p.shape, p.correlate).wanted;
  if (part.first < 0 || part.count < 0 || part.count > whole || part.first > whole - part.count)
    throw InvalidSpec(
        fmt::format("convolve: along {} the wanted part of the result begins at {} and has {} "
                    "voxels, but the result has {}; give a part inside it",
                    name, part.first, part.count, whole));
}

constexpr NameTable<Place, 2> kPlaces{{{Place::host, "host"}, {Place::gpu, "GPU"}}};

}  // namespace

std::string_view name_of(Place place) {
  return name_in(kPlaces, place);
}
std::optional<Place> place_named(std::string_view name) {
  return named_in(kPlaces, name);
}
std::string_view name_of(Shape shape) {
  return name_in(kShapes, shape);
}
std::string_view name_of(Precision precision) {
  return name_in(kPrecisions, precision);
}
std::string_view name_of(Strategy strategy) {
  return name_in(kStrategies, strategy);
}
std::optional<Shape> shape_named(std::string_view name) {
  return named_in(kShapes, name);
}
std::optional<Precision> precision_named(std::string_view name) {
  return named_in(kPrecisions, name);
}
std::optional<Strategy> strategy_named(std::string_view name) {
  return named_in(kStrategies, name);
}

void require_valid(const Problem& p) {
  if (!is_positive(p.image) || !is_positive(p.kernel))
    throw InvalidSpec(fmt::format(
        "convolve: image {} and kernel {} (z, y, x) must have at least one voxel on every axis",
        p.image, p.kernel));
  if (p.shape == Shape::full && p.boundary != Boundary::zero)
    throw InvalidSpec(fmt::format(
        "convolve: shape full is defined for boundary zero only, not {}; use shape same",
        name_of(p.boundary)));
  if (p.terms < 1 || (p.remove_mean && p.terms > 1))
    throw InvalidSpec(fmt::format(
        "convolve: {} terms{}; give one or more, and only one if the mean is subtracted", p.terms,
        p.remove_mean ? " with the image mean subtracted" : ""));
  if (p.image_voxel_bytes < 0 || p.image_voxel_bytes > kLargestStored || p.result_voxel_bytes < 0 ||
      p.result_voxel_bytes > kLargestStored)
    throw InvalidSpec(
        fmt::format("convolve: {} bytes are read and {} written for a voxel; give 0 to {}",
                    p.image_voxel_bytes, p.result_voxel_bytes, kLargestStored));
  for (const std::int64_t bytes : {p.source_voxel_bytes, p.kernel_voxel_bytes, p.sink_voxel_bytes})
    if (bytes < 1 || bytes > kMaxVoxelBytes)
      throw InvalidSpec(fmt::format("convolve: a voxel has {} bytes in memory; give 1 to {}", bytes,
                                    kMaxVoxelBytes));
  if (p.gpu_stream_bytes < 0 || p.second_voxel_bytes < 0 || p.second_voxel_bytes > kMaxVoxelBytes)
    throw InvalidSpec(
        fmt::format("convolve: on a GPU sources and epilogues keep {} bytes, and {} are made for "
                    "each voxel; give 0 or more, and 0 to {}",
                    p.gpu_stream_bytes, p.second_voxel_bytes, kMaxVoxelBytes));
  require_valid_axis(p, "z", kAlongZ);
  require_valid_axis(p, "y", kAlongY);
  require_valid_axis(p, "x", kAlongX);
}

Extent3 output_extent(const Problem& p) {
  require_valid(p);
  return {axis_geometry(p, kAlongZ).wanted, axis_geometry(p, kAlongY).wanted,
          axis_geometry(p, kAlongX).wanted};
}

}  // namespace synthoscope::fftconv
