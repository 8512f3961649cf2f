// SPDX-License-Identifier: MIT
#include "fit/run/known_keys.hpp"
#include <fmt/format.h>
#include <string>
#include "core/base/error.hpp"
#include "imageio/open.hpp"
#include "simulator/scene/file/scene_file.hpp"
#include "simulator/scene/keys.hpp"

namespace synthoscope::fit {

Stage stage_named(std::string_view name) {
  if (const auto stage = named_in(kStageNames, name)) return *stage;
  throw InvalidSpec(
      fmt::format("'{}' is no stage; give some of camera, shapes, light, blur and texture", name));
}

void take_camera(FitRequest& request, const std::filesystem::path& file) {
  request.start.camera = simulator::read_camera(file).camera;
  for (const auto& key : simulator::scene_keys()) {
    if (key.table != "camera") continue;
    request.start.given.insert(key.full_name());
    request.fixed.insert(key.full_name());
  }
}

void take_psf(FitRequest& request, const std::filesystem::path& file) {
  imageio::inspect(file);  // fails before minutes of work
  give(request.start, *simulator::find_key("optics.model"), std::string{"file"});
  give(request.start, *simulator::find_key("optics.file"), file.string());
  request.fixed.insert({"optics.model", "optics.file"});
}

void take_key(FitRequest& request, std::string_view assignment) {
  simulator::apply_override(request.start, assignment);
  request.fixed.insert(simulator::overridden_key(assignment));
}

}  // namespace synthoscope::fit
