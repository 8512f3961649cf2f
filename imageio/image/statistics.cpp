// SPDX-License-Identifier: MIT
#include "imageio/image/statistics.hpp"
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>
#include "core/run/host_buffer.hpp"

namespace synthoscope::imageio {
namespace {

constexpr std::int64_t kBandBytes = std::int64_t{8} << 20;

/// Count, mean and sum of squared distances from the mean of the finite voxels seen.
struct Moments {
  std::int64_t finite = 0, nonfinite = 0, nan = 0;
  double min = std::numeric_limits<double>::infinity();
  double max = -std::numeric_limits<double>::infinity();
  double mean = 0, squares = 0;
};

/// Two passes over a band that is in cache: the mean first keeps the squares free of cancellation.
template <class T>
Moments moments_of(const T* voxels, std::int64_t count) {
  Moments m;
  double sum = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto v = static_cast<double>(voxels[i]);
    if (!std::isfinite(v)) {
      m.nan += std::isnan(v) ? 1 : 0;
      continue;
    }
    ++m.finite;
    sum += v;
    m.min = std::min(m.min, v);
    m.max = std::max(m.max, v);
  }
  m.nonfinite = count - m.finite;
  if (m.finite == 0) return m;
  m.mean = sum / static_cast<double>(m.finite);
  for (std::int64_t i = 0; i < count; ++i) {
    const double d = static_cast<double>(voxels[i]) - m.mean;
    if (std::isfinite(d)) m.squares += d * d;
  }
  return m;
}

Moments joined(const Moments& a, const Moments& b) {
  Moments m;
  m.finite = a.finite + b.finite;
  m.nonfinite = a.nonfinite + b.nonfinite;
  m.nan = a.nan + b.nan;
  m.min = std::min(a.min, b.min);
  m.max = std::max(a.max, b.max);
  if (m.finite == 0) return m;
  const auto na = static_cast<double>(a.finite), nb = static_cast<double>(b.finite);
  const double d = b.mean - a.mean;
  m.mean = a.mean + d * (nb / (na + nb));
  m.squares = a.squares + b.squares + d * d * (na * nb / (na + nb));
  return m;
}

}  // namespace

Statistics statistics(Source& source, RunContext& context) {
  const Extent3 extent = source.extent();
  const std::int64_t row_bytes = extent.x * size_of(source.pixel_type());
  const std::int64_t rows = std::clamp<std::int64_t>(kBandBytes / row_bytes, 1, extent.y);
  const std::int64_t bands = (extent.y + rows - 1) / rows;

  // One buffer per thread, taken before the first read
  std::vector<HostBuffer<std::byte>> buffers;
  for (int i = 0; i < context.pool.threads(); ++i)
    buffers.emplace_back(context.memory, rows * row_bytes, "statistics");

  std::vector<Moments> parts(static_cast<std::size_t>(extent.z * bands));
  context.progress.begin("statistics", extent.z * bands);
  context.pool.for_each(extent.z * bands, [&](std::int64_t i) {
    context.stop.check();
    const std::int64_t y = i % bands * rows, height = std::min(rows, extent.y - y);
    const Box3 box{{i / bands, y, 0}, {1, height, extent.x}};
    std::byte* band = buffers[static_cast<std::size_t>(TaskPool::slot())].data();
    source.read(box, {band, source.pixel_type(), box.size});
    visit_pixel_type(source.pixel_type(), [&](auto zero) {
      parts[static_cast<std::size_t>(i)] =
          moments_of(reinterpret_cast<const decltype(zero)*>(band), height * extent.x);
    });
    context.progress.advance(1);
  });

  Moments all;
  for (const Moments& part : parts) all = joined(all, part);
  Statistics result;
  result.count = all.finite + all.nonfinite;
  result.nonfinite = all.nonfinite;
  result.nan = all.nan;
  if (all.finite == 0) return result;
  result.min = all.min;
  result.max = all.max;
  result.mean = all.mean;
  result.standard_deviation = std::sqrt(all.squares / static_cast<double>(all.finite));
  return result;
}

}  // namespace synthoscope::imageio
