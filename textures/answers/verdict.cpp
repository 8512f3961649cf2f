// SPDX-License-Identifier: MIT
#include "textures/answers/verdict.hpp"
#include "core/base/error.hpp"
#include "core/math/wilson_interval.hpp"
#include "textures/models/measure.hpp"

namespace synthoscope::textures {

const Classified& Verdict::best() const {
  const Classified* best = nullptr;
  for (const Classified& one : textures)
    if (one.best().of_class == vote.of_class &&
        (!best || one.best().distance < best->best().distance))
      best = &one;
  return *best;
}

std::vector<std::int64_t> Verdict::votes_by_class(std::size_t classes) const {
  std::vector<std::int64_t> votes(classes, 0);
  for (const Classified& one : textures) ++votes[static_cast<std::size_t>(one.best().of_class)];
  return votes;
}

Verdicts judge(const TextureModel& model, const std::vector<UnopenedImage>& images,
               ImageRunner& runner, const RunContext& context) {
  if (model.textures.empty())
    throw InvalidSpec("classify images: the model has words but no textures; train one");
  if (images.empty()) return {};
  const Measured measured = measure(images, model.spec, model.dictionary, runner, context);
  require_comparable(model, measured);
  warn_of_pitch_differences(model, measured, context.log);
  Verdicts verdicts;
  verdicts.held =
      context.memory.reserve(classified_bytes(model) * std::ssize(measured.textures), "verdicts");
  auto classified = classify_all(model, measured.histograms, context);
  for (const UnopenedImage& image : images) verdicts.images.push_back({image.name, {}, {}, {}});
  for (std::size_t i = 0; i < classified.size(); ++i)
    verdicts.images[static_cast<std::size_t>(measured.textures[i].image)].textures.push_back(
        std::move(classified[i]));
  for (Verdict& verdict : verdicts.images)
    verdict.vote = majority(verdict.textures, std::ssize(model.classes));
  return verdicts;
}

Verdicts judge(const TextureModel& model, const std::vector<std::filesystem::path>& images,
               const imageio::OpenOptions& open, ImageRunner& runner, const RunContext& context) {
  return judge(model, unopened(images, model.spec.planes, open), runner, context);
}

Verdicts judge(const TextureModel& model, const ImageSet& set, const imageio::OpenOptions& open,
               ImageRunner& runner, const RunContext& context) {
  std::vector<std::filesystem::path> paths;
  for (const ClassifiedImage& image : set.images) paths.push_back(image.path);
  Verdicts verdicts = judge(model, paths, open, runner, context);
  for (std::size_t i = 0; i < paths.size(); ++i)
    verdicts.images[i].known = set.classes[static_cast<std::size_t>(set.images[i].of_class)];
  return verdicts;
}

Share share_of(std::int64_t right, std::int64_t all) {
  Share share{right, all};
  const ShareInterval interval = wilson_interval(right, all);
  share.low = interval.low;
  share.high = interval.high;
  return share;
}

Share accuracy_of(const TextureModel& model, const std::vector<Verdict>& verdicts) {
  std::int64_t right = 0, all = 0;
  for (const Verdict& verdict : verdicts) {
    if (!verdict.known) continue;
    ++all;
    right += *verdict.known == model.classes[static_cast<std::size_t>(verdict.vote.of_class)];
  }
  return share_of(right, all);
}

}  // namespace synthoscope::textures
