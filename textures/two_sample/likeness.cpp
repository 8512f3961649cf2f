// SPDX-License-Identifier: MIT
#include "textures/two_sample/likeness.hpp"
#include <algorithm>
#include <cmath>
#include <numeric>
#include "core/math/random.hpp"

namespace synthoscope::textures {
namespace {

constexpr double kLeastBound = 0.05;  ///< keeps tiny effects from the top of the list
constexpr double kBoundWithoutNull = 0.5;
constexpr std::int64_t kCopiesOfRows = 8;  ///< that one comparison holds at most

struct ComparedSets {
  ImageList real, synthetic;
};

struct SetMeasures {
  std::optional<double> logistic, forest;
  double energy = 0, sliced = 0;
  std::vector<std::pair<double, double>> logistic_roc, forest_roc;
  std::vector<double> effects, differences;
};

/// Learns every task, and returns the mean area under the curve.
template <class Scores>
std::optional<double> mean_area(const std::vector<LearningTask>& tasks,
                                std::vector<std::pair<double, double>>& first_curve,
                                Scores&& scores_of) {
  double sum = 0;
  for (const LearningTask& task : tasks) {
    if (!task.is_possible()) return {};
    const std::vector<double> scores = scores_of(task);
    sum += area_under_curve(scores, task.test_is_synthetic);
    if (first_curve.empty()) first_curve = roc_curve(scores, task.test_is_synthetic);
  }
  return sum / static_cast<double>(tasks.size());
}

/// Mean and variance of the patches of all images, statistic by statistic.
struct PatchMoments {
  std::vector<double> mean, variance;

