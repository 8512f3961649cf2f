// SPDX-License-Identifier: MIT
#include "textures/classify.hpp"
#include <algorithm>
#include <atomic>
#include "core/error.hpp"
#include "kernels/visual_words/histogram_distance.hpp"

namespace synthoscope::textures {

double Classified::margin() const {
  if (!second || second->distance == 0) return 0;
  return (second->distance - best.distance) / second->distance;
}

Classified classify(const TextureModel& model, std::span<const float> histogram,
                    std::optional<std::int64_t> left_out) {
  // The nearest texture of every class
  std::vector<std::optional<NearestOfClass>> nearest(model.classes.size());
  for (std::size_t i = 0; i < model.textures.size(); ++i) {
    if (left_out == model.textures[i].image) continue;
    const auto texture = static_cast<std::int64_t>(i);
    const std::int64_t of_class = model.class_of(texture);
    const double distance =
        kernels::distance(model.spec.distance, histogram, model.histogram(texture));
    auto& known = nearest[static_cast<std::size_t>(of_class)];
    if (!known || distance < known->distance) known = {of_class, texture, distance};
  }

  // The nearest class, and the next
  std::optional<NearestOfClass> best, second;
  for (const auto& one : nearest) {
    if (!one) continue;
    if (!best || one->distance < best->distance) {
      second = best;
      best = one;
    } else if (!second || one->distance < second->distance) {
      second = one;
    }
  }
  if (!best)
    throw InvalidSpec("classify a texture: the model knows no others; train it with more images");
  return {*best, second};
}

std::vector<Classified> classify_all(const TextureModel& model, std::span<const float> histograms,
                                     const RunContext& context) {
  const auto length = static_cast<std::size_t>(model.histogram_length);
  std::vector<Classified> all(histograms.size() / length);
  context.pool.for_each(std::ssize(all), [&](std::int64_t i) {
    context.stop.check();
    const auto at = static_cast<std::size_t>(i);
    all[at] = classify(model, histograms.subspan(at * length, length));
  });
  return all;
}

Vote majority(std::span<const Classified> textures, std::int64_t classes) {
  std::vector<Vote> votes(static_cast<std::size_t>(classes));
  std::vector<double> distances(votes.size(), 0.0);
  for (const Classified& one : textures) {
    const auto of_class = static_cast<std::size_t>(one.best.of_class);
    votes[of_class].of_class = one.best.of_class;
    ++votes[of_class].votes;
    distances[of_class] += one.best.distance;
  }
  std::size_t most = 0;
  for (std::size_t i = 1; i < votes.size(); ++i)
    if (votes[i].votes > votes[most].votes ||
        (votes[i].votes == votes[most].votes && distances[i] < distances[most]))
      most = i;
  return votes[most];
}

double left_out_accuracy(const TextureModel& model, const RunContext& context) {
  std::atomic<std::int64_t> right{0};
  context.pool.for_each(std::ssize(model.textures), [&](std::int64_t i) {
    context.stop.check();
    const std::int64_t image = model.textures[static_cast<std::size_t>(i)].image;
    right += classify(model, model.histogram(i), image).best.of_class == model.class_of(i);
  });
  return static_cast<double>(right.load()) / static_cast<double>(model.textures.size());
}

}  // namespace synthoscope::textures
