// SPDX-License-Identifier: MIT
#include "textures/patches/statistic_table.hpp"
#include <fmt/format.h>

namespace synthoscope::textures {

std::string words_of(const PatchStatistic& statistic, bool is_more,
                     std::optional<double> pixel_um) {
  const std::string_view words = is_more ? statistic.more : statistic.less;
  if (!(statistic.finest > 0)) return std::string{words};
  const double unit = pixel_um.value_or(1);
  const std::string_view name = pixel_um ? "um" : "px";
  if (statistic.coarsest > 0)
    return fmt::format("{} of {:.2g} to {:.2g} {}", words, statistic.finest * unit,
                       statistic.coarsest * unit, name);
  if (statistic.name == "log_power_6")
    return fmt::format("{} over {:.2g} {}", words, statistic.finest * unit, name);
  return fmt::format("{} (scale {:.2g} {})", words, statistic.finest * unit, name);
}

}  // namespace synthoscope::textures
