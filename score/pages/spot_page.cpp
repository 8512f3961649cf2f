// SPDX-License-Identifier: MIT
#include "score/pages/spot_page.hpp"
#include <fmt/format.h>
#include <cmath>
#include "score/pages/strata_section.hpp"
#include "simulator/report/markup.hpp"

namespace synthoscope::score {
namespace {

std::string nm(double um) {
  return std::isfinite(um) ? fmt::format("{:.4g} nm", 1000 * um) : "undefined";
}

std::string nm_of_axes(const AlongZyx& um) {
  return fmt::format("{}, {}, {}", nm(um[0]), nm(um[1]), nm(um[2]));
}

std::string share_text(double share) {
  return std::isfinite(share) ? fmt::format("{:.3f}", share) : "undefined";
}

std::string table_of_spots(const SpotScores& s) {
  return simulator::table({
      {"score", "value", "definition"},
      {"true spots", std::to_string(s.truth), ""},
      {"results", std::to_string(s.results), ""},
      {"matched", std::to_string(s.matched),
       fmt::format("pairs at most {:g} um apart, one to one: as many as possible, and among these "
                   "those of the least total distance",
                   s.radius_um)},
      {"precision", share_text(s.precision), "matched / results"},
      {"recall", share_text(s.recall), "matched / true spots"},
      {"F1", share_text(s.f1), "2 matched / (true spots + results)"},
      {"Jaccard", share_text(s.jaccard), "matched / (true spots + results - matched)"},
      {"RMSE z, y, x", nm_of_axes(s.rmse_um),
       "root mean square of result - truth, along each axis"},
      {"RMSE lateral", nm(s.rmse_lateral_um), "of the distance along y and x"},
      {"bias z, y, x", nm_of_axes(s.bias_um), "mean of result - truth"},
      {"error of the bias", nm_of_axes(s.bias_error_um), "standard error of this mean"},
      {"bound z, y, x", nm_of_axes(s.bound_um),
       fmt::format(
           "Cramér-Rao bound, root mean square over {} spots: no unbiased method errs less, "
           "by PSF, photons, background and camera of the scene",
           s.bounded)},
      {"efficiency z, y, x",
       fmt::format("{}, {}, {}", share_text(s.efficiency[0]), share_text(s.efficiency[1]),
                   share_text(s.efficiency[2])),
       "bound over the root mean square error of the same spots: 1 is the best"},
      {"rendering z, y, x", nm_of_axes(s.rendering_um),
       "distance from true spots to the middle of their light, which is large where spots are "
       "smaller than voxels; the efficiency is that of finding the light"},
  });
}

}  // namespace

std::string spot_sections(const SpotScores& scores, const std::vector<Stratum>& strata) {
  return simulator::section("Scores", table_of_spots(scores)) +
         strata_section(strata,
                        "Photons are those of an exposure, depth that below the first plane, "
                        "nearest the distance to the nearest other true spot.");
}

}  // namespace synthoscope::score
