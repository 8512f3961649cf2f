// SPDX-License-Identifier: MIT
#include "score/images/fourier_pair.hpp"
#include <algorithm>
#include <cmath>
#include <numbers>
#include "core/base/round_up.hpp"

namespace synthoscope::score {
namespace {

/// Doubles of a row of a spectrum: whole elements.
std::int64_t row_doubles_of(std::int64_t width) {
  return 2 * round_up(width, FourierLines::lanes());
}

/// Rows that a thread reads at a time: whole groups of lanes.
std::int64_t fourier_band_rows(const Extent3& extent) {
  constexpr std::int64_t kVoxels = std::int64_t{1} << 16;
  const std::int64_t lanes = FourierLines::lanes();
  return std::clamp(kVoxels / extent.x / lanes * lanes, lanes, round_up(extent.y, lanes));
}

/// Doubles that the longest line works in, at most (FourierLines::work_doubles).
std::int64_t most_line_work(const Extent3& extent) {
  constexpr std::int64_t kPadded = 5;  // of 2 length - 1, and of its padding, which is short
  return 2 * kPadded * std::max({extent.z, extent.y, extent.x}) * 2 * FourierLines::lanes();
}

std::vector<std::int64_t> element_offsets(std::int64_t count, std::int64_t apart) {
  std::vector<std::int64_t> offsets(as_index(count));
  for (std::int64_t e = 0; e < count; ++e) offsets[as_index(e)] = e * apart;
  return offsets;
}

/// Returns which element holds each frequency.
std::vector<std::int64_t> frequency_places(const FourierLines& lines) {
  const auto& frequencies = lines.frequencies();
  std::vector<std::int64_t> places(frequencies.size());
  for (std::size_t e = 0; e < places.size(); ++e)
    places[as_index(frequencies[e])] = static_cast<std::int64_t>(e);
  return places;
}

}  // namespace

std::vector<double> window_weights(FourierWindow window, std::int64_t length) {
  std::vector<double> weights(as_index(length), 1);
  if (length == 1 || window == FourierWindow::none) return weights;
  // The part of the axis, from each side, on which the weight rises from 0 to 1
  const double part = window == FourierWindow::hann ? 0.5 : 0.125;
  for (std::int64_t i = 0; i < length; ++i) {
    const double u =
        (static_cast<double>(std::min(i, length - 1 - i)) + 0.5) / static_cast<double>(length);
    const double rise = std::sin(0.5 * std::numbers::pi * std::min(1.0, u / part));
    weights[as_index(i)] = rise * rise;
  }
  return weights;
}

FourierPair::FourierPair(const ScoredImage& truth, const ScoredImage& result, const Extent3& extent,
                         Of of, FourierWindow window, const RunContext& context)
    : context_{context},
      extent_{extent},
      of_{of},
      row_doubles_{row_doubles_of(extent.x)},
      band_rows_{fourier_band_rows(extent)},
      x_{extent.x},
      y_{extent.y},
      z_{of == Of::volume ? extent.z : 1},
      x_weights_{window_weights(window, extent.x)},
      y_weights_{window_weights(window, extent.y)},
      z_weights_{window_weights(of == Of::volume ? window : FourierWindow::none, extent.z)},
      x_offsets_{element_offsets(extent.x, 2 * FourierLines::lanes())},
      y_offsets_{element_offsets(extent.y, row_doubles_)},
      z_offsets_{element_offsets(extent.z, extent.y * row_doubles_)},
      x_places_{frequency_places(x_)},
      y_places_{frequency_places(y_)},
      z_places_{frequency_places(z_)},
      spectrum_{context.memory, extent.z * extent.y * row_doubles_, "Fourier transforms"} {
  const std::int64_t lanes = FourierLines::lanes();
  for (std::int64_t& place : x_places_) place = place / lanes * 2 * lanes + place % lanes;
  const std::int64_t voxels = band_rows_ * extent.x;
  const std::int64_t work = std::max({x_.work_doubles(), y_.work_doubles(), z_.work_doubles()});
  for (int i = 0; i < context.pool.threads(); ++i)
    scratch_.push_back({{truth, result, voxels, context.memory},
                        {context.memory, voxels, "rows to transform"},
                        {context.memory, voxels, "rows to transform"},
                        {context.memory, 2 * lanes * extent.x, "a line to transform"},
                        {context.memory, work, "a line to transform"}});
}

std::int64_t FourierPair::bytes(const ScoredImage& truth, const ScoredImage& result,
                                const Extent3& extent, int threads) {
  const std::int64_t native =
      size_of(truth.voxels.pixel_type()) + size_of(result.voxels.pixel_type());
  const std::int64_t of_thread = fourier_band_rows(extent) * extent.x * (native + 16) +
                                 16 * FourierLines::lanes() * extent.x + 8 * most_line_work(extent);
  return volume({extent.z, extent.y, 8 * row_doubles_of(extent.x)}) + threads * of_thread;
}

void FourierPair::transform(std::int64_t first, std::int64_t planes,
                            const std::vector<Levels>& levels) {
  // Along x, as rows are read
  const std::int64_t bands = parts_of(extent_.y, band_rows_);
  context_.pool.for_each(planes * bands, [&](std::int64_t i) {
    context_.stop.check();
    const std::int64_t plane = i / bands, y = i % bands * band_rows_;
    transform_rows({{first + plane, y, 0}, {1, std::min(band_rows_, extent_.y - y), extent_.x}},
                   plane, levels[as_index(plane) % levels.size()],
                   scratch_[as_index(TaskPool::slot())]);
  });

  // Along y
  context_.pool.for_each(planes, [&](std::int64_t plane) {
    context_.stop.check();
    transform_columns(y_, y_offsets_, spectrum_.data() + plane * extent_.y * row_doubles_,
                      scratch_[as_index(TaskPool::slot())]);
  });
  if (of_ == Of::planes) return;

  // Along z
  context_.pool.for_each(extent_.y, [&](std::int64_t y) {
    context_.stop.check();
    transform_columns(z_, z_offsets_, spectrum_.data() + y * row_doubles_,
                      scratch_[as_index(TaskPool::slot())]);
  });
}

void FourierPair::transform_rows(const Box3& box, std::int64_t plane, const Levels& levels,
                                 Scratch& scratch) {
  scratch.reader.truth.read(box, scratch.truth.data());
  scratch.reader.result.read(box, scratch.result.data());
  const std::int64_t lanes = FourierLines::lanes(), element = 2 * lanes, width = extent_.x;
  double* const line = scratch.line.data();
  for (std::int64_t first = 0; first < box.size.y; first += lanes) {
    const std::int64_t rows = std::min(lanes, box.size.y - first);
    std::fill_n(line, width * element, 0.0);

    // A row is a lane: the truth its real parts, the result its imaginary ones
    for (std::int64_t row = 0; row < rows; ++row) {
      const double* const truth = scratch.truth.data() + (first + row) * width;
      const double* const result = scratch.result.data() + (first + row) * width;
      const double weight = y_weights_[as_index(box.origin.y + first + row)] *
                            z_weights_[as_index(of_ == Of::volume ? plane : 0)];
      for (std::int64_t x = 0; x < width; ++x) {
        const double w = weight * x_weights_[as_index(x)];
        line[x * element + row] = (truth[x] - levels.truth_mean) * levels.truth_scale * w;
        line[x * element + lanes + row] =
            (result[x] - levels.result_mean) * levels.result_scale * w;
      }
    }
    x_.transform(line, x_offsets_.data(), scratch.work.data());

    // In the spectrum, a lane is a frequency
    for (std::int64_t row = 0; row < rows; ++row) {
      double* const out =
          spectrum_.data() + (plane * extent_.y + box.origin.y + first + row) * row_doubles_;
      std::fill_n(out + row_doubles_ - element, element, 0.0);
      for (std::int64_t x = 0; x < width; ++x) {
        double* const at = out + x / lanes * element + x % lanes;
        at[0] = line[x * element + row];
        at[lanes] = line[x * element + lanes + row];
      }
    }
  }
}

void FourierPair::transform_columns(const FourierLines& lines,
                                    const std::vector<std::int64_t>& offsets, double* first,
                                    const Scratch& scratch) const {
  for (std::int64_t x = 0; x < row_doubles_; x += 2 * FourierLines::lanes())
    lines.transform(first + x, offsets.data(), scratch.work.data());
}

}  // namespace synthoscope::score
