// SPDX-License-Identifier: MIT
#include "tools/jobs/resample_maps.hpp"
#include <fmt/format.h>
#include <algorithm>
#include "kernels/coordinates/affine.hpp"
#include "tools/jobs/warp_files.hpp"
#include "tools/options/rows.hpp"
#include "tools/terminal/result.hpp"

namespace synthoscope::tools {
namespace {

using kernels::Affine;
using kernels::ResamplingGrid;

/// The voxel size of an image; 1 where a file does not say it.
VoxelSize pitch_of(const imageio::ImageInfo& image) {
  return {image.z_um.value_or(1), image.y_um.value_or(1), image.x_um.value_or(1)};
}

/// The same for maps that mix axes; all axes must be known.
VoxelSize pitch_of_mixed(const imageio::ImageInfo& image) {
  const bool knows_all = (image.z_um || image.extent.z == 1) && image.y_um && image.x_um;
  return knows_all ? pitch_of(image) : VoxelSize{1, 1, 1};
}

void require_pitch(const imageio::ImageInfo& image, std::string_view option) {
  const bool knows_z = image.z_um || (image.extent.z == 1 && option != "deskew");
  if (!knows_z || !image.y_um || !image.x_um)
    throw InvalidSpec(fmt::format(
        "resample {} by --{}: the file does not give the size of its voxels; set it in the file "
        "(in Fiji: Image > Properties), or use --scale or --matrix, which do not need it",
        image.path.string(), option));
}

Affine matrix_of(std::string_view text) {
  const auto a = parse_reals(text);
  if (a.size() == 6) return {{{{1, 0, 0, 0}, {0, a[0], a[1], a[2]}, {0, a[3], a[4], a[5]}}}};
  if (a.size() != 12)
    throw InvalidSpec(fmt::format(
        "'{}' has {} numbers; write the 6 of a matrix for y and x, or the 12 of one for z, y, x",
        text, a.size()));
  Affine affine;
  for (std::size_t i = 0; i < 12; ++i) affine.rows[i / 4][i % 4] = a[i];
  return affine;
}

kernels::ProjectiveMap::Matrix homography_of(std::string_view text) {
  const auto p = parse_reals(text);
  if (p.size() != 9)
    throw InvalidSpec(
        fmt::format("'{}' has {} numbers; write the 9 of a homography row by row", text, p.size()));
  return {{{1, 0, 0, 0}, {0, p[0], p[1], p[2]}, {0, p[3], p[4], p[5]}, {0, p[6], p[7], p[8]}}};
}

/// One value, or one for each of z, y and x.
std::vector<double> factors_in(std::string_view text) {
  auto factors = parse_reals(text);
  if (factors.size() != 1 && factors.size() != 3)
    throw InvalidSpec(fmt::format("'{}' has {} numbers; write one, or three for z, y and x", text,
                                  factors.size()));
  for (const double factor : factors)
    if (!(factor > 0))
      throw InvalidSpec(
          fmt::format("'{}' has a factor of {}; write factors above 0", text, factor));
  return factors;
}

/// Images of single planes are not scaled along z.
ResamplingGrid scaled(const imageio::ImageInfo& image, std::string_view text) {
  const auto f = factors_in(text);
  const kernels::Coordinate3 factor =
      f.size() == 3 ? kernels::Coordinate3{f[0], f[1], f[2]}
                    : kernels::Coordinate3{image.extent.z == 1 ? 1 : f[0], f[0], f[0]};
  return kernels::enlarged(image.extent, pitch_of(image), factor);
}

ResamplingGrid spaced(const imageio::ImageInfo& image, VoxelSize wanted) {
  if (image.extent.z == 1) wanted.z_um = pitch_of(image).z_um;
  return kernels::respaced(image.extent, pitch_of(image), wanted);
}

ResamplingGrid isotropic(const imageio::ImageInfo& image) {
  const VoxelSize pitch = pitch_of(image);
  double side = std::min(pitch.y_um, pitch.x_um);
  if (image.extent.z > 1) side = std::min(side, pitch.z_um);
  return spaced(image, {side, side, side});
}

struct Turn {
  double degrees;
  char axis;
};

/// "30,y"; across z where no axis is named.
Turn turn_in(std::string_view text) {
  const auto comma = text.find(',');
  const std::string_view axis = comma == text.npos ? "z" : text.substr(comma + 1);
  if (axis != "z" && axis != "y" && axis != "x")
    throw InvalidSpec(fmt::format("'{}' is not an axis of rotation; write z, y or x", axis));
  return {parse_real(text.substr(0, comma)), axis[0]};
}

ResamplingGrid rotated(const imageio::ImageInfo& image, std::string_view text,
                       const Extent3& result) {
  const auto [degrees, axis] = turn_in(text);
  if (axis != 'z' && image.extent.z == 1)
    throw InvalidSpec(fmt::format(
        "resample: rotation about {} moves the voxels of a single plane out of it; rotate about z",
        axis));
  return kernels::turned(image.extent, pitch_of_mixed(image), 2 - (axis - 'x'), degrees, result);
}

ResamplingGrid grid_of(const MapOption& option, const imageio::ImageInfo& image,
                       const Extent3& result) {
  if (option.name == "matrix")
    return kernels::by_matrix(pitch_of_mixed(image), matrix_of(option.text), result);
  if (option.name == "rotate") return rotated(image, option.text, result);
  if (option.name == "scale") return scaled(image, option.text);
  require_pitch(image, option.name);
  if (option.name == "spacing") return spaced(image, parse_voxel_size(option.text));
  if (option.name == "isotropic") return isotropic(image);
  return kernels::deskewed(image.extent, pitch_of(image), parse_real(option.text));
}

std::shared_ptr<const kernels::CoordinateMap> bent_by(const std::filesystem::path& path) {
  const auto landmarks = read_landmarks(path);
  try {
    return std::make_shared<kernels::ThinPlateMap>(landmarks);
  } catch (const InvalidSpec& wrong) {
    throw InvalidSpec(fmt::format("resample: --landmarks {}: {}", path.string(), wrong.what()));
  }
}

void displace_by(const std::filesystem::path& path, const imageio::OpenOptions& options,
                 KernelJob& job, MapInUse& map) {
  map.field = read_displacements(path, options, map.extent, job.context());
  const auto view = [&](const HostBuffer<float>& axis) {
    return axis.data() ? HostView3<const float>{axis.data(), map.extent} : HostView3<const float>{};
  };
  map.field_memory = job.context().memory.reserve(kernels::DisplacementMap::kept_bytes(map.extent),
                                                  "bounds of displacements");
  const auto& [z, y, x] = map.field;
  map.map = std::make_shared<kernels::DisplacementMap>(view(z), view(y), view(x));
}

}  // namespace

void describe_maps(OptionTable& table, std::vector<MapOption>& given) {
  table.group("Transformation: one of these");
  // What is wrong with a text alone is found while the option is at hand
  using Check = void (*)(std::string_view text);
  const auto add = [&](
                       const std::string& name, std::string value, std::string unit,
                       std::string help, Check check = [](std::string_view) {}) {
    const auto take = [&given, name, check](std::string_view text) {
      check(text);
      given.push_back({name, std::string{text}});
    };
    Option row{name, std::move(value), "", std::move(unit), std::move(help), take};
    row.is_path = row.value == "CSV" || row.value == "FILE";
    table.add(std::move(row));
  };
  add("matrix", "A,A,...", "voxels",
      "coordinate = A voxel + b, from the result to the image, row by row with b at the end of "
      "each: 2x3 numbers for y and x of every plane, or 3x4 for z, y and x",
      [](std::string_view text) { matrix_of(text); });
  add("rotate", "DEGREES[,AXIS]", "",
      "rotate about the centre, around the axis z (default), y or x, as scipy.ndimage.rotate with "
      "reshape=False: the size does not change, and corners are cut off; if the file has a voxel "
      "size, the angle is measured in space",
      [](std::string_view text) { turn_in(text); });
  add("scale", "F|Z,Y,X", "",
      "zoom: F times as many voxels along each axis, covering the same space",
      [](std::string_view text) { factors_in(text); });
  add("spacing", "Z,Y,X", "um", "voxels of this size, covering the same space",
      [](std::string_view text) { parse_voxel_size(text); });
  add("isotropic", "", "",
      "cubic voxels with the smallest side of the image's voxels, covering the same space");
  add("deskew", "DEGREES", "",
      "deskew planes of a light sheet at this angle to the stage, which moves by the file's voxel "
      "size in z from plane to plane; the result has cubic voxels with the file's voxel size in x",
      [](std::string_view text) { parse_real(text); });
  add("homography", "P,P,...", "voxels",
      "3x3 numbers, row by row, for y, x and 1: the view of a flat sample at an angle, from the "
      "result to the image",
      [](std::string_view text) { kernels::ProjectiveMap{homography_of(text)}; });
  add("landmarks", "CSV", "",
      "thin-plate spline through landmarks: each line has a position y,x in the result and the "
      "matching position in the image, or z,y,x of both, in voxels; a first line that begins with "
      "a letter names the columns, lines that begin with # are comments");
  add("displacement", "FILE", "",
      "a stack of the result's size with one channel each for y and x, or z, y and x: the "
      "displacement from each voxel to its position in the image, in voxels");
}

const MapOption& the_map(const std::vector<MapOption>& given) {
  if (given.size() == 1) return given[0];
  throw InvalidSpec(fmt::format(
      "resample: {}; give one option that determines where voxels are looked up, such as --rotate "
      "30",
      given.empty() ? std::string{"nothing says how"}
                    : fmt::format("--{} and --{} are given", given[0].name, given[1].name)));
}

bool is_same_space(const MapOption& option) {
  return option.name == "scale" || option.name == "spacing" || option.name == "isotropic";
}

bool names_file(const MapOption& option) {
  return option.name == "landmarks" || option.name == "displacement";
}

MapInUse open_map(const MapOption& option, const std::optional<Extent3>& size,
                  const imageio::OpenOptions& limits, KernelJob& job) {
  const imageio::ImageInfo& image = job.image();
  MapInUse map;
  map.extent = size.value_or(image.extent);
  map.pitch = {image.z_um, image.y_um, image.x_um};
  if (option.name == "homography") {
    map.map = std::make_shared<kernels::ProjectiveMap>(homography_of(option.text));
  } else if (option.name == "landmarks") {
    job.add_inputs(option.name, {option.text});
    map.map = bent_by(option.text);
  } else if (option.name == "displacement") {
    job.add_inputs(option.name, {option.text});
    displace_by(option.text, limits, job, map);
  } else {
    const ResamplingGrid grid = grid_of(option, image, map.extent);
    if (!size) map.extent = grid.extent;
    map.map = std::make_shared<kernels::AffineMap>(grid.affine);
    if (image.z_um) map.pitch.z_um = grid.pitch.z_um;
    if (image.y_um) map.pitch.y_um = grid.pitch.y_um;
    if (image.x_um) map.pitch.x_um = grid.pitch.x_um;
  }
  return map;
}

}  // namespace synthoscope::tools
