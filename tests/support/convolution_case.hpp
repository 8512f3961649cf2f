// SPDX-License-Identifier: MIT
// tests/support/convolution_case.hpp — requests that every way of running them must answer alike.
#pragma once
#include <algorithm>
#include <cmath>
#include "tests/support/direct_convolution.hpp"
#include "tests/support/run_convolution.hpp"

namespace synthoscope::test {

struct SizeCase {
  const char* name;
  Extent3 image, kernel;
};

/// Flat, thin, prime, and as large as or larger than each other.
inline constexpr SizeCase kAwkwardSizes[] = {
    {"line", {1, 1, 211}, {1, 1, 32}},
    {"flat", {1, 97, 101}, {1, 13, 8}},
    {"flat_as_large_as_its_kernel", {1, 61, 64}, {1, 61, 64}},
    {"stack_with_flat_kernel", {31, 40, 23}, {1, 7, 7}},
    {"column", {127, 2, 3}, {20, 1, 2}},
    {"primes", {43, 37, 41}, {11, 13, 7}},
    {"thin_and_wide", {2, 131, 127}, {3, 17, 16}},
    {"cube_as_large_as_its_kernel", {17, 18, 19}, {17, 18, 19}},
    {"smaller_than_its_kernel", {9, 20, 14}, {19, 11, 31}},
};

/// What is made of a result: all of it, its middle plane, or some rows and columns.
enum class Wanted { all, plane, some };

/// How requests on one pair of sizes differ.
struct Manner {
  Boundary boundary = Boundary::zero;
  fftconv::Shape shape = fftconv::Shape::same;
  bool correlate = false, remove_mean = false;
  PixelType type = PixelType::float32;  ///< of the image
  Wanted wanted = Wanted::all;
};

inline Box3 part_of(const Extent3& result, Wanted wanted) {
  if (wanted == Wanted::all) return {};
  if (wanted == Wanted::plane) return {{result.z / 2, 0, 0}, {1, 0, 0}};
  return {{0, result.y / 3, result.x / 2}, {0, (result.y + 1) / 2, (result.x + 2) / 3}};
}

inline bool is_defined(const Extent3& image, const Extent3& kernel, fftconv::Shape shape) {
  return shape != fftconv::Shape::valid ||
         (kernel.z <= image.z && kernel.y <= image.y && kernel.x <= image.x);
}

/// With a centre that is nowhere in the middle.
inline fftconv::Problem problem_of(const Extent3& image, const Extent3& kernel,
                                   const Manner& manner) {
  fftconv::Problem problem;
  problem.image = image;
  problem.kernel = kernel;
  problem.center = {kernel.z / 2, kernel.y / 3, kernel.x - 1};
  problem.boundary = manner.boundary;
  problem.shape = manner.shape;
  problem.correlate = manner.correlate;
  problem.remove_mean = manner.remove_mean;
  problem.part = part_of(output_extent(problem), manner.wanted);
  return problem;
}

/// Noise from 0 to below `end`, in numbers that every type holds.
inline Volume<double> whole_numbers(const Extent3& extent, std::uint64_t seed, double end) {
  auto volume = noise(extent, seed, 0, end);
  for (double& voxel : volume.voxels) voxel = std::floor(voxel);
  return volume;
}

/// A voxel that is no number counts as infinitely far.
inline double largest_difference(const Volume<double>& a, const Volume<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.voxels.size(); ++i) {
    const double difference = std::abs(a.voxels[i] - b.voxels[i]);
    largest = std::max(largest, difference >= 0 ? difference : HUGE_VAL);
  }
  return largest;
}

}  // namespace synthoscope::test
