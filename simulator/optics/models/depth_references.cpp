// SPDX-License-Identifier: MIT
#include "simulator/optics/models/depth_references.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <span>
#include "simulator/optics/models/radial_model.hpp"
#include "simulator/optics/pupil/optical_band.hpp"

namespace synthoscope::simulator {
namespace {

OpticsSpec at_depth(OpticsSpec spec, double depth_um) {
  spec.depth_um = depth_um;
  spec.zernike = {};
  return spec;
}

double to_nanometres(double um) {
  return std::round(um * 1000) / 1000;
}

FocusLine line_of(const OpticsSpec& spec, double from_um, double to_um) {
  constexpr int kDepths = 9;
  const double middle = 0.5 * (from_um + to_um), step = (to_um - from_um) / (kDepths - 1);
  std::vector<double> foci;
  double sum = 0, moment = 0, square = 0;
  for (int i = 0; i < kDepths; ++i) {
    const double aside = from_um + step * i - middle;
    foci.push_back(radial_model_of(at_depth(spec, middle + aside))->focus_um());
    sum += foci.back();
    moment += aside * foci.back();
    square += aside * aside;
  }
  FocusLine line{middle, sum / kDepths, moment / square, 0};
  for (int i = 0; i < kDepths; ++i)
    line.most_off_um = std::max(line.most_off_um, std::abs(foci[static_cast<std::size_t>(i)] -
                                                           line.at(from_um + step * i)));
  return line;
}

/// The grid on which PSFs are compared: planes about the line, out to where light is faint, as fine
/// as the lens's light requires.
class Comparison {
 public:
  Comparison(const OpticsSpec& spec, const FocusLine& line, double reach_um, TaskPool& pool)
      : spec_{spec}, line_{line}, pool_{pool} {
    constexpr std::int64_t kRadii = 48, kMaxPlanes = 100;
    const OpticalBand band = band_of(spec);
    step_um_ = 1 / band.lateral;
    const double plane_um = band.nyquist_axial_um() / 2;
    const auto planes = std::clamp<std::int64_t>(std::llround(reach_um / plane_um), 1, kMaxPlanes);
    radii_ = kRadii;
    for (std::int64_t i = -planes; i <= planes; ++i)
      beside_.push_back(static_cast<double>(i) * plane_um);
  }

  [[nodiscard]] std::vector<double> light(double depth_um) const {
    RadialGrid grid{step_um_, radii_, beside_};
    for (double& z : grid.z_um) z += line_.at(depth_um);
    return radial_model_of(at_depth(spec_, depth_um))->radial_table(grid, pool_).intensity;
  }

 private:
  const OpticsSpec& spec_;
  const FocusLine& line_;
  TaskPool& pool_;
  double step_um_ = 0;
  std::int64_t radii_ = 0;
  std::vector<double> beside_;  ///< distances from the line, um
};

using Light = std::vector<double>;

/// Returns the largest difference between the mean of two and the light half-way, relative to the
/// peak there.
double error_of(const Light& one, const Light& other, const Light& between) {
  double most = 0;
  for (std::size_t i = 0; i < between.size(); ++i)
    most = std::max(most, std::abs(0.5 * (one[i] + other[i]) - between[i]));
  return most / *std::max_element(between.begin(), between.end());
}

struct DepthInterval {
  double from_um = 0, to_um = 0, error = 0;
};

/// Halves an interval until the error of each part is at most `bound`.
void halve(const Comparison& compare, double bound, const DepthInterval& all, const Light& first,
           const Light& last, std::vector<DepthInterval>& found) {
  const double middle = 0.5 * (all.from_um + all.to_um);
  const Light between = compare.light(middle);
  const double error = error_of(first, last, between);
  if (error <= bound) return found.push_back({all.from_um, all.to_um, error});
  if (found.size() + 1 >= kMaxReferences)
    throw InvalidSpec(fmt::format(
        "optics: depth_varying with a reference_error of {:.4g} needs more than {} references; "
        "raise optics.reference_error, or take indices that differ less or fewer planes",
        bound, kMaxReferences));
  halve(compare, bound, {all.from_um, middle, 0}, first, between, found);
  halve(compare, bound, {middle, all.to_um, 0}, between, last, found);
}

/// Returns the ends of `count` intervals with about equal errors.
std::vector<double> shared_evenly(const std::vector<DepthInterval>& found, std::size_t count) {
  std::vector<double> roots{0};
  for (const DepthInterval& one : found) roots.push_back(roots.back() + std::sqrt(one.error));
  std::vector<double> depths{found.front().from_um};
  std::size_t i = 0;
  for (std::size_t n = 1; n < count; ++n) {
    const double root = roots.back() * static_cast<double>(n) / static_cast<double>(count);
    while (i + 2 < roots.size() && roots[i + 1] < root) ++i;
    const double part = (root - roots[i]) / (roots[i + 1] - roots[i]);
    depths.push_back(to_nanometres(found[i].from_um + part * (found[i].to_um - found[i].from_um)));
  }
  depths.push_back(found.back().to_um);
  return depths;
}

double error_between(const Comparison& compare, const std::vector<double>& depths) {
  double most = 0;
  Light one = compare.light(depths.front());
  for (std::size_t i = 1; i < depths.size(); ++i) {
    Light other = compare.light(depths[i]);
    most = std::max(most, error_of(one, other, compare.light(0.5 * (depths[i - 1] + depths[i]))));
    one = std::move(other);
  }
  return most;
}

}  // namespace

DepthReferences choose_depth_references(const OpticsSpec& spec, double from_um, double to_um,
                                        double reach_um, TaskPool& pool) {
  DepthReferences chosen;
  const double bound = spec.reference_error;
  chosen.focus = line_of(spec, from_um, std::max(to_um, from_um + 0.1));
  const Comparison compare{spec, chosen.focus, reach_um, pool};
  const Light first = compare.light(from_um), last = compare.light(to_um);

  // One reference suffices if neither end differs from the middle
  const double middle = 0.5 * (from_um + to_um);
  const Light between = compare.light(middle);
  chosen.error = std::max(error_of(first, first, between), error_of(last, last, between));
  chosen.depth_um = {to_nanometres(middle)};
  if (chosen.error <= bound) return chosen;

  std::vector<DepthInterval> found;
  halve(compare, bound, {from_um, to_um, 0}, first, last, found);
  chosen.depth_um = {from_um};
  chosen.error = 0;
  double roots = 0;
  for (const DepthInterval& one : found) {
    chosen.depth_um.push_back(one.to_um);
    chosen.error = std::max(chosen.error, one.error);
    roots += std::sqrt(one.error);
  }

  // Find the smallest number that suffices
  const auto least = static_cast<std::size_t>(std::ceil(roots / std::sqrt(bound)));
  for (std::size_t count = std::max<std::size_t>(1, least); count < found.size(); ++count) {
    const auto depths = shared_evenly(found, count);
    const double error = error_between(compare, depths);
    if (error > bound) continue;
    chosen.depth_um = depths;
    chosen.error = error;
    break;
  }
  return chosen;
}

}  // namespace synthoscope::simulator
