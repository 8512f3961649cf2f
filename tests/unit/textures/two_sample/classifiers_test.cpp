// SPDX-License-Identifier: MIT
#include "textures/two_sample/classifiers.hpp"
#include <gtest/gtest.h>
#include <cmath>

namespace synthoscope::textures {
namespace {

using Kinds = std::vector<char>;

TEST(AreaUnderCurve, CountsPairsInTheRightOrder) {
  const struct {
    std::vector<double> scores;
    Kinds kinds;
    double area;
  } rows[] = {{{1, 2, 3, 4}, {0, 0, 1, 1}, 1},
              {{1, 2, 3, 4}, {1, 1, 0, 0}, 0},
              {{1, 1, 1, 1}, {0, 1, 0, 1}, 0.5},
              {{1, 2, 2, 3}, {0, 0, 1, 1}, 3.5 / 4},
              {{3, 1, 2}, {0, 1, 0}, 0}};
  for (const auto& [scores, kinds, area] : rows)
    EXPECT_NEAR(area_under_curve(scores, kinds), area, 1e-12);
}

TEST(RocCurve, PassesEqualScoresTogether) {
  const auto curve = roc_curve({1, 2, 2, 3}, {0, 0, 1, 1});
  const std::vector<std::pair<double, double>> wanted{{0, 0}, {0, 0.5}, {0.5, 1}, {1, 1}};
  EXPECT_EQ(curve, wanted);
}

LearningTask small_task(const Kinds& kinds) {
  LearningTask task;
  task.train.columns = task.test.columns = 2;
  for (int i = 0; i < 10; ++i) {
    const double row[] = {i * 37 % 11 / 3.0, i * i * 53 % 17 / 5.0};
    task.train.add(row);
  }
  task.train_is_synthetic = kinds;
  task.test.values = {0.5, 1, 2, 2, 3, 0.1};
  task.test_is_synthetic = {0, 1, 1};
  return task;
}

TEST(LogisticScores, AreThoseOfScikitLearn) {
  // scikit-learn 1.9.1: LogisticRegression(C=0.1, class_weight="balanced") of standardised columns
  const struct {
    Kinds kinds;
    double scores[3];
  } rows[] = {{{0, 0, 0, 1, 1, 1, 1, 0, 1, 0}, {-0.104870162, 0.0585791675, -0.0318834782}},
              {{0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, {-0.0354222731, -0.0619647523, 0.238877993}}};
  for (const auto& [kinds, wanted] : rows) {
    const auto scores = logistic_scores(small_task(kinds));
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(scores[i], wanted[i], 1e-6);
  }
}

TEST(LogisticScores, StayFiniteIfKindsAreFarApartOrAlike) {
  LearningTask task = small_task({0, 0, 0, 0, 0, 1, 1, 1, 1, 1});
  for (std::size_t i = 0; i < 10; ++i) task.train.values[2 * i] = i < 5 ? -1e6 : 1e6;
  for (const double score : logistic_scores(task)) EXPECT_TRUE(std::isfinite(score));
  for (double& value : task.train.values) value = 3;
  for (const double score : logistic_scores(task)) EXPECT_NEAR(score, 0, 1e-6);
}

/// Four columns; the kind is the sign of the product of the first two, wrong in every seventh row.
LearningTask checkerboard() {
  LearningTask task;
  task.train.columns = task.test.columns = 4;
  const double steps[] = {0.7548776662466927, 0.5698402909980532, 0.8191725133961645,
                          0.6710436067037893};
  for (int i = 1; i <= 400; ++i) {
    double row[4];
    for (std::size_t j = 0; j < 4; ++j) row[j] = 2 * (i * steps[j] - std::floor(i * steps[j])) - 1;
    const bool is_synthetic = (row[0] * row[1] > 0) != (i % 7 == 0);
    (i <= 200 ? task.train : task.test).add(row);
    (i <= 200 ? task.train_is_synthetic : task.test_is_synthetic).push_back(is_synthetic ? 1 : 0);
  }
  return task;
}

TEST(ForestScores, SeeWhatOnlyTwoColumnsTogetherShow) {
  const LearningTask task = checkerboard();
  // scikit-learn 1.9.1: RandomForestClassifier(100, min_samples_leaf=3), mean of 20 seeds: 0.805
  double sum = 0;
  for (std::uint64_t seed = 0; seed < 5; ++seed)
    sum += area_under_curve(forest_scores(task, {}, seed), task.test_is_synthetic) / 5;
  EXPECT_NEAR(sum, 0.805, 0.03);
  // A line cannot: scikit-learn 0.543
  EXPECT_NEAR(area_under_curve(logistic_scores(task), task.test_is_synthetic), 0.5433, 0.001);
}

TEST(ForestScores, DependOnTheSeedAlone) {
  const LearningTask task = checkerboard();
  ForestSpec few;
  few.trees = 10;
  EXPECT_EQ(forest_scores(task, few, 3), forest_scores(task, few, 3));
  EXPECT_NE(forest_scores(task, few, 3), forest_scores(task, few, 4));
  for (const double score : forest_scores(task, few, 3)) EXPECT_TRUE(score >= 0 && score <= 1);
}

}  // namespace
}  // namespace synthoscope::textures
