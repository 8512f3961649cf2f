// SPDX-License-Identifier: MIT
#include "studio/files/file_routes.hpp"
#include <fmt/format.h>
#include <memory>
#include <string>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "simulator/scene/file/toml.hpp"
#include "studio/files/camera_text.hpp"
#include "studio/files/given_images.hpp"
#include "studio/files/saved_image.hpp"
#include "studio/files/stack_file.hpp"
#include "studio/form/set_key.hpp"
#include "studio/server/saved_scene.hpp"
#include "studio/session/scene_routes.hpp"

namespace synthoscope::studio {
namespace {

Response show_image(const Request& request, const GivenImages& images, MemoryBudget& memory) {
  const auto image = images.image(number_in(request.parts.at(0)));
  return response_of(
      *shown_stack(*image, number_in(request.parts.at(1)), number_in(request.parts.at(2)), memory));
}

/// Returns the number of the image that a request names.
std::int64_t id_in(const Json& asked) {
  const auto id = asked.find("id");
  return id != asked.end() && id->is_number_integer() ? id->get<std::int64_t>() : -1;
}

Response open_again(const Request& request, GivenImages& images) {
  const Json asked = object_of(request);
  const auto image = asked.find("image");
  Reading reading{.axes = text_in(asked, "axes")};
  if (image != asked.end() && image->is_number_integer())
    reading.image = image->get<std::int64_t>();
  return json_response(json_of(*images.open_again(id_in(asked), reading)));
}

Response save_given(const Request& request, const GivenImages& images,
                    const std::filesystem::path& folder) {
  const Json asked = object_of(request);
  const auto image = images.image(id_in(asked));
  const std::string name = text_in(asked, "name");
  if (!image->file.upload)
    throw InvalidSpec(fmt::format("save {}: it is a file of the folder already", image->file.name));
  save_image(*image->file.upload, folder, name, flag_in(asked, "overwrite"));
  return json_response(Json{{"name", name}});
}

std::string text_of_file(const std::filesystem::path& folder, const std::string& name) {
  if (!is_scene_name(name))
    throw InvalidSpec(
        fmt::format("open '{}': only a plain file name that ends in .toml is accepted", name));
  return simulator::read_toml_text(folder / name);
}

Response open_text(const Request& request, const std::filesystem::path& folder) {
  const Json asked = object_of(request);
  const std::string name = text_in(asked, "name");
  const std::string text =
      asked.contains("text") ? text_in(asked, "text") : text_of_file(folder, name);
  return json_response(
      Json{{"text", text}, {"kind", is_camera_text(text, name) ? "camera" : "scene"}});
}

Response use_file(const Request& request, const std::filesystem::path& folder) {
  const Json asked = object_of(request);
  std::string toml = text_in(asked, "toml");
  if (asked.contains("camera")) {
    toml = with_camera(toml, text_in(asked, "camera"), text_in(asked, "name"));
  } else {
    toml = set_key(toml, "optics.model", "file");
    toml = set_key(toml, "optics.file", text_in(asked, "psf"));
    const auto pitch = asked.find("pitch_nm");
    toml = set_key(toml, "optics.file_pitch_nm", pitch == asked.end() ? Json(nullptr) : *pitch);
  }
  return checked_scene(toml, folder);
}

Response download_stack(const Request& request, const LivePreview& preview) {
  const auto stack = stack_of(request, preview);
  return {.type = "image/tiff", .body = ome_tiff_of(stack, request.parts.at(1)), .events = nullptr};
}

}  // namespace

void add_file_routes(Router& router, const std::filesystem::path& folder, MemoryBudget& memory,
                     const LivePreview& preview) {
  const auto images = std::make_shared<GivenImages>(folder, memory);
  router.add("GET", "/api/files",
             [folder](const Request&) { return json_response(files_json(folder)); });
  router.add("POST", "/api/images", [images](const Request& request) {
    return json_response(json_of(*images->open(text_in(object_of(request), "name"))));
  });
  router.add("POST", "/api/images/save", [images, folder](const Request& request) {
    return save_given(request, *images, folder);
  });
  router.add("POST", "/api/images/again",
             [images](const Request& request) { return open_again(request, *images); });
  router.add_upload("/api/images/upload/*", folder, [images](const Request& request) {
    return json_response(json_of(*images->take(request.parts.at(0), request.file)));
  });
  router.add("GET", "/api/images/*/*/*", [images, &memory](const Request& request) {
    return show_image(request, *images, memory);
  });
  router.add("POST", "/api/text",
             [folder](const Request& request) { return open_text(request, folder); });
  router.add("POST", "/api/use",
             [folder](const Request& request) { return use_file(request, folder); });
  router.add("GET", "/api/stacks/*/*/*",
             [&preview](const Request& request) { return download_stack(request, preview); });
}

}  // namespace synthoscope::studio
