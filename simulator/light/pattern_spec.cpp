// SPDX-License-Identifier: MIT
#include "simulator/light/pattern_spec.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include "core/base/error.hpp"
#include "simulator/base/range_check.hpp"
#include "simulator/light/light_keys.hpp"
#include "simulator/light/stripes.hpp"

namespace synthoscope::simulator {
namespace {

template <class... Args>
[[noreturn]] void refuse(fmt::format_string<Args...> problem, Args&&... args) {
  throw InvalidSpec("check the scene: " + fmt::format(problem, std::forward<Args>(args)...));
}

bool scans_its_light(PsfModel model) {
  return model == PsfModel::confocal || model == PsfModel::two_photon || model == PsfModel::sted;
}

/// Refuses voxels of the blur that are too large along y or x for the stripes of any angle.
void require_resolved(const PatternSpec& pattern, const OpticsSpec& optics, const Grid& fine) {
  for (std::int64_t angle = 0; angle < pattern.angles; ++angle) {
    const std::int64_t frame = angle * pattern.phase_count();
    const auto [ky, kx] = raw_pattern(pattern, optics, frame).fine.cycles_per_um;
    const bool along_y = std::abs(ky) * fine.pitch.y_um > std::abs(kx) * fine.pitch.x_um;
    const double cycles = along_y ? std::abs(ky) : std::abs(kx);
    const double pitch_um = along_y ? fine.pitch.y_um : fine.pitch.x_um;
    if (cycles * pitch_um >= 0.5)
      refuse(
          "pattern.period_nm is {:.4g}, but voxels {:.4g} nm apart along {} show only stripes of "
          "{:.4g} nm or more; use a smaller grid.pitch_nm or a larger optics.oversample",
          1000 * pattern_period_um(pattern, optics), 1000 * pitch_um, along_y ? "y" : "x",
          2000 * pitch_um);
  }
}

}  // namespace

double pattern_period_um(const PatternSpec& pattern, const OpticsSpec& optics) {
  return um_from_nm(
      pattern.period_nm.value_or(optics.excitation_nm / (2 * kPatternAperture * optics.na)));
}

void require_valid(const PatternSpec& pattern, const OpticsSpec& optics, const Grid& fine) {
  RangeCheck check{"pattern", pattern};
  list_pattern_keys(check);
  if (!pattern.is_on()) return;
  if (scans_its_light(optics.model))
    refuse(
        "pattern.kind is \"{}\", and optics.model \"{}\" scans a spot over the sample; use a "
        "model that sees the whole field at once, such as \"gibson-lanni\", or pattern.kind = "
        "\"none\"",
        name_in(kPatternKindNames, pattern.kind), name_in(kPsfModelNames, optics.model));
  const double finest_nm = optics.excitation_nm / (2 * optics.sample_index);
  const double period_nm = 1000 * pattern_period_um(pattern, optics);
  if (pattern.kind == PatternKind::three_beam && period_nm <= finest_nm)
    refuse(
        "pattern.period_nm is {:.4g}, and three beams of optics.excitation_nm = {} in a sample of "
        "index {} make stripes of more than {:.4g} nm; use wider ones, or pattern.kind = "
        "\"two-beam\"",
        period_nm, optics.excitation_nm, optics.sample_index, finest_nm);
  require_resolved(pattern, optics, fine);
}

std::optional<std::string> pattern_warning(const PatternSpec& pattern, const OpticsSpec& optics,
                                           const Grid& fine) {
  if (!pattern.is_on()) return std::nullopt;
  const double period_um = pattern_period_um(pattern, optics);
  const double finest_um = um_from_nm(optics.excitation_nm) / (2 * optics.na);
  if (period_um < finest_um * (1 - 1e-9))
    return fmt::format(
        "pattern: stripes of {:.4g} nm are finer than light of {:.4g} nm makes through a lens of "
        "NA {}, {:.4g} nm",
        1000 * period_um, optics.excitation_nm, optics.na, 1000 * finest_um);
  const double highest = 1 / period_um + 2 * optics.na / um_from_nm(optics.wavelength_nm);
  const double pitch_um = std::max(fine.pitch.y_um, fine.pitch.x_um);
  if (2 * pitch_um * highest > 1 + 1e-9)
    return fmt::format(
        "pattern: stripes of {:.4g} nm bring detail into the image that voxels {:.4g} nm apart "
        "undersample (aliasing); use a larger optics.oversample, so that voxels are at most {:.4g} "
        "nm apart",
        1000 * period_um, 1000 * pitch_um, 500 / highest);
  return std::nullopt;
}

}  // namespace synthoscope::simulator
