// SPDX-License-Identifier: MIT
// tools/options/convolution.cpp — options of convolve.
#include "tools/options/convolution.hpp"
#include <fmt/format.h>
#include <variant>
#include "core/base/json.hpp"
#include "tools/options/rows.hpp"
#include "tools/terminal/result.hpp"

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
  describe_place(table, use, "the centre in the kernel's file, otherwise scipy");
}

void describe_place(OptionTable& table, fftconv::KernelUse& use, const std::string& center) {
  table.add({"kernel-background", "N|auto|none", "none", "",
             "subtract this value from every voxel of the kernel; auto is the median of its border "
             "or of all its voxels, whichever is smaller",
             [&use](std::string_view text) { use.background = fftconv::parse_background(text); }});
  table.add({"kernel-center", "scipy|middle|peak|centroid|Z,Y,X", center, "",
             "voxel of the kernel that is placed on the voxel of the result: scipy is (K-1)/2, "
             "with --correlate K/2; middle is K/2",
             [&use](std::string_view text) { use.center = parse_center(text); }});
}

void ResumeOptions::describe(OptionTable& table) {
  table.group("Resuming");
  table.add(switch_row("resume", resume,
                       "resume an interrupted, killed or failed run of the same command from its "
                       "partial file; the result is identical to the last bit"));
  table.add(real_row("journal-every", "SECONDS", every_seconds, "s",
                     "shortest time between two records of the finished work"));
}

void CertifyOptions::describe(OptionTable& table) {
  table.group("Checking");
  table.add(whole_row("certify", "N", voxels, 0,
                      "recompute N voxels by direct sums in double, half of them anywhere, half "
                      "among the brightest 1 %, and fail if one differs by more than 1e-6 (in "
                      "double precision 1e-14) of the largest sum of |image| |kernel|"));
  Option row = choice_row(
      "certify-by", by, {fftconv::FftLibrary::fftw, fftconv::FftLibrary::cufft}, "no library",
      "recompute the whole result by the 3-D transforms of another library, in "
      "double precision and in memory, and fail if a voxel differs by more than "
      "2e-6 (in double precision 2e-14) of the largest sum of |image| |kernel|; fftw "
      "is for programs that were built with it, cufft for machines with a GPU");
  row.take = [this, take = row.take](std::string_view text) {
    take(text);
    require_here(*by, fmt::format("certify by '{}'", text), "--certify N");
  };
  table.add(std::move(row));
  table.add(whole_row("seed", "N", seed, 0, "seed of the random choice of voxels for --certify"));
}

Json json_of(const fftconv::Certificate& c) {
  return {{"voxels", c.voxels},         {"largest_error", c.largest_error},
          {"worst", json_of(c.worst)},  {"stored", c.stored},
          {"recomputed", c.recomputed}, {"peak", c.peak},
          {"tolerance", c.tolerance}};
}

Json json_of_library(const fftconv::Certificate& c) {
  return {{"by", c.by},
          {"voxels", c.voxels},
          {"largest_difference", c.largest_error},
          {"worst", json_of(c.worst)},
          {"stored", c.stored},
          {"recomputed", c.recomputed},
          {"peak", c.peak},
          {"tolerance", c.tolerance}};
}

}  // namespace synthoscope::tools
