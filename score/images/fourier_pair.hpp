// SPDX-License-Identifier: MIT
// score/images/fourier_pair.hpp — the spectra of truth and result in one complex transform.
// Private.
#pragma once
#include <cstdint>
#include <vector>
#include "core/base/as_index.hpp"
#include "score/images/fourier_lines.hpp"
#include "score/images/fourier_window.hpp"
#include "score/images/image_pair.hpp"

namespace synthoscope::score {

/// What is subtracted from an image, and what the rest is multiplied by.
struct Levels {
  double truth_mean = 0, truth_scale = 1, result_mean = 0, result_scale = 1;
};

/// Holds the transform of t + i r, of some planes or of a volume, from which the spectra of both
/// follow: a spectrum of real numbers is conjugate at the negative frequency. In double precision,
/// 16 bytes a voxel.
class FourierPair {
 public:
  enum class Of { planes, volume };

  /// @param extent  what is transformed at once: of several planes, each by itself, or a volume
  FourierPair(const ScoredImage& truth, const ScoredImage& result, const Extent3& extent, Of of,
              FourierWindow window, const RunContext& context);

  /// Returns the bytes that an object takes.
  static std::int64_t bytes(const ScoredImage& truth, const ScoredImage& result,
                            const Extent3& extent, int threads);

  /// Reads the planes from `first` on and transforms them.
  /// @param levels   of plane i at i % levels.size()
  /// @param planes   how many of the extent's planes there are
  /// @throws InvalidInput, Interrupted, and what the sources throw
  void transform(std::int64_t first, std::int64_t planes, const std::vector<Levels>& levels);

  /// Where the frequency kx of 0 ... extent.x - 1 is in a row, in doubles; its imaginary part is
  /// lanes() further. Likewise numbers of rows and planes.
  [[nodiscard]] std::int64_t place_of_x(std::int64_t kx) const { return x_places_[as_index(kx)]; }
  [[nodiscard]] std::int64_t row_of_y(std::int64_t ky) const { return y_places_[as_index(ky)]; }
  [[nodiscard]] std::int64_t plane_of_z(std::int64_t kz) const { return z_places_[as_index(kz)]; }
  [[nodiscard]] const double* row(std::int64_t plane, std::int64_t row) const {
    return spectrum_.data() + (plane * extent_.y + row) * row_doubles_;
  }

 private:
  struct Scratch {
    PairReader reader;
    HostBuffer<double> truth, result, line, work;
  };
  void transform_rows(const Box3& box, std::int64_t plane, const Levels& levels, Scratch& scratch);
  void transform_columns(const FourierLines& lines, const std::vector<std::int64_t>& offsets,
                         double* first, const Scratch& scratch) const;

  const RunContext& context_;
  Extent3 extent_;
  Of of_;
  std::int64_t row_doubles_, band_rows_;
  FourierLines x_, y_, z_;
  std::vector<double> x_weights_, y_weights_, z_weights_;
  std::vector<std::int64_t> x_offsets_, y_offsets_, z_offsets_;
  std::vector<std::int64_t> x_places_, y_places_, z_places_;
  HostBuffer<double> spectrum_;
  std::vector<Scratch> scratch_;
};

}  // namespace synthoscope::score
