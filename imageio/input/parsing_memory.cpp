// SPDX-License-Identifier: MIT
#include "imageio/input/parsing_memory.hpp"
#include <fmt/format.h>
#include "core/base/error.hpp"

namespace synthoscope::imageio {

std::int64_t xml_parsing_bytes(std::string_view text) {
  // pugixml copies the text and needs 64 bytes a node and 40 bytes an attribute. Each '<' begins or
  // ends a node, and the text after it is a node as well. Each attribute has a '='. Each TiffData
  // is a row of a list that doubles as it grows.
  constexpr std::int64_t kNode = 64, kAttribute = 40, kRow = 256;
  std::int64_t nodes = 1, attributes = 0, rows = 0;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '<') {
      nodes += text.substr(i + 1, 1) == "/" ? 1 : 2;
      rows += text.substr(i + 1).starts_with("TiffData") ||
              text.substr(i + 1, 14).find(":TiffData") != std::string_view::npos;
    } else if (text[i] == '=') {
      ++attributes;
    }
  return static_cast<std::int64_t>(text.size()) + nodes * kNode + attributes * kAttribute +
         rows * kRow;
}

std::int64_t json_parsing_bytes(std::string_view text) {
  // nlohmann's library takes 16 bytes per value, twice while a list grows; about 112 bytes for each
  // member of an object (a node of a tree with its key); and at least 32 bytes for each text
  constexpr std::int64_t kValue = 144;
  std::int64_t values = 1;
  for (const char c : text) values += c == ',' || c == '[' || c == '{' || c == ':' ? 1 : 0;
  return 2 * static_cast<std::int64_t>(text.size()) + values * kValue;
}

Reservation reserve_for_parsing(const InputLimits& limits, std::int64_t bytes,
                                const std::filesystem::path& path, std::string_view what) {
  // What the program itself takes is counted with room for small ones. A budget that is too small
  // for the work is better refused by the plan, which names the least that would do.
  constexpr std::int64_t kSmall = std::int64_t{1} << 20;
  if (!limits.memory || bytes <= kSmall) return {};
  const std::int64_t used = limits.memory->used(), least = used + bytes;
  if (least > limits.memory->limit())
    throw PlanError(
        fmt::format("open {}: reading its {} takes up to {}, {} of {} are in use; give --memory {} "
                    "or more, or write the file with a shorter one",
                    path.string(), what, print_bytes(bytes), print_bytes(used),
                    print_bytes(limits.memory->limit()), size_of_at_least(least)));
  return limits.memory->reserve(bytes, what);
}

}  // namespace synthoscope::imageio
