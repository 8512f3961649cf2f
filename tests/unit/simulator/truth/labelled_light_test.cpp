// SPDX-License-Identifier: MIT
#include "simulator/truth/labelled_light.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include "core/base/error.hpp"
#include "core/stream/memory_stream.hpp"
#include "simulator/truth/object_signal.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::simulator {
namespace {

/// Objects in slabs of different thickness and light, by a camera whose pixels differ.
struct Slabs {
  explicit Slabs(Extent3 size, std::int64_t bin = 1) : extent{size}, photons{size}, labels{size} {
    spec.binning = static_cast<int>(bin);
    for (std::int64_t z = 0; z < size.z; ++z)
      for (std::int64_t y = 0; y < size.y; ++y)
        for (std::int64_t x = 0; x < size.x; ++x) {
          const std::int64_t slab = z * static_cast<std::int64_t>(objects.size()) / size.z;
          labels.view()(z, y, x) = objects[static_cast<std::size_t>(slab)];
          photons.view()(z, y, x) =
              static_cast<float>(2 + (20 + 10 * slab) * (1 + (7 * x + 3 * y + z) % 11));
        }
  }

  Extent3 extent;
  std::vector<std::uint16_t> objects{1, 2, 9};
  Volume<float> photons;
  Volume<std::uint16_t> labels;
  CameraSpec spec;
  Illumination even{{}, extent};

  /// The median by object_snr, of photons times `dose`.
  double exact(const CameraEpilogue& camera, double dose, const RunContext& context) {
    Volume<float> lit{extent};
    for (std::size_t i = 0; i < lit.voxels.size(); ++i)
      lit.voxels[i] = static_cast<float>(dose * static_cast<double>(photons.voxels[i]));
    MemorySource light{lit.view()}, ids{labels.view()};
    auto ratios = object_snr(light, ids, objects, {camera, 2 * dose, even}, context);
    std::sort(ratios.begin(), ratios.end());
    return ratios[1];
  }
};

struct Sampled {
  explicit Sampled(Slabs& slabs, int threads = 2)
      : here{threads},
        camera{slabs.spec, {1, 0, 0}, slabs.extent},
        noise{camera, 2, slabs.even},
        light{noise, std::ssize(slabs.objects), here.context.memory} {
    MemorySource photons{slabs.photons.view()}, ids{slabs.labels.view()};
    light.add(photons, ids, slabs.objects, noise.background, here.context);
  }
  test::TestContext here;
  CameraEpilogue camera;
  ImageNoise noise;
  LabelledLight light;

  double median(double dose) { return *light.median_snr(dose, here.context.pool); }
  double dose_for(double snr) { return dose_for_snr(light, snr, here.context.pool); }
};

TEST(LabelledLight, HasTheMedianOfAllObjectsAtAnyDose) {
  for (const std::int64_t bin : {1, 2}) {
    Slabs slabs{{6, 32, 40}, bin};
    Sampled sampled{slabs};
    for (const double dose : {0.01, 1.0, 30.0})
      EXPECT_NEAR(sampled.median(dose) / slabs.exact(sampled.camera, dose, sampled.here.context), 1,
                  1e-6)
          << dose << ", binning " << bin;
  }
}

TEST(LabelledLight, KeepsAPartOfLargeObjects) {
  Slabs slabs{{12, 384, 384}};  // 590,000 voxels an object, of which at most 175,000 are kept
  Sampled sampled{slabs}, alone{slabs, 1};
  const double exact = slabs.exact(sampled.camera, 1, sampled.here.context);
  EXPECT_NEAR(sampled.median(1) / exact, 1, 2e-3);
  EXPECT_NE(sampled.median(1), exact);
  EXPECT_EQ(sampled.median(1), alone.median(1));
}

TEST(LabelledLight, FindsTheDoseOfARatio) {
  Slabs slabs{{6, 32, 40}};
  Sampled sampled{slabs};
  for (const double snr : {0.05, 1.0, 5.0, 20.0, 60.0})
    EXPECT_NEAR(sampled.median(sampled.dose_for(snr)) / snr, 1, 2e-4) << snr;
}

TEST(LabelledLight, RefusesARatioThatWouldSaturate) {
  Slabs slabs{{6, 32, 40}};
  Sampled sampled{slabs};
  std::string message;
  try {
    sampled.dose_for(500);
  } catch (const InvalidSpec& refusal) {
    message = refusal.what();
  }
  const std::string words = "the largest possible is ";
  ASSERT_NE(message.find(words), std::string::npos) << message;
  const double largest = std::stod(message.substr(message.find(words) + words.size()));
  const double dose = sampled.dose_for(0.999 * largest);
  EXPECT_LE(sampled.light.saturated_part(dose, sampled.here.context.pool), 0.01);
  EXPECT_GT(sampled.light.saturated_part(1.05 * dose, sampled.here.context.pool), 0.01);
  EXPECT_THROW(sampled.dose_for(1.001 * largest), InvalidSpec);
}

TEST(LabelledLight, RefusesObjectsThatNoDoseCanShow) {
  Slabs dark{{6, 16, 16}};
  std::fill(dark.photons.voxels.begin(), dark.photons.voxels.end(), 2.0F);  // the background
  test::expect_failure<InvalidSpec>([&] { Sampled{dark}.dose_for(5); },
                                    {"illumination.snr = 5", "the median object is dark"});
  Slabs none{{6, 16, 16}};
  std::fill(none.labels.voxels.begin(), none.labels.voxels.end(), std::uint16_t{0});
  test::expect_failure<InvalidSpec>([&] { Sampled{none}.dose_for(5); },
                                    {"no object has a voxel in the grid"});
}

TEST(LabelledLight, CountsItsMemory) {
  Slabs slabs{{6, 32, 40}};
  const CameraEpilogue camera{slabs.spec, {1, 0, 0}, slabs.extent};
  const ImageNoise noise{camera, 2, slabs.even};
  MemoryBudget little{LabelledLight::bytes(3, 1) - 1};
  EXPECT_THROW((LabelledLight{noise, 3, little}), PlanError);
}

}  // namespace
}  // namespace synthoscope::simulator
