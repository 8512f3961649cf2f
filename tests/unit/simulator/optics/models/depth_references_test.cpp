// SPDX-License-Identifier: MIT
// depth_references_test.cpp — as many depths as the error asks for, about a line that a stage
// follows.
#include "simulator/optics/models/depth_references.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include "simulator/optics/models/radial_model.hpp"

namespace synthoscope::simulator {
namespace {

OpticsSpec silicone() {
  OpticsSpec spec;
  spec.na = 1.3;
  spec.immersion_index = 1.406;
  spec.sample_index = 1.38;
  return spec;
}

/// The largest error at any depth between references, by tables of its own.
double largest_error(const OpticsSpec& spec, const DepthReferences& references) {
  TaskPool pool{2};
  const auto light = [&](double depth_um) {
    OpticsSpec its = spec;
    its.depth_um = depth_um;
    std::vector<double> z;
    for (int i = -60; i <= 60; ++i) z.push_back(references.focus.at(depth_um) + 0.07 * i);
    return radial_model_of(its)->radial_table({0.04, 60, z}, pool).intensity;
  };
  double most = 0;
  for (std::size_t i = 0; i + 1 < references.depth_um.size(); ++i) {
    const double from = references.depth_um[i], to = references.depth_um[i + 1];
    const auto one = light(from), other = light(to);
    for (const double part : {0.2, 0.4, 0.5, 0.7, 0.9}) {
      const auto between = light(from + part * (to - from));
      double error = 0, peak = 0;
      for (std::size_t k = 0; k < between.size(); ++k) {
        error = std::max(error, std::abs((1 - part) * one[k] + part * other[k] - between[k]));
        peak = std::max(peak, between[k]);
      }
      most = std::max(most, error / peak);
    }
  }
  return most;
}

TEST(DepthReferences, AreAsManyAsTheErrorAsksFor) {
  TaskPool pool{2};
  std::size_t before = 0;
  for (const double bound : {0.04, 0.01, 0.0025}) {
    OpticsSpec spec = silicone();
    spec.reference_error = bound;
    const auto references = choose_depth_references(spec, 0, 20, 20, pool);
    EXPECT_EQ(references.depth_um.front(), 0);
    EXPECT_EQ(references.depth_um.back(), 20);
    EXPECT_LE(references.error, bound);
    EXPECT_GT(references.error, 0.3 * bound);  // no more than are needed
    EXPECT_LE(largest_error(spec, references), 1.05 * bound);
    EXPECT_GT(references.depth_um.size(), before);
    before = references.depth_um.size();
  }
}

TEST(DepthReferences, FollowTheFocusAlongAStraightLine) {
  TaskPool pool{2};
  OpticsSpec spec = silicone();
  const auto references = choose_depth_references(spec, 0, 20, 20, pool);
  // Rays near the axis meet at -n_i / n_s of the depth, those at the edge farther away
  EXPECT_LT(references.focus.slope, -1.406 / 1.38);
  EXPECT_GT(references.focus.slope, -1.25);
  for (const double depth : {0.0, 7.0, 20.0}) {
    spec.depth_um = depth;
    EXPECT_NEAR(references.focus.at(depth), radial_model_of(spec)->focus_um(),
                references.focus.most_off_um + 0.01);
  }
  EXPECT_LT(references.focus.most_off_um, 0.15);
}

TEST(DepthReferences, AreOneWhereDepthChangesNothing) {
  TaskPool pool{2};
  OpticsSpec spec = silicone();
  spec.sample_index = spec.immersion_index;
  const auto references = choose_depth_references(spec, 3, 40, 20, pool);
  EXPECT_EQ(references.depth_um, std::vector<double>{21.5});
  EXPECT_NEAR(references.focus.slope, -1, 1e-6);
}

TEST(DepthReferences, AreRefusedBeyondTheirMost) {
  TaskPool pool{2};
  OpticsSpec spec;
  spec.reference_error = 0.0005;
  try {
    static_cast<void>(choose_depth_references(spec, 0, 60, 60, pool));
    FAIL() << "60 um of water under oil at NA 1.4 were accepted";
  } catch (const InvalidSpec& problem) {
    EXPECT_NE(std::string{problem.what()}.find("more than 64 references; raise"), std::string::npos)
        << problem.what();
  }
}

}  // namespace
}  // namespace synthoscope::simulator
