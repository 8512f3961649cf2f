// SPDX-License-Identifier: MIT
#include "textures/answers/classify.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include "core/base/error.hpp"
#include "tests/support/expect_failure.hpp"
#include "tests/support/test_context.hpp"

namespace synthoscope::textures {
namespace {

/// Two words; shares of the first of each image, and its class.
TextureModel model_of(const std::vector<std::pair<float, std::int64_t>>& images) {
  TextureModel model;
  model.spec.distance = kernels::HistogramDistance::euclidean;
  model.classes = {"a", "b", "c"};
  model.histogram_length = 2;
  for (const auto& [share, of_class] : images) {
    model.textures.push_back({static_cast<std::int64_t>(model.images.size()), {}});
    model.images.emplace_back("image");
    model.image_class.push_back(of_class);
    model.histograms.insert(model.histograms.end(), {share, 1 - share});
  }
  return model;
}

const TextureModel kModel = model_of({{0.1f, 0}, {0.2f, 0}, {0.6f, 1}, {0.9f, 2}});

TEST(Classify, TheClassIsThatOfTheNearestAndTheMarginSaysHowFarTheNextOneIs) {
  const float wanted[] = {0.25f, 0.75f};
  const Classified found = classify(kModel, wanted);
  EXPECT_EQ(found.best().of_class, 0);
  EXPECT_EQ(found.best().texture, 1);
  EXPECT_NEAR(found.best().distance, 0.05 * std::sqrt(2), 1e-6);
  ASSERT_TRUE(found.second());
  EXPECT_EQ(found.second()->of_class, 1);
  EXPECT_NEAR(found.margin(), 1 - 0.05 / 0.35, 1e-6);
}

TEST(Classify, AnImageThatIsLeftOutIsNotItsOwnNeighbour) {
  EXPECT_EQ(classify(kModel, kModel.histogram(2)).best().distance, 0);
  EXPECT_EQ(classify(kModel, kModel.histogram(2), 2).best().of_class, 2);
}

TEST(Classify, HowWellAModelKnowsItsOwnIsAskedWhereAClassHasOthers) {
  test::TestContext t;
  const LeaveOneOutResult found = leave_one_out(kModel, t.context);
  EXPECT_EQ(found.right, 2);  // both of class a
  EXPECT_EQ(found.all, 2);
  EXPECT_EQ(found.alone, 2);  // b and c
  EXPECT_EQ(found.accuracy(), 1);
  EXPECT_EQ(leave_one_out(model_of({{0.1f, 0}, {0.9f, 1}}), t.context).accuracy(), std::nullopt);
}

TEST(Classify, ClassesAreRankedByTheirNearestTexture) {
  const float wanted[] = {0.7f, 0.3f};
  std::vector<std::int64_t> classes, textures;
  for (const auto& [of_class, texture, distance] : classify(kModel, wanted).ranking) {
    classes.push_back(of_class);
    textures.push_back(texture);
  }
  EXPECT_EQ(classes, (std::vector<std::int64_t>{1, 2, 0}));
  EXPECT_EQ(textures, (std::vector<std::int64_t>{2, 3, 1}));
}

TEST(Classify, ManyAreClassifiedAsEachAlone) {
  test::TestContext t;
  const auto all = classify_all(kModel, kModel.histograms, t.context);
  ASSERT_EQ(all.size(), kModel.textures.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    EXPECT_EQ(all[i].best().texture,
              classify(kModel, kModel.histogram(static_cast<std::int64_t>(i))).best().texture);
  t.stop.request();
  EXPECT_THROW(classify_all(kModel, kModel.histograms, t.context), Interrupted);
}

TEST(Classify, EquallyNearClassesGoToTheFirst) {
  const TextureModel model = model_of({{0.75f, 1}, {0.25f, 0}});
  const float wanted[] = {0.5f, 0.5f};
  EXPECT_EQ(classify(model, wanted).best().of_class, 0);
  EXPECT_EQ(classify(model, wanted).margin(), 0);
}

TEST(Classify, AModelThatKnowsNothingIsRefused) {
  const float wanted[] = {0.5f, 0.5f};
  test::expect_failure<InvalidSpec>([&] { classify(model_of({}), wanted); }, {"no other textures"});
}

TEST(Majority, IsOfMostPatchesAndOfTheNearerOnesWhereTheyAreEqual) {
  const auto patch = [](std::int64_t of_class, double distance) {
    return Classified{{{of_class, 0, distance}}};
  };
  const std::vector<Classified> three{patch(2, 0.9), patch(1, 0.1), patch(2, 0.8)};
  EXPECT_EQ(majority(three, 3).of_class, 2);
  EXPECT_EQ(majority(three, 3).votes, 2);
  const std::vector<Classified> two{patch(1, 0.2), patch(2, 0.1)};
  EXPECT_EQ(majority(two, 3).of_class, 2);
}

}  // namespace
}  // namespace synthoscope::textures
