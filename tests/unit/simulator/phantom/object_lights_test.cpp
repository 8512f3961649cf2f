// SPDX-License-Identifier: MIT
// How much the objects of a phantom differ in their light.
#include "simulator/phantom/object_lights.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <numeric>
#include "core/stream/memory_stream.hpp"
#include "simulator/scene/keys.hpp"
#include "tests/support/phantom_case.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::simulator {
namespace {

/// Mean and standard deviation of ln x, mean of x, and the correlation of ln x with `sizes`.
struct Figures {
  double mean = 0, log_deviation = 0, correlation = 0;
};
Figures figures_of(const std::vector<double>& factors, const std::vector<double>& sizes) {
  const auto n = static_cast<double>(factors.size());
  double sum = 0, l = 0, ll = 0, s = 0, ss = 0, ls = 0;
  for (std::size_t i = 0; i < factors.size(); ++i) {
    const double ln = std::log(factors[i]);
    sum += factors[i];
    l += ln;
    ll += ln * ln;
    s += sizes[i];
    ss += sizes[i] * sizes[i];
    ls += ln * sizes[i];
  }
  const double vl = ll / n - l * l / n / n, vs = ss / n - s * s / n / n,
               covariance = ls / n - l * s / n / n;
  return {sum / n, std::sqrt(vl), vl * vs > 0 ? covariance / std::sqrt(vl * vs) : 0};
}

struct SpreadCase {
  double spread, correlation;
};

TEST(ObjectLights, HaveTheMeanSpreadAndCorrelationOfTheirKeys) {
  // 40,000 beads; bounds are five standard errors
  for (const auto& [spread, correlation] : {SpreadCase{0.2, 0},
                                            {0.7, 0},
                                            {0.7, 0.6},
                                            {0.7, -1},
                                            {1, 1},
                                            {0.5, 1},
                                            {1e-4, 1},
                                            {1, -0.5}}) {
    PhantomSpec spec;
    spec.beads.intensity_spread = spread;
    spec.beads.intensity_size_correlation = correlation;
    std::vector<double> factors, sizes;
    for (std::int64_t i = 0; i < 40000; ++i) {
      factors.push_back(light_of_object<kinds::Beads>(spec, Bead{}, 7, Ancestry{i}).factor);
      sizes.push_back(
          bell(RandomStream{7, RandomStage::beads}.block(static_cast<std::uint64_t>(i), 0)));
    }
    const Figures found = figures_of(factors, sizes);
    const double error = 5 / std::sqrt(40000.0);
    EXPECT_NEAR(found.mean, 1, error * std::sqrt(std::exp(spread * spread) - 1)) << spread;
    EXPECT_NEAR(found.log_deviation, spread, error * spread) << spread;
    EXPECT_NEAR(found.correlation, correlation, error + 1e-9) << correlation;
  }
}

TEST(ObjectLights, HaveTheFactorsOfTheFormula) {
  // Hand-computed; the mean of e^s of a bell of t = 0.5 is (sinh(h) / h)^4, h = 0.5 sqrt(3) / 2
  const double h = 0.5 * std::sqrt(3.0) / 2;
  EXPECT_EQ(brightness_of({0, 0}, 3, 3), 1);
  EXPECT_NEAR(brightness_of({0.5, 0}, 3, 2), std::exp(1 - 0.125), 1e-14);
  EXPECT_NEAR(brightness_of({0.5, 0}, 3, -2), std::exp(-1 - 0.125), 1e-14);
  EXPECT_NEAR(brightness_of({0.5, 1}, 1.2, 9), std::exp(0.6) / std::pow(std::sinh(h) / h, 4),
              1e-14);
  EXPECT_NEAR(brightness_of({0.5, -0.6}, 1.2, 0.3),
              std::exp(-0.36 + 0.12 - 0.08) / std::pow(std::sinh(0.6 * h) / (0.6 * h), 4), 1e-14);
  // The series for small exponents meets the formula
  EXPECT_NEAR(brightness_of({0.0115, 1}, 0, 0), brightness_of({0.0116, 1}, 0, 0), 1e-5);
}

TEST(ObjectLights, OfDaughtersHaveHalfOfTheirVarianceFromTheMother) {
  const RandomStream stream{3, RandomStage::object_light};
  std::vector<double> mothers, daughters, sisters;
  for (std::int64_t i = 0; i < 20000; ++i) {
    mothers.push_back(inherited_deviate(stream, 0, Ancestry{i}));
    daughters.push_back(inherited_deviate(stream, 0, Ancestry{i, 20000 + 2 * i}));
    sisters.push_back(inherited_deviate(stream, 0, Ancestry{i, 20001 + 2 * i}));
  }
  const auto product = [&](const auto& a, const auto& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0) / 20000;
  };
  EXPECT_NEAR(product(mothers, mothers), 1, 0.05);
  EXPECT_NEAR(product(daughters, daughters), 1, 0.05);
  EXPECT_NEAR(product(mothers, daughters), std::sqrt(0.5), 0.04);
  EXPECT_NEAR(product(sisters, daughters), 0.5, 0.04);
}

