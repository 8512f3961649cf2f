// SPDX-License-Identifier: MIT
// simulator/light/stripes.hpp — the stripes of a raw image: where they lie, and how they change
// light.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <vector>
#include "core/stream/stream.hpp"
#include "simulator/light/pattern_spec.hpp"
#include "simulator/light/plain_stripes.hpp"

namespace synthoscope::simulator {

/// One cosine of a pattern: contrast cos(2 pi (k r + axial_cycles_per_um z) + phase), with r from
/// the middle of the field.
struct Harmonic {
  double contrast = 0;
  std::array<double, 2> cycles_per_um{};  ///< k, along y and x
  double phase_turns = 0;
};

/// The excitation light of one raw image, divided by its mean. For two beams
///
///     1 + c cos(2 psi)
///
/// and for three of equal amplitudes, polarised along the stripes, at the distance z from the
/// focus,
///
///     1 + c (2/3 cos(2 psi) + 4/3 cos(psi) cos(2 pi q z)),    q = n / lambda (1 - cos theta)
///
/// with psi = pi k r + phase, |k| = 1 / period and sin(theta) = lambda / (2 n period), n of the
/// sample; theta is the angle between a side beam and the beam along the axis.
/// @source Gustafsson et al., Biophys. J. 94 (2008) 4957, doi:10.1529/biophysj.107.120345.
struct RawPattern {
  std::int64_t angle = 0, phase = 0;  ///< which of pattern.angles and pattern.phases
  double angle_degrees = 0;
  Harmonic fine;                   ///< the same at all depths
  Harmonic coarse;                 ///< for three beams: has twice the period
  double axial_cycles_per_um = 0;  ///< q, of `coarse`
};

/// Returns the pattern of raw image `frame` modulo (angles * phases).
RawPattern raw_pattern(const PatternSpec& pattern, const OpticsSpec& optics, std::int64_t frame);

/// A harmonic on the voxels of a grid. Immutable.
class Stripes {
 public:
  /// @param mean         constant term of the factor: 1, or 0
  /// @param is_averaged  over each voxel, as light of bodies is; otherwise taken in its middle,
  ///                     where points are
  Stripes(const Harmonic& harmonic, double mean, const Grid& grid, bool is_averaged);

  static std::int64_t bytes(const Grid& grid);

  [[nodiscard]] PlainStripes plain() const { return plain_of(values_.data()); }

  /// Return the values that `plain` points at, and the same stripes for a copy of these values.
  [[nodiscard]] const std::vector<double>& values() const { return values_; }
  [[nodiscard]] PlainStripes plain_of(const double* values) const;

 private:
  double mean_;
  std::int64_t rows_, columns_;
  std::vector<double> values_;
};

/// The light of a float32 source under stripes. Both references must outlive it.
class StripedSource final : public Source {
 public:
  StripedSource(Source& inner, const Stripes& stripes);
  [[nodiscard]] Extent3 extent() const override { return inner_.extent(); }
  [[nodiscard]] PixelType pixel_type() const override { return PixelType::float32; }
  void read(const Box3& box, VoxelView out) override;
  void expect(const Box3& box) override { inner_.expect(box); }

  /// Returns a source of the same voxels, bit for bit.
  [[nodiscard]] std::unique_ptr<cuda::DeviceSource> make_on_device() override;

 private:
  Source& inner_;
  const Stripes& stripes_;
};

}  // namespace synthoscope::simulator
