// SPDX-License-Identifier: MIT
// A PSF that varies over the volume: the sum of blurs equals an image whose every emitter has the
// PSF of its own place.
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <numeric>
#include "core/stream/memory_stream.hpp"
#include "fftconv/host/executor.hpp"
#include "simulator/imaging/lens.hpp"
#include "simulator/optics/models/sheet_width.hpp"
#include "simulator/scene/blur_setup.hpp"
#include "simulator/scene/file/scene_file.hpp"
#include "tests/support/case_name.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::simulator {
namespace {

constexpr std::int64_t kRoomy = std::int64_t{1} << 30;
using fftconv::Strategy;

/// Images light held in memory through all PSFs of a scene.
class Bench {
 public:
  explicit Bench(const std::string& optics)
      : scene{parse_scene("[grid]\nsize = [20, 36, 40]\npitch_nm = [250, 120, 130]\n"
                          "[background]\nphotons_per_pixel = 0\n[optics]\n" +
                              optics,
                          "scene")},
        references{references_of(scene, run_.pool)},
        room_{psf_size_of(references, scene, run_.pool, run_.stop)} {
    ReferencePsfs make{scene, references, room_};
    for (std::size_t i = 0; i < references.all.size(); ++i)
      psfs.push_back(make.make(i, run_.pool, nullptr, run_.stop));
    for (const Psf& psf : psfs) sources_.emplace_back(psf.voxels.view());
    for (std::size_t i = 0; i < psfs.size(); ++i)
      terms_.push_back(
          {&sources_[i],
           energies_of_planes(references.all[i].optics, references.pitch, psfs[i], 20, run_.pool),
           &references.all[i].weights});
  }

  Volume<float> image(const Volume<float>& light, Strategy strategy = Strategy::in_core,
                      bool in_file = false) {
    const auto plan =
        plan_convolution(blur_problem(scene, room_, BoxOrder::any), {kRoomy}, strategy);
    const auto executor = fftconv::make_host_executor({kRoomy});
    const Illumination even{scene.illumination, scene.grid.extent};
    const test::TemporaryFolder folder;
    ScratchVolume in_memory{scene.grid.extent, PixelType::float32, run_.memory, "sums"};
    ScratchVolume on_disk{scene.grid.extent, PixelType::float32, folder / ""};
    Imaging imaging{scene, 1, terms_, even, in_file ? &on_disk : &in_memory};
    MemorySource source{light.view()};
    Volume<float> photons{scene.grid.extent};
    MemorySink sink{photons.view()};
    imaging.run(*executor, plan, source, 0, sink, run_.context);
    energy = imaging.energy();
    return photons;
  }

  /// The PSF of an emitter in a voxel, computed for it alone.
  Psf psf_at(const Index3& voxel) {
    Reference own = references.all.front();
    if (references.depths) {
      const double planes = own.optics.cover_glass == CoverGlass::below
                                ? static_cast<double>(voxel.z)
                                : static_cast<double>(scene.grid.extent.z - 1 - voxel.z);
      own.optics.depth_um = scene.optics.depth_um + (planes + 0.5) * scene.grid.pitch.z_um;
      own.optics.axial_origin.um = references.depths->focus.at(own.optics.depth_um);
    }
    if (scene.optics.sheet_along == SheetAlong::x) {
      const double beside =
          (static_cast<double>(voxel.x) + 0.5 - 20) * 0.13 - scene.optics.sheet_focus_um;
      const double radius = sheet_radius_um(scene.optics, beside);
      own.optics.sheet_waist_um *= radius / *own.sheet_radius_um;
      own.gain = scene.optics.sheet_waist_um / radius;
    }
    References alone{{references.all.front(), own}, references.pitch, references.depths, 0};
    ReferencePsfs make{scene, alone, room_};
    static_cast<void>(make.make(0, run_.pool, nullptr, run_.stop));
    return make.make(1, run_.pool, nullptr, run_.stop);
  }

  SceneSpec scene;
  std::optional<EnergyBalance> energy;

 private:
  test::TestContext run_;

 public:
  References references;
  std::vector<Psf> psfs;

