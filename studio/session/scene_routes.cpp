// SPDX-License-Identifier: MIT
#include "studio/session/scene_routes.hpp"
#include <fmt/format.h>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "simulator/scene/file/scene_file.hpp"
#include "simulator/scene/file/sweep.hpp"
#include "studio/form/channel_blocks.hpp"
#include "studio/form/check.hpp"
#include "studio/form/keys_json.hpp"
#include "studio/form/same_data_set.hpp"
#include "studio/form/set_key.hpp"
#include "studio/form/set_sweep.hpp"

namespace synthoscope::studio {
namespace {

/// The file that a scene of the page would be.
std::filesystem::path file_in(const std::filesystem::path& folder) {
  return folder / "scene.toml";
}

Json member(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found == object.end() ? Json(nullptr) : *found;
}

/// Returns the place of the channel that a request names; nothing if it names none.
/// @throws InvalidSpec  it is no whole number from 0.
std::optional<std::size_t> channel_in(const Json& asked) {
  const Json channel = member(asked, "channel");
  if (channel.is_null()) return std::nullopt;
  if (!channel.is_number_unsigned())
    throw InvalidSpec(fmt::format("change a channel: it is {}; give its place in the scene, from 0",
                                  text_of(channel)));
  return channel.get<std::size_t>();
}

Response set_in_scene(const Request& request, const std::filesystem::path& folder) {
  constexpr std::string_view kSweep = "sweep.";
  const Json asked = object_of(request);
  const std::string toml = text_in(asked, "toml"), key = text_in(asked, "key");
  const Json value = member(asked, "value");
  return checked_scene(key.starts_with(kSweep) ? set_sweep(toml, key.substr(kSweep.size()), value)
                                               : set_key(toml, key, value, channel_in(asked)),
                       folder);
}

Response without_channel(const Request& request, const std::filesystem::path& folder) {
  const Json asked = object_of(request);
  const auto channel = channel_in(asked);
  if (!channel) throw InvalidSpec("remove a channel: give its place in the scene, from 0");
  return checked_scene(remove_channel(text_in(asked, "toml"), *channel), folder);
}

/// @throws InvalidSpec  it is not three whole numbers.
std::array<std::int64_t, 3> three_in(const Json& region, const char* name) {
  const Json numbers = member(region, name);
  std::array<std::int64_t, 3> three{};
  const bool are_three = numbers.is_array() && numbers.size() == 3;
  for (std::size_t i = 0; are_three && i < 3; ++i) {
    const auto number = try_whole_of(numbers[i]);
    if (!number) break;
    three[i] = *number;
    if (i == 2) return three;
  }
  throw InvalidSpec(
      fmt::format("preview a region: its {} is {}; give three whole numbers, for z, y and x", name,
                  text_of(numbers)));
}

std::optional<Box3> region_in(const Json& asked) {
  const Json region = member(asked, "region");
  if (region.is_null()) return std::nullopt;
  const auto at = three_in(region, "origin"), size = three_in(region, "extent");
  return Box3{{at[0], at[1], at[2]}, {size[0], size[1], size[2]}};
}

/// Returns the scene of a text, or the first one of its sweep.
simulator::SceneSpec scene_of(const std::string& toml, const std::filesystem::path& file) {
  simulator::SceneSpec scene = simulator::parse_scene_of_sweep(toml, file);
  const simulator::SweepSpec sweep = simulator::parse_sweep(toml, file);
  if (sweep.is_empty()) return scene;
  const auto seed = scene.seed;
  scene = sets_of(scene, sweep, static_cast<std::uint64_t>(seed.value_or(0))).front().scene;
  if (!seed) scene.seed.reset();
  return scene;
}

Response begin_preview(const Request& request, const std::filesystem::path& folder,
                       LivePreview& preview) {
  const Json asked = object_of(request);
  const Json frame = member(asked, "frame");
  if (!frame.is_null() && !try_whole_of(frame))
    throw InvalidSpec(fmt::format("preview frame {}: give a whole number, from 0", text_of(frame)));
  PreviewRequest wanted;
  wanted.scene = scene_of(text_in(asked, "toml"), file_in(folder));
  wanted.region = region_in(asked);
  wanted.frame = frame.is_null() ? 0 : frame.get<std::int64_t>();
  return json_response(Json{{"id", preview.request(std::move(wanted))}});
}

Response lines_to_copy(const Request& request) {
  const Json asked = object_of(request);
  DataSetCommand command{.file = text_in(asked, "name"), .seed = whole_number_in(asked, "seed")};
  if (asked.contains("output")) command.output = text_in(asked, "output");
  if (asked.contains("format")) command.format = text_in(asked, "format");
  if (asked.contains("truth_layout")) command.truth_layout = text_in(asked, "truth_layout");
  return json_response(Json{{"command", command_line_of(command)},
                            {"python", python_lines_of(text_in(asked, "toml"), command)}});
}

/// The preview and the channel of a path that ends in ID/NAME/NUMBER.
struct AskedStack {
  std::int64_t id = 0;  ///< 0: there is none
  std::size_t channel = 0;
};

AskedStack asked_stack(const Request& request) {
  const std::int64_t id = number_in(request.parts.at(0)), channel = number_in(request.parts.at(2));
  return id < 0 || channel < 0 ? AskedStack{} : AskedStack{id, static_cast<std::size_t>(channel)};
}

RequestFailure gone(const Request& request) {
  return {404, fmt::format("show {}: a newer preview has replaced it, or it has no such stack; ask "
                           "for a preview again",
                           request.path)};
}

Response voxels_of(const Request& request, const LivePreview& preview) {
  const AskedStack asked = asked_stack(request);
  const SharedStack stack = preview.stack(asked.id, request.parts.at(1), asked.channel);
  if (!stack) throw gone(request);
  return response_of(*stack);
}

}  // namespace

Response checked_scene(const std::string& toml, const std::filesystem::path& folder) {
  Json answer = check_json(toml, file_in(folder));
  answer["toml"] = toml;
  return json_response(answer);
}

std::int64_t number_in(const std::string& text) {
  std::int64_t number = -1;
  const char* const end = text.data() + text.size();
  const auto [rest, problem] = std::from_chars(text.data(), end, number);
  return problem == std::errc{} && rest == end && number >= 0 ? number : -1;
}

PublishedStack stack_of(const Request& request, const LivePreview& preview) {
  const AskedStack asked = asked_stack(request);
  auto stack = preview.published(asked.id, request.parts.at(1), asked.channel);
  if (!stack) throw gone(request);
  return *std::move(stack);
}

Response response_of(const Stack& stack) {
  const auto* const bytes = reinterpret_cast<const char*>(stack.voxels.data());
  return {.type = "application/octet-stream",
          .body = std::string{bytes, static_cast<std::size_t>(stack.view().bytes())},
          .events = nullptr};
}

void add_scene_routes(Router& router, const std::filesystem::path& folder, LivePreview& preview) {
  router.add("GET", "/api/keys", [](const auto&) { return json_response(keys_json()); });
  router.add("POST", "/api/check", [folder](const Request& request) {
    return json_response(check_json(text_in(object_of(request), "toml"), file_in(folder)));
  });
  router.add("POST", "/api/set",
             [folder](const Request& request) { return set_in_scene(request, folder); });
  router.add("POST", "/api/channels/add", [folder](const Request& request) {
    return checked_scene(add_channel(text_in(object_of(request), "toml")), folder);
  });
  router.add("POST", "/api/channels/remove",
             [folder](const Request& request) { return without_channel(request, folder); });
  router.add("POST", "/api/preview", [folder, &preview](const Request& request) {
    return begin_preview(request, folder, preview);
  });
  router.add("GET", "/api/preview/*/*/*",
             [&preview](const Request& request) { return voxels_of(request, preview); });
  router.add("POST", "/api/copy", lines_to_copy);
}

}  // namespace synthoscope::studio
