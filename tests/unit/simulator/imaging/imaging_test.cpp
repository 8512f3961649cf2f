// SPDX-License-Identifier: MIT
// imaging_test.cpp — light is neither made nor lost between phantom and image without being told.
#include "simulator/imaging/imaging.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <numeric>
#include "core/stream/memory_stream.hpp"
#include "fftconv/host/executor.hpp"
#include "simulator/scene/blur_setup.hpp"
#include "simulator/scene/file/scene_file.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/one_psf.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::simulator {
namespace {

constexpr std::int64_t kRoomy = std::int64_t{1} << 30;

/// A block of uneven light in the dark.
Volume<float> block(const Extent3& extent, const Box3& lit) {
  Volume<float> light{extent};
  for (std::int64_t z = lit.origin.z; z < lit.origin.z + lit.size.z; ++z)
    for (std::int64_t y = lit.origin.y; y < lit.origin.y + lit.size.y; ++y)
      for (std::int64_t x = lit.origin.x; x < lit.origin.x + lit.size.x; ++x)
        light.view()(z, y, x) = static_cast<float>(100 + (z * 31 + y * 17 + x * 7) % 13);
  return light;
}

double total(const Volume<float>& v) {
  return std::accumulate(v.voxels.begin(), v.voxels.end(), 0.0);
}

/// Images light held in memory.
struct Bench {
  explicit Bench(const char* scene_text, int threads = 2)
      : scene{parse_scene(scene_text, "scene")},
        run{threads, kRoomy},
        psf{make_psf(blur_optics(scene), blur_grid(scene).pitch, blur_sizing(scene), run.pool)} {}

  void image(const Volume<float>& light, fftconv::Strategy strategy = fftconv::Strategy::automatic,
             std::int64_t parts = 0) {
    const PsfSize room =
        psf_size(blur_optics(scene), blur_grid(scene).pitch, blur_sizing(scene), run.pool);
    const auto problem = blur_problem(scene, room, BoxOrder::any);
    const auto plan = plan_convolution(problem, {kRoomy}, strategy, parts);
    const auto executor = fftconv::make_host_executor({kRoomy});
    const Illumination even{scene.illumination, scene.grid.extent};
    const test::OnePsf only{scene, psf};
    Imaging lens{scene, 1, only.terms, even};
    MemorySource source{light.view()};
    photons = Volume<float>{scene.grid.extent};
    MemorySink sink{photons.view()};
    lens.run(*executor, plan, source, 0, sink, run.context);
    energy = lens.energy();
  }