 private:
  PsfSize room_;
  std::vector<MemorySource> sources_;
  std::vector<BlurTerm> terms_;
};

Volume<float> emitter(const Extent3& extent, const Index3& at) {
  Volume<float> light{extent};
  light.view()(at.z, at.y, at.x) = 1000;
  return light;
}

/// Of the image of an emitter from what its own PSF makes of it, of the peak.
double largest_error(Bench& bench, const Index3& at) {
  const Extent3& extent = bench.scene.grid.extent;
  const auto image = bench.image(emitter(extent, at));
  const Psf psf = bench.psf_at(at);
  double most = 0, peak = 0;
  for (std::int64_t z = 0; z < extent.z; ++z)
    for (std::int64_t y = 0; y < extent.y; ++y)
      for (std::int64_t x = 0; x < extent.x; ++x) {
        const Index3 of{psf.centre.z + z - at.z, psf.centre.y + y - at.y, psf.centre.x + x - at.x};
        const bool inside = contains(psf.voxels.extent, {of, {1, 1, 1}});
        const double expected =
            inside ? 1000 * static_cast<double>(psf.voxels.view()(of.z, of.y, of.x)) : 0;
        peak = std::max(peak, expected);
        most = std::max(most, std::abs(expected - static_cast<double>(image.view()(z, y, x))));
      }
  return most / peak;
}

struct VaryingCase {
  const char* name;
  const char* optics;
  double bound;
  std::int64_t least, most;  ///< references
};

// clang-format off
constexpr VaryingCase kVarying[] = {
    {"scalar", "na = 1.3\nsample_index = 1.38\ndepth_um = 1\ndepth_varying = true\n", 0.01, 4, 9},
    {"closely",
     "na = 1.3\nsample_index = 1.38\ndepth_um = 1\ndepth_varying = true\nreference_error = 0.002\n",
     0.002, 6, 20},
    {"from_below",
     "na = 1.2\nimmersion_index = 1.33\nsample_index = 1.42\ndepth_um = 20\ndepth_varying = true\n"
     "cover_glass = \"below\"\n", 0.01, 2, 6},
    {"vectorial",
     "model = \"richards-wolf\"\nna = 1.4\nsample_index = 1.4\ndepth_um = 2\n"
     "depth_varying = true\nreference_error = 0.02\n", 0.02, 2, 9},
    {"confocal",
     "model = \"confocal\"\nna = 1.3\nsample_index = 1.38\ndepth_um = 3\ndepth_varying = true\n"
     "reference_error = 0.02\n", 0.02, 3, 9},
    {"sheet",
     "model = \"light-sheet\"\nna = 0.8\nimmersion_index = 1.33\nsheet_waist_um = 0.6\n"
     "sheet_along = \"x\"\nsheet_focus_um = 0.7\n", 0.01, 3, 6},
    {"sheet_and_depth",  // the errors of both may add up
     "model = \"light-sheet\"\nna = 1.1\nimmersion_index = 1.33\nsample_index = 1.45\n"
     "sheet_waist_um = 0.6\nsheet_along = \"x\"\ndepth_varying = true\n", 0.02, 4, 30},
};
// clang-format on

class Varying : public testing::TestWithParam<VaryingCase> {};

TEST_P(Varying, ImagesEveryEmitterByThePsfOfItsPlace) {
  Bench bench{GetParam().optics};
  EXPECT_GE(bench.references.count(), GetParam().least);
  EXPECT_LE(bench.references.count(), GetParam().most);
  for (const Index3 at : {Index3{0, 18, 20}, {4, 17, 3}, {7, 20, 30}, {11, 15, 14}, {19, 18, 39}})
    EXPECT_LE(largest_error(bench, at), GetParam().bound) << at.z << ", " << at.x;
}

TEST_P(Varying, CountsAllLightOnce) {
  Bench bench{GetParam().optics};
  Volume<float> light{bench.scene.grid.extent};
  for (std::size_t i = 0; i < light.voxels.size(); ++i)
    light.voxels[i] = static_cast<float>(i * 31 % 13);
  const auto image = bench.image(light);
  ASSERT_TRUE(bench.energy.has_value());
  const EnergyBalance& e = *bench.energy;
  const double emitted = std::accumulate(light.voxels.begin(), light.voxels.end(), 0.0);
  EXPECT_NEAR(e.emitted / emitted, 1, 1e-7);
  EXPECT_NEAR(e.image / std::accumulate(image.voxels.begin(), image.voxels.end(), 0.0), 1, 1e-5);
  EXPECT_NEAR((e.image + e.lost_by_window + e.lost_by_field) / e.unbounded, 1, 1e-12);
  EXPECT_GT(e.lost_by_field / e.unbounded, 0);
}

TEST_P(Varying, WeighsEveryVoxelByOneInAll) {
  const Bench bench{GetParam().optics};
  const auto weight = [](const std::vector<double>& axis, std::int64_t i) {
    return axis.empty() ? 1 : axis[static_cast<std::size_t>(i)];
  };
  for (std::int64_t z = 0; z < 20; ++z)
    for (std::int64_t x = 0; x < 40; ++x) {
      double sum = 0;
      int lit = 0;
      for (const Reference& one : bench.references.all) {
        const double part = weight(one.weights.z, z) * weight(one.weights.x, x);
        sum += part;
        lit += part > 0 ? 1 : 0;
      }
      EXPECT_NEAR(sum, 1, 1e-15);
      EXPECT_LE(lit, 4);
    }
}

INSTANTIATE_TEST_SUITE_P(SetUps, Varying, testing::ValuesIn(kVarying), test::kCaseName);

TEST(VaryingPlans, MakeTheSameImage) {
  Bench bench{kVarying[0].optics};
  Volume<float> light{bench.scene.grid.extent};
  for (std::size_t i = 0; i < light.voxels.size(); ++i)
    light.voxels[i] = static_cast<float>(i * 7 % 11);
  const auto whole = bench.image(light);
  EXPECT_EQ(whole.voxels, bench.image(light, Strategy::in_core, true).voxels);
  const double peak = *std::max_element(whole.voxels.begin(), whole.voxels.end());
  for (const Strategy strategy : {Strategy::tiles, Strategy::parts}) {
    const auto cut = bench.image(light, strategy);
    for (std::size_t i = 0; i < cut.voxels.size(); ++i)
      ASSERT_NEAR(cut.voxels[i], whole.voxels[i], 2e-6 * peak) << name_of(strategy);
  }
}

TEST(VaryingDepth, IsOnePsfWhereNothingIsBent) {
  Bench varying{"na = 0.9\nimmersion_index = 1.33\nsample_index = 1.33\ndepth_varying = true\n"};
  Bench steady{"na = 0.9\nimmersion_index = 1.33\nsample_index = 1.33\ndepth_um = 2.5\n"};
  ASSERT_EQ(varying.references.count(), 1);
  const auto light = emitter({20, 36, 40}, {9, 18, 20});
  const auto one = varying.image(light), other = steady.image(light);
  const double peak = *std::max_element(one.voxels.begin(), one.voxels.end());
  for (std::size_t i = 0; i < one.voxels.size(); ++i)
    ASSERT_NEAR(one.voxels[i], other.voxels[i], 2e-6 * peak);
}

TEST(VaryingDepth, LiesOnTheOtherSideOfTheGlass) {
  const std::string optics = "na = 1.3\nsample_index = 1.38\ndepth_um = 4\ndepth_varying = true\n";
  Bench above{optics}, below{optics + "cover_glass = \"below\"\n"};
  const auto up = above.image(emitter({20, 36, 40}, {4, 18, 20})),
             down = below.image(emitter({20, 36, 40}, {15, 18, 20}));
  for (std::int64_t z = 0; z < 20; ++z)
    for (std::int64_t i = 0; i < 36 * 40; ++i)
      ASSERT_NEAR(up.view().row(z, 0)[i], down.view().row(19 - z, 0)[i], 1e-3);
}

TEST(VaryingSheet, IsAsThickAsAGaussianBeamAndLosesNoLight) {
  OpticsSpec spec;
  spec.sheet_waist_um = 2;
  spec.excitation_nm = 488;
  spec.sample_index = 1.33;
  EXPECT_NEAR(rayleigh_length_um(spec), 34.249, 1e-3);  // pi 1.33 4 / 0.488
  EXPECT_NEAR(sheet_radius_um(spec, rayleigh_length_um(spec)), 2 * std::sqrt(2.0), 1e-12);
  EXPECT_EQ(sheet_radius_um(spec, 0), 2);

  // A wide plane of emitters sees all of a sheet, wherever it is
  Bench bench{
      "model = \"light-sheet\"\nna = 0.8\nimmersion_index = 1.33\nsheet_waist_um = 0.5\n"
      "sheet_along = \"x\"\n"};
  std::vector<double> light_of;
  for (const Psf& psf : bench.psfs)
    light_of.push_back(std::accumulate(psf.plane_energies.begin(), psf.plane_energies.end(), 0.0));
  EXPECT_NEAR(bench.psfs.front().plane_energy, 0.5 / *bench.references.all[0].sheet_radius_um,
              1e-6);
  for (const double light : light_of) EXPECT_NEAR(light / light_of.front(), 1, 1e-3);
}

}  // namespace
}  // namespace synthoscope::simulator
