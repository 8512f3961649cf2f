// SPDX-License-Identifier: MIT
// Nuclei of still scenes that are in mitosis.
#include "simulator/phantom/nuclei/dividing.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <map>
#include "core/base/error.hpp"
#include "core/stream/memory_stream.hpp"
#include "simulator/phantom/nuclei/nuclei_kind.hpp"
#include "simulator/phantom/phantom.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::simulator {
namespace {

NucleiSpec nuclei_of(std::int64_t count, double mitotic_fraction) {
  NucleiSpec spec;
  spec.count = count;
  spec.radius_um = 1.5;
  spec.radius_spread = 0.1;
  spec.mitotic_fraction = mitotic_fraction;
  spec.texture = TextureKind::none;
  return spec;
}

const Grid kGrid{{24, 120, 120}, {0.5, 0.5, 0.5}};

TEST(DividingNuclei, AreAsManyAsAskedForInTheShareThatIsAskedFor) {
  synthoscope::test::TestContext run;
  for (const double fraction : {0.0, 0.3, 1.0}) {
    std::map<MitoticPhase, int> phases;
    const std::int64_t kCount = 400;
    for (const Nucleus& nucleus :
         make_nuclei(nuclei_of(kCount, fraction), {{60, 240, 240}, {1, 1, 1}}, 5, run.context))
      ++phases[nucleus.mitosis().phase];
    int all = 0;
    for (const auto& [phase, count] : phases) all += count;
    EXPECT_EQ(all, kCount);
    // Sisters count as two objects but as one cell
    const double expected = fraction == 0.3 ? 0.67 : 1 - fraction;
    EXPECT_NEAR(phases[MitoticPhase::interphase], expected * kCount, fraction == 0.3 ? 30 : 0);
    EXPECT_EQ(phases[MitoticPhase::telophase] % 2, 0);
    if (fraction > 0) {
      EXPECT_GT(phases[MitoticPhase::telophase], phases[MitoticPhase::anaphase]);
    }
  }
}

TEST(DividingNuclei, LieInTheGridAndSistersLieNextToEachOther) {
  synthoscope::test::TestContext run;
  const auto nuclei = make_nuclei(nuclei_of(60, 1), kGrid, 7, run.context);
  const Vector3 size = size_um(kGrid);
  int pairs = 0;
  for (std::size_t i = 0; i < nuclei.size(); ++i) {
    const Bounds bounds = nuclei[i].bounds();
    for (std::size_t axis = 0; axis < 3; ++axis) {
      EXPECT_GE(bounds.low[axis], -1e-9);
      EXPECT_LE(bounds.high[axis], size[axis] + 1e-9);
    }
    if (nuclei[i].mitosis().phase < MitoticPhase::anaphase) continue;
    ASSERT_LT(i + 1, nuclei.size());
    EXPECT_EQ(nuclei[i].mitosis(), nuclei[i + 1].mitosis());
    const Vector3 way = nuclei[i + 1].centre() - nuclei[i].centre();
    const double expected =
        2 * form_of(nuclei[i].mitosis()).apart *
        ball_radius_um(2 * nuclei[i].volume_um3() / form_of(nuclei[i].mitosis()).volume);
    EXPECT_NEAR(std::sqrt(dot(way, way)), expected, 1e-9);
    ++pairs;
    ++i;
  }
  EXPECT_GT(pairs, 5);
}

TEST(DividingNuclei, KeepTheAmountOfAnEvenStain) {
  synthoscope::test::TestContext run;
  const auto light_of = [&](double fraction) {
    NucleiSpec spec = nuclei_of(60, fraction);
    spec.radius_spread = 0;
    const Phantom phantom = make_phantom({spec}, kGrid, 7, run.context);
    Volume<float> light{kGrid.extent};
    PhantomSource{phantom}.read(whole(kGrid.extent), light.view());
    double sum = 0;
    for (const float voxel : light.voxels) sum += voxel;
    return sum;
  };
  // A mother has 2 / 1.525 of the mean, a daughter half of that
  const auto nuclei = make_nuclei(nuclei_of(60, 1), kGrid, 7, run.context);
  double expected = 0;
  for (const Nucleus& nucleus : nuclei)
    expected +=
        nucleus.mitosis().phase >= MitoticPhase::anaphase ? kDividingVolume / 2 : kDividingVolume;
  EXPECT_NEAR(light_of(1) / light_of(0), expected / 60, 0.01);
}

/// The light of one nucleus as it is rendered.
double rendered(const Nucleus& nucleus, const NucleiSpec& spec) {
  Phantom phantom{.grid = {{40, 64, 64}, {0.2, 0.2, 0.2}}, .spec = {spec}};
  phantom.nuclei.push_back(nucleus);
  phantom.nuclei.front().move_to(0.5 * size_um(phantom.grid));
  Volume<float> light{phantom.grid.extent};
  PhantomSource{phantom}.read(whole(phantom.grid.extent), light.view());
  double sum = 0;
  for (const float voxel : light.voxels) sum += voxel;
  return sum;
}

TEST(DividingNuclei, KeepTheAmountOfATexturedStain) {
  for (const NucleiKind kind : {NucleiKind::generic, NucleiKind::adherent}) {
    NucleiSpec spec;
    set_typical(spec, kind);
    spec.count = 1;
    spec.radius_um = 2.5;
    const Nucleus drawn = Nucleus::draw(spec, 3, 0);
    const double um3 = drawn.volume_um3(), resting = rendered(drawn, spec);
    for (const Mitosis& state :
         {Mitosis{MitoticPhase::prophase, 0.5}, Mitosis{MitoticPhase::metaphase, 1},
          Mitosis{MitoticPhase::anaphase, 0.5}, Mitosis{MitoticPhase::telophase, 0.6}}) {
      Nucleus nucleus = drawn.posed(pose_in({state, um3, drawn.own_axes(), 2, 100}, drawn));
      nucleus.set_mitosis(state);
      const double uneven = amount_of_stain(nucleus, spec) / amount_of_stain(drawn, spec);
      keep_amount_of_stain(nucleus, drawn, spec);
      EXPECT_NEAR(amount_of_stain(nucleus, spec) / amount_of_stain(drawn, spec), 1, 1e-9);
      EXPECT_NEAR(rendered(nucleus, spec) / resting, 1, 0.025)
          << name_in(kMitoticPhaseNames, state.phase) << ' ' << uneven;
      if (state.phase == MitoticPhase::metaphase) {
        EXPECT_LT(uneven, 0.75) << "gaps between arms are dark";
      }
    }
  }
}

TEST(DividingNuclei, DoNotFlickerAsTheirChromatinCondenses) {
  NucleiSpec spec = nuclei_of(1, 0);
  spec.texture = TextureKind::chromatin;
  spec.envelope_density = 1;
  const Nucleus drawn = Nucleus::draw(spec, 5, 0);
  const auto density_at = [&](const Mitosis& state, double born_with) {
    Nucleus nucleus =
        drawn.posed(pose_in({state, drawn.volume_um3(), drawn.own_axes(), 2, 100}, drawn));
    nucleus.set_mitosis(state);
    keep_amount_of_stain(nucleus, drawn, spec, born_with);
    return nucleus.shape().chromatin.density;
  };
  EXPECT_NEAR(density_at({MitoticPhase::prophase, 1e-4}, 1), 1, 1e-3);
  EXPECT_NEAR(
      density_at({MitoticPhase::prophase, 1}, 1) / density_at({MitoticPhase::prometaphase, 0}, 1),
      1, 1e-9);
  EXPECT_NEAR(density_at({MitoticPhase::telophase, 0.9999}, 1.2), 1, 1e-3);
  // What a daughter is born with stays as long as she is condensed
  EXPECT_NEAR(
      density_at({MitoticPhase::anaphase, 0.5}, 1.2) / density_at({MitoticPhase::anaphase, 0.5}, 1),
      1.2, 1e-9);
}

TEST(DividingNuclei, HaveOneLobe) {
  synthoscope::test::TestContext run;
  NucleiSpec spec = nuclei_of(3, 0.5);
  spec.most_lobes = 3;
  EXPECT_THROW(require_valid(spec), InvalidSpec);
}

}  // namespace
}  // namespace synthoscope::simulator
