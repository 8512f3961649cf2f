// SPDX-License-Identifier: MIT
#include "fit/objects/measure_objects.hpp"
#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include "core/base/assert.hpp"
#include "fit/objects/label_moments.hpp"
#include "fit/objects/object_form.hpp"
#include "fit/objects/object_gaps.hpp"

namespace synthoscope::fit {
namespace {

using Eigen::Matrix2d, Eigen::Matrix3d, Eigen::Vector2d, Eigen::Vector3d;
using simulator::kPi;

/// Second moment of a solid ellipsoid along an axis: the square of its semi-axis over this; of a
/// disc in a plane, the same over kOfDisc.
constexpr double kOfBall = 5, kOfDisc = 4;

Vector3d vector_of(const VoxelSize& pitch) {
  return {pitch.z_um, pitch.y_um, pitch.x_um};
}

/// Second moments around the centre, um^2, of the centres of voxels.
Matrix3d moments_of(const LabelSums& sums, const VoxelSize& pitch) {
  const Vector3d um = vector_of(pitch);
  const auto n = static_cast<double>(sums.voxels);
  Matrix3d result;
  for (Eigen::Index a = 0; a < 3; ++a)
    for (Eigen::Index b = a; b < 3; ++b) {
      const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
      const double central = sums.product[i][j] / n - sums.sum[i] / n * (sums.sum[j] / n);
      result(a, b) = result(b, a) = central * um[a] * um[b];
    }
  return result;
}

/// A semi-axis of equal second moment, at least half a voxel.
double semi_axis(double moment, double of_body, double pitch) {
  return std::max(std::sqrt(of_body * std::max(moment, 0.0)), pitch / 2);
}

/// Sets sizes and axes.
void set_axes(LabelledObject& object, const Matrix3d& moments, const simulator::Grid& grid) {
  const bool is_plane = grid.extent.z == 1;
  const double of_body = is_plane ? kOfDisc : kOfBall;
  const double pitch = std::min(grid.pitch.y_um, grid.pitch.x_um);
  const Matrix2d across = moments.bottomRightCorner<2, 2>();
  const Eigen::SelfAdjointEigenSolver<Matrix2d> shadow{across};
  const Vector2d& of_shadow = shadow.eigenvalues();
  object.short_um = semi_axis(of_shadow[0], of_body, pitch);
  object.long_um = semi_axis(of_shadow[1], of_body, pitch);
  if (is_plane) {
    object.principal_um = {0, object.short_um, object.long_um};
    object.long_axis = {0, shadow.eigenvectors()(0, 1), shadow.eigenvectors()(1, 1)};
    return;
  }
  object.z_um = semi_axis(moments(0, 0), of_body, grid.pitch.z_um);
  const Eigen::SelfAdjointEigenSolver<Matrix3d> body{moments};
  for (Eigen::Index i = 0; i < 3; ++i) {
    const auto axis = static_cast<std::size_t>(i);
    object.principal_um[axis] =
        semi_axis(body.eigenvalues()[i], of_body, std::min(pitch, grid.pitch.z_um));
    object.long_axis[axis] = body.eigenvectors()(i, 2);
  }
  const double product = moments(0, 0) * across.determinant();
  if (product > 0) object.tilt = std::clamp(1 - moments.determinant() / product, 0.0, 1.0);
}

LabelledObject object_of(const LabelSums& sums, const LabelledImage& image) {
  const VoxelSize& pitch = image.grid.pitch;
  const Extent3& extent = image.grid.extent;
  LabelledObject object;
  object.label = sums.label;
  object.voxels = sums.voxels;
  object.box = sums.box();
  const auto n = static_cast<double>(sums.voxels);
  const std::array<std::int64_t, 3> origin{sums.origin.z, sums.origin.y, sums.origin.x};
  const Vector3d um = vector_of(pitch);
  for (std::size_t a = 0; a < 3; ++a)
    object.centre_um[a] =
        (static_cast<double>(origin[a]) + sums.sum[a] / n + 0.5) * um[static_cast<Eigen::Index>(a)];
  const double voxel = pitch.y_um * pitch.x_um * (image.is_plane() ? 1 : pitch.z_um);
  object.size = n * voxel;
  object.radius_um =
      image.is_plane() ? std::sqrt(object.size / kPi) : std::cbrt(3 * object.size / (4 * kPi));
  object.at_side = sums.first.y == 0 || sums.first.x == 0 || sums.last.y == extent.y - 1 ||
                   sums.last.x == extent.x - 1;
  object.at_end = !image.is_plane() && (sums.first.z == 0 || sums.last.z == extent.z - 1);
  object.mean_counts = sums.counts / n;
  set_axes(object, moments_of(sums, pitch), image.grid);
  return object;
}

/// Sums of the products of three positions.
class ThirdMoments {
 public:
  void add(const Vector3d& p) {
    for (Eigen::Index a = 0; a < 3; ++a)
      sums_[static_cast<std::size_t>(a)] += p[a] * p * p.transpose();
  }
  [[nodiscard]] double norm() const {
    double square = 0;
    for (const Matrix3d& sum : sums_) square += sum.squaredNorm();
    return std::sqrt(square);
  }

