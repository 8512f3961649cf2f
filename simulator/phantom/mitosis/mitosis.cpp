// SPDX-License-Identifier: MIT
#include "simulator/phantom/mitosis/mitosis.hpp"
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include "core/base/assert.hpp"
#include "simulator/phantom/geometry/draws.hpp"

namespace synthoscope::simulator {
namespace {

/// Rises smoothly from 0 to 1.
double eased(double t) {
  return t * t * (3 - 2 * t);
}

/// A form between two others.
ChromatinForm between(const ChromatinForm& a, const ChromatinForm& b, double w) {
  const auto mix = [&](double x, double y) { return x + w * (y - x); };
  return {mix(a.volume, b.volume), mix(a.roundness, b.roundness), mix(a.flatness, b.flatness),
          mix(a.apart, b.apart),   mix(a.condensed, b.condensed), mix(a.threads, b.threads),
          mix(a.arms, b.arms)};
}

// Forms at the ends of phases. A plate of a third of the volume is 1.1 times as wide as a round
// nucleus, and a third as thick as it is wide
constexpr ChromatinForm kInterphaseForm{.threads = 1};
constexpr ChromatinForm kThreadsForm{
    .volume = 0.9, .roundness = 0.3, .condensed = 0.9, .threads = 1, .arms = 0.3};
constexpr ChromatinForm kGatheredForm{
    .volume = 0.45, .roundness = 0.9, .flatness = 0.7, .condensed = 1, .threads = 0.6, .arms = 1};
constexpr ChromatinForm kPlateForm{
    .volume = 0.35, .roundness = 1, .flatness = 0.3, .condensed = 1, .threads = 0.2, .arms = 1};
constexpr ChromatinForm kSistersForm{.volume = 0.35,
                                     .roundness = 1,
                                     .flatness = 0.25,
                                     .apart = 0.25,
                                     .condensed = 1,
                                     .threads = 0.2,
                                     .arms = 1};
constexpr ChromatinForm kPolesForm{.volume = 0.3,
                                   .roundness = 1,
                                   .flatness = 0.35,
                                   .apart = 1,
                                   .condensed = 1,
                                   .threads = 0.2,
                                   .arms = 0.6};
constexpr ChromatinForm kNewbornForm{.apart = 1.2, .threads = 1};

}  // namespace

Mitosis mitosis_at(double progress, bool has_mother) {
  const auto within = [](MitoticPhase phase, double passed) {
    const double part = kPhaseParts[static_cast<std::size_t>(phase) - 1];
    return Mitosis{phase, std::clamp(passed / part, 0.0, 1.0)};
  };
  if (has_mother) {
    if (progress < kPhaseParts[3]) return within(MitoticPhase::anaphase, progress);
    if (progress < kAfterAnaphase)
      return within(MitoticPhase::telophase, progress - kPhaseParts[3]);
  }
  const double passed = progress - (1 - kBeforeAnaphase);
  if (passed < 0) return {};
  if (passed < kPhaseParts[0]) return within(MitoticPhase::prophase, passed);
  if (passed < kPhaseParts[0] + kPhaseParts[1])
    return within(MitoticPhase::prometaphase, passed - kPhaseParts[0]);
  return within(MitoticPhase::metaphase, passed - kPhaseParts[0] - kPhaseParts[1]);
}

Mitosis mitosis_at_part(double part) {
  const double passed = part * (kBeforeAnaphase + kAfterAnaphase);
  return passed < kBeforeAnaphase ? mitosis_at(1 - kBeforeAnaphase + passed, false)
                                  : mitosis_at(passed - kBeforeAnaphase, true);
}

ChromatinForm form_of(const Mitosis& mitosis) {
  const double t = mitosis.progress;
  switch (mitosis.phase) {
    case MitoticPhase::prophase:
      return between(kInterphaseForm, kThreadsForm, eased(t));
    case MitoticPhase::prometaphase:
      return between(kThreadsForm, kGatheredForm, eased(t));
    case MitoticPhase::metaphase:  // the plate forms in its first third
      return between(kGatheredForm, kPlateForm, eased(std::min(1.0, 3 * t)));
    case MitoticPhase::anaphase:
      return between(kSistersForm, kPolesForm, eased(t));
    case MitoticPhase::telophase:
      return between(kPolesForm, kNewbornForm, eased(t));
    case MitoticPhase::interphase:
      break;
  }
  return kInterphaseForm;
}

CondensedChromatin chromatin_of(const Mitosis& mitosis, double denser) {
  const ChromatinForm form = form_of(mitosis);
  return {denser / form.volume, form.condensed, form.threads, form.arms};
}

Vector3 reshaping_of(const ChromatinForm& form, const Vector3& semi_axes, int axis, double most_z) {
  SYNTHOSCOPE_ASSERT(axis >= 0 && axis <= 2, ==, true);
  const double volume = semi_axes[0] * semi_axes[1] * semi_axes[2], mean = cube_root(volume);
  Vector3 axes{};
  for (std::size_t i = 0; i < 3; ++i)
    axes[i] = semi_axes[i] + form.roundness * (mean - semi_axes[i]);
  axes[static_cast<std::size_t>(axis)] *= form.flatness;
  const auto to_volume = [&](bool keeps_height) {
    const double ratio = volume / (axes[0] * axes[1] * axes[2]);
    const double factor = keeps_height ? std::sqrt(ratio) : cube_root(ratio);
    for (std::size_t i = keeps_height ? 1 : 0; i < 3; ++i) axes[i] *= factor;
  };
  to_volume(false);
  const double most = std::max(most_z, std::min(axes[0], semi_axes[0]));
  if (axes[0] > most) {
    axes[0] = most;
    to_volume(true);
  }
  return {axes[0] / semi_axes[0], axes[1] / semi_axes[1], axes[2] / semi_axes[2]};
}

}  // namespace synthoscope::simulator
