// SPDX-License-Identifier: MIT
#include "fit/edges/edge_profiles.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include "fit/edges/halo_levels.hpp"
#include "fit/edges/inner_levels.hpp"
#include "fit/edges/label_outset.hpp"
#include "fit/edges/object_outline.hpp"
#include "fit/images/grown_labels.hpp"

namespace synthoscope::fit {
namespace {

/// Discs of radius 20 in a plane of 80 x `width`, whose light falls with a Gaussian's width. Their
/// middles are 80 apart.
LabelledImage discs(double sigma, std::int64_t width = 80) {
  LabelledImage image;
  image.grid = {{1, 80, width}, {1, 0.1, 0.1}};
  image.counts = Volume<float>{image.grid.extent};
  image.labels = Volume<std::uint32_t>{image.grid.extent};
  for (std::int64_t y = 0; y < 80; ++y)
    for (std::int64_t x = 0; x < width; ++x) {
      const double at = std::hypot(double(y) - 40, double(x % 80) - 40) - 20;
      const double share = 0.5 * std::erfc(at / (std::sqrt(2.0) * sigma));
      image.counts.view()(0, y, x) = static_cast<float>(100 + 1000 * share);
      image.labels.view()(0, y, x) = at < 0 ? std::uint32_t(x / 80 + 1) : 0;
    }
  return image;
}

TEST(LateralEdges, HaveTheWidthOfTheBlur) {
  for (const double sigma : {2.0, 3.0}) {
    const auto edges = lateral_edges(discs(sigma), 6);
    ASSERT_EQ(edges.size(), 1u);
    // Distances to centres of pixels and their bins add about a third of a pixel
    EXPECT_NEAR(rise_of(edges[0].levels, 6), 2.563 * std::hypot(sigma, 0.45), 0.06 * 2.563 * sigma);
  }
}

TEST(LateralEdges, AreOneForEachObject) {
  EXPECT_EQ(lateral_edges(discs(2, 240), 5).size(), 3u);
}

TEST(ObjectDepths, AreTheRadiusOfADiscInAPlane) {
  const auto depths = object_depths(discs(1));
  ASSERT_EQ(depths.size(), 1u);
  EXPECT_NEAR(depths[0].pixels, 20, 1);
  EXPECT_EQ(depths[0].planes, 0.5);
}

/// A slab of `thick` planes in the middle of a stack of 40, blurred along z.
LabelledImage slab(std::int64_t thick, double sigma) {
  LabelledImage image;
  image.grid = {{40, 24, 24}, {0.3, 0.1, 0.1}};
  image.counts = Volume<float>{image.grid.extent};
  image.labels = Volume<std::uint32_t>{image.grid.extent};
  const double half = double(thick) / 2;
  for (std::int64_t z = 0; z < 40; ++z)
    for (std::int64_t y = 0; y < 24; ++y)
      for (std::int64_t x = 0; x < 24; ++x) {
        const double at = double(z) - 19.5;
        const double root = std::sqrt(2.0) * sigma;
        const double share = 0.5 * (std::erf((at + half) / root) - std::erf((at - half) / root));
        image.counts.view()(z, y, x) = static_cast<float>(10 + 500 * share);
        const bool inside = std::abs(at) < half && std::hypot(double(y) - 12, double(x) - 12) < 9;
        image.labels.view()(z, y, x) = inside ? 7 : 0;
      }
  return image;
}

TEST(AxialEdges, HaveTheWidthOfTheBlurInPlanes) {
  const auto edges = axial_edges(slab(16, 2), 5);
  ASSERT_EQ(edges.size(), 1u);
  EXPECT_NEAR(rise_of(edges[0].levels, 5), 2.563 * 2, 0.5);  // of lines between samples
}

TEST(HaloLevels, AreThoseOfRingsLessTheFarthest) {
  // 10 from 2 to 4.5 reaches from the object, 4 from there to 9, 1 beyond; the object is 101
  LabelledImage image;
  image.grid = {{1, 4, 40}, {1, 1, 1}};
  image.counts = Volume<float>{image.grid.extent};
  image.labels = Volume<std::uint32_t>{image.grid.extent};
  for (std::int64_t y = 0; y < 4; ++y)
    for (std::int64_t x = 0; x < 40; ++x) {
      const std::int64_t away = x - 7;
      image.labels.view()(0, y, x) = away <= 0 ? 1 : 0;
      image.counts.view()(0, y, x) = away <= 0 ? 101 : away < 9 ? 10 : away < 18 ? 4 : 1;
    }
  HaloSums all;
  for (const HaloSums& part : halo_sums(image, 2)) all += part;
  const std::vector<double> beside_far{0.09, 0.09, 0.03, 0.03}, beside_near{6 / 97.0, 6 / 97.0, 0};
  EXPECT_EQ(halo_of(all, 5), beside_far);
  EXPECT_EQ(halo_of(all, 4), beside_near);
}

TEST(LateralEdges, TellHowFarOutsideOfLabelsTheyLie) {
  for (const double um : {-0.2, 0.0, 0.3}) {
    LabelledImage image = discs(2);
    grow_labels(image, um);
    const auto edges = lateral_edges(image, 6);
    ASSERT_EQ(edges.size(), 1u);
    EXPECT_NEAR(edges[0].outset, -um / 0.1, 0.3) << um;
  }
}

TEST(ClearOutset, IsThatOfRealEdgesBeyondTwins) {
  const auto edges_at = [](double outset, double scatter) {
    std::vector<ObjectEdge> edges(20);
    for (std::size_t i = 0; i < edges.size(); ++i)
      edges[i].outset = outset + scatter * (double(i) - 9.5);
    return edges;
  };
  EXPECT_NEAR(clear_outset(edges_at(1.5, 0.02), edges_at(0.5, 0.02)), 1, 1e-12);
  EXPECT_EQ(clear_outset(edges_at(0.7, 0.02), edges_at(0.5, 0.02)), 0) << "less than a quarter";
  EXPECT_EQ(clear_outset(edges_at(1.5, 0.5), edges_at(0.5, 0.5)), 0) << "may be chance";
}

/// A ball's thickness, or a plate's, in a disc of radius 20.
LabelledImage bright_disc(bool is_dome) {
  LabelledImage image = discs(1);
  for (std::int64_t y = 0; y < 80; ++y)
    for (std::int64_t x = 0; x < 80; ++x) {
      const double square =
          (double(y) - 40) * (double(y) - 40) + (double(x) - 40) * (double(x) - 40);
      const double height = is_dome ? std::sqrt(std::max(1 - square / 400, 0.0)) : square < 400;
      image.counts.view()(0, y, x) = static_cast<float>(50 + 300 * height);
    }
  return image;
}

TEST(InnerLevels, AreOneInAPlateAndFallInADome) {
  const auto plate = inner_levels(bright_disc(false), 3), dome = inner_levels(bright_disc(true), 3);
  ASSERT_EQ(plate.size(), 1u);
  ASSERT_EQ(dome.size(), 1u);
  for (const double level : plate[0]) EXPECT_DOUBLE_EQ(level, 1);
  // sqrt(1 - r^2) at the middle of each zone of depth, over that of the innermost
  EXPECT_NEAR(dome[0][0], 0.74, 0.02);
  EXPECT_NEAR(dome[0][1], 0.86, 0.02);
  EXPECT_NEAR(dome[0][2], 0.95, 0.02);
}

}  // namespace
}  // namespace synthoscope::fit
