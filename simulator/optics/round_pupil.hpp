// SPDX-License-Identifier: MIT
// simulator/optics/round_pupil.hpp — the diffraction integrals over a round pupil, scalar or of
// three components, whatever path differences fill it.
#pragma once
#include <array>
#include <complex>
#include <cstdint>
#include <span>
#include <vector>
#include "core/run/task_pool.hpp"
#include "simulator/optics/radial_table.hpp"

namespace synthoscope::simulator {

/// A ring of the pupil over which path differences and amplitudes are smooth but for square roots
/// that vanish at its edges.
struct PupilZone {
  double from = 0, to = 1;  ///< rho
};

/// Nodes of int ... rho d rho over the zones of a pupil, in each by Gauss-Legendre in t with
/// rho^2 = from^2 + (to^2 - from^2) sin^2 t.
struct PupilNodes {
  std::vector<double> rho, weight;
  [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(rho.size()); }
  void add(const PupilZone& zone, std::int64_t nodes);
};

/// With k = 2 pi / lambda (vacuum) and rho the pupil radius relative to the full aperture,
///
///     I_m(r, z) = int_0^a A_m(rho) exp(i k OPD(rho, z)) J_m(k NA r rho) rho d rho
///     PSF(r, z) = |I_0|^2 + 2 |I_1|^2 + |I_2|^2
///
/// A model says OPD, a and the amplitudes A_m; a scalar one has A_0 = 1 and no others. Light that
/// is made a vortex of charge c by a phase that turns c times around the pupil has J_(m + c) in the
/// place of J_m, of circular polarisation that turns with it. Lengths in um.
class RoundPupil {
 public:
  using Amplitudes = std::array<std::complex<double>, 3>;

  virtual ~RoundPupil() = default;

  /// OPD(rho, z) in um, for 0 <= rho <= a; a constant over the pupil changes nothing.
  [[nodiscard]] virtual double path_difference_um(double rho, double z_um) const = 0;

  /// A_0, A_1, A_2 for 0 <= rho <= a; zero from `orders` on.
  [[nodiscard]] virtual Amplitudes amplitudes(double /*rho*/) const { return {1}; }
  [[nodiscard]] virtual int orders() const { return 1; }

  /// Rings that cover 0 <= rho <= a.
  [[nodiscard]] virtual std::vector<PupilZone> zones() const { return {{0, pupil_radius_}}; }

  /// Integral of PSF(r, z) over an infinite plane, um^2, the same at every z: the squared Hankel
  /// transform of order m conserves energy (Parseval), int |I_m|^2 r dr = (k NA)^-2 int_0^a |A_m|^2
  /// rho d rho. With A_0 = 1 alone this is pi a^2 / (k NA)^2.
  [[nodiscard]] virtual double plane_energy_um2() const;

  /// The z of the largest on-axis intensity, to 1e-9 um; of a vortex that of the light without it.
  [[nodiscard]] virtual double focus_um() const = 0;

  [[nodiscard]] double pupil_radius() const { return pupil_radius_; }              ///< a
  [[nodiscard]] double wavenumber() const { return wavenumber_; }                  ///< k, 1/um
  [[nodiscard]] double lateral_wavenumber() const { return lateral_wavenumber_; }  ///< k NA, 1/um

  /// Quadrature nodes for a relative error near 1e-13. A zone as wide as w of rho has
  /// 0.6 (k |OPD swing| + k NA w r_max) + 20, the swing taken as if the fastest turn of the phase
  /// went on over the whole zone; `closeness` multiplies their number.
  /// @throws InvalidSpec above 6000 in a zone, where thickness or index are surely mistaken.
  [[nodiscard]] PupilNodes nodes_for(double r_max_um, std::span<const double> z_um,
                                     double closeness = 1) const;

  /// PSF(j step, z) for 0 <= j < radii and every z.
  /// The table J_m(k NA r rho) does not depend on z: all planes are one matrix product
  /// (radii x nodes)(nodes x planes) an order. The same for any number of threads.
  [[nodiscard]] RadialTable radial_table(double step_um, std::int64_t radii,
                                         std::span<const double> z_um, const PupilNodes& pupil,
                                         TaskPool& pool) const;

  /// What radial_table holds beside the table itself, in bytes.
  [[nodiscard]] std::int64_t table_working_bytes(std::int64_t planes, std::int64_t nodes,
                                                 int threads) const;

 protected:
  /// @param charge  0 or 1
  RoundPupil(double na, double wavelength_um, double pupil_radius, int charge = 0);
  RoundPupil(const RoundPupil&) = default;
  RoundPupil& operator=(const RoundPupil&) = default;

 private:
  [[nodiscard]] double even_swing_um(const PupilZone& zone, double z_um) const;
  /// A_m times quadrature weight times exp(i k OPD): order after order in tiles of columns, each
  /// node after node.
  [[nodiscard]] std::vector<double> weighted_phases(const PupilNodes& pupil,
                                                    std::span<const double> z_um,
                                                    TaskPool& pool) const;
  /// J_(m + charge) at radii begin ... end: order after order, each node after node.
  [[nodiscard]] std::vector<double> bessel_tile(const PupilNodes& pupil, double step_um,
                                                std::int64_t begin, std::int64_t end) const;

  double wavenumber_, lateral_wavenumber_, pupil_radius_;
  int charge_;
};

}  // namespace synthoscope::simulator
