// SPDX-License-Identifier: MIT
#include "fit/blur/point_widths.hpp"
#include <cmath>
#include "core/base/error.hpp"
#include "simulator/measurement/beads.hpp"

namespace synthoscope::fit {

std::vector<PointWidth> point_widths(const LabelledImage& image, const RunContext& context) {
  simulator::FoundBeads found;
  try {
    found = simulator::find_beads(image.counts, image.grid.pitch, {}, context);
  } catch (const InvalidInput&) {
    return {};  // there is no bead
  }
  std::vector<PointWidth> widths;
  for (const simulator::ImagedBead& bead : found.kept())
    widths.push_back({std::sqrt(bead.fwhm_um[1] * bead.fwhm_um[2]), bead.fwhm_um[0]});
  return widths;
}

}  // namespace synthoscope::fit