TEST(ObjectLights, AreFixedByTheirDraws) {
  PhantomSpec spec;
  spec.beads.intensity_spread = 1;
  const auto of = [&](std::int64_t i) {
    return light_of_object<kinds::Beads>(spec, Bead{}, 42, Ancestry{i}).factor;
  };
  EXPECT_NEAR(of(0), 0.63114484406047655, 1e-14);
  EXPECT_NEAR(of(1), 0.85585396324245866, 1e-14);
}

TEST(ObjectLights, AreAbsentWithoutAKey) {
  const Phantom phantom = test::PhantomCase{"plain", NucleiKind::generic, 3}.make();
  EXPECT_TRUE(phantom.lights.empty());
  EXPECT_FALSE(has_uneven_light(phantom.spec));
  PhantomSpec spec;
  for (double* const key :
       {&spec.nuclei.intensity_spread, &spec.nuclei.uneven_stain, &spec.cells.intensity_spread,
        &spec.cells.uneven_stain, &spec.beads.intensity_spread, &spec.tissue.intensity_spread,
        &spec.volume.intensity_spread, &spec.neuron.intensity_spread}) {
    *key = 0.5;
    EXPECT_TRUE(has_uneven_light(spec));
    *key = 0;
  }
}

/// The light of a phantom of evenly stained nuclei.
Volume<float> light_of(const PhantomSpec& spec, const Grid& grid) {
  const synthoscope::test::TestContext run;
  const Phantom phantom = make_phantom(spec, grid, 11, run.context);
  Volume<float> light{grid.extent};
  PhantomSource{phantom, {}}.read(whole(grid.extent), light.view());
  return light;
}

TEST(ObjectLights, ScaleTheLightOfOneNucleusByItsFactorAlone) {
  const Grid grid{{32, 32, 32}, {0.3, 0.3, 0.3}};
  PhantomSpec spec;
  spec.nuclei.count = 1;
  spec.nuclei.texture = TextureKind::none;
  const Volume<float> plain = light_of(spec, grid);
  spec.nuclei.intensity_spread = 0.8;
  const Volume<float> spread = light_of(spec, grid);
  const double factor =
      light_of_object<kinds::Nuclei>(spec, Nucleus::draw(spec.nuclei, 11, 0), 11, Ancestry{0})
          .factor;
  EXPECT_GT(std::abs(factor - 1), 0.05);
  for (std::size_t i = 0; i < plain.voxels.size(); ++i)
    ASSERT_FLOAT_EQ(spread.voxels[i],
                    static_cast<float>(factor * static_cast<double>(plain.voxels[i])));
}

TEST(ObjectLights, OfUnevenStainKeepTheSumAndReachTheirEnds) {
  const Grid grid{{36, 36, 36}, {0.25, 0.25, 0.25}};
  PhantomSpec spec;
  spec.nuclei.count = 1;
  spec.nuclei.roughness = 0;
  spec.nuclei.texture = TextureKind::none;
  const Volume<float> plain = light_of(spec, grid);
  for (const double uneven : {0.3, 1.0}) {
    spec.nuclei.uneven_stain = uneven;
    const Volume<float> stained = light_of(spec, grid);
    double sum = 0, stained_sum = 0, least = 9, most = 0;
    for (std::size_t i = 0; i < plain.voxels.size(); ++i) {
      if (plain.voxels[i] == 0) continue;
      sum += plain.voxels[i];
      stained_sum += stained.voxels[i];
      const double ratio = static_cast<double>(stained.voxels[i]) / plain.voxels[i];
      least = std::min(least, ratio);
      most = std::max(most, ratio);
    }
    EXPECT_NEAR(stained_sum / sum, 1, 2e-3);
    EXPECT_NEAR(least, 1 - uneven, 0.1 * uneven);
    EXPECT_NEAR(most, 1 + uneven, 0.1 * uneven);
    EXPECT_GE(least, 1 - uneven - 1e-6);
    EXPECT_LE(most, 1 + uneven + 1e-6);
  }
}

