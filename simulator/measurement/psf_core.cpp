// SPDX-License-Identifier: MIT
#include "simulator/measurement/psf_core.hpp"
#include <algorithm>
#include <cmath>
#include <numbers>
#include <unsupported/Eigen/NumericalDiff>
#include "simulator/measurement/gaussian_fit.hpp"
#include "simulator/measurement/least_squares.hpp"
#include "simulator/measurement/sinc_lines.hpp"

namespace synthoscope::simulator {
namespace {

constexpr double kCoreReach = 3.2;  // sigma
constexpr double kLeastPower = 0.7, kMostPower = 20;

/// Distances from the centre in sigma, squared: along z, and across.
struct Squares {
  double along = 0, across = 0;
};

Squares squares_at(const PsfCore& core, const VoxelPosition& at) {
  const double z = (at.z - core.centre.z) / core.sigma[0],
               y = (at.y - core.centre.y) / core.sigma[1],
               x = (at.x - core.centre.x) / core.sigma[2];
  return {z * z, y * y + x * x};
}

/// Places of the parameters in the fit.
struct InFit {
  enum { kPeak, kY, kX, kLogSigmaY, kLogSigmaX, kLogPower, kZ, kLogSigmaZ, kSheetAngle };
  static constexpr int kInPlane = 6, kAll = 9;
};

Eigen::VectorXd parameters_of(const PsfCore& core, bool is_flat) {
  Eigen::VectorXd p{is_flat ? InFit::kInPlane : InFit::kAll};
  p[InFit::kPeak] = core.peak;
  p[InFit::kY] = core.centre.y;
  p[InFit::kX] = core.centre.x;
  p[InFit::kLogSigmaY] = std::log(core.sigma[1]);
  p[InFit::kLogSigmaX] = std::log(core.sigma[2]);
  p[InFit::kLogPower] = std::log(core.power);
  if (is_flat) return p;
  p[InFit::kZ] = core.centre.z;
  p[InFit::kLogSigmaZ] = std::log(core.sigma[0]);
  p[InFit::kSheetAngle] = std::asin(std::sqrt(core.sheet));
  return p;
}

PsfCore core_from(const Eigen::VectorXd& p) {
  PsfCore core{p[InFit::kPeak],
               {0, p[InFit::kY], p[InFit::kX]},
               {1, std::exp(p[InFit::kLogSigmaY]), std::exp(p[InFit::kLogSigmaX])}};
  core.power = std::clamp(std::exp(p[InFit::kLogPower]), kLeastPower, kMostPower);
  if (p.size() == InFit::kInPlane) return core;
  core.centre.z = p[InFit::kZ];
  core.sigma[0] = std::exp(p[InFit::kLogSigmaZ]);
  core.sheet = std::pow(std::sin(p[InFit::kSheetAngle]), 2);
  return core;
}

/// A voxel that is fitted.
struct Sample {
  VoxelPosition at;
  double value = 0, weight = 0;
};

/// The samples along one axis: voxels, but not more than about four per sigma.
struct SampleLine {
  std::int64_t first, end, step;

  SampleLine(double centre, double sigma, std::int64_t count)
      : first{std::clamp(std::llround(centre - kCoreReach * sigma), 0LL,
                         static_cast<long long>(count))},
        end{std::clamp(std::llround(centre + kCoreReach * sigma) + 1, 0LL,
                       static_cast<long long>(count))},
        step{std::max(1LL, std::llround(sigma / 4))} {}
};

/// Returns the voxels within kCoreReach of the centre, with their weights.
std::vector<Sample> samples_around(const PsfCore& core, const Volume<float>& voxels) {
  const Extent3& e = voxels.extent;
  const SampleLine z{core.centre.z, core.sigma[0], e.z}, y{core.centre.y, core.sigma[1], e.y},
      x{core.centre.x, core.sigma[2], e.x};
  std::vector<Sample> samples;
  for (std::int64_t k = z.first; k < z.end; k += z.step)
    for (std::int64_t j = y.first; j < y.end; j += y.step)
      for (std::int64_t i = x.first; i < x.end; i += x.step) {
        const VoxelPosition at{static_cast<double>(k), static_cast<double>(j),
                               static_cast<double>(i)};
        const Squares squares = squares_at(core, at);
        const double square = squares.along + squares.across;
        if (square > kCoreReach * kCoreReach) continue;
        samples.push_back({at, static_cast<double>(voxels.view()(k, j, i)), std::exp(-square / 8)});
      }
  return samples;
}

/// The weighted differences between the model and the samples, for Eigen.
struct CoreMisfit : LeastSquares {
  const std::vector<Sample>& samples;
  const CoreImage& image;
  int parameters;

  [[nodiscard]] int inputs() const { return parameters; }
  [[nodiscard]] int values() const { return static_cast<int>(samples.size()); }

