// SPDX-License-Identifier: MIT
// born_wolf_test.cpp — a lens without aberrations has the intensities of the textbook.
#include "simulator/optics/models/born_wolf.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <numbers>
#include "simulator/optics/psf.hpp"
#include "tests/support/case_name.hpp"

namespace synthoscope::simulator {
namespace {

struct LensCase {
  const char* name;
  double na, index, wavelength_nm;
};
constexpr LensCase kLenses[] = {
    {"air", 0.3, 1.0, 620}, {"water", 1.1, 1.33, 520}, {"oil", 1.4, 1.515, 450}};

class BornWolfOf : public testing::TestWithParam<LensCase> {
 protected:
  void SetUp() override {
    optics.model = PsfModel::born_wolf;
    optics.na = GetParam().na;
    optics.immersion_index = GetParam().index;
    optics.wavelength_nm = GetParam().wavelength_nm;
    optics.pixel_integration = false;
    optics.normalization = PsfNormalization::peak;
  }
  TaskPool pool{2};
  OpticsSpec optics;
  /// k NA and k NA^2 / n: what turns um into the optical units v and u.
  [[nodiscard]] double lateral() const {
    return 2 * std::numbers::pi * optics.na / (optics.wavelength_nm * 1e-3);
  }
  [[nodiscard]] double axial() const { return lateral() * optics.na / optics.immersion_index; }
};

TEST_P(BornWolfOf, IsAnAiryPatternInFocus) {
  const double pitch = 0.3 / lateral();  // rings up to v = 15
  optics.size = Extent3{1, 1, 101};
  const auto psf = make_psf<double>(optics, {1, pitch, pitch}, {}, pool);
  EXPECT_EQ(psf.focus_um, 0);
  for (std::int64_t x = 51; x < 101; ++x) {
    const double v = 0.3 * static_cast<double>(x - 50);
    EXPECT_NEAR(psf.voxels.voxels[static_cast<std::size_t>(x)],
                std::pow(2 * std::cyl_bessel_j(1.0, v) / v, 2), 1e-7)
        << "v = " << v;
  }
}

TEST_P(BornWolfOf, IsASquaredSincOnTheAxis) {
  const double step = 0.7;  // of u: zeros at 4 pi, 8 pi and 12 pi
  optics.size = Extent3{121, 1, 1};
  const auto psf = make_psf<double>(optics, {step / axial(), 0.1, 0.1}, {}, pool);
  for (std::int64_t z = 0; z < 121; ++z) {
    const double quarter = step * static_cast<double>(z - 60) / 4;
    const double sinc = quarter == 0 ? 1 : std::sin(quarter) / quarter;
    EXPECT_NEAR(psf.voxels.voxels[static_cast<std::size_t>(z)], sinc * sinc, 1e-9) << z;
  }
}

TEST_P(BornWolfOf, CarriesTheSameEnergyInEveryPlane) {
  optics.normalization = PsfNormalization::plane;
  optics.pixel_integration = true;
  const double pitch = 1.2 / lateral(), plane = 10 / axial();
  optics.size = Extent3{5, 401, 401};
  const auto psf = make_psf<double>(optics, {plane, pitch, pitch}, {}, pool);
  for (const double captured : psf.captured) EXPECT_NEAR(captured, 1, 3e-3);
}

INSTANTIATE_TEST_SUITE_P(Lenses, BornWolfOf, testing::ValuesIn(kLenses),
                         synthoscope::test::kCaseName);

TEST(BornWolfAndGibsonLanni, AgreeAtASmallApertureAndPartAtALargeOne) {
  TaskPool pool{2};
  const auto largest_difference = [&](double na) {
    OpticsSpec s;
    s.na = na;
    s.sample_index = s.immersion_index;
    s.normalization = PsfNormalization::peak;
    s.size = Extent3{21, 41, 41};
    const double v = 2 * std::numbers::pi * na / (s.wavelength_nm * 1e-3);
    const VoxelSize pitch{s.immersion_index / (v * na), 0.3 / v, 0.3 / v};
    const auto exact = make_psf<double>(s, pitch, {}, pool);
    s.model = PsfModel::born_wolf;
    const auto paraxial = make_psf<double>(s, pitch, {}, pool);
    double most = 0;
    for (std::size_t i = 0; i < exact.voxels.voxels.size(); ++i)
      most = std::max(most, std::abs(exact.voxels.voxels[i] - paraxial.voxels.voxels[i]));
    return most;
  };
  EXPECT_LT(largest_difference(0.05), 1e-3);
  EXPECT_GT(largest_difference(1.4), 0.05);
}

}  // namespace
}  // namespace synthoscope::simulator
