// SPDX-License-Identifier: MIT
// python/score/score.hpp — scores of results for Python, from files or arrays.
#pragma once
#include <nanobind/nanobind.h>

namespace synthoscope::python {

/// Adds `score_labels`, which returns what the command `score --json` prints.
void add_score(nanobind::module_& module);

/// Adds `score_tracks`, `score_spots` and `score_image`, likewise.
void add_score_results(nanobind::module_& module);

/// Adds `compare_images`, which returns what the command `compare --json` prints, and its page.
void add_compare_images(nanobind::module_& module);

}  // namespace synthoscope::python