 private:
  std::array<Matrix3d, 3> sums_{Matrix3d::Zero(), Matrix3d::Zero(), Matrix3d::Zero()};
};

/// Sets what tells how far the object differs from the ellipsoid with its moments and its size.
void set_deviations(LabelledObject& object, const Matrix3d& moments, const LabelledImage& image) {
  const bool is_plane = image.is_plane();
  // The moments of the voxels themselves keep the matrix regular
  Matrix3d regular = moments;
  regular.diagonal() += vector_of(image.grid.pitch).cwiseAbs2() / 12;
  const double of_body = is_plane ? kOfDisc : kOfBall;
  const Eigen::Index axes = is_plane ? 2 : 3;
  const Eigen::MatrixXd used = regular.bottomRightCorner(axes, axes);
  const double unit = is_plane ? kPi : 4 * kPi / 3;
  const double ellipsoid =
      unit * std::pow(of_body, static_cast<double>(axes) / 2) * std::sqrt(used.determinant());
  const double limit = of_body * std::pow(object.size / ellipsoid, 2 / static_cast<double>(axes));
  // Positions in standard deviations along the axes; those along z stay 0 in a plane
  Matrix3d scaled = Matrix3d::Zero();
  scaled.bottomRightCorner(axes, axes) =
      Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>{used}.operatorInverseSqrt();
  const Box3& box = object.box;
  const VoxelSize& pitch = image.grid.pitch;
  std::int64_t outside = 0;
  ThirdMoments third;
  Vector3d p;
  for (std::int64_t z = 0; z < box.size.z; ++z)
    for (std::int64_t y = 0; y < box.size.y; ++y) {
      const std::uint32_t* const row = image.labels.view().row(box.origin.z + z, box.origin.y + y);
      p[0] = (static_cast<double>(box.origin.z + z) + 0.5) * pitch.z_um - object.centre_um[0];
      p[1] = (static_cast<double>(box.origin.y + y) + 0.5) * pitch.y_um - object.centre_um[1];
      for (std::int64_t x = box.origin.x; x < box.origin.x + box.size.x; ++x) {
        if (row[x] != object.label) continue;
        p[2] = (static_cast<double>(x) + 0.5) * pitch.x_um - object.centre_um[2];
        const Vector3d from_centre = scaled * p;
        if (from_centre.squaredNorm() > limit) ++outside;
        third.add(from_centre);
      }
    }
  const auto voxels = static_cast<double>(object.voxels);
  object.outside_share = static_cast<double>(outside) / voxels;
  object.skewness = third.norm() / voxels;
}

std::int64_t working_bytes(const std::vector<LabelSums>& sums, int threads) {
  std::int64_t surfaces = 0, largest = 0;
  for (const LabelSums& one : sums) {
    surfaces += one.voxels * std::int64_t{sizeof(SurfaceVoxel)};
    largest = std::max(largest, form_bytes(one.box()));
  }
  return surfaces + threads * largest;
}

}  // namespace

LabelledObjects measure_objects(const LabelledImage& image, const RunContext& context) {
  SYNTHOSCOPE_ASSERT(image.has_labels(), ==, true);
  const std::vector<LabelSums> sums = label_sums(image, context);
  const Reservation held =
      context.memory.reserve(working_bytes(sums, context.pool.threads()), "surfaces of objects");
  LabelledObjects all{image.name, image.grid, std::vector<LabelledObject>(sums.size())};
  std::vector<std::vector<SurfaceVoxel>> surfaces(sums.size());
  context.pool.for_each(static_cast<std::int64_t>(sums.size()), [&](std::int64_t i) {
    const auto number = static_cast<std::size_t>(i);
    LabelledObject object = object_of(sums[number], image);
    set_deviations(object, moments_of(sums[number], image.grid.pitch), image);
    ObjectForm form = form_of(image.labels.view(), object.box, object.label);
    object.parts = form.parts;
    object.hole_share = static_cast<double>(form.hole_voxels) / static_cast<double>(object.voxels);
    surfaces[number] = std::move(form.surface);
    all.objects[number] = object;
  });
  measure_gaps(all, surfaces, context);
  return all;
}

}  // namespace synthoscope::fit
