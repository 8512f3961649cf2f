// SPDX-License-Identifier: MIT
#include "fftconv/planes/mean_removal.hpp"
#include <algorithm>
#include <vector>
#include "fftconv/kernel/kernel.hpp"
#include "fftconv/row_reading.hpp"

namespace synthoscope::fftconv {

BoxSums::BoxSums(const Kernel& kernel, const Problem& work, const WorkAxes& axes,
                 const RunContext& context)
    : extent_{axes.to_volume(kernel.voxels->extent())} {
  const Layout whole = make_layout(work, {1, 1, 2});
  z_ = whole.z, y_ = whole.y, x_ = whole.x;
  if (z_.boundary != Boundary::zero) {
    extent_ = {0, 0, 0};
    table_ = {context.memory, 1, "kernel sum"};
    table_.data()[0] =
        kernel.scale * summarize(*kernel.voxels, context.stop, kernel.background).sum;
    return;
  }
  const std::int64_t row = extent_.x + 1, plane_size = (extent_.y + 1) * row;
  table_ = {context.memory, (extent_.z + 1) * plane_size, "kernel box sums"};
  double* table = table_.data();
  std::fill_n(table, table_.count(), 0.0);

  // Each entry is the sum of all voxels before it: row sums plus the row above plus the plane below
  for (std::int64_t z = 0; z < extent_.z; ++z) {
    const Box3 box = axes.to_volume(plane(extent_, z));
    double* to = table + (z + 1) * plane_size;
    for_each_row(*kernel.voxels, box, context.stop, [&](auto, auto, const auto* voxel) {
      to += row;
      double in_row = 0;
      for (std::int64_t x = 0; x < extent_.x; ++x) {
        in_row += kernel.scale * (static_cast<double>(voxel[x]) - kernel.background);
        to[x + 1] =
            in_row + to[x + 1 - row] + to[x + 1 - plane_size] - to[x + 1 - plane_size - row];
      }
    });
  }
}

BoxSums::Span BoxSums::met(const AxisGeometry& axis, std::int64_t v) {
  // In convolution order voxel j + kernel_begin is at j + shift and meets image voxel v - (j +
  // shift), which must lie in [0, loaded)
  const std::int64_t first = std::max<std::int64_t>(0, v - axis.shift - (axis.loaded - 1));
  const std::int64_t last = std::min(axis.kernel_count - 1, v - axis.shift);
  const std::int64_t begin = axis.kernel_begin + first, end = axis.kernel_begin + last + 1;
  if (end <= begin) return {0, 0};
  return axis.flip ? Span{axis.kernel - end, axis.kernel - begin} : Span{begin, end};
}

double BoxSums::at(std::int64_t z, std::int64_t y, std::int64_t x) const {
  if (table_.count() == 1) return table_.data()[0];
  const Span a = met(z_, z), b = met(y_, y), c = met(x_, x);
  const auto face = [&](std::int64_t k) {
    return corner(k, b.end, c.end) - corner(k, b.begin, c.end) - corner(k, b.end, c.begin) +
           corner(k, b.begin, c.begin);
  };
  return face(a.end) - face(a.begin);
}

void BoxSums::fill_row(std::int64_t z, std::int64_t y, std::int64_t x,
                       std::span<double> sums) const {
  if (table_.count() == 1) {
    std::fill(sums.begin(), sums.end(), table_.data()[0]);
    return;
  }
  // Sums over z and y first: what is left is a sum along x from its ends
  const Span a = met(z_, z), b = met(y_, y);
  std::vector<double> before(static_cast<std::size_t>(extent_.x + 1));
  for (std::int64_t c = 0; c <= extent_.x; ++c) {
    const auto edge = [&](std::int64_t k) { return corner(k, b.end, c) - corner(k, b.begin, c); };
    before[static_cast<std::size_t>(c)] = edge(a.end) - edge(a.begin);
  }
  for (double& sum : sums) {
    const Span c = met(x_, x++);
    sum = before[static_cast<std::size_t>(c.end)] - before[static_cast<std::size_t>(c.begin)];
  }
}

namespace {

/// Mean of up to 16 planes spread over the image, to single precision: any constant would do,
/// because it is put back exactly.
double sampled_mean(Source& image, const StopFlag& stop) {
  const Extent3 e = image.extent();
  const std::int64_t step = std::max<std::int64_t>(1, e.z / 16);
  double sum = 0;
  std::int64_t count = 0;
  for (std::int64_t z = step / 2; z < e.z; z += step) {
    for_each_row(image, plane(e, z), stop, [&](auto, auto, const auto* row) {
      for (std::int64_t x = 0; x < e.x; ++x) sum += static_cast<double>(row[x]);
    });
    count += e.y * e.x;
  }
  return static_cast<float>(sum / static_cast<double>(count));
}

}  // namespace

MeanRemoval prepare_mean_removal(const Term& term, const Problem& work, const WorkAxes& axes,
                                 const RunContext& context) {
  MeanRemoval removal;
  if (!work.remove_mean) return removal;
  removal.response = std::make_unique<BoxSums>(term.kernel, work, axes, context);
  removal.mean = sampled_mean(*term.image, context.stop);
  return removal;
}

}  // namespace synthoscope::fftconv
