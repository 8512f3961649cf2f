// SPDX-License-Identifier: MIT
#include "fit/shapes/shape_statistics.hpp"
#include <algorithm>
#include <cmath>
#include <utility>
#include "core/base/assert.hpp"
#include "fit/estimates/robust.hpp"

namespace synthoscope::fit {
namespace {

using simulator::kPi, simulator::Vector3;

constexpr double kFragment = 0.1;        ///< of the median size
constexpr std::size_t kFewestWhole = 5;  ///< with fewer, cut objects count as well
constexpr std::size_t kFewestFree = 12;  ///< with fewer, objects that touch count as well
constexpr std::size_t kTellUsual = 8;    ///< with fewer, no size is unlike the others
constexpr double kUnlike =
    3.3;  ///< robust deviations of the logarithm of the radius: one of a thousand
constexpr double kReach = 3, kFarReach = 6, kNear = 0.25;  ///< in mean radii

/// Mean of numbers of a sample, and their standard deviation.
struct Spread {
  double mean = 0, deviation = 0;
};
template <class Number>
Spread spread_of(std::span<const std::size_t> sample, Number&& number) {
  double sum = 0, squares = 0;
  for (const std::size_t i : sample) sum += number(i);
  const auto n = static_cast<double>(sample.size());
  const double mean = sum / n;
  for (const std::size_t i : sample) squares += (number(i) - mean) * (number(i) - mean);
  return {mean, n > 1 ? std::sqrt(squares / (n - 1)) : 0};
}

/// What the form of an object adds to statistics.
struct FormFigures {
  double radius = 0, flatness = 0, length = 0, outside = 0, skewness = 0;
  bool is_free = true;  ///< touches no other
  bool is_whole = true;
};

FormFigures form_of_object(const LabelledObject& object, ObjectView view) {
  FormFigures form{
      object.radius_um, 0, 0, object.outside_share, object.skewness, object.touching == 0,
      !object.is_cut()};
  const Vector3& axes = object.principal_um;
  if (view == ObjectView::turned) {
    form.flatness = std::log(axes[0] / axes[1]);
    form.length = std::log(axes[2] / axes[1]);
  } else {
    form.length = std::log(object.long_um / object.short_um);
    if (view == ObjectView::flat)
      form.flatness = std::log(object.z_um / std::sqrt(object.short_um * object.long_um));
  }
  return form;
}

/// The radii that objects may have without being unlike the others.
struct RadiusRange {
  double least = 0, most = std::numeric_limits<double>::infinity();
  [[nodiscard]] bool has(double radius) const { return least <= radius && radius <= most; }
};

RadiusRange usual_radii(const std::vector<double>& radii) {
  constexpr double kLeastDeviation = 0.03;
  std::vector<double> logarithms;
  for (const double radius : radii) logarithms.push_back(std::log(radius));
  const double middle = robust_median(logarithms);
  const double reach = kUnlike * std::max(robust_deviation(logarithms), kLeastDeviation);
  return {std::exp(middle - reach), std::exp(middle + reach)};
}

/// Leaves out the objects that do not fulfil a condition, unless none does: an image of a twin may
/// show cut objects alone.
template <class Condition>
void keep_if_any(std::vector<FormFigures>& forms, Condition&& condition) {
  if (std::any_of(forms.begin(), forms.end(), condition))
    std::erase_if(forms, [&](const FormFigures& form) { return !condition(form); });
}

std::vector<double> radii_of(const std::vector<FormFigures>& forms) {
  std::vector<double> radii;
  for (const FormFigures& form : forms) radii.push_back(form.radius);
  return radii;
}

std::vector<FormFigures> forms_of(const ObjectSets& sets, ObjectView view, const FormRule& rule) {
  std::vector<FormFigures> forms;
  for (const LabelledObjects& set : sets)
    for (const LabelledObject& object : set.objects) forms.push_back(form_of_object(object, view));
  if (rule.only_whole) keep_if_any(forms, [](const FormFigures& form) { return form.is_whole; });
  if (rule.only_usual) {
    const RadiusRange usual = usual_radii(radii_of(forms));
    std::erase_if(forms, [&](const FormFigures& form) { return !usual.has(form.radius); });
  }
  if (rule.only_free) keep_if_any(forms, [](const FormFigures& form) { return form.is_free; });
  return forms;
}

/// Mean of the middle half of the objects of a sample.
template <class Number>
double middle_half_of(std::span<const std::size_t> sample, Number&& number) {
  std::vector<double> values;
  for (const std::size_t i : sample) values.push_back(number(i));
  return mean_of_middle_half(std::move(values));
}

/// What an object adds to statistics of arrangement.
struct PlaceFigures {
  double touches = 0, nearness = 0, within_reach = 0, within_far = 0, nearest = 0;
};

double mean_radius_um(const ObjectSets& sets) {
  double sum = 0;
  std::size_t count = 0;
  for (const LabelledObjects& set : sets)
    for (const LabelledObject& object : set.objects) {
      sum += object.radius_um;
      ++count;
    }
  return sum / static_cast<double>(count);
}

double field_of(const LabelledObjects& set) {
  const auto [z, y, x] = simulator::size_um(set.grid);
  return set.is_plane() ? y * x : z * y * x;
}

std::vector<PlaceFigures> places_in(const LabelledObjects& set, double radius) {
  const auto n = static_cast<double>(set.objects.size());
  const double density = n / field_of(set), reach = kReach * radius, far = kFarReach * radius;
  // Of objects that are placed independently of each other
  const auto others = [&](double distance) {
    return set.is_plane() ? density * kPi * distance * distance
                          : density * 4 * kPi / 3 * distance * distance * distance;
  };
  const double apart = set.is_plane() ? 0.5 / std::sqrt(density) : 0.55396 / std::cbrt(density);
  std::vector<PlaceFigures> places;
  for (const LabelledObject& object : set.objects) {
    double within = 0, within_far = 0, least = std::numeric_limits<double>::infinity();
    for (const LabelledObject& other : set.objects) {
      if (&other == &object) continue;
      const Vector3 way = simulator::operator-(other.centre_um, object.centre_um);
      const double distance = std::sqrt(simulator::dot(way, way));
      if (distance <= reach) ++within;
      if (distance <= far) ++within_far;
      least = std::min(least, distance);
    }
    places.push_back({object.touching > 0 ? 1.0 : 0.0, std::exp(-object.gap_um / (kNear * radius)),
                      within / others(reach), within_far / others(far), least / apart});
  }
  return places;
}

}  // namespace

ObjectCensus census_of(const ObjectSets& sets) {
  ObjectCensus census;
  std::vector<double> sizes;
  for (const LabelledObjects& set : sets) {
    census.field += field_of(set);
    for (const LabelledObject& object : set.objects) sizes.push_back(object.size);
  }
  if (sizes.empty()) return census;
  const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
  std::nth_element(sizes.begin(), middle, sizes.end());
  for (const LabelledObjects& set : sets)
    for (const LabelledObject& object : set.objects) {
      if (object.size < kFragment * *middle) {
        ++census.fragments;
        continue;
      }
      ++census.all;
      if (!object.is_cut()) ++census.whole;
      if (object.at_side) ++census.cut_at_sides;
      if (object.at_end) ++census.cut_at_ends;
      if (object.parts > 1) ++census.in_parts;
      census.hole_share += object.hole_share;
    }
  census.hole_share /= static_cast<double>(census.all);
  std::vector<double> radii;
  for (const LabelledObjects& set : sets)
    for (const LabelledObject& object : set.objects)
      if (object.size >= kFragment * *middle && !object.is_cut()) radii.push_back(object.radius_um);
  if (radii.size() < kTellUsual) return census;
  const RadiusRange usual = usual_radii(radii);
  for (const double radius : radii)
    if (!usual.has(radius)) ++census.unlike;
  return census;
}

ObjectSets without_fragments(ObjectSets sets) {
  std::vector<double> sizes;
  for (const LabelledObjects& set : sets)
    for (const LabelledObject& object : set.objects) sizes.push_back(object.size);
  if (sizes.empty()) return sets;
  const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
  std::nth_element(sizes.begin(), middle, sizes.end());
  const double least = kFragment * *middle;
  for (LabelledObjects& set : sets)
    std::erase_if(set.objects, [&](const LabelledObject& one) { return one.size < least; });
  return sets;
}

FormRule form_rule_of(const ObjectSets& real) {
  const ObjectCensus census = census_of(real);
  FormRule rule;
  rule.only_whole = census.whole >= kFewestWhole;
  std::vector<FormFigures> forms =
      forms_of(real, ObjectView::plane, {rule.only_whole, false, false});
  rule.only_usual = forms.size() >= kTellUsual;
  forms = forms_of(real, ObjectView::plane, {rule.only_whole, false, rule.only_usual});
  const auto free = std::count_if(forms.begin(), forms.end(),
                                  [](const FormFigures& form) { return form.is_free; });
  rule.only_free = static_cast<std::size_t>(free) >= kFewestFree;
  return rule;
}

Statistics form_statistics(const ObjectSets& sets, ObjectView view, const FormRule& rule) {
  const std::vector<FormFigures> forms = forms_of(sets, view, rule);
  std::vector<std::string> names{"mean radius, um",
                                 "relative deviation of the radius",
                                 "ln(long / short axis)",
                                 "deviation of ln(long / short axis)",
                                 "share outside the ellipsoid",
                                 "skewness"};
  if (view != ObjectView::plane) {
    names.emplace_back("ln(flatness)");
    names.emplace_back("deviation of ln(flatness)");
  }
  return bootstrap(names, forms.size(), [&](std::span<const std::size_t> sample) {
    const Spread radius = spread_of(sample, [&](std::size_t i) { return forms[i].radius; });
    const Spread length = spread_of(sample, [&](std::size_t i) { return forms[i].length; });
    const Spread flatness = spread_of(sample, [&](std::size_t i) { return forms[i].flatness; });
    Eigen::VectorXd values(static_cast<Eigen::Index>(names.size()));
    values.head(6) << radius.mean, radius.deviation / radius.mean, length.mean, length.deviation,
        middle_half_of(sample, [&](std::size_t i) { return forms[i].outside; }),
        middle_half_of(sample, [&](std::size_t i) { return forms[i].skewness; });
    if (view != ObjectView::plane) values.tail(2) << flatness.mean, flatness.deviation;
    return values;
  });
}

Statistics arrangement_statistics(const ObjectSets& sets) {
  const double radius = mean_radius_um(sets);
  std::vector<PlaceFigures> places;
  for (const LabelledObjects& set : sets) {
    if (set.objects.size() < 2) continue;
    const std::vector<PlaceFigures> here = places_in(set, radius);
    places.insert(places.end(), here.begin(), here.end());
  }
  return bootstrap({"share that touch", "nearness", "others within 3 radii, relative",
                    "others within 6 radii, relative", "distance of the nearest, relative"},
                   places.size(), [&](std::span<const std::size_t> sample) {
                     PlaceFigures sum;
                     for (const std::size_t i : sample) {
                       sum.touches += places[i].touches;
                       sum.nearness += places[i].nearness;
                       sum.within_reach += places[i].within_reach;
                       sum.within_far += places[i].within_far;
                       sum.nearest += places[i].nearest;
                     }
                     Eigen::VectorXd values(5);
                     values << sum.touches, sum.nearness, sum.within_reach, sum.within_far,
                         sum.nearest;
                     return Eigen::VectorXd{values / static_cast<double>(sample.size())};
                   });
}

Eigen::MatrixXd covariance_between(const std::vector<Statistics>& of_single, double images) {
  SYNTHOSCOPE_ASSERT(of_single.size(), >=, std::size_t{3});
  const Eigen::Index size = of_single.front().values.size();
  Eigen::MatrixXd columns{size, static_cast<Eigen::Index>(of_single.size())};
  for (std::size_t i = 0; i < of_single.size(); ++i)
    columns.col(static_cast<Eigen::Index>(i)) = of_single[i].values;
  const Eigen::MatrixXd from_mean = columns.colwise() - columns.rowwise().mean().eval();
  return from_mean * from_mean.transpose() / (static_cast<double>(of_single.size() - 1) * images);
}

}  // namespace synthoscope::fit
