// SPDX-License-Identifier: MIT
// fftconv/host/parts/folded_source.hpp — one part of a volume as a source of real planes.
#pragma once
#include <complex>
#include <span>
#include <vector>
#include "core/stream/stream.hpp"
#include "fftconv/fft/lane_functions.hpp"
#include "fftconv/host/stages/stage.hpp"
#include "fftconv/plan/cuts/decimation.hpp"
#include "fftconv/plan/cuts/layout.hpp"
#include "fftconv/planes/access.hpp"

namespace synthoscope::fftconv {

/// What is folded: planes of a source at their positions along z.
struct FoldInput {
  Source* source = nullptr;
  double scale = 1, background = 0;  ///< voxel -> scale * (voxel - background)
  struct Plane {
    std::int64_t position = 0, source = 0;
    double weight = 1;
  };
  std::vector<Plane> planes;
};

/// Every loaded position of the image along z, and the plane at it.
FoldInput image_to_fold(const Layout& layout, const WorkAxes& axes, const Term& term, double mean);

/// Kernel planes at their positions, which may be negative: the rotation factors include the sign.
FoldInput kernel_to_fold(const Layout& layout, const Kernel& kernel);

/// All M planes of a part.
std::vector<std::int64_t> all_planes(const Decimation& decimation);

/// Plane of a part that input planes are folded into, for those that hold something, ascending.
std::vector<std::int64_t> folded_planes(const FoldInput& input, const Decimation& decimation);

/// Part p of a volume (decimation.hpp, fold): planes 2i and 2i + 1 of this source are the real and
/// the imaginary plane of the i-th kept plane of the part. Rows and columns are the input's, in the
/// axes of the work problem. Boxes begin and end at even planes. Computed in Real with factors that
/// are exact to double precision.
template <class Real>
class FoldedSource final : public Source {
 public:
  /// `kept` are planes of the part, ascending. Voxels are read into `fold` of a thread's scratch.
  FoldedSource(const FoldInput& input, const WorkAxes& axes, const Decimation& decimation,
               const std::vector<std::int64_t>& kept, const LaneFunctions<Real>& functions,
               std::span<const Scratch<Real>> scratch);

  /// The part that is read from now on.
  void set_part(std::int64_t part);

  [[nodiscard]] Extent3 extent() const override;
  [[nodiscard]] PixelType pixel_type() const override { return pixel_type_of<Real>(); }
  void read(const Box3& box, VoxelView out) override;

  /// Rows and columns of `rows`, whose z is not looked at, of the real and the imaginary part of
  /// the `kept`-th kept plane.
  void fold(std::int64_t kept, const Box3& rows, Real* re, Real* im) const;

  /// The same for all parts, reading every voxel once: the real and the imaginary piece of part 0,
  /// those of part 1, and so on.
  void fold_parts(std::int64_t kept, const Box3& rows, Real* pieces) const;

 private:
  struct Rotated {
    std::int64_t plane;  ///< of the input
    std::int64_t position;
    std::complex<double> factor;
  };
  using Factors = std::span<const std::complex<double>>;
  [[nodiscard]] std::complex<double> factor_of(std::int64_t part, const Rotated& rotated) const;
  void fold_plane(const Rotated& rotated, const Box3& rows, Factors factors, Real* re,
                  Real* im) const;
  template <class Native>
  void add(const Native* voxels, std::int64_t count, Factors factors, Real* re, Real* im) const;

  FoldInput input_;
  WorkAxes axes_;
  Decimation decimation_;
  const LaneFunctions<Real>& functions_;
  std::vector<std::vector<Rotated>> kept_;  ///< what is folded into each kept plane
  std::span<const Scratch<Real>> scratch_;
};

extern template class FoldedSource<float>;
extern template class FoldedSource<double>;

}  // namespace synthoscope::fftconv
