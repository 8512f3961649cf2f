// SPDX-License-Identifier: MIT
// sectioning_test.cpp — products of light: against sums over the pinhole and over the pupil, their
// limits, and the energy of their planes.
#include "simulator/optics/models/sectioning.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <complex>
#include <numbers>
#include "simulator/optics/models/richards_wolf.hpp"
#include "simulator/optics/models/wide_field.hpp"
#include "simulator/optics/psf.hpp"
#include "simulator/optics/pupil/optical_band.hpp"
#include "tests/unit/simulator/optics/psf_oracle.hpp"

namespace synthoscope::simulator {
namespace {

OpticsSpec spec_of(PsfModel model, double na = 1.2) {
  OpticsSpec s;
  s.model = model;
  s.na = na;
  s.immersion_index = s.sample_index = s.coverslip_index = 1.33;
  if (model == PsfModel::two_photon) s.excitation_nm = 920;
  return s;
}

OpticsSpec at_wavelength(OpticsSpec s, double nm) {
  s.wavelength_nm = nm;
  return s;
}

RadialGrid grid_of(const OpticsSpec& s, std::vector<double> z_um, std::int64_t radii = 120) {
  return {kRadialStep / band_of(s).lateral, radii, std::move(z_um)};
}

/// The light of an oracle over a disc about (r, 0), point by point.
double over_disc(const synthoscope::test::GibsonLanniOracle& light, double r_um, double z_um,
                 double disc_um) {
  constexpr int kRings = 24, kAngles = 48;
  double sum = 0;
  for (int i = 0; i < kRings; ++i) {
    const double rho = disc_um * (i + 0.5) / kRings;
    for (int j = 0; j < kAngles; ++j) {
      const double angle = std::numbers::pi * (j + 0.5) / kAngles;
      const double r = std::sqrt(r_um * r_um + rho * rho + 2 * r_um * rho * std::cos(angle));
      sum += rho * light.intensity(r, z_um, 300);
    }
  }
  return sum * (disc_um / kRings) * (2 * std::numbers::pi / kAngles);
}

TEST(Confocal, IsExcitationTimesEmissionSeenThroughThePinhole) {
  const OpticsSpec s = spec_of(PsfModel::confocal);
  const synthoscope::test::GibsonLanniOracle emission{s}, excitation{at_wavelength(s, 488)};
  TaskPool pool{2};
  const RadialGrid grid = grid_of(s, {0, 0.4});
  const RadialTable found = Confocal{s}.radial_table(grid, pool);
  const double disc = 0.61 * s.wavelength_nm * 1e-3 / s.na;
  const double peak = excitation.intensity(0, 0, 300) * over_disc(emission, 0, 0, disc);
  for (const std::int64_t p : {0, 1})
    for (const std::int64_t j : {0, 9, 31, 64}) {
      const double r = grid.step_um * static_cast<double>(j),
                   z = grid.z_um[static_cast<std::size_t>(p)];
      const double expected = excitation.intensity(r, z, 300) * over_disc(emission, r, z, disc);
      EXPECT_NEAR(found.row(j)[p] / peak, expected / peak, 1e-3) << j << " " << p;
    }
}

TEST(Confocal, IsTheProductOfBothWithoutAPinholeAndExcitationAloneWithAnOpenOne) {
  OpticsSpec s = spec_of(PsfModel::confocal);
  TaskPool pool{2};
  const RadialGrid grid = grid_of(s, {0, 0.3});
  const auto lens = [&](double nm) {
    return radial_model_of(at_wavelength(spec_of(PsfModel::gibson_lanni), nm))
        ->radial_table(grid, pool);
  };
  const RadialTable excitation = lens(488), emission = lens(520);
  const auto expect_like = [&](const RadialTable& found, auto&& expected, double tolerance) {
    for (std::size_t i = 0; i < found.intensity.size(); ++i)
      ASSERT_NEAR(found.intensity[i] / found.intensity[0], expected(i) / expected(0), tolerance);
  };
  s.pinhole_au = 0.01;
  expect_like(
      Confocal{s}.radial_table(grid, pool),
      [&](std::size_t i) { return excitation.intensity[i] * emission.intensity[i]; }, 1e-4);
  s.pinhole_au = 60;
  expect_like(
      Confocal{s}.radial_table(grid, pool), [&](std::size_t i) { return excitation.intensity[i]; },
      1e-3);
}

TEST(TwoPhoton, IsTheSquareOfItsExcitation) {
  const OpticsSpec s = spec_of(PsfModel::two_photon);
  const synthoscope::test::GibsonLanniOracle excitation{at_wavelength(s, 920)};
  TaskPool pool{1};
  const RadialGrid grid = grid_of(s, {0, -0.7});
  const RadialTable found = TwoPhoton{s}.radial_table(grid, pool);
  for (const std::int64_t p : {0, 1})
    for (const std::int64_t j : {0, 5, 40, 100}) {
      const double light = excitation.intensity(grid.step_um * static_cast<double>(j),
                                                grid.z_um[static_cast<std::size_t>(p)], 2000);
      EXPECT_NEAR(found.row(j)[p] / found.row(0)[0],
                  light * light / std::pow(excitation.intensity(0, 0, 2000), 2), 1e-7);
    }
}

/// The light of a plane, summed over radii at least twice as close and half as far again.
double summed_energy(const SectioningModel& model, const OpticsSpec& s, double z_um,
                     TaskPool& pool) {
  const double step = 0.25 / band_of(s).lateral, reach = 1.8 * 2.07 * std::abs(z_um) + 8;
  const RadialGrid grid{step, static_cast<std::int64_t>(reach / step), {z_um}};
  const RadialTable light = model.radial_table(grid, pool);
  double sum = light.row(0)[0] / 12;
  for (std::int64_t j = 1; j < light.radii; ++j) sum += static_cast<double>(j) * light.row(j)[0];
  return 2 * std::numbers::pi * step * step * sum;
}

TEST(PlaneEnergies, AreThoseOfCloserAndMoreRadiiNearTheFocusAndFarFromIt) {
  TaskPool pool{2};
  const auto expect_like_sums = [&](const SectioningModel& model, const OpticsSpec& s,
                                    const std::vector<double>& z) {
    const auto found = model.plane_energies_um2(z, pool);
    for (std::size_t i = 0; i < z.size(); ++i)
      EXPECT_NEAR(found[i] / summed_energy(model, s, z[i], pool), 1, 1e-4) << z[i];
  };
  OpticsSpec s = spec_of(PsfModel::confocal);
  expect_like_sums(Confocal{s}, s, {0, 0.2, -1, 3, -7});
  s.diffraction = Diffraction::vectorial;
  expect_like_sums(Confocal{s}, s, {-0.3, 5});
  s = spec_of(PsfModel::sted);
  expect_like_sums(Sted{s}, s, {0, -4});
}

TEST(WideFieldLight, IsInterpolatedToOneInTenMillionOnGridsFinerThanItself) {
  const OpticsSpec s = spec_of(PsfModel::richards_wolf);
  const RichardsWolf pupil{s};
  TaskPool pool{2};
  const RadialGrid grid{kRadialStep / pupil.lateral_wavenumber() / 5.3, 300, {0, 2}};
  const RadialTable exact = pupil.radial_table(grid.step_um, grid.radii, grid.z_um,
                                               pupil.nodes_for(grid.reach_um(), grid.z_um), pool),
                    found = WideField{std::make_unique<RichardsWolf>(s)}.radial_table(grid, pool);
  ASSERT_EQ(found.intensity.size(), exact.intensity.size());
  for (std::size_t i = 0; i < found.intensity.size(); ++i)
    ASSERT_NEAR(found.intensity[i] / exact.intensity[0], exact.intensity[i] / exact.intensity[0],
                1e-7);
}

TEST(LightSheet, DimsPlanesAsTheSheetDoes) {
  OpticsSpec s = spec_of(PsfModel::light_sheet, 0.8);
  s.sheet_waist_um = 1.5;
  TaskPool pool{1};
  const auto energies = LightSheet{s}.plane_energies_um2({0, 1.5, -3}, pool);
  EXPECT_NEAR(energies[1] / energies[0], std::exp(-2), 1e-9);
  EXPECT_NEAR(energies[2] / energies[0], std::exp(-8), 1e-9);
}

/// The light of a scalar vortex, by Simpson's rule and the standard library's Bessel function.
double vortex(const OpticsSpec& s, double r_um) {
  constexpr int kIntervals = 2000;
  const double k_na = 2 * std::numbers::pi * s.na / (s.depletion_nm * 1e-3);
  double sum = 0;
  for (int i = 0; i <= kIntervals; ++i) {
    const double rho = static_cast<double>(i) / kIntervals;
    const double simpson = i == 0 || i == kIntervals ? 1 : i % 2 == 1 ? 4 : 2;
    sum += simpson * std::cyl_bessel_j(1, k_na * r_um * rho) * rho;
  }
  return std::pow(sum / (3 * kIntervals), 2);
}

class Depletion : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Saturations, Depletion, testing::Values(20, 3000));

TEST_P(Depletion, LeavesTheConfocalSpotTimesWhatTheRingDoesNotReach) {
  OpticsSpec s = spec_of(PsfModel::sted);
  s.saturation = GetParam();
  TaskPool pool{2};
  const RadialGrid grid = grid_of(s, {0});
  const RadialTable found = Sted{s}.radial_table(grid, pool),
                    spot = Confocal{s}.radial_table(grid, pool);
  double crest = 0;
  for (double r = 0; r < 0.5; r += 0.0005) crest = std::max(crest, vortex(s, r));
  for (const std::int64_t j : {0, 11, 30, 80}) {
    const double left = std::exp(-std::numbers::ln2 * s.saturation *
                                 vortex(s, grid.step_um * static_cast<double>(j)) / crest);
    EXPECT_NEAR(found.row(j)[0] / spot.row(0)[0], spot.row(j)[0] / spot.row(0)[0] * left, 1e-6);
  }
}

double half_width_um(const OpticsSpec& s) {
  TaskPool pool{2};
  const RadialGrid grid = grid_of(s, {0}, 600);
  const RadialTable light = radial_model_of(s)->radial_table(grid, pool);
  std::int64_t j = 0;
  while (light.row(j)[0] > light.row(0)[0] / 2) ++j;
  const double above = light.row(j - 1)[0] - light.row(0)[0] / 2,
               below = light.row(0)[0] / 2 - light.row(j)[0];
  return 2 * grid.step_um * (static_cast<double>(j) - 1 + above / (above + below));
}

TEST(Widths, AreThoseOfTextbooksAtLowAperture) {
  // Airy discs: 0.51 lambda / NA; of two photons 1.39 times narrower; confocal without a pinhole
  // 0.37 lambda / NA of the mean wavelength
  OpticsSpec two = spec_of(PsfModel::two_photon, 0.3);
  two.excitation_nm = 900;
  EXPECT_NEAR(half_width_um(two), 0.5145 * 0.9 / 0.3 / 1.39, 0.03 * 1.1);
  OpticsSpec closed = spec_of(PsfModel::confocal, 0.3);
  closed.excitation_nm = closed.wavelength_nm = 500;
  closed.pinhole_au = 0.01;
  EXPECT_NEAR(half_width_um(closed), 0.37 * 0.5 / 0.3, 0.03 * 0.62);
}

TEST(Widths, OfADepletedSpotFallWithTheRootOfTheSaturation) {
  OpticsSpec s = spec_of(PsfModel::sted, 0.3);
  s.saturation = 400;
  const double narrow = half_width_um(s);
  s.saturation = 100;
  EXPECT_NEAR(half_width_um(s) / narrow, 2, 0.06);
  EXPECT_LT(narrow, half_width_um(spec_of(PsfModel::confocal, 0.3)) / 8);
}

struct SectionCase {
  const char* name;
  PsfModel model;
  double most;  ///< of the energy in focus, six depths of field away
};

class Sections : public testing::TestWithParam<SectionCase> {};

TEST_P(Sections, SeeLittleOfWhatIsOutOfFocus) {
  OpticsSpec s = spec_of(GetParam().model);
  s.size = Extent3{25, 61, 61};
  TaskPool pool{2};
  const auto psf = make_psf<double>(s, {0.24, 0.03, 0.03}, {}, pool);
  ASSERT_EQ(psf.plane_energies.size(), 25u);
  EXPECT_NEAR(psf.plane_energies[12], 1, 1e-6);
  EXPECT_LT(psf.plane_energies[0], GetParam().most);
  EXPECT_LT(psf.plane_energies[24], GetParam().most);
  // Each plane holds what it captures of its own light
  for (const std::int64_t z : {0, 9, 12}) {
    double sum = 0;
    for (std::int64_t i = 0; i < 61 * 61; ++i)
      sum += psf.voxels.voxels[static_cast<std::size_t>(z * 61 * 61 + i)];
    const auto plane = static_cast<std::size_t>(z);
    EXPECT_NEAR(sum, psf.captured[plane] * psf.plane_energies[plane], 1e-12);
    EXPECT_LE(psf.captured[plane], 1 + 1e-6);
  }
  EXPECT_GT(psf.captured[12], 0.95);
  EXPECT_EQ(plane_energy(s, {0.24, 0.03, 0.03}, make_psf(s, {0.24, 0.03, 0.03}, {}, pool), 40), 0);
}

TEST_P(Sections, HaveDarkPlanesFarFromFocus) {
  OpticsSpec s = spec_of(GetParam().model, 0.4);
  s.sheet_waist_um = 1;
  s.size = Extent3{201, 21, 21};
  TaskPool pool{2};
  const auto psf = make_psf<double>(s, {0.6, 0.3, 0.3}, {}, pool);
  for (const double part : psf.captured) {
    EXPECT_GT(part, 0);
    EXPECT_LE(part, 1 + 1e-6);
  }
  for (const std::string& warning : psf.warnings)
    EXPECT_EQ(warning.find("add up to"), std::string::npos) << warning;
}

TEST_P(Sections, AreNarrowerWhenPolarisationIsLeftOut) {
  OpticsSpec s = spec_of(GetParam().model);
  const double scalar = half_width_um(s);
  s.diffraction = Diffraction::vectorial;
  EXPECT_GT(half_width_um(s), scalar);
}

const SectionCase kSections[] = {{"confocal", PsfModel::confocal, 0.05},
                                 {"two_photon", PsfModel::two_photon, 0.1},
                                 {"light_sheet", PsfModel::light_sheet, 0.05},
                                 {"sted", PsfModel::sted, 0.05}};
INSTANTIATE_TEST_SUITE_P(Models, Sections, testing::ValuesIn(kSections),
                         [](const auto& row) { return std::string{row.param.name}; });

}  // namespace
}  // namespace synthoscope::simulator
