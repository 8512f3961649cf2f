// SPDX-License-Identifier: MIT
#include "fit/run/twin_files.hpp"
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include "simulator/scene/keys.hpp"

namespace synthoscope::fit {
namespace {

constexpr std::string_view kAxes[] = {"z", "y", "x"};

/// "95 %: 4.1 to 4.6, from the sizes of 23 labels".
std::string remark_on(const Estimate& estimate) {
  const std::string axis =
      estimate.axis ? fmt::format("{}: ", kAxes[static_cast<std::size_t>(*estimate.axis)]) : "";
  switch (estimate.origin) {
    case Origin::measured:
      return fmt::format("{}95 %: {:.4g} to {:.4g}; {}", axis, estimate.low, estimate.high,
                         estimate.how);
    case Origin::given:
      return axis + "given";
    case Origin::assumed:
      return fmt::format("{}assumed, {:.4g} to {:.4g} is plausible; {}", axis, estimate.low,
                         estimate.high, estimate.how);
  }
  return {};
}

std::vector<const Estimate*> estimates_of(const std::vector<Findings>& findings,
                                          const std::string& key) {
  std::vector<const Estimate*> all;
  for (const Findings& stage : findings)
    for (const Estimate& estimate : stage.estimates)
      if (estimate.key == key) all.push_back(&estimate);
  return all;
}

/// The lines of a key: remarks first, if there are several.
std::string lines_of(const simulator::SceneKey& key, const Twin& twin) {
  const auto value = key.get(twin.scene);
  if (std::holds_alternative<std::monostate>(value)) return {};
  const auto estimates = estimates_of(twin.findings, key.full_name());
  std::string lines;
  for (const Estimate* estimate : estimates) lines += fmt::format("# {}\n", remark_on(*estimate));
  return lines + fmt::format("{} = {}\n", key.name, simulator::toml_of(value));
}

std::string keys_of(const Twin& twin, std::string_view only_table) {
  std::string text, table;
  for (const simulator::SceneKey& key : simulator::scene_keys()) {
    const bool is_asked = only_table.empty() || key.table == only_table;
    // The grid is that of the image, which nobody gives
    const bool is_known = twin.scene.given.count(key.full_name()) > 0 || key.table == "grid";
    if (!is_asked || !is_known) continue;
    const std::string lines = lines_of(key, twin);
    if (lines.empty()) continue;
    if (key.table != table && only_table.empty()) text += fmt::format("\n[{}]\n", key.table);
    table = key.table;
    text += lines;
  }
  return text;
}

std::string first_line(std::string_view what, const std::vector<std::string>& images) {
  return fmt::format("# {} of {}, fitted by synthoscope.\n", what, fmt::join(images, ", "));
}

}  // namespace

std::string scene_toml(const Twin& twin, const std::vector<std::string>& images) {
  return first_line("A twin", images) + keys_of(twin, "");
}

std::string camera_toml(const Twin& twin, const std::vector<std::string>& images) {
  return first_line("The camera", images) + keys_of(twin, "camera");
}

}  // namespace synthoscope::fit
