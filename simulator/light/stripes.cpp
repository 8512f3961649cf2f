// SPDX-License-Identifier: MIT
#include "simulator/light/stripes.hpp"
#include <cmath>
#include <numbers>
#include "core/math/elementary.hpp"
#include "simulator/light/device_light.hpp"

namespace synthoscope::simulator {
namespace {

/// Returns the mean of cos(2 pi x) for x over a stretch of so many turns around 0.
double mean_cosine(double turns) {
  return turns == 0 ? 1 : portable::cosine_and_sine(turns / 2).sine / (std::numbers::pi * turns);
}

/// Contrasts of the stripes' orders 1 and 2 in light of three beams.
constexpr double kCoarseContrast = 4.0 / 3, kFineContrast = 2.0 / 3;

}  // namespace

RawPattern raw_pattern(const PatternSpec& pattern, const OpticsSpec& optics, std::int64_t frame) {
  const std::int64_t phases = pattern.phase_count();
  const auto part = [](std::int64_t i, std::int64_t of) {
    return static_cast<double>(i) / static_cast<double>(of);
  };
  RawPattern raw;
  raw.angle = frame / phases % pattern.angles;
  raw.phase = frame % phases;
  raw.angle_degrees = pattern.first_angle_degrees + 180 * part(raw.angle, pattern.angles);
  const double first_turns = pattern.first_phase_degrees / 360 + part(raw.phase, phases);
  const auto [x, y] = portable::cosine_and_sine(raw.angle_degrees / 360);
  const double period_um = pattern_period_um(pattern, optics);
  const bool has_three = pattern.kind == PatternKind::three_beam;
  raw.fine = {pattern.contrast * (has_three ? kFineContrast : 1),
              {y / period_um, x / period_um},
              (has_three ? 2 : 1) * first_turns};
  if (!has_three) return raw;
  raw.coarse = {
      pattern.contrast * kCoarseContrast, {y / (2 * period_um), x / (2 * period_um)}, first_turns};
  const double waves_per_um = optics.sample_index / um_from_nm(optics.excitation_nm);
  const double sine = 1 / (2 * period_um * waves_per_um);
  raw.axial_cycles_per_um = waves_per_um * (1 - std::sqrt(1 - sine * sine));
  return raw;
}

Stripes::Stripes(const Harmonic& harmonic, double mean, const Grid& grid, bool is_averaged)
    : mean_{mean}, rows_{grid.extent.y}, columns_{grid.extent.x} {
  const auto [ky, kx] = harmonic.cycles_per_um;
  const double turns_of_row = ky * grid.pitch.y_um, turns_of_column = kx * grid.pitch.x_um;
  const double contrast =
      harmonic.contrast *
      (is_averaged ? mean_cosine(turns_of_row) * mean_cosine(turns_of_column) : 1);
  values_.resize(static_cast<std::size_t>(2 * (rows_ + columns_)));
  // In half voxels from the middle of the field, which are whole numbers
  const auto fill = [](double* to, std::int64_t count, double turns, double phase, double times) {
    for (std::int64_t i = 0; i < count; ++i) {
      const auto [cosine, sine] =
          portable::cosine_and_sine(phase + turns / 2 * static_cast<double>(2 * i + 1 - count));
      to[i] = times * cosine;
      to[count + i] = times * sine;
    }
  };
  fill(values_.data(), rows_, turns_of_row, harmonic.phase_turns, contrast);
  fill(values_.data() + 2 * rows_, columns_, turns_of_column, 0, 1);
}

std::int64_t Stripes::bytes(const Grid& grid) {
  return 2 * (grid.extent.y + grid.extent.x) * std::int64_t{sizeof(double)};
}

PlainStripes Stripes::plain_of(const double* values) const {
  const double* const columns = values + 2 * rows_;
  return {mean_, values, values + rows_, columns, columns + columns_};
}

StripedSource::StripedSource(Source& inner, const Stripes& stripes)
    : inner_{inner}, stripes_{stripes} {}

void StripedSource::read(const Box3& box, VoxelView out) {
  inner_.read(box, out);
  const auto light = out.as<float>();
  const PlainStripes stripes = stripes_.plain();
  for (std::int64_t z = 0; z < box.size.z; ++z)
    for (std::int64_t y = 0; y < box.size.y; ++y) {
      float* const row = light.row(z, y);
      for (std::int64_t x = 0; x < box.size.x; ++x)
        row[x] = stripes.lit(row[x], box.origin.y + y, box.origin.x + x);
    }
}

std::unique_ptr<cuda::DeviceSource> StripedSource::make_on_device() {
  auto inner = inner_.make_on_device();
  return inner ? device::make_striped_light(std::move(inner), stripes_) : nullptr;
}

}  // namespace synthoscope::simulator
