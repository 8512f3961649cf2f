// SPDX-License-Identifier: MIT
#include "fit/run/fit_twin.hpp"
#include <filesystem>
#include <string>
#include <utility>
#include "fit/images/grown_labels.hpp"
#include "fit/images/part_of_image.hpp"
#include "fit/objects/segment.hpp"

namespace synthoscope::fit {
namespace {

constexpr double kShareOfFit = 0.7;  ///< of the time; the rest is for evidence

std::string words_of(const HeldOut& parts) {
  const std::string name = std::filesystem::path{parts.tested.front().name}.filename().string();
  return parts.is_half ? "the half of " + name + " that it was not fitted to"
                       : name + ", which it was not fitted to";
}

/// Returns whether stages that follow the camera are fitted: they look at objects.
bool fits_objects(const FitRequest& request) {
  return request.stages.size() > request.stages.count(Stage::camera);
}

void label_where_needed(LabelledImages& images, const FitRequest& request,
                        const RunContext& context) {
  if (!fits_objects(request) || images.front().has_labels()) return;
  for (LabelledImage& image : images) {
    image.labels = segment(image, context);
    image.are_labels_rough = true;
  }
}

}  // namespace

Twin fit_twin(LabelledImages images, const TwinRequest& request, fftconv::Executor& blur,
              const RunContext& context) {
  const TwinImages twins{blur, context};
  const simulator::Grid grid = images.front().grid;
  FitRequest asked = request.fit;
  asked.seconds = request.seconds;
  // A scene whose objects were not fitted is no twin that could be judged
  if (request.twins == 0 || !fits_objects(asked)) {
    label_where_needed(images, asked, context);
    return {fit_stages(images, asked, twins), std::nullopt};
  }
  asked.seconds *= kShareOfFit;
  HeldOut parts = hold_out(std::move(images), context);
  label_where_needed(parts.fitted, asked, context);
  Twin twin{fit_stages(parts.fitted, asked, twins), std::nullopt};
  for (LabelledImage& image : parts.tested) grow_labels(image, twin.label_outset_um);
  twin.evidence =
      evidence_for(twin.scene, parts.tested,
                   {words_of(parts), request.twins, request.seconds - asked.seconds}, twins);
  twin.scene.grid = grid;
  return twin;
}

}  // namespace synthoscope::fit
