// SPDX-License-Identifier: MIT
// fit/estimates/findings.hpp — what a stage of a fit found, and what it could not tell.
#pragma once
#include <string>
#include <vector>
#include "core/base/names.hpp"
#include "fit/estimates/estimate.hpp"

namespace synthoscope::fit {

/// The stages of a fit, in the order in which they run: each uses what those before it found.
enum class Stage { camera, shapes, light, blur, texture };
inline constexpr NameTable<Stage, 5> kStageNames{{{Stage::camera, "camera"},
                                                  {Stage::shapes, "shapes"},
                                                  {Stage::light, "light"},
                                                  {Stage::blur, "blur"},
                                                  {Stage::texture, "texture"}}};

/// A curve or a cloud of points for the report.
struct Plot {
  std::string title, x_label, y_label;
  std::vector<double> x, y;                      ///< points
  std::vector<double> line_x, line_y;            ///< a line through them; may be empty
  std::string points_name = {}, line_name = {};  ///< for the legend
};

/// A number that was measured alike in real images and in those of the twin.
struct ComparedNumber {
  std::string name;
  double real = 0, twin = 0;
  double off = 0;  ///< twin less real, in standard errors
};

struct Findings {
  Stage stage = Stage::camera;
  std::vector<Estimate> estimates;
  std::vector<std::string> untold;       ///< what the images do not tell, and why: sentences
  std::string refusal;                   ///< why the stage found nothing at all; empty if it did
  std::vector<ComparedNumber> compared;  ///< what the keys were fitted to, at the end of the fit
  std::vector<Plot> plots;
  /// How much farther out real objects reach than their labels; below 0 if labels are too large.
  double label_outset_um = 0;
  bool changes_light = false;  ///< brightness that was found before must be found again
};

}  // namespace synthoscope::fit