  int operator()(const InputType& p, ValueType& differences) const {
    const PsfCore core = core_from(p);
    for (std::size_t i = 0; i < samples.size(); ++i)
      differences[static_cast<Eigen::Index>(i)] =
          samples[i].weight * (image.light(core, samples[i].at) - samples[i].value);
    return 0;
  }
};

/// Returns whether a fit describes the same spot as its start.
bool is_near_start(const PsfCore& core, const PsfCore& start) {
  constexpr double kFarthest = 1.5, kMostTimes = 3;
  const Squares squares = squares_at({1, start.centre, start.sigma}, core.centre);
  if (!(core.peak > 0 && squares.along + squares.across < kFarthest * kFarthest)) return false;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double ratio = core.sigma[axis] / start.sigma[axis];
    if (!(ratio > 1 / kMostTimes && ratio < kMostTimes)) return false;
  }
  return true;
}

std::optional<FittedCore> fitted_core(const Volume<float>& voxels, const PsfCore& start,
                                      const CoreImage& image) {
  const std::vector<Sample> samples = samples_around(start, voxels);
  Eigen::VectorXd p = parameters_of(start, voxels.extent.z == 1);
  if (std::ssize(samples) < 2 * p.size()) return std::nullopt;
  const CoreMisfit misfit{{}, samples, image, static_cast<int>(p.size())};
  Eigen::NumericalDiff<CoreMisfit> with_slopes{misfit, 1e-10};
  Eigen::LevenbergMarquardt<Eigen::NumericalDiff<CoreMisfit>> search{with_slopes};
  search.parameters.maxfev = 600;
  search.parameters.ftol = search.parameters.xtol = 1e-6;
  search.minimize(p);
  if (!p.allFinite()) return std::nullopt;
  const PsfCore core = core_from(p);
  if (!is_near_start(core, start)) return std::nullopt;
  double weights = 0;
  for (const Sample& sample : samples) weights += sample.weight * sample.weight;
  return FittedCore{core, search.fvec.norm() / std::sqrt(weights)};
}

}  // namespace

CoreImage::CoreImage(const AlongAxes& bead_voxels) {
  // Two nodes along y and x integrate over a pixel
  const double half = 1 / std::sqrt(12.0);
  const std::vector<double> pixel{-half, half};
  // Its middle and the corners of an icosahedron integrate over a ball, to the fifth degree:
  // Stroud, Approximate Calculation of Multiple Integrals (1971), S3 5-1
  std::vector<Node> ball{{{0, 0, 0}, 1}};
  if (bead_voxels[1] > 0) {
    const double golden = std::numbers::phi, radius = std::sqrt(5.0 / 7) / 2;
    const double near = radius / std::hypot(1, golden), far = golden * near;
    ball.front().weight = 4.0 / 25;
    for (const double a : {-near, near})
      for (const double b : {-far, far})
        for (const AlongAxes& corner : {AlongAxes{0, a, b}, {a, b, 0}, {b, 0, a}})
          ball.push_back(
              {{corner[0] * bead_voxels[0], corner[1] * bead_voxels[1], corner[2] * bead_voxels[2]},
               21.0 / 25 / 12});
  }
  for (const Node& node : ball)
    for (const double y : pixel)
      for (const double x : pixel)
        nodes_.push_back({{node.offset.z, node.offset.y + y, node.offset.x + x}, node.weight / 4});
}

double CoreImage::light(const PsfCore& core, const VoxelPosition& at) const {
  double sum = 0;
  for (const Node& node : nodes_) {
    const Squares s =
        squares_at(core, {at.z + node.offset.z, at.y + node.offset.y, at.x + node.offset.x});
    // Near the centre the pattern is 1 - u^2 / 48 - v^2 / 4
    const double lens =
        pattern_.light(24 * (1 - core.sheet) * s.along / core.power, 2 * s.across / core.power);
    if (lens > 0)
      sum += node.weight * std::exp(core.power * std::log(lens) - core.sheet * s.along / 2);
  }
  return core.peak * sum;
}

void CoreImage::add_to(Volume<float>& voxels, const PsfCore& core, double times) const {
  const Extent3& e = voxels.extent;
  auto voxel = voxels.voxels.begin();
  for (std::int64_t z = 0; z < e.z; ++z)
    for (std::int64_t y = 0; y < e.y; ++y)
      for (std::int64_t x = 0; x < e.x; ++x)
        *voxel++ +=
            static_cast<float>(times * light(core, {static_cast<double>(z), static_cast<double>(y),
                                                    static_cast<double>(x)}));
}

std::optional<FittedCore> fit_core(const Volume<float>& voxels, const VoxelPosition& centre,
                                   const AlongAxes& width, const CoreImage& image) {
  constexpr double kReachOfStart = 1.5;
  FittedGaussian start{0, value_at(voxels.view(), centre), centre};
  for (std::size_t axis = voxels.extent.z == 1 ? 1 : 0; axis < 3; ++axis)
    start.sigma[axis] = width[axis] / kWidthOfSigma;
  if (const auto bell = fit_gaussian(voxels, start, kReachOfStart)) start = *bell;
  const auto first = fitted_core(voxels, {start.amplitude, start.centre, start.sigma}, image);
  // A second fit takes its weights from the first one
  return first ? fitted_core(voxels, first->core, image) : std::nullopt;
}

}  // namespace synthoscope::simulator
