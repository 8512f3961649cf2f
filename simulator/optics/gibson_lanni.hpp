// SPDX-License-Identifier: MIT
// simulator/optics/gibson_lanni.hpp — the scalar PSF of a wide-field microscope looking through
// immersion, cover glass and sample.
#pragma once
#include <cstdint>
#include <span>
#include "core/task_pool.hpp"
#include "simulator/optics/optics_spec.hpp"
#include "simulator/optics/radial_table.hpp"

namespace synthoscope::simulator {

/// With k = 2 pi / lambda (vacuum), rho the pupil radius relative to the full aperture and * the
/// design values,
///
///     OPD(rho, z) = (z + t_i*) sqrt(n_i^2 - NA^2 rho^2) + z_p sqrt(n_s^2 - NA^2 rho^2)
///                 - t_i* sqrt(n_i*^2 - NA^2 rho^2)
///                 + t_g sqrt(n_g^2 - NA^2 rho^2) - t_g* sqrt(n_g*^2 - NA^2 rho^2)
///     PSF(r, z)   = | int_0^a exp(i k OPD) J0(k NA r rho) rho d rho |^2
///     a           = min(1, n_s/NA, n_i/NA, n_g/NA, n_i*/NA, n_g*/NA)
///
/// z is the change of the immersion's thickness: it grows as the objective withdraws from the
/// cover glass. Lengths in um.
/// @source Gibson and Lanni, J. Opt. Soc. Am. A 8 (1991) 1601, doi:10.1364/JOSAA.8.001601;
///         this form: Li, Xue and Blu, J. Opt. Soc. Am. A 34 (2017) 1029.
class GibsonLanni {
 public:
  explicit GibsonLanni(const OpticsSpec& spec);

  [[nodiscard]] double pupil_radius() const { return pupil_radius_; }  ///< a
  [[nodiscard]] double lateral_wavenumber() const {
    return wavenumber_ * spec_.na;
  }  ///< k NA, 1/um

  /// OPD(rho, z) in um, for 0 <= rho <= a.
  [[nodiscard]] double path_difference_um(double rho, double z_um) const;

  /// Integral of PSF(r, z) over an infinite plane: pi a^2 / (k NA)^2 um^2 at every z. PSF is the
  /// squared Hankel transform of a pupil of modulus 1 for rho < a; with s = k NA rho, Parseval says
  /// int PSF r dr = (k NA)^-4 int_0^{k NA a} s ds = a^2 / (2 (k NA)^2), and 2 pi of it is the
  /// plane.
  [[nodiscard]] double plane_energy_um2() const;

  /// The z of the largest on-axis intensity, to 1e-9 um.
  [[nodiscard]] double focus_um() const;

  /// Quadrature nodes for a relative error near 1e-13: 0.6 (k |OPD swing| + k NA a r_max) + 20,
  /// the swing taken as if the fastest turn of the phase went on over the whole pupil.
  /// @throws InvalidSpec above 6000, where thickness or index are surely mistaken.
  [[nodiscard]] std::int64_t nodes_for(double r_max_um, std::span<const double> z_um) const;

  /// PSF(j step, z) for 0 <= j < radii and every z, by Gauss-Legendre in t with rho = a sin t.
  /// The table J0(k NA r rho) does not depend on z: all planes are one matrix product
  /// (radii x nodes)(nodes x planes). The same for any number of threads.
  [[nodiscard]] RadialTable radial_table(double step_um, std::int64_t radii,
                                         std::span<const double> z_um, std::int64_t nodes,
                                         TaskPool& pool) const;

 private:
  [[nodiscard]] double zone_focus_um(double rho) const;
  [[nodiscard]] double even_swing_um(double z_um) const;

  OpticsSpec spec_;
  double design_immersion_index_, design_coverslip_index_, design_coverslip_um_;
  double wavenumber_, pupil_radius_;
};

}  // namespace synthoscope::simulator
