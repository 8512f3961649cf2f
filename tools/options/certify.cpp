// SPDX-License-Identifier: MIT
#include "tools/options/certify.hpp"
#include "core/base/json.hpp"
#include "tools/options/rows.hpp"
#include "tools/terminal/result.hpp"

namespace synthoscope::tools {

void CertifyOptions::describe(OptionTable& table) {
  table.group("Checking");
  table.add(whole_row("certify", "N", voxels, 0,
                      "recompute N voxels by direct sums in double, half of them anywhere, half "
                      "among the brightest 1 %, and fail if one differs by more than 1e-6 (in "
                      "double precision 1e-14) of the largest sum of |image| |kernel|"));
  table.add(whole_row("seed", "N", seed, 0, "seed of the random choice of voxels for --certify"));
}

Json json_of(const fftconv::Certificate& c) {
  return {{"voxels", c.voxels},         {"largest_error", c.largest_error},
          {"worst", json_of(c.worst)},  {"stored", c.stored},
          {"recomputed", c.recomputed}, {"peak", c.peak},
          {"tolerance", c.tolerance}};
}

}  // namespace synthoscope::tools
