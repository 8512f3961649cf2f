// SPDX-License-Identifier: MIT
#include "textures/images/unopened_image.hpp"
#include <gtest/gtest.h>
#include "core/base/error.hpp"
#include "core/stream/memory_stream.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/test_context.hpp"
#include "tests/unit/textures/made_textures.hpp"
#include "textures/models/measure.hpp"

namespace synthoscope::textures {
namespace {

/// Voxels in memory that say, before they are opened, that they have another extent.
UnopenedImage changing_image(const Extent3& before, const Extent3& now) {
  UnopenedImage image{"a.tif", {}, [now](const RunContext&) {
                        static const std::vector<float> voxels(64 * 64, 1.0f);
                        imageio::CountedImage found;
                        found.info.extent = now;
                        found.source = std::make_unique<MemorySource>(
                            ConstVoxelView{HostView3<const float>{voxels.data(), now}});
                        return found;
                      }};
  image.info.extent = before;
  return image;
}

TEST(UnopenedImage, FilesAreLookedAtFirstAndOpenedAsGreyImages) {
  const test::TemporaryFolder folder;
  const auto path = made_image(folder, MadeTexture::wide, 3);
  test::TestContext t;
  const auto images = unopened({path}, Planes::all, {});
  ASSERT_EQ(images.size(), 1u);
  EXPECT_EQ(images[0].name, path.string());
  EXPECT_EQ(images[0].info.extent, (Extent3{1, 64, 64}));
  EXPECT_EQ(opened(images[0], t.context).source->extent(), (Extent3{1, 64, 64}));
}

TEST(UnopenedImage, WhatIsNoMoreAsItWasCountedIsRefused) {
  test::TestContext t;
  HostRunner runner;
  const kernels::Dictionary words{8, std::vector<float>(8, 0.0f)};
  for (const auto& [before, now] : {std::pair{Extent3{1, 64, 64}, Extent3{1, 32, 64}},
                                    std::pair{Extent3{1, 16, 64}, Extent3{1, 64, 64}}})
    test::expect_failure<InvalidInput>(
        [&, before = before, now = now] {
          measure({changing_image(before, now)}, {}, words, runner, t.context);
        },
        {"a.tif", "run again"});
}

}  // namespace
}  // namespace synthoscope::textures
