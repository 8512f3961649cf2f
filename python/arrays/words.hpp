// SPDX-License-Identifier: MIT
// python/arrays/words.hpp — visual words of arrays, and of files, for Python.
#pragma once
#include <nanobind/nanobind.h>
#include <string>
#include "kernels/visual_words/histogram_distance.hpp"
#include "kernels/visual_words/texture_features.hpp"

namespace synthoscope::python {

/// How a texture is measured, as Python says it.
struct HowMeasured {
  std::string bank;
  bool standardised = true, contrast_normalised = false;
  double depth_ratio = 1;
};

/// @throws InvalidSpec  there is no such name: lists the names.
kernels::FeatureSpec spec_of(const HowMeasured& how);
kernels::HistogramDistance distance_of(const std::string& how);

/// Adds feature_count, texture_features, word_map, learn_words, assign_words, word_histogram and
/// histogram_distance.
void add_visual_words(nanobind::module_& module);

}  // namespace synthoscope::python
