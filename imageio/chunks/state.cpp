// SPDX-License-Identifier: MIT
#include "imageio/chunks/state.hpp"
#include <fmt/format.h>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "imageio/chunks/grid.hpp"

namespace synthoscope::imageio {
namespace {

std::string image_of(const ImageSpec& spec) {
  return fmt::format("{} {} in {}", spec.extent, name_of(spec.type), grid_of(spec).chunk);
}

Json state_of(const ImageSpec& spec,
              std::initializer_list<std::pair<const char*, std::int64_t>> numbers) {
  Json json{{"image", image_of(spec)}};
  for (const auto& [key, number] : numbers) json[key] = number;
  return json;
}

constexpr const char* kPieces = "pieces";

}  // namespace

std::string print_state(const ImageSpec& spec,
                        std::initializer_list<std::pair<const char*, std::int64_t>> numbers) {
  return text_of(state_of(spec, numbers));
}

std::string print_state(const ImageSpec& spec,
                        std::initializer_list<std::pair<const char*, std::int64_t>> numbers,
                        const WrittenPieces& pieces) {
  Json json = state_of(spec, numbers);
  json[kPieces] = pieces.json();
  return text_of(json);
}

void read_pieces(const ImageName& name, const std::string& state, WrittenPieces& pieces) try {
  pieces.set(parse_json(state).at(kPieces));
} catch (const Json::exception&) {
  refuse_to_resume(name);
}

std::vector<std::int64_t> read_state(const ImageName& name, const ImageSpec& spec,
                                     const std::string& state,
                                     std::initializer_list<const char*> keys) {
  std::vector<std::int64_t> numbers;
  try {
    const auto json = parse_json(state);
    if (json.at("image") != image_of(spec)) refuse_to_resume(name);
    for (const char* key : keys) numbers.push_back(whole_of(json.at(key)));
  } catch (const Json::exception&) {
    refuse_to_resume(name);
  }
  for (const std::int64_t number : numbers)
    if (number < 0) refuse_to_resume(name);
  return numbers;
}

void refuse_to_resume(const ImageName& name) {
  throw InvalidSpec(
      fmt::format("resume {}: the unfinished file is a different one; start over without --resume",
                  name.file.string()));
}

}  // namespace synthoscope::imageio
