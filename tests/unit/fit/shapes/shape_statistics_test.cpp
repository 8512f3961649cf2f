// SPDX-License-Identifier: MIT
#include "fit/shapes/shape_statistics.hpp"
#include <gtest/gtest.h>
#include <cmath>

namespace synthoscope::fit {
namespace {

LabelledObject disc(double y, double x, double radius) {
  LabelledObject object;
  object.centre_um = {0.5, y, x};
  object.size = 3.141592653589793 * radius * radius;
  object.radius_um = object.short_um = object.long_um = radius;
  return object;
}

ObjectSets plane_of(std::vector<LabelledObject> objects) {
  return {{"", {{1, 100, 100}, {1, 1, 1}}, std::move(objects)}};
}

double named(const Statistics& statistics, std::string_view name) {
  for (std::size_t i = 0; i < statistics.names.size(); ++i)
    if (statistics.names[i].starts_with(name))
      return statistics.values[static_cast<Eigen::Index>(i)];
  ADD_FAILURE() << name;
  return 0;
}

/// Statistics by the rule of the objects themselves.
Statistics own_form(const ObjectSets& sets, ObjectView view) {
  return form_statistics(sets, view, form_rule_of(sets));
}

TEST(Census, CountsWholeCutAndSmallObjects) {
  LabelledObject cut = disc(2, 50, 4), ring = disc(20, 20, 4), torn = disc(60, 60, 4);
  cut.at_side = true;
  ring.hole_share = 0.5;
  torn.parts = 2;
  const ObjectSets sets = plane_of({cut, ring, torn, disc(80, 80, 4), disc(90, 10, 1)});
  const ObjectCensus census = census_of(sets);
  EXPECT_EQ(census.all, 4u);
  EXPECT_EQ(census.whole, 3u);
  EXPECT_EQ(census.cut_at_sides, 1u);
  EXPECT_EQ(census.fragments, 1u);  // a sixteenth of the others
  EXPECT_EQ(census.in_parts, 1u);
  EXPECT_EQ(census.hole_share, 0.125);
  EXPECT_EQ(census.field, 1e4);
  EXPECT_EQ(without_fragments(sets).front().objects.size(), 4u);
}

TEST(FormStatistics, AreThoseOfWholeObjects) {
  std::vector<LabelledObject> objects;
  for (const double radius : {3.0, 4.0, 5.0, 4.0, 4.0}) objects.push_back(disc(50, 50, radius));
  for (LabelledObject& object : objects) object.long_um = 2 * object.short_um;
  objects.push_back(disc(1, 1, 2.5));
  objects.back().at_side = true;
  const Statistics found = own_form(plane_of(objects), ObjectView::plane);
  EXPECT_EQ(named(found, "mean radius"), 4);
  EXPECT_NEAR(named(found, "relative deviation"), std::sqrt(2.0 / 4) / 4, 1e-12);
  EXPECT_NEAR(named(found, "ln(long"), std::log(2), 1e-12);
  EXPECT_EQ(found.units, 5);
}

TEST(FormStatistics, AreThoseOfFreeObjectsAndOfTheMiddleHalfOfOutlines) {
  std::vector<LabelledObject> objects;
  for (int i = 0; i < 12; ++i) {
    objects.push_back(disc(50, 50, 4));
    objects.back().outside_share = i < 11 ? 0.01 * i : 0.9;
    objects.back().skewness = 0.1 * i;
  }
  // One with a bite of its neighbour
  objects.push_back(disc(50, 50, 3.9));
  objects.back().touching = 1;
  objects.back().outside_share = objects.back().skewness = 5;
  const Statistics found = own_form(plane_of(objects), ObjectView::plane);
  EXPECT_EQ(named(found, "mean radius"), 4);
  EXPECT_NEAR(named(found, "share outside"), 0.055, 1e-12);
  EXPECT_NEAR(named(found, "skewness"), 0.55, 1e-12);
}

TEST(FormStatistics, LeaveOutAnObjectOfASizeUnlikeAllOthers) {
  std::vector<LabelledObject> objects;
  for (const double radius : {3.8, 3.9, 4.0, 4.1, 4.2, 3.9, 4.1, 4.0})
    objects.push_back(disc(50, 50, radius));
  objects.push_back(disc(50, 50, 12));
  const ObjectSets sets = plane_of(objects);
  EXPECT_NEAR(named(own_form(sets, ObjectView::plane), "mean radius"), 4, 1e-12);
  EXPECT_EQ(census_of(sets).unlike, 1u);
}

TEST(FormStatistics, OfObjectsThatLieFlatKeepHeightApart) {
  std::vector<LabelledObject> objects;
  for (int i = 0; i < 5; ++i) {
    objects.push_back(disc(50, 50, 4));
    objects.back().z_um = 1;
    objects.back().short_um = 2;
    objects.back().long_um = 8;
  }
  EXPECT_NEAR(named(own_form(plane_of(objects), ObjectView::flat), "ln(flat"), std::log(0.25),
              1e-12);
}

/// An object of a radius of 4 that lies whole and free in the field.
LabelledObject whole_disc() {
  return disc(50, 50, 4);
}
LabelledObject cut_disc() {
  LabelledObject object = disc(1, 50, 2);
  object.at_side = true;
  return object;
}
LabelledObject touching_disc() {
  LabelledObject object = disc(50, 50, 3);
  object.touching = 1;
  return object;
}

/// So many copies of some objects.
ObjectSets copies_of(std::size_t copies, const std::vector<LabelledObject>& objects) {
  std::vector<LabelledObject> all;
  for (std::size_t i = 0; i < copies; ++i) all.insert(all.end(), objects.begin(), objects.end());
  return plane_of(all);
}

TEST(FormRule, CountsWholeUsualAndFreeObjectsIfThereAreEnough) {
  struct Row {
    std::size_t whole, cut, touching;
    bool only_whole, only_usual, only_free;
  };
  for (const Row& row : {Row{4, 4, 0, false, true, false}, Row{5, 4, 0, true, false, false},
                         Row{8, 0, 0, true, true, false}, Row{11, 1, 9, true, true, false},
                         Row{12, 1, 9, true, true, true}}) {
    std::vector<LabelledObject> objects(row.whole, whole_disc());
    objects.insert(objects.end(), row.cut, cut_disc());
    objects.insert(objects.end(), row.touching, touching_disc());
    const FormRule rule = form_rule_of(plane_of(objects));
    EXPECT_EQ(rule.only_whole, row.only_whole) << row.whole;
    EXPECT_EQ(rule.only_usual, row.only_usual) << row.whole;
    EXPECT_EQ(rule.only_free, row.only_free) << row.whole;
  }
}

TEST(FormRule, OfARealImageHoldsForTwinsThatShowMoreObjects) {
  // Six twins have 24 whole objects and 12 cut ones; the image has too few whole ones
  const std::vector<LabelledObject> few{whole_disc(), whole_disc(), whole_disc(),
                                        whole_disc(), cut_disc(),   cut_disc()};
  const FormRule rule = form_rule_of(plane_of(few));
  const double mean = (4 * 4.0 + 2 * 2.0) / 6;
  EXPECT_NEAR(named(form_statistics(plane_of(few), ObjectView::plane, rule), "mean radius"), mean,
              1e-12);
  EXPECT_NEAR(named(form_statistics(copies_of(6, few), ObjectView::plane, rule), "mean radius"),
              mean, 1e-12);
  // The same with objects that touch: three are free, and twins have eighteen
  const std::vector<LabelledObject> crowded{whole_disc(),    whole_disc(),    whole_disc(),
                                            touching_disc(), touching_disc(), touching_disc()};
  EXPECT_NEAR(named(form_statistics(copies_of(6, crowded), ObjectView::plane,
                                    form_rule_of(plane_of(crowded))),
                    "mean radius"),
              3.5, 1e-12);
}

TEST(FormRule, OfATwinWithoutWholeObjectsCountsItsCutOnes) {
  EXPECT_EQ(
      named(form_statistics(copies_of(3, {cut_disc()}), ObjectView::plane, {}), "mean radius"), 2);
}

TEST(ArrangementStatistics, OfASquareLatticeAreComputedByHand) {
  // 25 discs of radius 2, 20 apart: within 8 of a centre there is none, and the nearest is 20 away
  std::vector<LabelledObject> objects;
  for (int row = 0; row < 5; ++row)
    for (int column = 0; column < 5; ++column) {
      objects.push_back(disc(10 + 20 * row, 10 + 20 * column, 2));
      objects.back().gap_um = 16;
    }
  const Statistics found = arrangement_statistics(plane_of(objects));
  EXPECT_EQ(named(found, "share that touch"), 0);
  EXPECT_NEAR(named(found, "nearness"), std::exp(-16 / 0.5), 1e-15);
  EXPECT_EQ(named(found, "others within"), 0);
  // Clark and Evans: the distance over half the root of the area of each, 1e4 / 25
  EXPECT_NEAR(named(found, "distance of the nearest"), 20 / (0.5 * 20), 1e-12);
}

TEST(ArrangementStatistics, SeeClusters) {
  std::vector<LabelledObject> objects;
  for (int cluster = 0; cluster < 5; ++cluster)
    for (int i = 0; i < 5; ++i)
      objects.push_back(disc(10 + 20 * cluster, 10 + 20 * cluster + 5 * i - 10, 2));
  const Statistics found = arrangement_statistics(plane_of(objects));
  EXPECT_GT(named(found, "others within"), 2);
  EXPECT_LT(named(found, "distance of the nearest"), 0.6);
}

TEST(CovarianceBetweenImages, IsThatOfTheirMean) {
  std::vector<Statistics> singles;
  for (const double value : {1.0, 2.0, 3.0})
    singles.push_back({{"a"}, Eigen::VectorXd::Constant(1, value), {}, 1});
  EXPECT_EQ(covariance_between(singles, 1)(0, 0), 1);
  EXPECT_EQ(covariance_between(singles, 4)(0, 0), 0.25);
}

}  // namespace
}  // namespace synthoscope::fit
