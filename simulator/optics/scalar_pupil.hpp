// SPDX-License-Identifier: MIT
// simulator/optics/scalar_pupil.hpp — the scalar diffraction integral over a round pupil, whatever
// path differences fill it.
#pragma once
#include <cstdint>
#include <span>
#include <vector>
#include "core/task_pool.hpp"
#include "simulator/optics/radial_table.hpp"

namespace synthoscope::simulator {

/// Nodes of int_0^a ... rho d rho, by Gauss-Legendre in t with rho = a sin t.
struct PupilNodes {
  std::vector<double> rho, weight;
};
PupilNodes pupil_nodes(double a, std::int64_t nodes);

/// With k = 2 pi / lambda (vacuum) and rho the pupil radius relative to the full aperture,
///
///     PSF(r, z) = | int_0^a exp(i k OPD(rho, z)) J0(k NA r rho) rho d rho |^2
///
/// A model says OPD and a. Lengths in um.
class ScalarPupil {
 public:
  virtual ~ScalarPupil() = default;

  /// OPD(rho, z) in um, for 0 <= rho <= a; a constant over the pupil changes nothing.
  [[nodiscard]] virtual double path_difference_um(double rho, double z_um) const = 0;

  /// The z of the largest on-axis intensity, to 1e-9 um.
  [[nodiscard]] virtual double focus_um() const = 0;

  [[nodiscard]] double pupil_radius() const { return pupil_radius_; }              ///< a
  [[nodiscard]] double lateral_wavenumber() const { return lateral_wavenumber_; }  ///< k NA, 1/um

  /// Integral of PSF(r, z) over an infinite plane: pi a^2 / (k NA)^2 um^2 at every z. PSF is the
  /// squared Hankel transform of a pupil of modulus 1 for rho < a; with s = k NA rho, Parseval says
  /// int PSF r dr = (k NA)^-4 int_0^{k NA a} s ds = a^2 / (2 (k NA)^2), and 2 pi of it is the
  /// plane.
  [[nodiscard]] double plane_energy_um2() const;

  /// Quadrature nodes for a relative error near 1e-13: 0.6 (k |OPD swing| + k NA a r_max) + 20,
  /// the swing taken as if the fastest turn of the phase went on over the whole pupil.
  /// @throws InvalidSpec above 6000, where thickness or index are surely mistaken.
  [[nodiscard]] std::int64_t nodes_for(double r_max_um, std::span<const double> z_um) const;

  /// PSF(j step, z) for 0 <= j < radii and every z, on pupil_nodes.
  /// The table J0(k NA r rho) does not depend on z: all planes are one matrix product
  /// (radii x nodes)(nodes x planes). The same for any number of threads.
  [[nodiscard]] RadialTable radial_table(double step_um, std::int64_t radii,
                                         std::span<const double> z_um, std::int64_t nodes,
                                         TaskPool& pool) const;

 protected:
  ScalarPupil(double na, double wavelength_um, double pupil_radius);
  ScalarPupil(const ScalarPupil&) = default;
  ScalarPupil& operator=(const ScalarPupil&) = default;
  [[nodiscard]] double wavenumber() const { return wavenumber_; }  ///< k, 1/um

 private:
  [[nodiscard]] double even_swing_um(double z_um) const;

  double wavenumber_, lateral_wavenumber_, pupil_radius_;
};

}  // namespace synthoscope::simulator
