// SPDX-License-Identifier: MIT
#include "imageio/hdf5_state.hpp"
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include "core/error.hpp"
#include "imageio/hdf5_layout.hpp"

namespace synthoscope::imageio {
namespace {

std::string image_of(const ImageSpec& spec) {
  return fmt::format("{} {} in {}", spec.extent, name_of(spec.type), hdf5_grid(spec).chunk);
}

}  // namespace

std::string print_state(const ImageSpec& spec,
                        std::initializer_list<std::pair<const char*, std::int64_t>> numbers) {
  nlohmann::json json{{"image", image_of(spec)}};
  for (const auto& [key, number] : numbers) json[key] = number;
  return json.dump();
}

std::vector<std::int64_t> read_state(const ImageName& name, const ImageSpec& spec,
                                     const std::string& state,
                                     std::initializer_list<const char*> keys) {
  const auto json = nlohmann::json::parse(state, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object() || !json.contains("image") || json["image"] != image_of(spec))
    refuse_to_go_on(name);
  std::vector<std::int64_t> numbers;
  for (const char* key : keys) {
    if (!json.contains(key) || !json[key].is_number_integer()) refuse_to_go_on(name);
    numbers.push_back(json[key].get<std::int64_t>());
    if (numbers.back() < 0) refuse_to_go_on(name);
  }
  return numbers;
}

void refuse_to_go_on(const ImageName& name) {
  throw InvalidSpec(
      fmt::format("go on with {}: what was begun is another file; begin anew without --resume",
                  name.file.string()));
}

}  // namespace synthoscope::imageio