  SceneSpec scene;
  test::TestContext run;
  Psf psf;
  Volume<float> photons;
  std::optional<EnergyBalance> energy;
};

constexpr const char* kWide =
    "[grid]\nsize = [12, 70, 90]\npitch_nm = [400, 120, 110]\n[background]\nphotons_per_pixel = 5\n"
    "[optics]\nna = 0.8\nimmersion_index = 1.33\nsize = [15, 31, 27]\n";

struct StrategyCase {
  const char* name;
  fftconv::Strategy strategy;
  std::int64_t parts;
};
constexpr StrategyCase kStrategies[] = {{"in_core", fftconv::Strategy::in_core, 0},
                                        {"ring", fftconv::Strategy::ring, 0},
                                        {"tiles", fftconv::Strategy::tiles, 0},
                                        {"two_parts", fftconv::Strategy::parts, 2}};

class EnergyBy : public testing::TestWithParam<StrategyCase> {};

TEST_P(EnergyBy, IsConservedFromPhantomToImageForAnyThreads) {
  const Volume<float> light = block({12, 70, 90}, {{3, 28, 40}, {5, 9, 8}});
  std::vector<double> images;
  for (const int threads : {1, 2, 7}) {
    Bench bench{kWide, threads};
    bench.image(light, GetParam().strategy, GetParam().parts);
    ASSERT_TRUE(bench.energy.has_value());
    const EnergyBalance& e = *bench.energy;
    EXPECT_NEAR(e.emitted / total(light), 1, 1e-12);
    EXPECT_NEAR(e.unbounded / (12 * e.emitted), 1, 1e-12);
    EXPECT_NEAR((e.image + e.lost_by_window + e.lost_by_field) / e.unbounded, 1, 1e-12);
    EXPECT_NEAR(e.image / (total(bench.photons) - 5.0 * 12 * 70 * 90), 1, 1e-5);
    // The block is farther from the edges of the field than the window reaches
    EXPECT_LT(std::abs(e.lost_by_field) / e.unbounded, 1e-6);
    EXPECT_GT(e.lost_by_window / e.unbounded, 0.01);
    images.push_back(e.image);
  }
  EXPECT_EQ(images[0], images[1]);
  EXPECT_EQ(images[0], images[2]);
}

INSTANTIATE_TEST_SUITE_P(Strategies, EnergyBy, testing::ValuesIn(kStrategies), test::kCaseName);

struct LossCase {
  const char* name;
  const char* optics;
  std::int64_t fine;  ///< voxels of the blur along a pixel
};
constexpr LossCase kLosses[] = {
    {"gibson_lanni", "model = \"gibson-lanni\"\nna = 0.8\nsize = [9, 15, 17]\n", 1},
    {"born_wolf_by_its_sum",
     "model = \"born-wolf\"\nna = 1.1\nnormalization = \"sum\"\nsize = [7, 11, 9]\n", 1},
    {"gaussian", "model = \"gaussian\"\nna = 0.7\nsize = [9, 15, 17]\n", 1},
    {"oversampled", "na = 0.8\nsize = [9, 31, 35]\noversample = 2\n", 2},
};

class LossOf : public testing::TestWithParam<LossCase> {};

TEST_P(LossOf, EqualsADirectSumOverEmittersNearTheEdge) {
  Bench bench{
      (std::string{"[grid]\nsize = [6, 14, 18]\npitch_nm = [400, 120, 110]\n"
                   "[background]\nphotons_per_pixel = 0\n[optics]\nimmersion_index = 1.33\n"} +
       GetParam().optics)
          .c_str()};
  const std::int64_t n = GetParam().fine;
  const Extent3 fine{6, 14 * n, 18 * n};
  const Volume<float> light = block(fine, {{1, 0, 3}, {4, 7, 9}});
  bench.image(light);
  ASSERT_TRUE(bench.energy.has_value());

  double in_window = 0, in_field = 0, unbounded = 0;
  const Extent3 k = bench.psf.voxels.extent;
  const auto optics = blur_optics(bench.scene);
  const auto pitch = blur_grid(bench.scene).pitch;
  for (std::int64_t z = 0; z < 6; ++z)
    for (std::int64_t y = 0; y < fine.y; ++y)
      for (std::int64_t x = 0; x < fine.x; ++x) {
        const double f = light.view()(z, y, x);
        if (f == 0) continue;
        for (std::int64_t to = 0; to < 6; ++to)
          unbounded += f * plane_energy(optics, pitch, bench.psf, to - z);
        for (std::int64_t c = 0; c < k.z; ++c) {
          const std::int64_t to_z = z + c - k.z / 2;
          if (to_z < 0 || to_z >= 6) continue;
          for (std::int64_t b = 0; b < k.y; ++b)
            for (std::int64_t a = 0; a < k.x; ++a) {
              const double photons = f * static_cast<double>(bench.psf.voxels.view()(c, b, a));
              in_window += photons;
              const Index3 to{to_z, y + b - k.y / 2, x + a - k.x / 2};
              if (contains(fine, {to, {1, 1, 1}})) in_field += photons;
            }
        }
      }
  const EnergyBalance& e = *bench.energy;
  EXPECT_NEAR(e.unbounded / unbounded, 1, 1e-9);
  EXPECT_NEAR(e.lost_by_window, unbounded - in_window, 1e-6 * unbounded);
  EXPECT_NEAR(e.lost_by_field, in_window - in_field, 1e-6 * unbounded);
  EXPECT_NEAR(e.image, in_field, 1e-6 * unbounded);
  EXPECT_GT(e.lost_by_field, 0.05 * unbounded);
  EXPECT_NEAR(total(bench.photons), in_field, 1e-5 * unbounded);
}

INSTANTIATE_TEST_SUITE_P(Optics, LossOf, testing::ValuesIn(kLosses), test::kCaseName);

struct CoarseCase {
  const char* name;
  const char* scene;  ///< pixels beyond lambda / (2 NA), and what the simulation decides
};
constexpr CoarseCase kCoarse[] = {
    {"bodies", "[optics]\nna = 0.2\nimmersion_index = 1\nsize = [1, 75, 75]\n"},
    {"paraxial",
     "[optics]\nmodel = \"born-wolf\"\nna = 0.2\nimmersion_index = 1\nsize = [1, 75, "
     "75]\n"},
    {"gaussian",
     "[optics]\nmodel = \"gaussian\"\nna = 0.2\nimmersion_index = 1\nsize = [1, 75, 75]\n"},
    {"points",
     "[target]\nkind = \"points\"\n[optics]\nna = 0.2\n"
     "immersion_index = 1\nsize = [1, 75, 75]\n"},
};

class LightOnCoarsePixels : public testing::TestWithParam<CoarseCase> {};

TEST_P(LightOnCoarsePixels, IsNoMoreThanThereIs) {
  Bench bench{(std::string{"[grid]\nsize = [1, 81, 81]\npitch_nm = [9000, 1600, 1600]\n"
                           "[background]\nphotons_per_pixel = 0\n"} +
               GetParam().scene)
                  .c_str()};
  bench.image(block({1, 81, 81}, {{0, 40, 40}, {1, 1, 1}}));
  ASSERT_TRUE(bench.energy.has_value());
  const EnergyBalance& e = *bench.energy;
  // An Airy disc loses 2 / (pi^2 NA r / lambda) beyond r, about 1.3 % here, a Gaussian nothing
  EXPECT_LE(e.image / e.unbounded, 1 + 1e-6);
  EXPECT_GE(e.lost_by_window / e.unbounded, -1e-6);
  EXPECT_GE(e.image / e.unbounded, 0.98);
}

INSTANTIATE_TEST_SUITE_P(Scenes, LightOnCoarsePixels, testing::ValuesIn(kCoarse), test::kCaseName);

TEST(GaussianPlaneEnergy, AddsUpToTheIntegralAlongTheAxis) {
  OpticsSpec optics;
  optics.model = PsfModel::gaussian;
  optics.size = Extent3{3, 41, 41};
  const VoxelSize pitch{0.1, 0.08, 0.08};
  TaskPool pool{1};
  const auto psf = make_psf(optics, pitch, {}, pool);
  for (std::int64_t plane : {-1, 0, 1}) {
    double sum = 0;
    for (std::int64_t i = 0; i < 41 * 41; ++i) sum += psf.voxels.view().row(plane + 1, 0)[i];
    EXPECT_NEAR(sum / plane_energy(optics, pitch, psf, plane), 1, 1e-6);
  }
  EXPECT_LT(plane_energy(optics, pitch, psf, 20), 1e-3);  // outside the window, yet known
}

}  // namespace
}  // namespace synthoscope::simulator
