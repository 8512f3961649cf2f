// SPDX-License-Identifier: MIT
// fftconv/device/passes/cufft_plan.hpp — one plan of cuFFT, in a workspace of ours.
#pragma once
#include <cstdint>
#include <vector>
#include "core/cuda/runtime/stream.hpp"
#include "fftconv/fft/cufft.hpp"

namespace synthoscope::fftconv::device {

/// Which transforms a plan makes, in place. Counts are of what is transformed: complex values, or
/// reals; the `other` ones are of what a transform of reals gives, where they differ.
struct CufftLines {
  std::vector<Cufft::Wide> lengths;   ///< slowest first: y and x of a plane, or one axis
  std::vector<Cufft::Wide> embedded;  ///< as `lengths`, with what is between rows
  std::vector<Cufft::Wide> other_embedded = {};
  std::int64_t stride = 1;  ///< from one element to the next of the fastest axis
  std::int64_t apart = 1;   ///< from one transform to the next
  std::int64_t other_apart = 0;
  std::int64_t count = 1;  ///< transforms
};

/// Complex transforms are in single precision, transforms of reals in double precision.
enum class CufftKind { forward_and_inverse, double_to_complex, complex_to_double };

/// Plans that run one after the other may share a workspace.
class CufftPlan {
 public:
  CufftPlan() = default;
  /// @throws CudaError
  explicit CufftPlan(const CufftLines& lines, CufftKind kind = CufftKind::forward_and_inverse);
  CufftPlan(CufftPlan&& other) noexcept;
  CufftPlan& operator=(CufftPlan&& other) noexcept;
  ~CufftPlan();

  [[nodiscard]] std::int64_t workspace_bytes() const { return workspace_bytes_; }
  /// Must be called once, with workspace_bytes(). @throws CudaError
  void set_workspace(void* workspace);
  [[nodiscard]] bool is_made() const { return plan_ >= 0; }

  /// Enqueues the transforms of `values` in place; unscaled.
  /// @param direction  of complex transforms, Cufft::kForward or kInverse  @throws CudaError
  void run(const cuda::Stream& stream, void* values, int direction = Cufft::kForward) const;

 private:
  Cufft::Handle plan_ = -1;
  CufftKind kind_ = CufftKind::forward_and_inverse;
  std::int64_t workspace_bytes_ = 0;
};

}  // namespace synthoscope::fftconv::device
