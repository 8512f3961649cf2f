// SPDX-License-Identifier: MIT
// simulator/optics/pupil/symmetric_pupil.hpp — the diffraction integrals over a round pupil, scalar
// or of three components, for any path differences.
#pragma once
#include <array>
#include <complex>
#include <cstdint>
#include <span>
#include <vector>
#include "core/run/task_pool.hpp"
#include "simulator/optics/functions/radial_table.hpp"

namespace synthoscope::simulator {

/// A ring of the pupil over which path differences and amplitudes are smooth, apart from square
/// roots that vanish at its edges.
struct PupilZone {
  double from = 0, to = 1;  ///< rho
};

/// Nodes of int ... rho d rho over the zones of a pupil: in each zone Gauss-Legendre in t with
/// rho^2 = from^2 + (to^2 - from^2) sin^2 t.
struct PupilNodes {
  std::vector<double> rho, weight;
  [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(rho.size()); }
  void add(const PupilZone& zone, std::int64_t nodes);
};

/// A round pupil. With k = 2 pi / lambda (vacuum) and rho the radius relative to the full aperture,
///
///     I_m(r, z) = int_0^a A_m(rho) exp(i k OPD(rho, z)) J_m(k NA r rho) rho d rho
///     PSF(r, z) = |I_0|^2 + 2 |I_1|^2 + |I_2|^2
///
/// A model defines OPD, a and the amplitudes A_m; a scalar model has only A_0 = 1. A vortex of
/// charge c, made by a phase that turns c times around the pupil, has J_(m + c) in the place of
/// J_m, with circular polarisation that turns with it. Lengths in um.
class SymmetricPupil {
 public:
  using Amplitudes = std::array<std::complex<double>, 3>;

  virtual ~SymmetricPupil() = default;

  /// Returns OPD(rho, z) in um, for 0 <= rho <= a; a constant over the pupil changes nothing.
  [[nodiscard]] virtual double path_difference_um(double rho, double z_um) const = 0;

  /// Returns A_0, A_1, A_2 for 0 <= rho <= a; zero from `orders` on.
  [[nodiscard]] virtual Amplitudes amplitudes(double /*rho*/) const { return {1}; }
  [[nodiscard]] virtual int orders() const { return 1; }

  /// Returns rings that cover 0 <= rho <= a.
  [[nodiscard]] virtual std::vector<PupilZone> zones() const { return {{0, pupil_radius_}}; }

  /// Returns the integral of PSF(r, z) over an infinite plane, um^2, the same at every z: the
  /// squared Hankel transform of order m conserves energy (Parseval), int |I_m|^2 r dr = (k NA)^-2
  /// int_0^a |A_m|^2 rho d rho. With A_0 = 1 alone this is pi a^2 / (k NA)^2.
  [[nodiscard]] virtual double plane_energy_um2() const;

  /// Returns the z of the largest on-axis intensity, to 1e-9 um; a vortex is ignored.
  [[nodiscard]] virtual double focus_um() const = 0;

  [[nodiscard]] double pupil_radius() const { return pupil_radius_; }              ///< a
  [[nodiscard]] double wavenumber() const { return wavenumber_; }                  ///< k, 1/um
  [[nodiscard]] double lateral_wavenumber() const { return lateral_wavenumber_; }  ///< k NA, 1/um

  /// Returns quadrature nodes for a relative error near 1e-13. A zone of width w in rho has 0.6 (k
  /// |OPD swing| + k NA w r_max) + 20, with the swing as if the fastest turn of the phase continued
  /// over the whole zone; `closeness` multiplies their number.
  /// @throws InvalidSpec  above 6000 in a zone; thickness or index are surely wrong.
  [[nodiscard]] PupilNodes nodes_for(double r_max_um, std::span<const double> z_um,
                                     double closeness = 1) const;

  /// Computes PSF(j step, z) for 0 <= j < radii and every z. The table J_m(k NA r rho) does not
  /// depend on z: all planes are one matrix product (radii x nodes)(nodes x planes) per order. The
  /// result does not depend on the number of threads.
  [[nodiscard]] RadialTable radial_table(double step_um, std::int64_t radii,
                                         std::span<const double> z_um, const PupilNodes& pupil,
                                         TaskPool& pool) const;

  /// Returns the bytes that radial_table holds in addition to the table itself.
  [[nodiscard]] std::int64_t table_working_bytes(std::int64_t planes, std::int64_t nodes,
                                                 int threads) const;

 protected:
  /// @param charge  0 or 1
  SymmetricPupil(double na, double wavelength_um, double pupil_radius, int charge = 0);
  SymmetricPupil(const SymmetricPupil&) = default;
  SymmetricPupil& operator=(const SymmetricPupil&) = default;

 private:
  [[nodiscard]] double even_swing_um(const PupilZone& zone, double z_um) const;
  /// Returns A_m times quadrature weight times exp(i k OPD): [order][tile of
  /// columns][node][column].
  [[nodiscard]] std::vector<double> weighted_phases(const PupilNodes& pupil,
                                                    std::span<const double> z_um,
                                                    TaskPool& pool) const;
  /// Returns J_(m + charge) at radii begin ... end: [order][node][radius].
  [[nodiscard]] std::vector<double> bessel_tile(const PupilNodes& pupil, double step_um,
                                                std::int64_t begin, std::int64_t end) const;

  double wavenumber_, lateral_wavenumber_, pupil_radius_;
  int charge_;
};

}  // namespace synthoscope::simulator
