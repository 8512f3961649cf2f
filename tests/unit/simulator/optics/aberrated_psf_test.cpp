// SPDX-License-Identifier: MIT
// aberrated_psf_test.cpp — light of wavefronts that are not round: against sums over the whole
// pupil, round light without aberrations, and what textbooks say of single terms.
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include "simulator/optics/functions/bessel.hpp"
#include "simulator/optics/models/born_wolf.hpp"
#include "simulator/optics/models/gibson_lanni.hpp"
#include "simulator/optics/models/richards_wolf.hpp"
#include "simulator/optics/psf.hpp"
#include "simulator/optics/pupil/aberrated_light.hpp"
#include "tests/unit/simulator/optics/psf_setups.hpp"

namespace synthoscope::simulator {
namespace {

using Complex = std::complex<double>;
constexpr double kPi = std::numbers::pi;

OpticsSpec water() {
  OpticsSpec s;
  s.na = 1.1;
  s.immersion_index = s.sample_index = s.coverslip_index = 1.33;
  return s;
}

/// The intensity by a sum over radii and angles of the pupil, each ray with its own phase.
double summed_intensity(const SymmetricPupil& pupil, const ZernikeTerms& terms, double y_um,
                        double x_um, double z_um) {
  constexpr int kRadii = 500, kAngles = 240;
  struct Field {
    int order, turns;
    double share;
  };
  constexpr Field kFields[] = {{0, 0, 1}, {1, 1, 1}, {1, -1, 1}, {2, 2, 0.5}, {2, -2, 0.5}};
  Complex sums[5] = {};
  const auto fields = static_cast<std::size_t>(pupil.orders() == 1 ? 1 : 5);
  for (const PupilZone& zone : pupil.zones())
    for (int i = 0; i < kRadii; ++i) {
      const double s = std::sin(kPi / 2 * (i + 0.5) / kRadii), c2 = 1 - s * s;
      const double area = zone.to * zone.to - zone.from * zone.from;
      const double rho = std::sqrt(zone.from * zone.from + area * s * s);
      const double weight = area * s * std::sqrt(c2) * kPi / 2 / kRadii / kAngles;
      const double path = pupil.path_difference_um(rho, z_um) - pupil.path_difference_um(0, z_um);
      const auto amplitude = pupil.amplitudes(rho);
      for (int k = 0; k < kAngles; ++k) {
        const double theta = 2 * kPi * k / kAngles;
        const double phase =
            pupil.wavenumber() * path + 2 * kPi * wavefront(terms, rho, theta) -
            pupil.lateral_wavenumber() * rho * (x_um * std::cos(theta) + y_um * std::sin(theta));
        for (std::size_t f = 0; f < fields; ++f)
          sums[f] += weight * amplitude[static_cast<std::size_t>(kFields[f].order)] *
                     std::polar(1.0, phase + kFields[f].turns * theta);
      }
    }
  double intensity = 0;
  for (std::size_t f = 0; f < fields; ++f) intensity += kFields[f].share * std::norm(sums[f]);
  return intensity;
}

/// Of each plane, at one of the points that mirror each other.
std::vector<double> intensities(const AberratedLight& light, double y_um, double x_um,
                                std::int64_t point = 0) {
  std::vector<double> all, four(AberratedLight::kMirrored * kGroupPlanes);
  for (std::int64_t group = 0; group < kSlabPlanes / kGroupPlanes; ++group) {
    light.intensity(y_um, x_um, group, four.data());
    const auto first = four.begin() + point * kGroupPlanes;
    all.insert(all.end(), first, first + kGroupPlanes);
  }
  return all;
}

class AberratedBy : public testing::TestWithParam<const char*> {};

void expect_like_sums(const SymmetricPupil& pupil, const char* text) {
  const ZernikeTerms terms = parse_zernike(text);
  const double focus = pupil.focus_um();
  const std::vector<double> z{focus, focus - 0.8, focus + 2.5};
  TaskPool pool{2};
  AberratedLight light{pupil, terms, 3, z};
  light.compute(z, pool);
  const double round = summed_intensity(pupil, {}, 0, 0, focus);
  constexpr double kPlaces[][2] = {{0, 0}, {0.1, 0.05}, {-0.3, 0.2}, {0, -0.4}, {1.5, -1.1}};
  for (const auto& [y, x] : kPlaces) {
    for (std::int64_t point = 0; point < AberratedLight::kMirrored; ++point) {
      const auto found = intensities(light, y, x, point);
      const double there_y = point / 2 == 0 ? y : -y, there_x = point % 2 == 0 ? x : -x;
      for (std::size_t p = 0; p < z.size(); ++p)
        EXPECT_NEAR(found[p] / round,
                    summed_intensity(pupil, terms, there_y, there_x, z[p]) / round, 1e-5)
            << there_y << " " << there_x << " " << p;
    }
  }
}

TEST_P(AberratedBy, EqualsASumOverTheWholePupil) {
  expect_like_sums(GibsonLanni{test::oil_into_water()}, GetParam());
}

// clang-format off
INSTANTIATE_TEST_SUITE_P(Terms, AberratedBy,
    testing::Values("2: 0.3", "3: -0.2", "4: 0.3", "5: 0.2", "6: -0.2", "7: 0.15", "8: 0.2",
                    "9: 0.15", "10: 0.1", "11: 0.3", "12: 0.1, 22: -0.1",
                    "5: 0.1, 8: -0.1, 37: 0.05"),
    [](const auto& row) { return std::to_string(row.index); });
// clang-format on

TEST(Aberrated, VectorialLightEqualsASumOverTheWholePupil) {
  expect_like_sums(RichardsWolf{test::oil_into_water()}, "5: 0.15, 7: 0.1");
}

TEST(Aberrated, LightWithoutAberrationsIsRound) {
  const GibsonLanni scalar{test::oil_into_water()};
  const RichardsWolf vectorial{test::oil_into_water()};
  TaskPool pool{2};
  for (const SymmetricPupil* const pupil : {static_cast<const SymmetricPupil*>(&scalar),
                                            static_cast<const SymmetricPupil*>(&vectorial)}) {
    const std::vector<double> z{pupil->focus_um(), pupil->focus_um() + 1.3};
    const double step = 0.037;
    const RadialTable round =
        pupil->radial_table(step, 60, z, pupil->nodes_for(60 * step, z), pool);
    AberratedLight light{*pupil, {{1, 0.3}}, 60 * step, z};  // a phase everywhere is none
    light.compute(z, pool);
    for (std::int64_t j = 0; j < 60; ++j) {
      const double r = step * static_cast<double>(j), angle = 0.7 * static_cast<double>(j);
      const auto found = intensities(light, r * std::sin(angle), r * std::cos(angle));
      for (const std::int64_t p : {0, 1})
        EXPECT_NEAR(found[static_cast<std::size_t>(p)] / round.row(0)[0],
                    round.row(j)[p] / round.row(0)[0], 1e-6);
    }
  }
}

TEST(Aberrated, TiltMovesTheImageAndDefocusItsFocus) {
  OpticsSpec s = water();
  s.na = 0.4;
  const BornWolf pupil{s};
  const double tilt_um = 2 * 0.25 * s.wavelength_nm * 1e-3 / s.na,
               defocus_um = 4 * std::sqrt(3) * 0.2 * s.immersion_index * s.wavelength_nm * 1e-3 /
                            (s.na * s.na);
  TaskPool pool{1};
  const std::vector<double> here{0, 1.5}, there{defocus_um, defocus_um + 1.5};
  AberratedLight plain{pupil, {{1, 0.1}}, 4, here}, tilted{pupil, {{2, 0.25}}, 4, here},
      defocused{pupil, {{4, 0.2}}, 4, there};
  plain.compute(here, pool);
  tilted.compute(here, pool);
  defocused.compute(there, pool);
  const double peak = intensities(plain, 0, 0)[0];
  for (const double x : {0.0, 0.3, -0.9}) {
    const auto expected = intensities(plain, 0.2, x), moved = intensities(tilted, 0.2, x + tilt_um),
               deeper = intensities(defocused, 0.2, x);
    for (const std::size_t p : {std::size_t{0}, std::size_t{1}}) {
      EXPECT_NEAR(moved[p] / peak, expected[p] / peak, 1e-6);
      EXPECT_NEAR(deeper[p] / peak, expected[p] / peak, 1e-6);
    }
  }
}

TEST(Aberrated, PeaksFallAsMarechalSays) {
  OpticsSpec s = water();
  s.na = 0.3;
  const BornWolf pupil{s};
  TaskPool pool{1};
  const std::vector<double> focus{0};
  for (const int noll : {5, 8, 11}) {
    AberratedLight light{pupil, {{noll, 0.03}}, 1, focus};
    light.compute(focus, pool);
    // exp(-(2 pi 0.03)^2), to the next order in the wavefront's square
    EXPECT_NEAR(intensities(light, 0, 0)[0] / 0.25, std::exp(-std::pow(2 * kPi * 0.03, 2)), 2e-4)
        << noll;
  }
}

/// Points on both sides of the axis share their work where it lies in the middle.
TEST(Aberrated, PixelsOnAllSidesOfTheAxisAreThoseOfAnAxisThatIsMoved) {
  OpticsSpec s = water();
  s.zernike = parse_zernike("5: 0.1, 7: 0.1, 8: -0.05, 11: 0.1");
  s.normalization = PsfNormalization::none;
  s.size = Extent3{3, 15, 17};
  TaskPool pool{2};
  const VoxelSize pitch{0.4, 0.1, 0.12};
  for (const bool integrate : {true, false}) {
    s.pixel_integration = integrate;
    s.shift = {};
    const auto centred = make_psf<double>(s, pitch, {}, pool);
    s.shift = {0, 2 * pitch.y_um, -3 * pitch.x_um};
    const auto moved = make_psf<double>(s, pitch, {}, pool);
    const double peak =
        *std::max_element(centred.voxels.voxels.begin(), centred.voxels.voxels.end());
    for (std::int64_t z = 0; z < 3; ++z)
      for (std::int64_t y = 0; y < 13; ++y)
        for (std::int64_t x = 3; x < 17; ++x)
          EXPECT_NEAR(moved.voxels.view()(z, y + 2, x - 3) / peak,
                      centred.voxels.view()(z, y, x) / peak, 1e-6);
  }
}

TEST(Aberrated, PlanesHoldAsMuchLightAsRoundOnes) {
  OpticsSpec s = water();
  s.zernike = parse_zernike("5: 0.1, 7: 0.1");
  s.size = Extent3{5, 301, 301};
  s.pixel_integration = false;
  TaskPool pool{2};
  const auto psf = make_psf(s, {0.5, 0.1, 0.1}, {}, pool);
  s.zernike.clear();
  const auto round = make_psf(s, {0.5, 0.1, 0.1}, {}, pool);
  for (std::size_t z = 0; z < 5; ++z) EXPECT_NEAR(psf.captured[z], round.captured[z], 1e-3) << z;
}

TEST(Aberrated, PixelsAreIntegratedOnce) {
  OpticsSpec s = water();
  s.zernike = parse_zernike("6: 0.1, 8: 0.1");
  s.normalization = PsfNormalization::none;
  s.size = Extent3{2 + 1, 7, 9};
  TaskPool pool{2};
  const VoxelSize pitch{0.5, 0.17, 0.13};
  const auto coarse = make_psf<double>(s, pitch, {}, pool);
  constexpr int kFine = 10;  // Simpson's rule over points that lie so much closer
  s.pixel_integration = false;
  s.size = Extent3{3, 7 * kFine + 1, 9 * kFine + 1};
  const auto fine =
      make_psf<double>(s, {pitch.z_um, pitch.y_um / kFine, pitch.x_um / kFine}, {}, pool);
  const auto simpson = [](std::int64_t i) {
    return (i % kFine == 0 ? 1.0 : i % 2 == 1 ? 4.0 : 2.0) / (3.0 * kFine);
  };
  const double peak = *std::max_element(coarse.voxels.voxels.begin(), coarse.voxels.voxels.end());
  for (std::int64_t z = 0; z < 3; ++z)
    for (std::int64_t y = 0; y < 7; ++y)
      for (std::int64_t x = 0; x < 9; ++x) {
        double mean = 0;
        for (std::int64_t i = 0; i <= kFine; ++i)
          for (std::int64_t j = 0; j <= kFine; ++j)
            mean += simpson(i) * simpson(j) * fine.voxels.view()(z, y * kFine + i, x * kFine + j);
        // The sums over points are a windowed sinc, right to 1e-4
        EXPECT_NEAR(coarse.voxels.view()(z, y, x) / peak, mean / peak, 1e-4);
      }
}

TEST(Aberrated, IsTheSameForEveryNumberOfThreadsAndCountsWhatItHolds) {
  OpticsSpec s = water();
  s.zernike = parse_zernike("5: 0.1");
  s.size = Extent3{35, 21, 21};
  TaskPool one{1}, two{2};
  const VoxelSize pitch{0.3, 0.1, 0.1};
  const auto psf = make_psf(s, pitch, {}, one);
  EXPECT_EQ(psf.voxels.voxels, make_psf(s, pitch, {}, two).voxels.voxels);
  const PsfSize room = psf_size(s, pitch, {}, two);
  MemoryBudget enough{room.voxel_bytes + room.working_bytes}, little{room.working_bytes};
  EXPECT_EQ(make_psf(s, pitch, {}, two, &enough).voxels.voxels, psf.voxels.voxels);
  EXPECT_THROW(make_psf(s, pitch, {}, two, &little), PlanError);
}

TEST(Aberrated, WindowsGrowByWhereRaysLand) {
  OpticsSpec s = water();
  TaskPool pool{2};
  PsfSizing sizing;
  sizing.volume = Extent3{3, 400, 400};
  const auto round = psf_size(s, {0.2, 0.1, 0.1}, sizing, pool);
  s.zernike = parse_zernike("7: 0.3");
  const auto psf = make_psf(s, {0.2, 0.1, 0.1}, sizing, pool);
  EXPECT_GT(psf.voxels.extent.x, round.size.x);
  EXPECT_GT(*std::min_element(psf.captured.begin(), psf.captured.end()), 0.99);
}

TEST(Aberrated, AndRoundPsfsStopWhenAskedTo) {
  TaskPool pool{2};
  StopFlag stop;
  stop.request();
  for (const char* terms : {"", "5: 0.1"}) {
    OpticsSpec s = water();
    s.size = Extent3{3, 9, 9};
    s.zernike = parse_zernike(terms);
    EXPECT_THROW(make_psf(s, {0.2, 0.1, 0.1}, {}, pool, nullptr, stop), Interrupted) << terms;
  }
}

TEST(Aberrated, RefusesModelsOfSeveralPupils) {
  OpticsSpec s;
  s.zernike = parse_zernike("5: 0.1");
  for (const PsfModel model : {PsfModel::gaussian, PsfModel::confocal}) {
    s.model = model;
    EXPECT_THROW(require_valid(s), InvalidSpec);
  }
}

TEST(BesselOrders, AreThoseOfTheStandardLibrary) {
  for (const double x : {0.0, 1e-3, 0.7, 12.0, 39.0, 80.5, 300.0, 2500.0}) {
    std::vector<double> values(81);
    bessel_orders(x, values);
    for (const int n : {0, 1, 2, 3, 7, 20, 41, 79, 80})
      EXPECT_NEAR(values[static_cast<std::size_t>(n)], std::cyl_bessel_j(n, x), 1e-12)
          << n << " " << x;
  }
}

}  // namespace
}  // namespace synthoscope::simulator
