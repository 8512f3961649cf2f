// SPDX-License-Identifier: MIT
// deconvolution/iteration/total_variation.hpp — a penalty for light that changes between
// neighbouring voxels, which noise does everywhere and an object does at its edges.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>
#include "core/stream/stream.hpp"
#include "deconvolution/iteration/geometry.hpp"
#include "deconvolution/iteration/seen_share.hpp"

namespace synthoscope::deconvolution {

/// How much a change of the light counts.
struct VariationSpec {
  /// L > 0: a step of the light over an area of one pixel pitch squared counts as much against an
  /// estimate as L times its height in photons counts for it. With the length in units of the x
  /// pitch, L does not depend on the size of a voxel along z.
  double weight = 0;
  std::array<double, 3> pitch{1, 1, 1};  ///< z, y, x of a voxel, in any one unit
};

/// The total variation of an estimate u, in which lengths are in units of the x pitch:
///
///     V = sum of n,      n = sqrt(|grad u|^2 + e^2)
///
/// with forward differences, e = 0.03 times the light of a typical bright voxel, and no differences
/// to voxels that take no part. Light that maximises the logarithm of the likelihood less L' V,
/// L' = L (H^T 1) of a voxel that is wholly seen, obeys
///
///     u H^T (f / e) = u (H^T 1 - L' div(grad u / n))
///
/// which Dey's iteration divides by, with the divergence of the estimate before. Its divisor may
/// become 0, and where light is even it overshoots: neighbours then alternate. Here, the change of
/// the divergence with the voxel itself is taken into account, by a parabola above V that is a sum
/// over voxels. Each voxel then has one quadratic equation with one positive root, for every L, and
/// an iteration never makes likelihood less L' V smaller. Where the parabola is left out it is
/// Dey's formula; both stop at the same light.
/// @source Dey et al., Microsc. Res. Tech. 69 (2006) 260, doi:10.1002/jemt.20294; De Pierro, IEEE
///         Trans. Med. Imaging 14 (1995) 132, doi:10.1109/42.370409 (sums over voxels); Vogel,
///         Oman, SIAM J. Sci. Comput. 17 (1996) 227, doi:10.1137/0917016 (parabola)
class TotalVariation {
 public:
  /// e over the light of a typical bright voxel.
  static constexpr double kFlat = 0.03;

  /// @param estimate  u, float32: a copy that does not change while rows are read
  /// @param typical   the light of a typical bright voxel of u
  TotalVariation(const VariationSpec& spec, Source& estimate, const SeenShare& share, Edge edge,
                 double typical);

  /// Reads rows of the estimate for one thread; remembers those that the next row needs again.
  class Rows;

 private:
  struct Edges {
    float z = 0, y = 0, x = 0;  ///< 1 / pitch^2; 0 along an axis of one voxel
  };

  Source& estimate_;
  const SeenShare& share_;
  Edge edge_;
  Edges inverse_square_;
  float weight_, flat_squared_;
};

class TotalVariation::Rows {
 public:
  explicit Rows(const TotalVariation& variation) : variation_{variation} {}

  /// Fills for the voxels (z, y, x), (z, y, x + 1), ... what `next_light` takes. Fast if it is
  /// called for y + 1 next, with the same x and the same number of voxels.
  /// @param slopes  L' div(grad u / n)
  /// @param bends   twice the sum of L' / (n pitch^2) over the differences to neighbours
  void fill(std::int64_t z, std::int64_t y, std::int64_t x, std::span<float> slopes,
            std::span<float> bends);

 private:
  /// Voxels x - 1 ... x + count of a row; those that take no part or do not exist are kAbsent.
  struct Row {
    std::int64_t z = -2, y = -2, x = -2;  ///< none yet
    std::vector<float> voxels;
  };
  const std::vector<float>& row(std::int64_t z, std::int64_t y, std::int64_t x, std::size_t count);
  void read(Row& row) const;
  void find_lengths(const std::vector<float>& here, const std::vector<float>& along_y,
                    const std::vector<float>& along_z, std::vector<float>& inverse) const;

  const TotalVariation& variation_;
  std::array<Row, 9> rows_;                        ///< by z and y modulo 3
  std::vector<float> here_, before_y_, before_z_;  ///< 1 / n of three rows
  Index3 of_here_{-2, -2, -2};                     ///< first voxel of the row of here_
};

/// Returns the positive root of
///
///     bend u'^2 + (share - slope - bend u) u' = u max(0, share + v)
///
/// the light of a voxel after an iteration; u max(0, 1 + v / share) without variation.
/// @param light      u >= 0; a voxel that takes part
/// @param residuals  v = H^T d of the RelativeResidual d
inline double next_light(double light, double residuals, double share, double slope, double bend) {
  const double half = (share - slope - bend * light) / 2,
               product = light * std::max(share + residuals, 0.0);
  // Of both forms of the root, the one that subtracts nothing
  const double sum = std::sqrt(half * half + bend * product) + std::abs(half);
  const double above = half > 0 ? product : sum, below = half > 0 ? sum : bend;
  return above / below;
}

}  // namespace synthoscope::deconvolution
