// SPDX-License-Identifier: MIT
#include "studio/server/routes.hpp"
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <array>
#include <utility>
#include "imageio/output/atomic_file.hpp"
#include "studio/server/page_files.hpp"
#include "studio/server/saved_scene.hpp"

namespace synthoscope::studio {
namespace {

std::string_view type_of(std::string_view name) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kTypes{{
      {".html", "text/html; charset=utf-8"},
      {".css", "text/css; charset=utf-8"},
      {".js", "text/javascript; charset=utf-8"},
      {".svg", "image/svg+xml"},
      {".png", "image/png"},
  }};
  for (const auto& [suffix, type] : kTypes)
    if (name.ends_with(suffix)) return type;
  return "application/octet-stream";
}

/// "/" is index.html; every other file has its own path.
void add_page(Router& router) {
  for (const PageFile& file : page_files()) {
    const std::string path = file.name == "index.html" ? "/" : fmt::format("/{}", file.name);
    router.add("GET", path, [file](const Request&) {
      return Response{.type = std::string{type_of(file.name)},
                      .body = std::string{file.content},
                      .events = nullptr};
    });
  }
}

Response list_examples(const Studio& studio) {
  Json rows = Json::array();
  for (const ExampleScene& example : studio.examples)
    rows.push_back({{"name", example.name}, {"about", example.about}});
  return json_response(rows);
}

/// The parts of the path are the name: "tissue", or "textures" and "tissue".
const ExampleScene& example_in(const Studio& studio, const Request& request) {
  const std::string name = fmt::format("{}", fmt::join(request.parts, "/"));
  const auto found = std::ranges::find(studio.examples, name, &ExampleScene::name);
  if (found == studio.examples.end())
    throw RequestFailure(404, fmt::format("show the example '{}': there is none; /api/examples "
                                          "lists all",
                                          name));
  return *found;
}

Response show_example(const Studio& studio, const Request& request) {
  const ExampleScene& example = example_in(studio, request);
  Json missing = Json::array();
  std::error_code ignored;
  for (const ExampleFile& file : example.files)
    if (!std::filesystem::exists(studio.folder / file.name, ignored)) missing.push_back(file.name);
  return json_response(Json{{"toml", example.toml}, {"missing_files", missing}});
}

/// Files that exist are kept.
Response write_files_of_example(const Studio& studio, const Request& request) {
  Json written = Json::array();
  std::error_code ignored;
  for (const ExampleFile& file : example_in(studio, request).files) {
    const std::filesystem::path path = studio.folder / file.name;
    if (std::filesystem::exists(std::filesystem::symlink_status(path, ignored))) continue;
    imageio::write_file_atomically(path, file.text, /*overwrite=*/false);
    written.push_back(file.name);
  }
  return json_response(Json{{"written", written}});
}

Response show_opened(const OpenedScene& opened) {
  return json_response(
      Json{{"name", opened.name ? Json(*opened.name) : Json(nullptr)}, {"toml", opened.toml}});
}

}  // namespace

Router studio_routes(const std::shared_ptr<const Studio>& studio) {
  Router router;
  add_page(router);
  const auto example = [studio](const Request& request) { return show_example(*studio, request); };
  router.add("GET", "/api/scene", [studio](const auto&) { return show_opened(studio->opened); });
  router.add("GET", "/api/examples", [studio](const auto&) { return list_examples(*studio); });
  router.add("GET", "/api/examples/*", example);
  router.add("GET", "/api/examples/*/*", example);
  router.add("POST", "/api/examples/*",
             [studio](const Request& request) { return write_files_of_example(*studio, request); });
  router.add("GET", "/api/events",
             [studio](const auto&) { return Response{.body = {}, .events = studio->events}; });
  router.add("POST", "/api/save",
             [studio](const Request& request) { return save_scene(request, studio->folder); });
  return router;
}

}  // namespace synthoscope::studio
