// SPDX-License-Identifier: MIT
#include "simulator/phantom/nuclei/nucleoli.hpp"
#include <algorithm>
#include <cmath>
#include "core/math/elementary.hpp"

namespace synthoscope::simulator {
namespace {

constexpr int kNucleolusDraw = 16640, kNucleolusTries = 64;
constexpr int kRoundDraw = 22656, kRoundTries = 58, kRoundSize = 58, kRoundParts = 59;

/// Returns the radius of a ball with the volume of the ellipsoid of a lobe.
double mean_radius_um(const Lobe& lobe) {
  const Vector3& axes = lobe.form().semi_axes_um;
  return cube_root(axes[0] * axes[1] * axes[2]);
}

/// Draws single round nucleoli, and makes their parts.
class RoundNucleoli {
 public:
  RoundNucleoli(const NucleiSpec& spec, const Draws& draws, const std::vector<Lobe>& lobes,
                const Matrix3& own_axes)
      : spec_{spec}, draws_{draws}, lobes_{lobes}, own_axes_{own_axes} {}

  void add(int number) {
    const int first = kRoundDraw + kNucleolusTries * number;
    lobe_ = static_cast<std::size_t>(number) % lobes_.size();
    const double spread = 1 + spec_.nucleolus_spread * bell(draws_.block(first + kRoundSize));
    const double radius =
        spec_.nucleolus_radius * mean_radius_um(lobes_[lobe_]) * std::max(0.4, spread);
    Vector3 middle = place(first, radius);
    append(middle, radius);
    const auto words = draws_.block(first + kRoundParts);
    const int parts =
        1 + static_cast<int>(uniform32(words[0]) * static_cast<double>(spec_.nucleolus_parts));
    double turns = uniform32(words[1]);
    for (int part = 1; part < parts; ++part) {
      // The chain bends by up to 57 degrees at every part
      const auto its = draws_.block(first + kRoundParts + part);
      turns += (2 * uniform32(its[0]) - 1) * 0.16;
      const auto [cosine, sine] = portable::cosine_and_sine(turns);
      middle = middle + (1.1 * radius) * Vector3{0, sine, cosine};
      if (!is_inside(middle)) break;
      append(middle, radius * (0.6 + 0.4 * uniform32(its[1])));
    }
  }

  std::vector<Nucleolus> take() { return std::move(all_); }

 private:
  /// Returns a point in the lobe's axes, micrometres, in the middle 0.65 of its width and length
  /// and 0.2 of its height.
  Vector3 place(int first, double radius) {
    const Lobe& lobe = lobes_[lobe_];
    const Vector3& axes = lobe.form().semi_axes_um;
    Vector3 point{};
    for (int attempt = 0; attempt < kRoundTries; ++attempt) {
      const auto words = draws_.block(first + attempt);
      Vector3 u{};
      for (std::size_t axis = 0; axis < 3; ++axis) u[axis] = 2 * uniform32(words[axis]) - 1;
      if (dot(u, u) > 1) continue;
      u[0] *= 0.3;
      for (std::size_t axis = 0; axis < 3; ++axis) point[axis] = 0.65 * u[axis] * axes[axis];
      const bool apart = std::all_of(all_.begin(), all_.end(), [&](const Nucleolus& n) {
        constexpr double kGapUm = 0.4;
        const double y = n.middle[1] * axes[1] - point[1], x = n.middle[2] * axes[2] - point[2];
        const double least = n.radius_um + radius + kGapUm;
        return n.lobe != lobe_ || y * y + x * x >= least * least;
      });
      if (apart) break;
    }
    return point;
  }

  /// Returns whether a point of the lobe's axes is well inside it.
  [[nodiscard]] bool is_inside(const Vector3& middle) const {
    constexpr double kMost = 0.85;
    const Vector3& axes = lobes_[lobe_].form().semi_axes_um;
    double square = 0;
    for (std::size_t axis = 0; axis < 3; ++axis)
      square += middle[axis] * middle[axis] / (axes[axis] * axes[axis]);
    return square <= kMost * kMost;
  }

  void append(const Vector3& middle, double radius) {
    const LobeForm& form = lobes_[lobe_].form();
    Nucleolus part;
    part.lobe = lobe_;
    part.radius = radius / mean_radius_um(lobes_[lobe_]);
    part.radius_um = radius;
    part.is_round = true;
    for (std::size_t axis = 0; axis < 3; ++axis)
      part.middle[axis] = middle[axis] / form.semi_axes_um[axis];
    part.own_middle_um = own_axes_ * (form.offset_um + transposed(form.turn) * middle);
    const double height = std::min(*spec_.nucleolus_height * radius, form.semi_axes_um[0]);
    part.own_semi_axes_um = {height, radius, radius};
    all_.push_back(part);
  }

  const NucleiSpec& spec_;
  const Draws& draws_;
  const std::vector<Lobe>& lobes_;
  const Matrix3& own_axes_;
  std::vector<Nucleolus> all_;
  std::size_t lobe_ = 0;
};

}  // namespace

std::vector<Nucleolus> draw_nucleoli(const NucleiSpec& spec, const Draws& draws,
                                     const std::vector<Lobe>& lobes) {
  std::vector<Nucleolus> nucleoli;
  for (int i = 0; i < spec.nucleoli; ++i) {
    Nucleolus drawn;
    drawn.lobe = static_cast<std::size_t>(i) % lobes.size();
    for (int attempt = 0; attempt < kNucleolusTries; ++attempt) {
      const auto words = draws.block(kNucleolusDraw + kNucleolusTries * i + attempt);
      drawn.radius = spec.nucleolus_radius * (0.8 + 0.4 * uniform32(words[3]));
      const double room = std::max(0.0, lobes[drawn.lobe].inner_radius() - drawn.radius);
      for (std::size_t axis = 0; axis < 3; ++axis)
        drawn.middle[axis] = room * (2 * uniform32(words[axis]) - 1);
      const bool apart = std::all_of(nucleoli.begin(), nucleoli.end(), [&](const Nucleolus& n) {
        const Vector3 between = n.middle - drawn.middle;
        const double least = n.radius + drawn.radius;
        return n.lobe != drawn.lobe || dot(between, between) >= least * least;
      });
      if (apart && dot(drawn.middle, drawn.middle) <= room * room) break;
      drawn.middle = {};
    }
    drawn.radius_um = drawn.radius * mean_radius_um(lobes[drawn.lobe]);
    nucleoli.push_back(drawn);
  }
  return nucleoli;
}

std::vector<Nucleolus> draw_round_nucleoli(const NucleiSpec& spec, const Draws& draws,
                                           const std::vector<Lobe>& lobes,
                                           const Matrix3& own_axes) {
  RoundNucleoli all{spec, draws, lobes, own_axes};
  for (int i = 0; i < spec.nucleoli; ++i) all.add(i);
  return all.take();
}

}  // namespace synthoscope::simulator
