// SPDX-License-Identifier: MIT
#include "simulator/truth/object_signal.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include "core/stream/memory_stream.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::simulator {
namespace {

constexpr Extent3 kExtent{3, 12, 8};

/// A camera whose pixels are alike.
CameraSpec plain_camera() {
  CameraSpec spec;
  spec.quantum_efficiency = 0.5;
  spec.dark_current_electrons_per_second = 0;
  spec.read_noise_electrons = 3;
  spec.read_noise_spread = spec.gain_spread = spec.offset_spread_dn = 0;
  spec.gain_dn_per_electron = 2;
  spec.offset_dn = 100;
  return spec;
}

struct Image {
  Volume<float> photons{kExtent};
  Volume<std::uint16_t> labels{kExtent};

  std::vector<double> snr(const CameraSpec& spec, double background, int threads = 2) {
    const CameraEpilogue camera{spec, {1, 0, 0}, kExtent};
    const Illumination even{{}, kExtent};
    MemorySource light{photons.view()}, ids{labels.view()};
    test::TestContext here{threads};
    return object_snr(light, ids, {1, 2, 7}, {camera, background, even}, here.context);
  }
};

TEST(ObjectSnr, IsTheMeanOverTheVoxelsOfTheObject) {
  Image image;
  std::fill(image.photons.voxels.begin(), image.photons.voxels.end(), 10.0F);
  image.photons.view()(1, 2, 3) = 110;
  image.photons.view()(1, 2, 4) = 410;
  image.photons.view()(2, 9, 0) = 60;
  image.labels.view()(1, 2, 3) = image.labels.view()(1, 2, 4) = 1;
  image.labels.view()(2, 9, 0) = 2;
  const auto snr = [](double photons) {  // of 10 photons of background
    return 2 * 0.5 * (photons - 10) / std::sqrt(4 * (0.5 * photons + 9) + 1.0 / 12);
  };
  const auto found = image.snr(plain_camera(), 10);
  EXPECT_NEAR(found[0], (snr(110) + snr(410)) / 2, 1e-5);
  EXPECT_NEAR(found[1], snr(60), 1e-5);
  EXPECT_TRUE(std::isnan(found[2]));  // no voxel has this label
}

TEST(ObjectSnr, OfBinnedPixelsIsThatOfTheirSum) {
  Image image;
  std::fill(image.photons.voxels.begin(), image.photons.voxels.end(), 50.0F);
  image.labels.view()(0, 3, 3) = 1;
  CameraSpec spec = plain_camera();
  spec.binning = 2;  // of digital numbers: four read noises
  EXPECT_NEAR(image.snr(spec, 0)[0], 2 * 0.5 * 200 / std::sqrt(4 * (100 + 4 * 9) + 4.0 / 12), 1e-5);
  spec.kind = CameraKind::ccd;  // of charge: one
  EXPECT_NEAR(image.snr(spec, 0)[0], 2 * 0.5 * 200 / std::sqrt(4 * (100 + 9) + 1.0 / 12), 1e-5);
}

TEST(ObjectSnr, IsTheSameByAnyNumberOfThreads) {
  Image image;
  for (std::size_t i = 0; i < image.photons.voxels.size(); ++i) {
    image.photons.voxels[i] = static_cast<float>(i % 37) * 1.7F;
    image.labels.voxels[i] = static_cast<std::uint16_t>(i % 3);
  }
  CameraSpec spec;
  const auto one = image.snr(spec, 3, 1), four = image.snr(spec, 3, 4);
  EXPECT_EQ(one[0], four[0]);
  EXPECT_EQ(one[1], four[1]);
}

}  // namespace
}  // namespace synthoscope::simulator