TEST(ObjectLights, TurnAndGrowWithTheirBody) {
  NucleiSpec spec;
  const Nucleus drawn = Nucleus::draw(spec, 1, 0);
  const Vector3 direction = unit_vector({0.2, -0.5, 0.7});
  const Vector3 before = stain_slope(drawn, direction);
  Pose pose;
  pose.scale = 1.3;
  pose.turn = drawn.own_axes();
  const Vector3 grown = stain_slope(drawn.posed(pose), direction);
  for (std::size_t axis = 0; axis < 3; ++axis) EXPECT_NEAR(grown[axis], before[axis] / 1.3, 1e-9);
}

TEST(ObjectLights, OfAMovieStayWithTheirBodies) {
  PhantomSpec spec;
  spec.nuclei.count = 4;
  spec.nuclei.intensity_spread = 0.6;
  spec.beads.count = 3;
  spec.beads.intensity_spread = 0.6;
  TimeSpec time;
  time.interval_seconds = 3600;
  time.division = true;
  time.cycle_hours = 4;
  const synthoscope::test::TestContext run;
  const Movie movie{{spec, time, {{40, 80, 80}, {0.5, 0.5, 0.5}}, 5}, 3, run.context};
  std::map<std::int64_t, double> seen;
  for (std::int64_t frame = 0; frame < 5; ++frame) {
    const Phantom phantom = movie.phantom(frame, run.context);
    ASSERT_EQ(std::ssize(phantom.lights), phantom.count());
    std::size_t i = 0;
    for (const PosedBody& body : movie.nuclei().at(frame)) {
      const auto [at, is_new] = seen.emplace(body.number, phantom.lights[i].factor);
      EXPECT_EQ(phantom.lights[i++].factor, at->second) << frame;
    }
    for (std::int64_t bead = 0; bead < 3; ++bead, ++i) {
      const auto [at, is_new] = seen.emplace(-1 - bead, phantom.lights[i].factor);
      EXPECT_EQ(phantom.lights[i].factor, at->second) << frame;
    }
  }
  EXPECT_GT(seen.size(), 4u + 3u) << "some divide";
}

struct RangeCase {
  const char* key;
  double value;
  bool accepted;
};

TEST(ObjectLights, AcceptTheRangesOfTheirKeys) {
  for (const char* table : {"nuclei", "cells", "beads", "tissue", "volume", "neuron"})
    for (const auto& [key, value, accepted] : {RangeCase{"intensity_spread", 0, true},
                                               {"intensity_spread", 2, true},
                                               {"intensity_spread", -0.01, false},
                                               {"intensity_spread", 2.01, false},
                                               {"intensity_size_correlation", -1, true},
                                               {"intensity_size_correlation", 1, true},
                                               {"intensity_size_correlation", -1.01, false},
                                               {"intensity_size_correlation", 1.01, false},
                                               {"uneven_stain", 0, true},
                                               {"uneven_stain", 1, true},
                                               {"uneven_stain", -0.01, false},
                                               {"uneven_stain", 1.01, false}}) {
      const SceneKey* const found = find_key(std::string{table} + "." + key);
      if (!found) continue;
      if (accepted)
        EXPECT_NO_THROW(require_in_range(*found, value)) << table << key << value;
      else
        EXPECT_THROW(require_in_range(*found, value), InvalidSpec) << table << key << value;
    }
  EXPECT_NE(find_key("cells.uneven_stain"), nullptr);
  EXPECT_NE(find_key("tissue.intensity_size_correlation"), nullptr);
  EXPECT_EQ(find_key("beads.uneven_stain"), nullptr);
  EXPECT_EQ(find_key("neuron.intensity_size_correlation"), nullptr);
  EXPECT_EQ(find_key("target.intensity_spread"), nullptr);
}

}  // namespace
}  // namespace synthoscope::simulator
