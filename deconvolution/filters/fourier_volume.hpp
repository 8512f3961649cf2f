// SPDX-License-Identifier: MIT
// deconvolution/filters/fourier_volume.hpp — a small volume and its spectrum, by the line
// transforms of the convolution.
#pragma once
#include <complex>
#include <cstdint>
#include <vector>
#include "core/run/host_buffer.hpp"
#include "core/run/run_context.hpp"
#include "core/volume/extent.hpp"
#include "fftconv/request.hpp"

namespace synthoscope::deconvolution {

/// Returns the shortest length of a transform that is not below `least`, which is at least 1.
std::int64_t transform_length_from(std::int64_t least);

/// Returns the longest length of a transform that is not above `most`, which is at least 1.
std::int64_t transform_length_up_to(std::int64_t most);

/// Complex voxels in double precision, 16 bytes each, which are transformed in place. Before and
/// after a transform they are in the natural order: frequency k of an axis of length n is k / n
/// cycles a voxel, and -(n - k) / n beyond the middle. For kernels, and for blocks of an image.
class FourierVolume {
 public:
  /// All voxels are 0. Every length is a product of 2, 3, 5 and 7.
  /// @throws PlanError  beyond the budget
  FourierVolume(const Extent3& extent, const RunContext& context);

  [[nodiscard]] const Extent3& extent() const { return extent_; }
  [[nodiscard]] std::complex<double>* row(std::int64_t z, std::int64_t y) const {
    return voxels_.data() + (z * extent_.y + y) * extent_.x;
  }

  /// Calls `visit(value, z, y, x)` for all voxels, planes on several threads. @throws Interrupted
  template <class Visit>
  void for_each(Visit&& visit) {
    context_.pool.for_each(extent_.z, [&](std::int64_t z) {
      for (std::int64_t y = 0; y < extent_.y; ++y)
        for (std::int64_t x = 0; x < extent_.x; ++x) visit(row(z, y)[x], z, y, x);
    });
  }

  /// Adds the weights of a kernel with its voxel `center` at (0, 0, 0), positions modulo the
  /// extent. The transform then samples the transfer function, even if the kernel is larger.
  /// @throws what the kernel's source throws, and Interrupted
  void add_kernel(const fftconv::Kernel& kernel, const Index3& center);

  /// Transforms to the spectrum. Unscaled. Bits do not depend on threads. @throws Interrupted
  void forward();

  /// Transforms back: the inverse of `forward`. @throws Interrupted
  void inverse();

 private:
  struct Lines;
  void transform(const Lines& lines, bool is_forward);
  void transform_all(bool is_forward);

  const RunContext& context_;
  Extent3 extent_;
  HostBuffer<std::complex<double>> voxels_;
};

/// Returns the frequency, 0 to 1/2 cycles a voxel, without its sign.
constexpr double frequency_of(std::int64_t k, std::int64_t length) {
  return static_cast<double>(k < length - k ? k : length - k) / static_cast<double>(length);
}

}  // namespace synthoscope::deconvolution
