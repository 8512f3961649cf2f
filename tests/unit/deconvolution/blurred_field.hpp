// SPDX-License-Identifier: MIT
// tests/unit/deconvolution/blurred_field.hpp — light, a PSF, and what a camera would record of it.
#pragma once
#include <numeric>
#include "core/stream/memory_stream.hpp"
#include "deconvolution/iteration/geometry.hpp"
#include "tests/support/run_convolution.hpp"

namespace synthoscope::deconvolution::test {

using synthoscope::test::noise;
using synthoscope::test::run_convolution;

/// Sizes that meet all kinds of axes: planes, even kernels, kernels as large as the field or
/// larger, centres off the middle.
inline const Geometry kGeometries[] = {
    {{1, 24, 30}, {1, 7, 5}, {0, 3, 2}},
    {{1, 16, 17}, {1, 4, 6}, {0, 1, 5}},
    {{9, 14, 12}, {5, 5, 5}, {2, 2, 2}},
    {{6, 11, 13}, {4, 6, 3}, {0, 5, 1}},
    {{5, 8, 20}, {9, 3, 7}, {4, 1, 3}},
    {{1, 5, 6}, {1, 9, 11}, {0, 4, 5}},
    {{12, 10, 10}, {3, 1, 1}, {1, 0, 0}},
    {{4, 9, 7}, {1, 1, 1}, {0, 0, 0}},
    {{6, 11, 13}, {4, 6, 3}, {0, 5, 1}, Edge::wrap},
    {{1, 8, 9}, {1, 5, 9}, {0, 2, 3}, Edge::wrap},
};

/// Positive weights without symmetry, whose sum is 1.
inline Volume<double> weights(const Extent3& extent, std::uint64_t seed) {
  Volume<double> kernel = noise(extent, seed, 0.1, 1);
  const double sum = std::accumulate(kernel.voxels.begin(), kernel.voxels.end(), 0.0);
  for (double& weight : kernel.voxels) weight /= sum;
  return kernel;
}

/// Few bright points, also outside of the field, on dim light.
inline Volume<double> points_of_light(const Extent3& extent, std::uint64_t seed) {
  Volume<double> light = noise(extent, seed);
  for (double& voxel : light.voxels) voxel = voxel > 0.97 ? 2000 * voxel : 20 * voxel;
  return light;
}

/// H times light, in double precision.
inline Volume<double> blurred(const Geometry& geometry, const Volume<double>& light,
                              const Volume<double>& kernel) {
  fftconv::Problem problem = blur_problem(geometry);
  problem.precision = fftconv::Precision::float64;
  problem.source_voxel_bytes = problem.sink_voxel_bytes = 8;
  return run_convolution(light, kernel, problem).result;
}

/// H^T times values of the field, in double precision.
inline Volume<double> projected_back(const Geometry& geometry, const Volume<double>& field,
                                     const Volume<double>& kernel) {
  fftconv::Problem problem = adjoint_problem(geometry);
  problem.precision = fftconv::Precision::float64;
  problem.source_voxel_bytes = problem.sink_voxel_bytes = 8;
  return run_convolution(field, kernel, problem).result;
}

/// Returns the part of an estimate that lies in the field.
template <class Real>
Volume<Real> field_of(const Geometry& geometry, const Volume<Real>& estimate) {
  Volume<Real> part{geometry.field};
  MemorySource{ConstVoxelView{estimate.view()}}.read(field_in_estimate(geometry),
                                                     VoxelView{part.view()});
  return part;
}

inline Volume<float> in_single(const Volume<double>& volume) {
  Volume<float> result{volume.extent};
  for (std::size_t i = 0; i < volume.voxels.size(); ++i)
    result.voxels[i] = static_cast<float>(volume.voxels[i]);
  return result;
}

}  // namespace synthoscope::deconvolution::test
