// SPDX-License-Identifier: MIT
#include "simulator/pictures/slices.hpp"
#include <algorithm>
#include <cmath>
#include <cstddef>
#include "simulator/pictures/samples.hpp"

namespace synthoscope::simulator {
namespace {

/// Rows of a slice that a thread reads at once, so that packed chunks are unpacked for many of
/// them: 64 or what 256 KiB hold, and one at least.
struct RowsTogether {
  const Samples &rows, &columns;

  [[nodiscard]] std::int64_t count() const {
    constexpr std::int64_t kBytes = std::int64_t{1} << 18, kMost = 64;
    return std::clamp<std::int64_t>(kBytes / (row_bytes() * rows.step), 1,
                                    std::min(kMost, rows.count));
  }
  [[nodiscard]] std::int64_t bytes() const { return ((count() - 1) * rows.step + 1) * row_bytes(); }

 private:
  [[nodiscard]] std::int64_t row_bytes() const {
    return columns.size * std::int64_t{sizeof(double)};  // of the largest type
  }
};

/// Reads the rows of a slice; `lines(first, count)` is the box of the voxels of some of them.
template <class Lines>
std::vector<float> read_lines(Source& source, const Samples& rows, const Samples& columns,
                              TaskPool& pool, Lines&& lines) {
  std::vector<float> floats(static_cast<std::size_t>(rows.count * columns.count));
  const auto read_rows = [&](std::int64_t begin, std::int64_t end, auto zero) {
    const std::int64_t first = rows.at(begin);
    const Box3 box = lines(first, rows.at(end - 1) + 1 - first);
    std::vector<decltype(zero)> native(static_cast<std::size_t>(volume(box.size)));
    source.read(box, VoxelView{HostView3<decltype(zero)>{native.data(), box.size}});
    for (std::int64_t row = begin; row < end; ++row) {
      const auto* const from = native.data() + (rows.at(row) - first) * columns.size;
      float* const to = floats.data() + row * columns.count;
      for (std::int64_t i = 0; i < columns.count; ++i)
        to[i] = static_cast<float>(from[columns.at(i)]);
    }
  };
  visit_pixel_type(source.pixel_type(), [&](auto zero) {
    pool.for_ranges(rows.count, RowsTogether{rows, columns}.count(),
                    [&](std::int64_t begin, std::int64_t end) { read_rows(begin, end, zero); });
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

std::int64_t slices_bytes(const Extent3& volume) {
  const std::int64_t z = Samples{volume.z}.count, y = Samples{volume.y}.count,
                     x = Samples{volume.x}.count;
  return (y * x + z * x + y * z) * std::int64_t{sizeof(float)};
}

std::int64_t slices_reading_bytes(const Extent3& volume, int threads) {
  const Samples z{volume.z}, y{volume.y}, x{volume.x};
  return threads * std::max({RowsTogether{y, x}.bytes(), RowsTogether{z, x}.bytes(),
                             RowsTogether{z, y}.bytes()});
}

Slices read_slices(Source& source, const VoxelSize& pitch, const Index3& at, TaskPool& pool) {
  const Extent3 e = source.extent();
  const Samples z{e.z}, y{e.y}, x{e.x};
  const double z_um = z.um(pitch.z_um), y_um = y.um(pitch.y_um), x_um = x.um(pitch.x_um);
  Slices slices;
  slices.yx = {y.count, x.count, y_um, x_um,
               read_lines(source, y, x, pool, [&](std::int64_t row, std::int64_t n) {
                 return Box3{{at.z, row, 0}, {1, n, e.x}};
               })};
  slices.zx = {z.count, x.count, z_um, x_um,
               read_lines(source, z, x, pool, [&](std::int64_t row, std::int64_t n) {
                 return Box3{{row, at.y, 0}, {n, 1, e.x}};
               })};
  const auto zy = read_lines(source, z, y, pool, [&](std::int64_t row, std::int64_t n) {
    return Box3{{row, 0, at.x}, {n, e.y, 1}};
  });
  slices.yz = {y.count, z.count, y_um, z_um, {}};
  slices.yz.values.reserve(zy.size());
  for (std::int64_t row = 0; row < y.count; ++row)
    for (std::int64_t column = 0; column < z.count; ++column)
      slices.yz.values.push_back(zy[static_cast<std::size_t>(column * y.count + row)]);
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
