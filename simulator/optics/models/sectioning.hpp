// SPDX-License-Identifier: MIT
// simulator/optics/models/sectioning.hpp — microscopes that see little out-of-focus light: products
// of the exciting and the detected light.
#pragma once
#include "simulator/optics/models/radial_model.hpp"

namespace synthoscope::simulator {

/// The common part of these products: their focus and plane energies have no closed form.
class SectioningModel : public RadialModel {
 public:
  [[nodiscard]] double focus_um() const final { return focus_um_; }
  [[nodiscard]] bool is_wide_field() const final { return false; }
  [[nodiscard]] std::vector<double> plane_energies_um2(const std::vector<double>& z_um,
                                                       TaskPool& pool) const override;
  [[nodiscard]] std::int64_t energy_working_bytes(const std::vector<double>& z_um,
                                                  int threads) const final;

 protected:
  explicit SectioningModel(const OpticsSpec& spec) : spec_{spec} {}
  [[nodiscard]] const OpticsSpec& spec() const { return spec_; }

  /// Finds the brightest point of the axis between the foci of its parts, one depth of field
  /// farther on either side.
  void find_focus(double one_um, double other_um);
  void set_focus(double um) { focus_um_ = um; }

 private:
  [[nodiscard]] std::vector<RadialGrid> energy_grids(const std::vector<double>& z_um) const;
  [[nodiscard]] int octave_of(double z_um) const;

  OpticsSpec spec_;
  double focus_um_ = 0;
};

/// A confocal microscope, h = h_excitation(r, z) * (h_emission convolved with the pinhole)(r, z),
/// with a disc of diameter pinhole_au Airy units (1.22 lambda / NA each) as pinhole. A spinning
/// disk is the same as long as its pinholes are far apart.
class Confocal final : public SectioningModel {
 public:
  explicit Confocal(const OpticsSpec& spec);
  [[nodiscard]] RadialTable radial_table(const RadialGrid& grid, TaskPool& pool) const override;
  [[nodiscard]] std::int64_t working_bytes(const RadialGrid& grid, int threads) const override;

 private:
  [[nodiscard]] double emission_lateral() const;
  [[nodiscard]] RadialGrid widened(const RadialGrid& grid) const;

  std::unique_ptr<const RadialModel> excitation_, emission_;
  double pinhole_radius_um_;
};

/// A two-photon microscope, h = h_excitation(r, z)^2, with all emitted light collected.
class TwoPhoton final : public SectioningModel {
 public:
  explicit TwoPhoton(const OpticsSpec& spec);
  [[nodiscard]] RadialTable radial_table(const RadialGrid& grid, TaskPool& pool) const override;
  [[nodiscard]] std::int64_t working_bytes(const RadialGrid& grid, int threads) const override;

 private:
  std::unique_ptr<const RadialModel> excitation_;
};

/// A light-sheet microscope, h = h_emission(r, z) * exp(-2 (z - focus)^2 / w0^2): a Gaussian sheet
/// with 1/e^2 radius w0 in the middle of the field.
class LightSheet final : public SectioningModel {
 public:
  explicit LightSheet(const OpticsSpec& spec);
  [[nodiscard]] RadialTable radial_table(const RadialGrid& grid, TaskPool& pool) const override;
  [[nodiscard]] std::vector<double> plane_energies_um2(const std::vector<double>& z_um,
                                                       TaskPool& pool) const override;
  [[nodiscard]] std::int64_t working_bytes(const RadialGrid& grid, int threads) const override;

 private:
  [[nodiscard]] double sheet(double z_um) const;

  std::unique_ptr<const RadialModel> emission_;
  double sheet_focus_um_;
};

/// A STED microscope: the confocal spot times the part that a ring of depleting light leaves,
///
///     h = h_confocal(r, z) * exp(-ln 2 * saturation * d(r, z))
///
/// with d the light of a vortex of charge 1 at depletion_nm through the same lens, 1 at its crest
/// in focus: a saturation of 1 halves the fluorescence there. At large saturations the spot is
/// narrower by about sqrt(1 + saturation).
/// @source Leutenegger, Eggeling and Hell, Opt. Express 18 (2010) 26417.
class Sted final : public SectioningModel {
 public:
  explicit Sted(const OpticsSpec& spec);
  [[nodiscard]] RadialTable radial_table(const RadialGrid& grid, TaskPool& pool) const override;
  [[nodiscard]] std::int64_t working_bytes(const RadialGrid& grid, int threads) const override;

 private:
  Confocal spot_;
  std::unique_ptr<const RadialModel> ring_;
  double crest_ = 1;
};

}  // namespace synthoscope::simulator
