// SPDX-License-Identifier: MIT
#include "studio/server/saved_scene.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <mutex>
#include <string>
#include <system_error>
#include "imageio/output/atomic_file.hpp"

namespace synthoscope::studio {
namespace {

constexpr std::size_t kMostNameBytes = 200;  // file systems accept 255, also of NAME.partial

}  // namespace

bool is_plain_name(std::string_view name) {
  const auto is_plain = [](char c) {
    return c != '/' && c != '\\' && c != '\x7f' && static_cast<unsigned char>(c) >= ' ';
  };
  return !name.empty() && name.size() <= kMostNameBytes && name.front() != '.' &&
         std::ranges::all_of(name, is_plain);
}

bool is_scene_name(std::string_view name) {
  constexpr std::string_view kSuffix = ".toml";
  return name.size() > kSuffix.size() && name.ends_with(kSuffix) && is_plain_name(name);
}

void require_scene_name(const std::string& name) {
  if (!is_scene_name(name))
    throw InvalidSpec(fmt::format(
        "save the scene as '{}': only a plain file name that ends in .toml is accepted", name));
}

Response save_scene(const Request& request, const std::filesystem::path& folder) {
  const Json object = object_of(request);
  const std::string text = text_in(object, "toml"), name = text_in(object, "name");
  require_scene_name(name);
  const auto overwrite = object.find("overwrite");
  const bool may_replace = overwrite != object.end() && *overwrite == true;
  static std::mutex one_at_a_time;  // so that two pages do not both find that a name is free
  const std::lock_guard lock{one_at_a_time};
  const std::filesystem::path path = folder / name;
  std::error_code ignored;
  if (!may_replace && std::filesystem::exists(std::filesystem::symlink_status(path, ignored)))
    throw RequestFailure(
        409, fmt::format("save the scene as {}: it exists already; choose another name, or replace "
                         "it",
                         name));
  imageio::write_file_atomically(path, text, may_replace);
  return json_response(Json{{"name", name}});
}

}  // namespace synthoscope::studio
