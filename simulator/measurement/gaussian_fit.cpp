// SPDX-License-Identifier: MIT
#include "simulator/measurement/gaussian_fit.hpp"
#include <algorithm>
#include <cmath>
#include "core/volume/box.hpp"
#include "simulator/measurement/least_squares.hpp"

namespace synthoscope::simulator {
namespace {

enum Parameter { kBackground, kAmplitude, kY, kX, kLogSigmaY, kLogSigmaX, kZ, kLogSigmaZ };
constexpr int kFlatParameters = 6, kParameters = 8;

FittedGaussian gaussian_of(const Eigen::VectorXd& p) {
  FittedGaussian bead{p[kBackground], p[kAmplitude], {0, p[kY], p[kX]}};
  bead.sigma = {1, std::exp(p[kLogSigmaY]), std::exp(p[kLogSigmaX])};
  if (p.size() == kParameters) {
    bead.centre.z = p[kZ];
    bead.sigma[0] = std::exp(p[kLogSigmaZ]);
  }
  return bead;
}

/// The differences between the model and the voxels of a box, for Eigen.
struct Misfit : LeastSquares {
  HostView3<const float> voxels;
  Box3 box;
  int parameters;

  [[nodiscard]] int inputs() const { return parameters; }
  [[nodiscard]] int values() const { return static_cast<int>(volume(box.size)); }

  /// Calls `look(i, value, distances in sigma)` for all voxels of the box.
  template <class Look>
  void for_each(const FittedGaussian& bead, Look&& look) const {
    int i = 0;
    for (std::int64_t z = box.origin.z; z < box.origin.z + box.size.z; ++z)
      for (std::int64_t y = box.origin.y; y < box.origin.y + box.size.y; ++y) {
        const float* const row = voxels.row(z, y);
        for (std::int64_t x = box.origin.x; x < box.origin.x + box.size.x; ++x)
          look(i++, static_cast<double>(row[x]),
               std::array<double, 3>{(static_cast<double>(z) - bead.centre.z) / bead.sigma[0],
                                     (static_cast<double>(y) - bead.centre.y) / bead.sigma[1],
                                     (static_cast<double>(x) - bead.centre.x) / bead.sigma[2]});
      }
  }
  [[nodiscard]] double bell(const std::array<double, 3>& u) const {
    const double along_z = parameters == kParameters ? u[0] * u[0] : 0;
    return std::exp(-0.5 * (along_z + u[1] * u[1] + u[2] * u[2]));
  }

  int operator()(const InputType& p, ValueType& differences) const {
    const FittedGaussian bead = gaussian_of(p);
    for_each(bead, [&](int i, double value, const auto& u) {
      differences[i] = bead.background + bead.amplitude * bell(u) - value;
    });
    return 0;
  }
  int df(const InputType& p, JacobianType& slopes) const {
    const FittedGaussian bead = gaussian_of(p);
    for_each(bead, [&](int i, double, const auto& u) {
      const double shape = bell(u), light = bead.amplitude * shape;
      slopes(i, kBackground) = 1;
      slopes(i, kAmplitude) = shape;
      slopes(i, kY) = light * u[1] / bead.sigma[1];
      slopes(i, kX) = light * u[2] / bead.sigma[2];
      slopes(i, kLogSigmaY) = light * u[1] * u[1];
      slopes(i, kLogSigmaX) = light * u[2] * u[2];
      if (parameters != kParameters) return;
      slopes(i, kZ) = light * u[0] / bead.sigma[0];
      slopes(i, kLogSigmaZ) = light * u[0] * u[0];
    });
    return 0;
  }
};

/// Returns the box of `reach` sigma around a bead, inside the volume.
Box3 box_around(const FittedGaussian& bead, const Extent3& e, double reach) {
  const auto part = [&](double centre, double sigma, std::int64_t count) {
    const double half = std::max(2.0, reach * sigma);
    const auto first =
        std::clamp(static_cast<std::int64_t>(std::ceil(centre - half)), std::int64_t{0}, count - 1);
    const auto last =
        std::clamp(static_cast<std::int64_t>(std::floor(centre + half)), first, count - 1);
    return std::pair{first, last - first + 1};
  };
  const auto z = part(bead.centre.z, bead.sigma[0], e.z),
             y = part(bead.centre.y, bead.sigma[1], e.y),
             x = part(bead.centre.x, bead.sigma[2], e.x);
  return {{z.first, y.first, x.first}, {z.second, y.second, x.second}};
}

bool is_inside(const VoxelPosition& at, const Box3& box) {
  const auto within = [](double place, std::int64_t first, std::int64_t count) {
    return place > static_cast<double>(first) - 0.5 &&
           place < static_cast<double>(first + count) - 0.5;
  };
  return within(at.z, box.origin.z, box.size.z) && within(at.y, box.origin.y, box.size.y) &&
         within(at.x, box.origin.x, box.size.x);
}

}  // namespace

std::optional<FittedGaussian> fit_gaussian(const Volume<float>& voxels, const FittedGaussian& start,
                                           double reach) {
  const int parameters = voxels.extent.z == 1 ? kFlatParameters : kParameters;
  Misfit misfit{{}, voxels.view(), box_around(start, voxels.extent, reach), parameters};
  if (misfit.values() < 2 * parameters) return std::nullopt;
  Eigen::VectorXd p{parameters};
  p[kBackground] = start.background;
  p[kAmplitude] = start.amplitude;
  p[kY] = start.centre.y;
  p[kX] = start.centre.x;
  p[kLogSigmaY] = std::log(start.sigma[1]);
  p[kLogSigmaX] = std::log(start.sigma[2]);
  if (parameters == kParameters) {
    p[kZ] = start.centre.z;
    p[kLogSigmaZ] = std::log(start.sigma[0]);
  }
  Eigen::LevenbergMarquardt<Misfit> search{misfit};
  search.parameters.maxfev = 200;
  search.minimize(p);
  if (!p.allFinite()) return std::nullopt;
  const FittedGaussian bead = gaussian_of(p);
  if (!(bead.amplitude > 0) || !is_inside(bead.centre, misfit.box)) return std::nullopt;
  return bead;
}

}  // namespace synthoscope::simulator
