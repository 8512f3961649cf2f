// SPDX-License-Identifier: MIT
// simulator/optics/pupil/aberrated_light.hpp — light through a round pupil whose wavefront is not
// round.
#pragma once
#include <array>
#include <complex>
#include <cstdint>
#include <span>
#include <vector>
#include "core/run/task_pool.hpp"
#include "simulator/optics/functions/zernike.hpp"
#include "simulator/optics/pupil/symmetric_pupil.hpp"

namespace synthoscope::simulator {

/// Numbers of planes: those computed together, and those whose tables fit the processor's cache
/// while points are read from them.
inline constexpr std::int64_t kSlabPlanes = 32, kGroupPlanes = 8;

/// The field of a pupil with the additional phase 2 pi W(rho, theta),
///
///     U(r, phi, z) = (1 / 2 pi) int int A(rho) exp(i k OPD(rho, z) + 2 pi i W(rho, theta))
///                    exp(-i k NA r rho cos(theta - phi)) rho d rho d theta
///
/// With exp(2 pi i W) = sum over n of a_n(rho) cos(n theta) + b_n(rho) sin(n theta) the field is a
/// sum over n of (-i)^n cos(n phi) int A a_n exp(i k OPD) J_n(k NA r rho) rho d rho, and likewise
/// for sines: tables along one radius, as exact as those of symmetric_pupil.hpp, without
/// wrap-around at an edge. A pupil of three amplitudes is five fields, A_0, A_1 cos(theta), A_1
/// sin(theta), A_2 cos(2 theta) and A_2 sin(2 theta), whose intensities add up with weights 1, 2,
/// 2, 1, 1. Without W the intensity equals that of symmetric_pupil.hpp. Positive tilt, term 2,
/// moves the image to larger x by 2 lambda / NA per wave; positive defocus, term 4, moves it to
/// larger z.
class AberratedLight {
 public:
  /// Serves points within r_max_um of the axis, between the first and last of z_um. `pupil` must
  /// outlive this.
  /// @throws InvalidSpec  as nodes_for, or the wavefront turns too often around the pupil.
  AberratedLight(const SymmetricPupil& pupil, const ZernikeTerms& terms, double r_max_um,
                 std::span<const double> z_um);

  /// Computes up to kSlabPlanes planes, which `intensity` then reads. The result does not depend on
  /// the number of threads.
  void compute(std::span<const double> z_um, TaskPool& pool);

  /// Computes the intensity at (y, x), (y, -x), (-y, x) and (-y, -x), um from the axis, which share
  /// their work, in planes kGroupPlanes * group + p: out[kGroupPlanes * point + p].
  void intensity(double y_um, double x_um, std::int64_t group, double* out) const;
  static constexpr std::int64_t kMirrored = 4;

  /// Return the bytes that this holds, and the bytes that each thread adds in compute.
  [[nodiscard]] std::int64_t bytes() const;
  [[nodiscard]] std::int64_t bytes_per_thread() const;

 private:
  /// Parities of a harmonic under phi -> -phi and phi -> pi - phi: cosines and sines of even and
  /// odd turns.
  static constexpr int kParities = 4;
  static constexpr int parity_of(int turns, bool is_sine) { return 2 * is_sine + turns % 2; }

  /// One cos(turns phi) or sin(turns phi) of one field.
  struct Harmonic {
    int turns = 0;
    bool is_sine = false;
    std::vector<std::complex<double>> amplitude;  ///< at each node, times the node's weight
  };

  /// A field: its harmonics add up before its intensity is taken. They are grouped by parity.
  struct Field {
    double share = 1;
    std::array<std::int64_t, kParities> counts{};
  };

  void add_field(int order, bool is_sine, double share,
                 const std::vector<std::vector<std::complex<double>>>& series);

  const SymmetricPupil& pupil_;
  PupilNodes nodes_;
  std::vector<Harmonic> harmonics_;  ///< grouped by field
  std::vector<Field> fields_;
  int most_turns_ = 0;
  double step_um_;
  std::int64_t radii_;
  std::vector<double> phases_;  ///< [harmonic][tile of columns][node][column]
  /// [group][harmonic][radius][real parts, then imaginary parts]
  std::vector<double> table_;
};

/// Returns the largest distance, um, by which the wavefront displaces rays in the image.
double ray_reach_um(const ZernikeTerms& terms, double lateral_wavenumber);

}  // namespace synthoscope::simulator
