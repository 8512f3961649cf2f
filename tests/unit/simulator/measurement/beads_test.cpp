// SPDX-License-Identifier: MIT
#include "simulator/measurement/beads.hpp"
#include <gtest/gtest.h>
#include "core/base/error.hpp"
#include "simulator/measurement/bead_average.hpp"
#include "simulator/measurement/bead_size.hpp"
#include "simulator/measurement/psf_figures.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/test_context.hpp"
#include "tests/unit/simulator/measurement/bead_stack.hpp"

namespace synthoscope::simulator {
namespace {

constexpr AlongAxes kSigma{1.6, 1.2, 1.4};
constexpr Extent3 kExtent{25, 128, 160}, kWindow{13, 19, 21};

/// Beads on a lattice, each at another position between voxels.
std::vector<PlacedBead> lattice() {
  std::vector<PlacedBead> beads;
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 4; ++column)
      beads.push_back(
          {{12 + 0.13 * column, 22 + 40 * row + 0.21 * column, 20 + 40 * column + 0.17 * row},
           1000 + 50.0 * column});
  return beads;
}

class BeadImages : public testing::Test {
 protected:
  FoundBeads found_in(const Volume<float>& stack, std::optional<double> largest = {}) {
    return find_beads(stack, kPitch, {kWindow, largest}, here_.context);
  }
  static std::string refusal_at(const FoundBeads& found, double y, double x) {
    for (const ImagedBead& bead : found.beads)
      if (std::hypot(bead.centre.y - y, bead.centre.x - x) < 2) return bead.refused;
    return "no bead here";
  }
  test::TestContext here_;
};

TEST_F(BeadImages, AreFoundToAFractionOfAVoxel) {
  const std::vector<PlacedBead> placed = lattice();
  const FoundBeads found = found_in(bead_stack(kExtent, kSigma, placed));
  ASSERT_EQ(found.kept().size(), placed.size());
  for (const PlacedBead& bead : placed) {
    double nearest = 1e9;
    for (const ImagedBead& one : found.beads)
      nearest = std::min(nearest, std::hypot(one.centre.z - bead.at.z, one.centre.y - bead.at.y,
                                             one.centre.x - bead.at.x));
    EXPECT_LT(nearest, 0.02);
  }
  for (std::size_t axis = 0; axis < 3; ++axis)
    EXPECT_NEAR(found.median_fwhm_um[axis], kWidthOfSigma * kSigma[axis] * pitches_of(kPitch)[axis],
                0.005);
}

TEST_F(BeadImages, AreRefusedByWhatIsWrongWithThem) {
  std::vector<PlacedBead> beads = lattice();
  beads.push_back({{12, 22, 29}, 900});  // beside the first
  beads.push_back({{12, 64, 3}, 1000});  // at the border
  beads.push_back({{2, 45, 75}, 1000});  // near the first plane
  beads.push_back({{12, 84, 40}, 900});  // two in one
  beads.push_back({{12, 84, 42.6}, 900});
  beads.push_back({{12, 82, 80}, 4500});  // brighter than the camera's range
  Volume<float> stack = bead_stack(kExtent, kSigma, beads);
  for (float& value : stack.voxels) value = std::min(value, 4095.0F);
  const FoundBeads found = found_in(stack, 4095);
  EXPECT_NE(refusal_at(found, 22, 20).find("touches bead"), std::string::npos);
  EXPECT_NE(refusal_at(found, 22, 29).find("touches bead"), std::string::npos);
  EXPECT_EQ(refusal_at(found, 64, 3), "cut by the border");
  EXPECT_EQ(refusal_at(found, 45, 75), "cut by the border");
  EXPECT_EQ(refusal_at(found, 82, 80), "saturated");
  EXPECT_NE(refusal_at(found, 84, 41.3), "");
  EXPECT_EQ(refusal_at(found, 22.42, 100), "");
}

TEST_F(BeadImages, SideLobesAreNoBeads) {
  std::vector<PlacedBead> beads = lattice();
  const std::size_t count = beads.size();
  for (std::size_t i = 0; i < count; ++i) {
    PlacedBead lobe = beads[i];
    lobe.at.z += 5;
    lobe.peak /= 10;
    beads.push_back(lobe);
  }
  EXPECT_EQ(found_in(bead_stack(kExtent, kSigma, beads)).beads.size(), count);
}

TEST_F(BeadImages, InNoiseAloneThereAreNone) {
  test::expect_failure<InvalidInput>([&] { found_in(bead_stack(kExtent, kSigma, {})); },
                                     {"find beads", "no spot stands out from the noise"});
}

TEST_F(BeadImages, MeanHasTheirWidthAndIsCentred) {
  const Volume<float> stack = bead_stack(kExtent, kSigma, lattice());
  FoundBeads found = found_in(stack);
  const BeadAverage average = average_beads(stack, kPitch, found, here_.context);
  EXPECT_EQ(average.mean.extent, kWindow);
  EXPECT_EQ(average.mean.view()(6, 9, 10), 1.0F);
  const PsfFigures figures = measure_psf(average.mean, kPitch, {6, 9, 10});
  for (std::size_t axis = 0; axis < 3; ++axis)
    EXPECT_NEAR(*figures.fwhm_um[axis] / (kWidthOfSigma * kSigma[axis] * pitches_of(kPitch)[axis]),
                1, 0.01)
        << axis;
  EXPECT_NEAR(average.spread.view()(0, 0, 0), 5.0 / 1075, 0.003);  // noise over peak
  EXPECT_NEAR(average.noise, 5.0 / 1075 / std::sqrt(12.0), 1e-3);
}

TEST_F(BeadImages, OfAnotherShapeDoNotCount) {
  std::vector<PlacedBead> beads = lattice();
  beads.push_back({{12, 62, 64.5}, 350});  // dirt beside a bead, too near to be a bead of its own
  const Volume<float> stack = bead_stack(kExtent, kSigma, beads);
  FoundBeads found = found_in(stack);
  average_beads(stack, kPitch, found, here_.context);
  EXPECT_NE(refusal_at(found, 62.21, 60.17), "");
  EXPECT_EQ(found.kept().size(), lattice().size() - 1);
}

TEST_F(BeadImages, ThatCannotBeUsedAreCounted) {
  const Volume<float> stack =
      bead_stack({25, 64, 64}, kSigma, {{{12, 30, 30}}, {{12, 30, 40}}, {{12, 2, 2}}});
  FoundBeads found = found_in(stack);
  test::expect_failure<InvalidInput>(
      [&] { average_beads(stack, kPitch, found, here_.context); },
      {"none of 3 beads can be used", "cut by the border (1)", "touch others (2)", "--size"});
}

TEST_F(BeadImages, SizeIsTakenOut) {
  // A ball of variance d^2 / 20 along each axis, whose image is nearly a Gaussian, 3 to 4 % wider
  const double diameter = 0.15;
  AlongAxes wider;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double um = pitches_of(kPitch)[axis];
    wider[axis] = std::sqrt(kSigma[axis] * kSigma[axis] + diameter * diameter / 20 / (um * um));
  }
  Volume<float> image = bead_stack({21, 31, 31}, wider, {{{10, 15, 15}, 1}}, 0);
  for (float& value : image.voxels) value -= 100;
  AlongAxes fwhm;
  for (std::size_t axis = 0; axis < 3; ++axis)
    fwhm[axis] = kWidthOfSigma * wider[axis] * pitches_of(kPitch)[axis];
  remove_bead_size(image, kPitch, fwhm, 0, diameter, here_.context);
  const PsfFigures figures = measure_psf(image, kPitch, {10, 15, 15});
  for (std::size_t axis = 0; axis < 3; ++axis)
    EXPECT_NEAR(*figures.fwhm_um[axis] / (kWidthOfSigma * kSigma[axis] * pitches_of(kPitch)[axis]),
                1, 0.008)
        << axis;
  test::expect_failure<InvalidSpec>(
      [&] { remove_bead_size(image, kPitch, fwhm, 0, 1, here_.context); }, {"--bead-um"});
}

}  // namespace
}  // namespace synthoscope::simulator
