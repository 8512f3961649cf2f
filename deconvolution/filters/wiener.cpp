// SPDX-License-Identifier: MIT
#include "deconvolution/filters/wiener.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include "core/base/as_index.hpp"
#include "core/base/error.hpp"

namespace synthoscope::deconvolution {
namespace {

/// Most of the sum of |w| that is left out, of all three axes together.
constexpr double kMostCutOff = 1e-4;

/// Weights of a window along z, y and x.
struct FallingWindow {
  std::vector<double> z, y, x;
  explicit FallingWindow(const Index3& half)
      : z{falling_weights(half.z)}, y{falling_weights(half.y)}, x{falling_weights(half.x)} {}
  [[nodiscard]] double sum() const {
    double product = 1;
    for (const auto* axis : {&z, &y, &x}) {
      double along = 0;
      for (const double weight : *axis) along += weight;
      product *= along;
    }
    return product;
  }
};

/// Calls `visit(weight, z, y, x)` for all weights of a kernel.
template <class Visit>
void for_each_weight(const FilterKernel& kernel, Visit&& visit) {
  for (std::int64_t z = 0; z < kernel.extent.z; ++z)
    for (std::int64_t y = 0; y < kernel.extent.y; ++y) {
      float* const row = kernel.view().row(z, y);
      for (std::int64_t x = 0; x < kernel.extent.x; ++x) visit(row[x], z, y, x);
    }
}

/// Sums of |weights| at each distance from the centre, along each axis.
struct Distances {
  std::vector<double> z, y, x;
  double all = 0;
};

Distances distances_in(const FilterKernel& kernel) {
  const Index3& c = kernel.center;
  Distances sums{std::vector<double>(as_index(c.z + 1)), std::vector<double>(as_index(c.y + 1)),
                 std::vector<double>(as_index(c.x + 1))};
  for_each_weight(kernel, [&](float weight, std::int64_t z, std::int64_t y, std::int64_t x) {
    const double magnitude = std::abs(static_cast<double>(weight));
    sums.z[as_index(std::abs(z - c.z))] += magnitude;
    sums.y[as_index(std::abs(y - c.y))] += magnitude;
    sums.x[as_index(std::abs(x - c.x))] += magnitude;
    sums.all += magnitude;
  });
  return sums;
}

/// Returns the least half size beyond which at most `most` lies.
std::int64_t half_that_holds(const std::vector<double>& at, double most) {
  std::int64_t half = std::ssize(at) - 1;
  for (double beyond = at[as_index(half)]; half > 0 && beyond <= most; beyond += at[as_index(half)])
    --half;
  return half;
}

/// Returns the middle of a centred kernel.
FilterKernel middle_of(const FilterKernel& kernel, const Index3& half, const RunContext& context) {
  const Extent3 extent{2 * half.z + 1, 2 * half.y + 1, 2 * half.x + 1};
  FilterKernel middle{extent, half, {context.memory, volume(extent), "a kernel"}};
  const Index3& c = kernel.center;
  kernel.source().read({{c.z - half.z, c.y - half.y, c.x - half.x}, extent},
                       VoxelView{middle.view()});
  return middle;
}

}  // namespace

void require_lambda(double lambda) {
  if (!(lambda > 0) || !std::isfinite(lambda))
    throw InvalidSpec(fmt::format(
        "deconvolve: lambda, the ratio of the powers of noise and signal, is {:.6g}; give a number "
        "above 0, such as 0.01, or have it chosen from the image",
        lambda));
}

WienerKernel make_wiener(const fftconv::Kernel& psf, const Index3& center, double lambda,
                         const RunContext& context) {
  require_lambda(lambda);
  const Extent3 k = psf.voxels->extent();
  const Index3 reach{k.z - 1, k.y - 1, k.x - 1};
  const Extent3 whole_extent{2 * k.z - 1, 2 * k.y - 1, 2 * k.x - 1};

  // In frequency
  FourierVolume spectrum =
      transfer_of(psf, center,
                  {transform_length_from(whole_extent.z), transform_length_from(whole_extent.y),
                   transform_length_from(whole_extent.x)},
                  context);
  spectrum.for_each([&](std::complex<double>& value, auto, auto, auto) {
    value = (1 + lambda) * std::conj(value) / (std::norm(value) + lambda);
  });
  spectrum.inverse();

  // In space: within a window, and as large as needed
  const FilterKernel all = cut_out(spectrum, whole_extent, reach, context);
  const FallingWindow taper{reach};
  for_each_weight(all, [&](float& weight, std::int64_t z, std::int64_t y, std::int64_t x) {
    weight *=
        static_cast<float>(taper.z[as_index(z)] * taper.y[as_index(y)] * taper.x[as_index(x)]);
  });
  const Distances sums = distances_in(all);
  const double most = kMostCutOff / 3 * sums.all;
  const Index3 half{half_that_holds(sums.z, most), half_that_holds(sums.y, most),
                    half_that_holds(sums.x, most)};
  WienerKernel wiener{middle_of(all, half, context), lambda, 0};
  wiener.cut_off = std::max(0.0, 1 - distances_in(wiener.kernel).all / sums.all);

  // Its sum
  const FallingWindow window{half};
  const double missing = (1 - sum_of(wiener.kernel)) / window.sum();
  for_each_weight(wiener.kernel,
                  [&](float& weight, std::int64_t z, std::int64_t y, std::int64_t x) {
                    weight += static_cast<float>(missing * window.z[as_index(z)] *
                                                 window.y[as_index(y)] * window.x[as_index(x)]);
                  });
  return wiener;
}

fftconv::Problem wiener_problem(const Extent3& image, const WienerKernel& wiener) {
  fftconv::Problem problem;
  problem.image = image;
  problem.kernel = wiener.kernel.extent;
  problem.center = wiener.kernel.center;
  problem.boundary = Boundary::nearest;
  problem.kernel_voxel_bytes = sizeof(float);
  return problem;
}

}  // namespace synthoscope::deconvolution
