// SPDX-License-Identifier: MIT
#include "simulator/light/background.hpp"
#include <algorithm>
#include <array>
#include <cmath>
#include "core/math/random.hpp"
#include "simulator/base/normal_quantile.hpp"

namespace synthoscope::simulator {
namespace {

constexpr int kWaves = 64;

/// Returns the standard deviation of the logarithm of a log-normal factor of mean 1.
double log_deviation(double deviation) {
  return std::sqrt(portable::log(1 + deviation * deviation));
}

/// Appends the tables of the waves of a field.
/// @param lengths_um  correlation lengths along z, y and x
void add_waves(const RandomStream& stream, std::uint16_t draw,
               const std::array<double, 3>& lengths_um, double log_deviation, const Grid& grid,
               std::vector<double>& tables) {
  const double amplitude = log_deviation * std::sqrt(2.0 / kWaves);
  const std::array<std::int64_t, 3> counts{grid.extent.z, grid.extent.y, grid.extent.x};
  const std::array<double, 3> pitch{grid.pitch.z_um, grid.pitch.y_um, grid.pitch.x_um};
  constexpr double kTwoPi = 6.283185307179586;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto begin = tables.size();
    const auto count = static_cast<std::size_t>(counts[axis]);
    tables.resize(begin + 2 * kWaves * count);
    for (std::size_t i = 0; i < kWaves; ++i) {
      const auto words = stream.block(i, draw);
      const double turns_per_um =
          normal_quantile(uniform32(words[axis])) / (kTwoPi * lengths_um[axis]);
      const double phase = axis == 0 ? uniform32(words[3]) : 0;
      const double scale = axis == 0 ? amplitude : 1;
      for (std::size_t k = 0; k < count; ++k) {
        const double um = (static_cast<double>(k) + 0.5) * pitch[axis];
        const auto [cosine, sine] = portable::cosine_and_sine(turns_per_um * um + phase);
        tables[begin + i * count + k] = scale * cosine;
        tables[begin + (kWaves + i) * count + k] = scale * sine;
      }
    }
  }
}

/// Appends the parts of the gradient in each row and in each column: together from -1/2 to 1/2
/// times the gradient, between the two corners of the field that are farthest along its direction.
void add_gradient(const BackgroundSpec& spec, const Grid& grid, std::vector<double>& values) {
  const auto [cosine, sine] = portable::cosine_and_sine(spec.gradient_degrees / 360);
  const double height = static_cast<double>(grid.extent.y) * grid.pitch.y_um,
               width = static_cast<double>(grid.extent.x) * grid.pitch.x_um;
  const double across = std::abs(sine) * height + std::abs(cosine) * width;
  const auto add = [&](std::int64_t count, double pitch_um, double along) {
    for (std::int64_t i = 0; i < count; ++i) {
      const double um = (static_cast<double>(2 * i + 1 - count)) / 2 * pitch_um;
      values.push_back(spec.gradient * along * um / across);
    }
  };
  add(grid.extent.y, grid.pitch.y_um, sine);
  add(grid.extent.x, grid.pitch.x_um, cosine);
}

}  // namespace

Background::Background(double photons, const BackgroundSpec& spec, const LensGrain& lens,
                       const Grid& grid, std::uint64_t seed)
    : photons_{photons},
      extent_{grid.extent},
      field_waves_{spec.field_deviation > 0 ? kWaves : 0},
      grain_waves_{spec.grain_deviation > 0 ? kWaves : 0} {
  if (photons == 0 || !varies(spec)) return;
  values_.reserve(static_cast<std::size_t>(bytes(spec, grid.extent)) / sizeof(double));
  add_gradient(spec, grid, values_);
  const RandomStream stream{seed, RandomStage::background};
  const double of_field = log_deviation(spec.field_deviation),
               of_grain = log_deviation(spec.grain_deviation);
  log_mean_ = (of_field * of_field + of_grain * of_grain) / 2;
  if (field_waves_ > 0)
    add_waves(stream, 0, {spec.field_um, spec.field_um, spec.field_um}, of_field, grid, values_);
  if (grain_waves_ > 0) {
    const auto length = [&](double of_lens) {
      return std::sqrt(spec.grain_um * spec.grain_um + of_lens * of_lens);
    };
    const double across = length(lens.lateral_um);
    add_waves(stream, 1, {length(lens.axial_um), across, across}, of_grain, grid, values_);
  }
}

std::int64_t Background::bytes(const BackgroundSpec& spec, const Extent3& extent) {
  if (!varies(spec)) return 0;
  const std::int64_t tables =
      PlainWaves::values(kWaves, extent.z, extent.y, extent.x) *
      ((spec.field_deviation > 0 ? 1 : 0) + (spec.grain_deviation > 0 ? 1 : 0));
  return (extent.y + extent.x + tables) * std::int64_t{sizeof(double)};
}

PlainBackground Background::plain_of(const double* values) const {
  PlainBackground plain;
  plain.photons = photons_;
  if (is_even()) return plain;
  plain.down = values;
  plain.right = values + extent_.y;
  plain.log_mean = log_mean_;
  const double* next = values + extent_.y + extent_.x;
  const auto waves = [&](int count) {
    const PlainWaves its{count, extent_.z, extent_.y, extent_.x, next};
    next += PlainWaves::values(count, extent_.z, extent_.y, extent_.x);
    return its;
  };
  plain.field = waves(field_waves_);
  plain.grain = waves(grain_waves_);
  return plain;
}

void Background::row(std::int64_t z, std::int64_t y, std::int64_t x, std::int64_t count,
                     double* out) const {
  if (is_even()) {
    std::fill_n(out, count, photons_);
    return;
  }
  const PlainBackground plain = this->plain();
  constexpr std::int64_t kPiece = 256;  // of a row, so that nothing is allocated
  std::array<double, kPiece> grain{};
  for (std::int64_t done = 0; done < count; done += kPiece) {
    const std::int64_t some = std::min(kPiece, count - done), first = x + done;
    const auto sum = [&](const PlainWaves& waves, double* sums) {
      std::fill_n(sums, some, 0.0);
      for (int i = 0; i < waves.count; ++i) {
        const auto [cosine, sine] = waves.of_row(i, z, y);
        const double* const cosines = waves.cosines_x(i) + first;
        const double* const sines = waves.sines_x(i) + first;
        for (std::int64_t k = 0; k < some; ++k) sums[k] += cosine * cosines[k] - sine * sines[k];
      }
    };
    sum(plain.field, out + done);
    sum(plain.grain, grain.data());
    for (std::int64_t k = 0; k < some; ++k)
      out[done + k] = plain.with(out[done + k] + grain[static_cast<std::size_t>(k)], y, first + k);
  }
}

}  // namespace synthoscope::simulator
