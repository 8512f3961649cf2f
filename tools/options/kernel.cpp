// SPDX-License-Identifier: MIT
#include "tools/options/kernel.hpp"
#include <fmt/format.h>
#include <variant>
#include "tools/options/rows.hpp"

namespace synthoscope::tools {
namespace {

using fftconv::CenterRule;
using fftconv::KernelNormalization;

std::variant<CenterRule, Index3> parse_center(std::string_view text) {
  if (const auto rule = fftconv::center_rule_named(text)) return *rule;
  if (text.find(',') == std::string_view::npos)
    throw InvalidSpec(fmt::format(
        "'{}' is not accepted; write scipy, middle, peak, centroid, or a voxel as Z,Y,X", text));
  const Extent3 voxel = parse_triple(text, 0);
  return Index3{voxel.z, voxel.y, voxel.x};
}

}  // namespace

void describe(OptionTable& table, fftconv::KernelUse& use) {
  table.group("Kernel");
  table.add(switch_row("correlate", use.correlate, "correlate instead of convolving"));
  table.add(
      choice_row("normalize-kernel", use.normalization,
                 {KernelNormalization::none, KernelNormalization::sum, KernelNormalization::peak},
                 "divide the kernel by its sum or its peak"));
  table.add({"kernel-background", "N|auto|none", "none", "",
             "subtract this value from every voxel of the kernel; auto is the median of its border "
             "or of all its voxels, whichever is smaller",
             [&use](std::string_view text) { use.background = fftconv::parse_background(text); }});
  table.add({"kernel-center", "scipy|middle|peak|centroid|Z,Y,X",
             "the centre in the kernel's file, otherwise scipy", "",
             "voxel of the kernel that is placed on the voxel of the result: scipy is (K-1)/2, "
             "with --correlate K/2; middle is K/2",
             [&use](std::string_view text) { use.center = parse_center(text); }});
}

}  // namespace synthoscope::tools
