// SPDX-License-Identifier: MIT
// tests/unit/simulator/optics/psf_oracle.hpp — the Gibson-Lanni integral by brute force: Simpson's
// rule in rho, long double, the standard library's Bessel function. Shares no code with what it
// judges.
#pragma once
#include <cmath>
#include <complex>
#include "simulator/optics/pupil/optics_spec.hpp"

namespace synthoscope::test {

class GibsonLanniOracle {
 public:
  explicit GibsonLanniOracle(const simulator::OpticsSpec& s) : s_{s} {
    for (const double n :
         {s.sample_index, s.immersion_index, s.coverslip_index,
          s.design_immersion_index.value_or(9), s.design_coverslip_index.value_or(9)})
      edge_ = std::min(edge_, static_cast<long double>(n / s.na));
  }

  [[nodiscard]] double intensity(double r_um, double z_um, int intervals) const {
    const long double k = 2 * kPi / (static_cast<long double>(s_.wavelength_nm) / 1000);
    // rho = edge (1 - u^2): the square roots that vanish at the edge become smooth in u
    const long double h = 1.0L / intervals;
    std::complex<long double> sum;
    for (int i = 0; i <= intervals; ++i) {
      const long double u = i * h, rho = edge_ * (1 - u * u);
      const long double simpson = i == 0 || i == intervals ? 1 : i % 2 == 1 ? 4 : 2;
      const long double phase = k * (path(rho, z_um) - path(0, z_um));
      const long double bessel = std::cyl_bessel_jl(0.0L, k * s_.na * r_um * rho);
      sum += simpson * bessel * rho * 2 * edge_ * u *
             std::complex<long double>{std::cos(phase), std::sin(phase)};
    }
    return static_cast<double>(std::norm(sum * (h / 3)));
  }

 private:
  static constexpr long double kPi = 3.141592653589793238462643383279502884L;

  [[nodiscard]] long double leg(double thickness, double index, long double rho) const {
    const long double n = index, s = s_.na * rho;
    return thickness * std::sqrt(std::max(0.0L, n * n - s * s));
  }

  [[nodiscard]] long double path(long double rho, double z_um) const {
    return leg(z_um + s_.working_distance_um, s_.immersion_index, rho) +
           leg(s_.depth_um, s_.sample_index, rho) -
           leg(s_.working_distance_um, s_.design_immersion_index.value_or(s_.immersion_index),
               rho) +
           leg(s_.coverslip_um, s_.coverslip_index, rho) -
           leg(s_.design_coverslip_um.value_or(s_.coverslip_um),
               s_.design_coverslip_index.value_or(s_.coverslip_index), rho);
  }

  simulator::OpticsSpec s_;
  long double edge_ = 1;
};

}  // namespace synthoscope::test
