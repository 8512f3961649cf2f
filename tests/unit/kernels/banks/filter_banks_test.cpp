// SPDX-License-Identifier: MIT
#include "kernels/banks/filter_banks.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <numeric>
#include "kernels/correlate/correlation.hpp"
#include "tests/support/difference.hpp"
#include "tests/support/operation_case.hpp"
#include "tests/support/voxel_pattern.hpp"

namespace synthoscope::kernels {
namespace {

constexpr FilterBank kBanks[] = {FilterBank::leung_malik, FilterBank::schmid, FilterBank::mr8};

/// A response as its authors define it: a filter's, or the strongest of several.
struct DefinedResponse {
  std::vector<Stencil> filters;
  bool takes_magnitudes;
};

Stencil weights_of(const BankFilter& filter) {
  Stencil stencil = filter.shape;
  for (double& weight : stencil.weights) weight -= filter.mean;
  return stencil;
}

std::vector<DefinedResponse> responses_of(FilterBank bank) {
  std::vector<DefinedResponse> responses;
  for (const BankGroup& group : groups_of(bank)) {
    const bool chooses = kernels::responses_of(group.answer) == 1;
    if (chooses) responses.push_back({{}, group.answer == BankAnswer::strongest_magnitude});
    for (const BankFilter& filter : group.filters) {
      if (!chooses) responses.push_back({{}, false});
      responses.back().filters.push_back(weights_of(filter));
    }
  }
  return responses;
}

double at(const Stencil& filter, std::int64_t y, std::int64_t x) {
  return filter.weights[static_cast<std::size_t>((24 + y) * 49 + 24 + x)];
}

TEST(FilterBanks, HaveAsManyResponsesAsTheirAuthorsSay) {
  EXPECT_EQ(responses_of(FilterBank::leung_malik).size(), 48U);
  EXPECT_EQ(responses_of(FilterBank::schmid).size(), 13U);
  EXPECT_EQ(responses_of(FilterBank::mr8).size(), 8U);
}

TEST(FilterBanks, HaveFiltersOfSumZeroAndOfOneScale) {
  for (const FilterBank bank : kBanks)
    for (const DefinedResponse& response : responses_of(bank))
      for (const Stencil& filter : response.filters) {
        EXPECT_EQ(filter.extent, (Extent3{1, 49, 49}));
        double sum = 0, magnitudes = 0;
        for (const double weight : filter.weights) {
          sum += weight;
          magnitudes += std::abs(weight);
        }
        EXPECT_NEAR(sum, 0, 1e-13);
        EXPECT_NEAR(magnitudes, 1, 1e-13);
      }
}

TEST(FilterBanks, HaveTheFormulaeOfTheirAuthors) {
  // Ratios of differences: scale and mean are taken off
  const auto lm = responses_of(FilterBank::leung_malik);
  const Stencil& edge = lm[0].filters[0];  // along x, sigma sqrt(2)
  EXPECT_NEAR(at(edge, 2, 0) / at(edge, 1, 0), 2 * std::exp(-3 / 4.0), 1e-12);
  EXPECT_NEAR(at(edge, 1, 3) / at(edge, 1, 0), std::exp(-9 / 36.0), 1e-12);
  const Stencil& bar = lm[18].filters[0];
  EXPECT_NEAR((at(bar, 0, 0) - at(bar, 24, 0)) / (at(bar, 2, 0) - at(bar, 24, 0)),
              -1 / std::exp(-1), 1e-9);
  const Stencil& hat = lm[37].filters[0];  // sigma sqrt(2)
  EXPECT_NEAR((at(hat, 0, 0) - at(hat, 24, 24)) / (at(hat, 0, 1) - at(hat, 24, 24)),
              -2 / (-1.5 * std::exp(-1 / 4.0)), 1e-12);
  const Stencil rings = responses_of(FilterBank::schmid)[2].filters[0];  // sigma 4, tau 2
  const double far = at(rings, 24, 24);
  EXPECT_NEAR((at(rings, 0, 4) - far) / (at(rings, 0, 0) - far), std::exp(-0.5), 1e-6);
  EXPECT_NEAR((at(rings, 0, 2) - far) / (at(rings, 0, 0) - far), -std::exp(-1 / 8.0), 1e-6);
}

TEST(FilterBanks, EdgesTurn) {
  const auto lm = responses_of(FilterBank::leung_malik);
  const Stencil &level = lm[0].filters[0], &upright = lm[3].filters[0];
  for (std::int64_t i = -5; i <= 5; ++i)
    EXPECT_NEAR(at(upright, 0, i), at(level, -i, 0), 1e-12) << i;
}

TEST(FilterBanks, GiveWhatTheirFiltersGivePlaneByPlane) {
  const auto image = test::pattern<std::uint8_t>({2, 30, 41});
  for (const FilterBank bank : kBanks) {
    const auto responses = responses_of(bank);
    const auto n = static_cast<std::int64_t>(responses.size());
    const auto operation = make_filter_bank({image.extent, Boundary::reflect}, {bank}).operation;
    ASSERT_EQ(operation->extent(), (Extent3{2 * n, 30, 41}));
    const auto got = test::apply_whole<float>(*operation, image)[0];
    for (const std::int64_t i : {std::int64_t{0}, n / 2, n - 1}) {
      Volume<double> expected{image.extent};
      bool is_first = true;
      const DefinedResponse& response = responses[static_cast<std::size_t>(i)];
      for (const Stencil& filter : response.filters) {
        const auto plain =
            make_plain_correlation({image.extent, Boundary::reflect, PixelType::float64}, filter);
        const auto one = test::apply_whole<double>(*plain, image)[0];
        for (std::size_t v = 0; v < one.voxels.size(); ++v) {
          const double value = response.takes_magnitudes ? std::abs(one.voxels[v]) : one.voxels[v];
          expected.voxels[v] = is_first ? value : std::max(expected.voxels[v], value);
        }
        is_first = false;
      }
      for (std::int64_t z = 0; z < 2; ++z)
        for (std::int64_t y = 0; y < 30; ++y)
          for (std::int64_t x = 0; x < 41; ++x)
            ASSERT_NEAR(got.view()(z * n + i, y, x), expected.view()(z, y, x), 2e-6 * 255)
                << name_of(bank) << " " << i;
    }
  }
}

TEST(FilterBanks, GiveTheSameBitsHoweverCut) {
  const auto image = test::pattern<std::uint16_t>({2, 30, 41});
  const auto operation =
      make_filter_bank({image.extent, Boundary::wrap}, {FilterBank::mr8}).operation;
  test::expect_same_in_bricks<float>(*operation, image);
}

TEST(FilterBanks, AnswerALineByItsOrientation) {
  Volume<float> image{{1, 81, 81}};
  for (std::int64_t x = 0; x < 81; ++x) image.view()(0, 40, x) = 1;
  const auto operation = make_filter_bank({image.extent}, {FilterBank::leung_malik}).operation;
  const auto got = test::apply_whole<float>(*operation, image)[0];
  // Bars of the first scale: the level one answers most, a quarter turn least
  float level = std::abs(got.view()(18, 40, 40));
  for (std::int64_t i = 1; i < 6; ++i) EXPECT_GT(level, 2 * std::abs(got.view()(18 + i, 40, 40)));
}

std::vector<float> invariants_of(const Volume<float>& image, double depth_ratio = 1) {
  FilterBankSpec spec{FilterBank::invariants};
  spec.depth_ratio = depth_ratio;
  const auto operation = make_filter_bank({image.extent, Boundary::wrap}, spec).operation;
  return test::apply_whole<float>(*operation, image)[0].voxels;
}

/// Response r to voxel (z, y, x) of invariants_of an image of this extent.
float response(const std::vector<float>& all, const Extent3& image, std::int64_t r,
               const Index3& at) {
  const std::int64_t count = response_count(FilterBank::invariants, image);
  return all[static_cast<std::size_t>(((at.z * count + r) * image.y + at.y) * image.x + at.x)];
}

TEST(FilterBanks, InvariantsDoNotChangeWhereTheImageTurns) {
  for (const Extent3& extent : {Extent3{1, 40, 40}, Extent3{24, 24, 24}}) {
    const auto image = test::pattern<float>(extent);
    const bool is_volume = extent.z > 1;
    // By a quarter, about z; and in a volume about x, too
    const auto turned_place = [&](const Index3& at) {
      const Index3 about_z{at.z, at.x, extent.y - 1 - at.y};
      return is_volume ? Index3{about_z.y, extent.z - 1 - about_z.z, about_z.x} : about_z;
    };
    Volume<float> turned{extent};
    const auto for_each_voxel = [&](auto&& body) {
      for (std::int64_t z = 0; z < extent.z; ++z)
        for (std::int64_t y = 0; y < extent.y; ++y)
          for (std::int64_t x = 0; x < extent.x; ++x) body(Index3{z, y, x});
    };
    for_each_voxel([&](const Index3& at) {
      const Index3 to = turned_place(at);
      turned.view()(to.z, to.y, to.x) = image.view()(at.z, at.y, at.x);
    });
    const auto before = invariants_of(image), after = invariants_of(turned);
    double worst = 0, largest = 0;
    for (std::int64_t r = 0; r < response_count(FilterBank::invariants, extent); ++r)
      for_each_voxel([&](const Index3& at) {
        const double value = response(before, extent, r, at);
        worst = std::max(worst, std::abs(value - response(after, extent, r, turned_place(at))));
        largest = std::max(largest, std::abs(value));
      });
    EXPECT_LE(worst, 2e-6 * 1000) << extent;  // of the largest voxel
    EXPECT_GT(largest, 100) << extent;
  }
}

TEST(FilterBanks, InvariantsIgnoreAnOffset) {
  const auto image = test::pattern<float>({1, 40, 40});
  Volume<float> brighter = image;
  for (float& voxel : brighter.voxels) voxel += 20000;
  const auto expected = invariants_of(image), found = invariants_of(brighter);
  for (std::size_t i = 0; i < expected.size(); ++i)
    ASSERT_NEAR(found[i], expected[i], 2e-6 * 20000);
}

TEST(FilterBanks, InvariantsSeeABallWhereVoxelsAreTallerThanWide) {
  const Extent3 extent{32, 64, 64};
  Volume<float> image{extent};
  for (std::int64_t z = 0; z < extent.z; ++z)
    for (std::int64_t y = 0; y < extent.y; ++y)
      for (std::int64_t x = 0; x < extent.x; ++x) {
        const auto square = [](std::int64_t distance) {
          return static_cast<double>(distance * distance);
        };
        const double r2 = 4 * square(z - 16) + square(y - 32) + square(x - 32);
        image.view()(z, y, x) = static_cast<float>(100 * std::exp(-r2 / (2 * 6.0 * 6.0)));
      }
  // At scale 2 (responses 7 to 9): all eigenvalues are the same in the middle of a ball
  const auto spread = [&](double depth_ratio) {
    const auto all = invariants_of(image, depth_ratio);
    const double first = response(all, extent, 7, {16, 32, 32});
    const double last = response(all, extent, 9, {16, 32, 32});
    return std::abs(first - last) / std::abs(last);
  };
  EXPECT_LT(spread(2), 0.01);
  EXPECT_GT(spread(1), 0.3);
}

TEST(FilterBanks, RefuseVoxelsOfNoDepth) {
  FilterBankSpec spec{FilterBank::invariants};
  for (const double ratio : {0.0, -1.0, std::nan("")}) {
    spec.depth_ratio = ratio;
    EXPECT_THROW((void)make_filter_bank({{4, 8, 8}}, spec), InvalidSpec) << ratio;
  }
}

}  // namespace
}  // namespace synthoscope::kernels