  explicit PatchMoments(const ImageList& images)
      : mean(kPatchStatisticCount), variance(kPatchStatisticCount) {
    double count = 0;
    for (const MeasuredImage* image : images) {
      count += static_cast<double>(image->patches());
      for (std::size_t i = 0; i < image->statistics.values.size(); ++i)
        mean[i % mean.size()] += image->statistics.values[i];
    }
    for (double& one : mean) one /= count;
    for (const MeasuredImage* image : images)
      for (std::size_t i = 0; i < image->statistics.values.size(); ++i) {
        const double from = image->statistics.values[i] - mean[i % mean.size()];
        variance[i % mean.size()] += from * from / count;
      }
  }
};

void add_effects(const ComparedSets& sets, SetMeasures& measures) {
  const PatchMoments real{sets.real}, synthetic{sets.synthetic};
  for (std::size_t i = 0; i < kPatchStatisticCount; ++i) {
    const double spread = std::sqrt((real.variance[i] + synthetic.variance[i]) / 2);
    measures.differences.push_back(synthetic.mean[i] - real.mean[i]);
    measures.effects.push_back(measures.differences.back() / std::max(spread, 1e-6));
  }
}

SetMeasures measures_of(const ComparedSets& sets, const LikenessSpec& spec) {
  SetMeasures measures;
  const auto tasks = learning_tasks(sets.real, sets.synthetic);
  measures.logistic = mean_area(tasks, measures.logistic_roc, logistic_scores);
  measures.forest = mean_area(tasks, measures.forest_roc, [&](const LearningTask& task) {
    return forest_scores(task, spec.forest, spec.seed);
  });
  ImageList all = sets.real;
  all.insert(all.end(), sets.synthetic.begin(), sets.synthetic.end());
  std::vector<char> is_real(all.size(), 0);
  std::fill_n(is_real.begin(), sets.real.size(), char{1});
  measures.energy = energy_distance(image_distances(standardised(all, sets.real)), is_real);
  measures.sliced = sliced_wasserstein(sets.real, sets.synthetic, spec.seed);
  add_effects(sets, measures);
  return measures;
}

/// Synthetic images taken as if they were real: each alone, or as many at once as there are real
/// ones, drawn at random. None if there are fewer than twice as many.
std::vector<ComparedSets> null_sets(const ImageList& synthetic, std::size_t real,
                                    const LikenessSpec& spec) {
  std::vector<ComparedSets> sets;
  const std::size_t count = synthetic.size();
  if (count < 2 * real || count < 2) return sets;
  const auto draws = static_cast<std::size_t>(spec.null_draws);
  const std::size_t made = real == 1 ? std::min(count, draws) : draws;
  const RandomStream stream{spec.seed, RandomStage::null_draws};
  for (std::size_t draw = 0; draw < made; ++draw) {
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (real == 1) std::swap(order[0], order[draw * count / made]);
    for (std::size_t i = 0; real > 1 && i < real; ++i) {
      const double share = uniform32(stream.block(i, 0, static_cast<std::uint32_t>(draw))[0]);
      const auto at = static_cast<std::size_t>(share * static_cast<double>(count - i));
      std::swap(order[i], order[i + std::min(at, count - i - 1)]);
    }
    std::sort(order.begin() + static_cast<std::ptrdiff_t>(real), order.end());
    ComparedSets one;
    for (std::size_t i = 0; i < count; ++i)
      (i < real ? one.real : one.synthetic).push_back(synthetic[order[i]]);
    sets.push_back(std::move(one));
  }
  return sets;
}

/// @param can_conclude  there are enough images for a verdict
MeasureBesideNull beside_null(std::optional<double> value, std::vector<double> null,
                              bool can_conclude) {
  MeasureBesideNull measure;
  measure.value = value;
  measure.null = std::move(null);
  if (measure.null.empty()) return measure;
  measure.low = quantile_of(measure.null, 0.025);
  measure.high = quantile_of(measure.null, 0.975);
  if (!value) return measure;
  measure.below = std::count_if(measure.null.begin(), measure.null.end(),
                                [&](double one) { return one < *value; });
  if (can_conclude && std::ssize(measure.null) >= kLeastNullDraws)
    measure.place = *value <= measure.high ? NullPlace::inside : NullPlace::above;
  return measure;
}

/// Returns all statistics, sorted by the ratio of their effect to that of the null.
std::vector<StatisticEffect> sorted_effects(const SetMeasures& found,
                                            const std::vector<SetMeasures>& null) {
  std::vector<StatisticEffect> effects;
  for (std::size_t i = 0; i < kPatchStatisticCount; ++i) {
    StatisticEffect one{i, found.effects[i], found.differences[i], {}};
    std::vector<double> sizes;
    for (const SetMeasures& draw : null) sizes.push_back(std::abs(draw.effects[i]));
    if (!sizes.empty()) one.null_bound = quantile_of(std::move(sizes), 0.95);
    effects.push_back(one);
  }
  const auto weight = [](const StatisticEffect& one) {
    return std::abs(one.effect) / std::max(one.null_bound.value_or(kBoundWithoutNull), kLeastBound);
  };
  std::stable_sort(effects.begin(), effects.end(),
                   [&](const auto& a, const auto& b) { return weight(a) > weight(b); });
  return effects;
}

ImageList pointers_to(const std::vector<MeasuredImage>& images) {
  ImageList list;
  for (const MeasuredImage& image : images) list.push_back(&image);
  return list;
}

std::int64_t patches_of(const ImageList& images) {
  std::int64_t count = 0;
  for (const MeasuredImage* image : images) count += static_cast<std::int64_t>(image->patches());
  return count;
}

}  // namespace

bool StatisticEffect::gives_away() const {
  return null_bound && std::abs(effect) > *null_bound;
}

Likeness compare_likeness(const std::vector<MeasuredImage>& real,
                          const std::vector<MeasuredImage>& synthetic, const LikenessSpec& spec,
                          const RunContext& context) {
  const ComparedSets sets{pointers_to(real), pointers_to(synthetic)};
  Likeness likeness;
  likeness.real_images = std::ssize(real);
  likeness.synthetic_images = std::ssize(synthetic);
  likeness.real_patches = patches_of(sets.real);
  likeness.synthetic_patches = patches_of(sets.synthetic);
  const std::int64_t rows = likeness.real_patches + likeness.synthetic_patches;
  const Reservation held =
      context.memory.reserve(context.pool.threads() * kCopiesOfRows * rows *
                                 std::int64_t{kPatchStatisticCount * sizeof(double)},
                             "statistics of patches");

  // The real images first, then those that are taken as if they were
  const auto null = null_sets(sets.synthetic, sets.real.size(), spec);
  std::vector<SetMeasures> measured(null.size() + 1);
  context.progress.begin("compare", std::ssize(measured));
  context.pool.for_each(std::ssize(measured), [&](std::int64_t i) {
    const auto at = static_cast<std::size_t>(i);
    measured[at] = measures_of(i == 0 ? sets : null[at - 1], spec);
    context.progress.advance(1);
  });
  likeness.test =
      energy_test(sets.real, sets.synthetic, spec.permutations, spec.seed, context.stop);

  const SetMeasures found = std::move(measured.front());
  measured.erase(measured.begin());
  const bool can_conclude = likeness.synthetic_images >= kLeastSynthetic;
  const auto place = [&](std::optional<double> value, auto&& of_draw) {
    std::vector<double> values;
    for (const SetMeasures& draw : measured)
      if (const std::optional<double> one = of_draw(draw)) values.push_back(*one);
    return beside_null(value, std::move(values), can_conclude);
  };
  likeness.logistic = place(found.logistic, [](const auto& draw) { return draw.logistic; });
  likeness.forest = place(found.forest, [](const auto& draw) { return draw.forest; });
  likeness.energy = place(found.energy, [](const auto& draw) { return draw.energy; });
  likeness.sliced = place(found.sliced, [](const auto& draw) { return draw.sliced; });
  likeness.logistic_roc = found.logistic_roc;
  likeness.forest_roc = found.forest_roc;
  likeness.effects = sorted_effects(found, measured);
  return likeness;
}

}  // namespace synthoscope::textures
