// SPDX-License-Identifier: MIT
// tests/unit/simulator/optics/dipole_oracle.hpp — the vectorial PSF by brute force: rays over the
// whole pupil, not over its radius, each with its own Fresnel coefficients and unit vectors. No
// Bessel function, and no code of what it judges.
#pragma once
#include <algorithm>
#include <cmath>
#include <complex>
#include "simulator/optics/pupil/optics_spec.hpp"

namespace synthoscope::test {

/// By reciprocity the light that a freely turning dipole sends into the lens is the intensity that
/// the lens would focus there, of both polarisations.
class DipoleOracle {
 public:
  explicit DipoleOracle(const simulator::OpticsSpec& s) : s_{s} {
    for (const double n :
         {s.na, s.immersion_index, s.coverslip_index, s.design_immersion_index.value_or(9),
          s.design_coverslip_index.value_or(9)})
      aperture_ = std::min(aperture_, n);
  }

  /// At (x, 0, z), in units of the pupil's area; `radii` and `angles` rays.
  [[nodiscard]] double intensity(double x_um, double z_um, int radii, int angles) const {
    // Roots that vanish at the critical angle and at the edge are smooth in t on either side
    const double critical = std::min(aperture_, s_.sample_index);
    Field along_x, along_y;
    add(0, critical, x_um, z_um, radii, angles, along_x, along_y);
    if (critical < aperture_) add(critical, aperture_, x_um, z_um, radii, angles, along_x, along_y);
    return (norm(along_x) + norm(along_y)) / 2;
  }

 private:
  using Complex = std::complex<double>;
  struct Field {
    Complex x, y, z;
  };
  static constexpr double kPi = 3.141592653589793;

  static double norm(const Field& f) { return std::norm(f.x) + std::norm(f.y) + std::norm(f.z); }

  /// cos of the angle in a layer of index n where the sine times the index is q.
  static Complex cosine(double n, double q) { return std::sqrt(Complex{1 - q * q / (n * n), 0}); }

  void add(double from, double to, double x_um, double z_um, int radii, int angles, Field& along_x,
           Field& along_y) const {
    for (int i = 0; i < radii; ++i) {  // midpoint rule in t, q^2 = from^2 + (to^2 - from^2) sin^2 t
      const double t = kPi / 2 * (i + 0.5) / radii;
      const double q = std::sqrt(from * from + (to * to - from * from) * std::sin(t) * std::sin(t));
      const double weight = (to * to - from * from) * std::sin(t) * std::cos(t) * (kPi / 2) /
                            radii * (2 * kPi / angles) / (s_.na * s_.na) / (2 * kPi);
      add_ring(q, weight, x_um, z_um, angles, along_x, along_y);
    }
  }

  void add_ring(double q, double weight, double x_um, double z_um, int angles, Field& along_x,
                Field& along_y) const {
    const double k = 2 * kPi / (s_.wavelength_nm * 1e-3);
    const double ni = s_.immersion_index, ng = s_.coverslip_index, ns = s_.sample_index;
    const Complex ci = cosine(ni, q), cg = cosine(ng, q), cs = cosine(ns, q);
    const auto ts = [](double a, Complex ca, double b, Complex cb) {
      return 2.0 * a * ca / (a * ca + b * cb);
    };
    const auto tp = [](double a, Complex ca, double b, Complex cb) {
      return 2.0 * a * ca / (b * ca + a * cb);
    };
    const bool glass = s_.coverslip_um > 0;
    const Complex s = glass ? ts(ni, ci, ng, cg) * ts(ng, cg, ns, cs) : ts(ni, ci, ns, cs);
    const Complex p = glass ? tp(ni, ci, ng, cg) * tp(ng, cg, ns, cs) : tp(ni, ci, ns, cs);
    const Complex phase = std::exp(Complex{0, k} * (path(q, z_um) - path(0, z_um)));
    const Complex amplitude = weight * phase / std::sqrt(ci);
    for (int j = 0; j < angles; ++j) {
      const double phi = 2 * kPi * j / angles, c = std::cos(phi), si = std::sin(phi);
      const Complex ray = amplitude * std::exp(Complex{0, k * q * x_um * c});
      // A beam polarised along x is c along the plane of incidence and -sin across it
      const auto add_beam = [&](double in_plane, double across, Field& to) {
        to.x += ray * (in_plane * p * cs * c - across * s * si);
        to.y += ray * (in_plane * p * cs * si + across * s * c);
        to.z += ray * (-in_plane * p * q / ns);
      };
      add_beam(c, -si, along_x);
      add_beam(si, c, along_y);
    }
  }

  [[nodiscard]] Complex path(double q, double z_um) const {
    const double ti = s_.working_distance_um;
    const double nd = s_.design_immersion_index.value_or(s_.immersion_index);
    const double gd = s_.design_coverslip_index.value_or(s_.coverslip_index);
    return (z_um + ti) * s_.immersion_index * cosine(s_.immersion_index, q) +
           s_.depth_um * s_.sample_index * cosine(s_.sample_index, q) - ti * nd * cosine(nd, q) +
           s_.coverslip_um * s_.coverslip_index * cosine(s_.coverslip_index, q) -
           s_.design_coverslip_um.value_or(s_.coverslip_um) * gd * cosine(gd, q);
  }

  simulator::OpticsSpec s_;
  double aperture_ = 9;
};

}  // namespace synthoscope::test
