// SPDX-License-Identifier: MIT
#include "fit/run/fit_twin.hpp"
#include <filesystem>
#include <string>
#include <utility>
#include "fit/images/part_of_image.hpp"

namespace synthoscope::fit {
namespace {

constexpr double kShareOfFit = 0.7;  ///< of the time; the rest is for evidence

std::string words_of(const HeldOut& parts) {
  const std::string name = std::filesystem::path{parts.tested.front().name}.filename().string();
  return parts.is_half ? "the half of " + name + " that it was not fitted to"
                       : name + ", which it was not fitted to";
}

}  // namespace

Twin fit_twin(LabelledImages images, const TwinRequest& request, fftconv::Executor& blur,
              const RunContext& context) {
  const TwinImages twins{blur, context};
  const simulator::Grid grid = images.front().grid;
  FitRequest asked = request.fit;
  asked.seconds = request.seconds;
  if (request.twins == 0) return {fit_stages(images, asked, twins), std::nullopt};
  asked.seconds *= kShareOfFit;
  const HeldOut parts = hold_out(std::move(images), context);
  Twin twin{fit_stages(parts.fitted, asked, twins), std::nullopt};
  twin.evidence =
      evidence_for(twin.scene, parts.tested,
                   {words_of(parts), request.twins, request.seconds - asked.seconds}, twins);
  twin.scene.grid = grid;
  return twin;
}

}  // namespace synthoscope::fit
