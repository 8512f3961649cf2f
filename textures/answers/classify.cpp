// SPDX-License-Identifier: MIT
#include "textures/answers/classify.hpp"
#include <algorithm>
#include <atomic>
#include "core/base/error.hpp"
#include "kernels/visual_words/histogram_distance.hpp"

namespace synthoscope::textures {

double Classified::margin() const {
  if (!second() || second()->distance == 0) return 0;
  return (second()->distance - best().distance) / second()->distance;
}

std::int64_t classified_bytes(const TextureModel& model) {
  return std::int64_t{sizeof(Classified)} +
         std::ssize(model.classes) * std::int64_t{sizeof(NearestOfClass)};
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

  Classified found;
  found.ranking.reserve(nearest.size());
  for (const auto& one : nearest)
    if (one) found.ranking.push_back(*one);
  if (found.ranking.empty())
    throw InvalidSpec(
        "classify a texture: the model has no other textures; train it with more images");
  std::ranges::stable_sort(found.ranking, {}, &NearestOfClass::distance);
  return found;
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
    const auto of_class = static_cast<std::size_t>(one.best().of_class);
    votes[of_class].of_class = one.best().of_class;
    ++votes[of_class].votes;
    distances[of_class] += one.best().distance;
  }
  std::size_t most = 0;
  for (std::size_t i = 1; i < votes.size(); ++i)
    if (votes[i].votes > votes[most].votes ||
        (votes[i].votes == votes[most].votes && distances[i] < distances[most]))
      most = i;
  return votes[most];
}

LeaveOneOutResult leave_one_out(const TextureModel& model, const RunContext& context) {
  std::vector<std::int64_t> images(model.classes.size(), 0);
  for (const std::int64_t of_class : model.image_class)
    ++images[static_cast<std::size_t>(of_class)];
  LeaveOneOutResult found;
  found.alone = std::ranges::count(images, 1);
  std::atomic<std::int64_t> right{0}, all{0};
  context.pool.for_each(std::ssize(model.textures), [&](std::int64_t i) {
    context.stop.check();
    const std::int64_t of_class = model.class_of(i);
    if (images[static_cast<std::size_t>(of_class)] == 1) return;
    const std::int64_t image = model.textures[static_cast<std::size_t>(i)].image;
    ++all;
    right += classify(model, model.histogram(i), image).best().of_class == of_class;
  });
  found.right = right;
  found.all = all;
  return found;
}

}  // namespace synthoscope::textures
