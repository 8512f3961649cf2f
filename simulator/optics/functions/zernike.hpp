// SPDX-License-Identifier: MIT
// simulator/optics/functions/zernike.hpp — aberrations as sums of Zernike's polynomials.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace synthoscope::simulator {

/// One polynomial in Noll's numbering: 2 and 3 tilt, 4 defocus, 5 and 6 astigmatism, 7 and 8 coma,
/// 9 and 10 trefoil, 11 spherical aberration.
struct ZernikeTerm {
  int noll = 1;      ///< 1 to kMaxNoll
  double waves = 0;  ///< rms over the full aperture, within kMaxWaves
  friend bool operator==(const ZernikeTerm&, const ZernikeTerm&) = default;
};
using ZernikeTerms = std::vector<ZernikeTerm>;

inline constexpr int kMaxNoll = 66;  // ten rings
inline constexpr double kMaxWaves = 2;

/// Reads "5: 0.1, 11: -0.05", separated by commas or spaces; empty for no terms.
/// @throws InvalidSpec  other text, a number out of range, or an index given twice.
ZernikeTerms parse_zernike(std::string_view text);

/// The inverse of parse_zernike.
std::string print(const ZernikeTerms& terms);

/// Degree along the radius and number of turns in the angle; negative for a sine.
struct ZernikeOrder {
  int degree = 0, turns = 0;
};
ZernikeOrder order_of(int noll);

/// Returns the factor along the radius: sqrt(n + 1) R_n^0 without turns, otherwise sqrt(2 (n + 1))
/// R_n^m.
double zernike_along(int noll, double rho);

/// Returns Z_j(rho, theta), whose mean square over the unit disc is 1: zernike_along times cos(m
/// theta) for even j and sin(m theta) for odd j.
/// @source Noll, J. Opt. Soc. Am. 66 (1976) 207, doi:10.1364/JOSA.66.000207.
double zernike(int noll, double rho, double theta);

/// Returns the sum of the terms in waves.
double wavefront(const ZernikeTerms& terms, double rho, double theta);

}  // namespace synthoscope::simulator
