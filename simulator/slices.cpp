// SPDX-License-Identifier: MIT
#include "simulator/slices.hpp"
#include <algorithm>
#include <cmath>
#include <cstddef>

namespace synthoscope::simulator {
namespace {

/// The voxels of a box as float, in the order z, y, x.
std::vector<float> read_floats(Source& source, const Box3& box) {
  std::vector<float> floats;
  visit_pixel_type(source.pixel_type(), [&](auto zero) {
    std::vector<decltype(zero)> native(static_cast<std::size_t>(volume(box.size)));
    source.read(box, VoxelView{HostView3<decltype(zero)>{native.data(), box.size}});
    floats.assign(native.begin(), native.end());
  });
  return floats;
}

std::size_t index_of(double position, std::int64_t count) {
  const double last = static_cast<double>(count - 1);
  return static_cast<std::size_t>(std::clamp(std::floor(position), 0.0, last));
}

}  // namespace

float Slice::nearest(double down_um, double right_um) const {
  const std::size_t row = index_of(down_um / row_um, rows);
  const std::size_t column = index_of(right_um / column_um, columns);
  return values[row * static_cast<std::size_t>(columns) + column];
}

double Slice::linear(double row, double column) const {
  row = std::clamp(row - 0.5, 0.0, static_cast<double>(rows - 1));
  column = std::clamp(column - 0.5, 0.0, static_cast<double>(columns - 1));
  const std::size_t r = index_of(row, rows), c = index_of(column, columns);
  const std::size_t below = std::min(r + 1, static_cast<std::size_t>(rows - 1));
  const std::size_t right = std::min(c + 1, static_cast<std::size_t>(columns - 1));
  const double down = row - static_cast<double>(r), across = column - static_cast<double>(c);
  const auto at = [&](std::size_t i, std::size_t j) {
    return static_cast<double>(values[i * static_cast<std::size_t>(columns) + j]);
  };
  return (1 - down) * ((1 - across) * at(r, c) + across * at(r, right)) +
         down * ((1 - across) * at(below, c) + across * at(below, right));
}

double Slice::smooth(double down_um, double right_um, double side_um) const {
  const auto points = [&](double voxel_um) {
    return static_cast<int>(std::clamp(std::ceil(side_um / voxel_um), 1.0, 16.0));
  };
  const int down = points(row_um), across = points(column_um);
  double sum = 0;
  for (int i = 0; i < down; ++i)
    for (int j = 0; j < across; ++j)
      sum += linear((down_um + side_um * ((i + 0.5) / down - 0.5)) / row_um,
                    (right_um + side_um * ((j + 0.5) / across - 0.5)) / column_um);
  return sum / (down * across);
}

Slices read_slices(Source& source, const VoxelSize& pitch, const Index3& at) {
  const Extent3 e = source.extent();
  Slices slices;
  slices.yx = {e.y, e.x, pitch.y_um, pitch.x_um, read_floats(source, plane(e, at.z))};
  slices.zx = {e.z, e.x, pitch.z_um, pitch.x_um,
               read_floats(source, {{0, at.y, 0}, {e.z, 1, e.x}})};
  const auto zy = read_floats(source, {{0, 0, at.x}, {e.z, e.y, 1}});
  slices.yz = {e.y, e.z, pitch.y_um, pitch.z_um, {}};
  slices.yz.values.reserve(zy.size());
  for (std::int64_t y = 0; y < e.y; ++y)
    for (std::int64_t z = 0; z < e.z; ++z)
      slices.yz.values.push_back(zy[static_cast<std::size_t>(z * e.y + y)]);
  return slices;
}

double quantile_of(const Slices& slices, double quantile) {
  std::vector<float> all = slices.yx.values;
  all.insert(all.end(), slices.zx.values.begin(), slices.zx.values.end());
  all.insert(all.end(), slices.yz.values.begin(), slices.yz.values.end());
  const auto place = static_cast<std::ptrdiff_t>(quantile * static_cast<double>(all.size() - 1));
  std::nth_element(all.begin(), all.begin() + place, all.end());
  return all[static_cast<std::size_t>(place)];
}

}  // namespace synthoscope::simulator
