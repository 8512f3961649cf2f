// SPDX-License-Identifier: MIT
#include "textures/answers/verdict.hpp"
#include <gtest/gtest.h>
#include "core/base/error.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/test_context.hpp"
#include "tests/unit/textures/made_textures.hpp"
#include "textures/models/train.hpp"

namespace synthoscope::textures {
namespace {

TrainingSpec small_patches() {
  TrainingSpec spec;
  spec.words = 12;
  spec.samples_each = 200;
  spec.seed = 5;
  spec.texture.patch = Extent3{0, 32, 32};
  return spec;
}

TEST(Verdict, OfAnImageIsThatOfMostOfItsPatches) {
  const test::TemporaryFolder seen, unseen;
  const ImageSet set = finished_data_set(seen, 100, 3), other = finished_data_set(unseen, 200, 2);
  test::TestContext t;
  HostRunner runner;
  const Trained trained = train(set, small_patches(), {}, runner, t.context);
  const auto verdicts = judge(trained.model, other, {}, runner, t.context);
  ASSERT_EQ(verdicts.images.size(), 6u);
  for (std::size_t i = 0; i < verdicts.images.size(); ++i) {
    const Verdict& one = verdicts.images[i];
    EXPECT_EQ(one.image, other.images[i].path.string());
    EXPECT_EQ(one.known, set.classes[static_cast<std::size_t>(other.images[i].of_class)]);
    ASSERT_EQ(one.textures.size(), 4u);
    const auto votes = one.votes_by_class(3);
    EXPECT_EQ(votes[0] + votes[1] + votes[2], 4);
    EXPECT_EQ(votes[static_cast<std::size_t>(one.vote.of_class)], one.vote.votes);
    EXPECT_EQ(one.best().best().of_class, one.vote.of_class);
    for (const Classified& patch : one.textures)
      if (patch.best().of_class == one.vote.of_class) {
        EXPECT_LE(one.best().best().distance, patch.best().distance);
      }
  }
  EXPECT_EQ(accuracy_of(trained.model, verdicts.images).all, 6);
  EXPECT_GE(accuracy_of(trained.model, verdicts.images).right, 5);
}

TEST(Verdict, WordsThatKnowNoTexturesJudgeNone) {
  const test::TemporaryFolder folder;
  const auto path = made_image(folder, MadeTexture::wide, 3);
  test::TestContext t;
  HostRunner runner;
  const TextureModel model = learn_words({path}, small_patches(), {}, runner, t.context);
  test::expect_failure<InvalidSpec>([&] { judge(model, std::vector{path}, {}, runner, t.context); },
                                    {"but no textures"});
}

// Newcombe, Stat. Med. 17 (1998) 857,
// doi:10.1002/(SICI)1097-0258(19980430)17:8<857::AID-SIM777>3.0.CO;2-E, table I: Wilson's interval
// without continuity correction
struct WilsonCase {
  std::int64_t right, all;
  double low, high;
};
constexpr WilsonCase kWilsonCases[] = {{81, 263, 0.2553, 0.3662},
                                       {15, 148, 0.0624, 0.1605},
                                       {0, 20, 0, 0.1611},
                                       {1, 29, 0.0061, 0.1718}};

TEST(Share, LiesInWilsonsInterval) {
  for (const auto& [right, all, low, high] : kWilsonCases) {
    EXPECT_NEAR(share_of(right, all).low, low, 5e-5) << right << " of " << all;
    EXPECT_NEAR(share_of(right, all).high, high, 5e-5) << right << " of " << all;
  }
  EXPECT_EQ(share_of(0, 0).high, 1);
}

}  // namespace
}  // namespace synthoscope::textures
