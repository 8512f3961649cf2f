// SPDX-License-Identifier: MIT
#include "studio/form/channel_blocks.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cctype>
#include <set>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "simulator/phantom/kind/light_spec.hpp"
#include "simulator/scene/blur_setup.hpp"
#include "simulator/scene/file/scene_file.hpp"
#include "studio/form/set_key.hpp"
#include "studio/form/table_text.hpp"
#include "studio/form/toml_value.hpp"

namespace synthoscope::studio {
namespace {

[[noreturn]] void refuse_form(std::string_view what) {
  throw InvalidSpec(
      fmt::format("{}: the channels are written in a form that cannot be changed here; write each "
                  "as [[channel]] with its keys below, or change them in the text",
                  what));
}

/// Returns the lines of a channel, from its head to its last value.
TextPart block_of(const TomlText& text, const toml::table& channel, std::string_view what) {
  if (!has_head(text, channel)) refuse_form(what);
  return {text.line_begin(text.byte_at(channel.source().begin)),
          text.line_end(end_of_values(text, channel))};
}

/// Returns a part with the comments directly above it and the blank line before them.
TextPart with_comments(const TomlText& text, TextPart part) {
  while (part.begin > 0 && is_comment(text.line(part.begin - 1)))
    part.begin = text.line_begin(part.begin - 1);
  if (part.begin > 0 && is_blank(text.line(part.begin - 1)))
    part.begin = text.line_begin(part.begin - 1);
  return part;
}

std::string in_lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// Returns "gfp-2" for "gfp", or the next number that no channel has.
std::string free_name(const toml::array& channels, const std::string& name) {
  std::set<std::string> used;
  for (const toml::node& one : channels)
    used.insert(in_lower_case((*one.as_table())["name"].value_or(std::string{})));
  for (int number = 2;; ++number) {
    const std::string ending = fmt::format("-{}", number);
    const std::string next = name.substr(0, simulator::kLongestChannelName - ending.size());
    if (!used.contains(in_lower_case(next + ending))) return next + ending;
  }
}

std::string copy_of_last(const TomlText& text, const toml::array& channels) {
  const std::string_view what = "add a channel";
  const toml::table& last = *channels.back().as_table();
  const TextPart block = block_of(text, last, what);
  const std::size_t length = block.end - block.begin;
  const std::string lines = text.text().substr(block.begin, length);
  // The last line of a file may have no end
  const std::string_view between = lines.ends_with('\n') ? "" : text.newline();
  const std::string doubled =
      text.with({block.end, block.end}, fmt::format("{}{}{}", between, text.newline(), lines));
  const std::string name = last["name"].value_or(std::string{"channel"});
  return set_key(doubled, "name", free_name(channels, name), channels.size());
}

/// Returns whether objects of a scene give this kind of light.
bool has_light(simulator::SceneSpec scene, const simulator::LightKind& kind) {
  scene.light = simulator::no_light();
  scene.light.*kind.weight = 1;
  const simulator::Emitters emitters = emitters_of(scene);
  return emitters.extended || emitters.points;
}

/// Returns a text of one channel, which sees what the scene shows without channels.
std::string with_first_channel(std::string_view toml, const TomlText& text) {
  const simulator::SceneSpec scene = simulator::parse_scene_of_sweep(toml, "scene.toml");
  std::string lines = fmt::format("{}[[channel]]{}name = \"channel-1\"",
                                  is_blank(text.text()) ? "" : text.newline(), text.newline());
  for (const simulator::LightKind& kind : simulator::kLightKinds)
    if (has_light(scene, kind))
      lines += fmt::format("{}light.{} = {}", text.newline(), kind.name,
                           toml_value(scene.light.*kind.weight, kind.name));
  std::string changed = text.with_line(text.text().size(), lines);
  for (const simulator::LightKind& kind : simulator::kLightKinds)
    changed = set_key(changed, fmt::format("light.{}", kind.name), nullptr);
  return changed;
}

}  // namespace

std::string add_channel(std::string_view toml) {
  const MarkedText marked{toml};
  const TomlText text{std::string{marked.text}};
  const toml::table root = parsed_toml(text.text(), place_of_form());
  if (!root.contains("channel")) return marked.with(with_first_channel(marked.text, text));
  const toml::array* const channels = channels_in_form(root);
  if (!channels) refuse_form("add a channel");
  return marked.with(copy_of_last(text, *channels));
}

std::string remove_channel(std::string_view toml, std::size_t channel) {
  const std::string_view what = "remove a channel";
  const MarkedText marked{toml};
  const TomlText text{std::string{marked.text}};
  toml::table root = parsed_toml(text.text(), place_of_form());
  const TextPart block = block_of(text, home_of(root, channel, what), what);
  const std::string changed = text.with(with_comments(text, block), "");
  toml::array& channels = *root["channel"].as_array();
  channels.erase(channels.begin() + static_cast<std::ptrdiff_t>(channel));
  if (channels.empty()) root.erase("channel");
  if (parsed_toml(changed, place_of_form()) != root) refuse_form(what);
  return marked.with(changed);
}

}  // namespace synthoscope::studio
