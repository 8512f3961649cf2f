// SPDX-License-Identifier: MIT
#include "deconvolution/iteration/geometry.hpp"

namespace synthoscope::deconvolution {
namespace {

fftconv::Problem problem_on(const Geometry& geometry, const Extent3& image) {
  fftconv::Problem problem;
  problem.image = image;
  problem.kernel = geometry.kernel;
  problem.center = geometry.center;
  if (geometry.edge == Edge::wrap) problem.boundary = Boundary::wrap;
  problem.image_voxel_bytes = problem.result_voxel_bytes = 0;  // volumes of the run itself
  problem.source_voxel_bytes = problem.sink_voxel_bytes = sizeof(float);
  return problem;
}

}  // namespace

Extent3 estimate_extent(const Geometry& geometry) {
  const Extent3 &f = geometry.field, &k = geometry.kernel;
  if (geometry.edge == Edge::wrap) return f;
  return {f.z + k.z - 1, f.y + k.y - 1, f.x + k.x - 1};
}

Box3 field_in_estimate(const Geometry& geometry) {
  if (geometry.edge == Edge::wrap) return whole(geometry.field);
  const Extent3& k = geometry.kernel;
  const Index3& c = geometry.center;
  return {{k.z - 1 - c.z, k.y - 1 - c.y, k.x - 1 - c.x}, geometry.field};
}

fftconv::Problem blur_problem(const Geometry& geometry) {
  fftconv::Problem problem = problem_on(geometry, estimate_extent(geometry));
  if (geometry.edge == Edge::extend) problem.shape = fftconv::Shape::valid;
  return problem;
}

fftconv::Problem adjoint_problem(const Geometry& geometry) {
  fftconv::Problem problem = problem_on(geometry, geometry.field);
  if (geometry.edge == Edge::extend) problem.shape = fftconv::Shape::full;
  problem.correlate = true;
  return problem;
}

}  // namespace synthoscope::deconvolution
