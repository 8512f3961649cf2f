// SPDX-License-Identifier: MIT
// The module synthoscope._core: what the Python package calls. Not for users.
#include <nanobind/nanobind.h>
#include "core/base/version.hpp"
#include "python/arrays/functions.hpp"
#include "python/arrays/words.hpp"
#include "python/files/convolve_file.hpp"
#include "python/files/deconvolve_file.hpp"
#include "python/files/texture_models.hpp"
#include "python/fit/fit.hpp"
#include "python/gpu/on_gpu.hpp"
#include "python/score/score.hpp"
#include "python/session/errors.hpp"
#include "python/simulate/simulate.hpp"

NB_MODULE(_core, module) {
  module.doc() = "Internal functions of synthoscope; use the public Python functions.";
  module.attr("version") =
      nanobind::str(synthoscope::kVersion.data(), synthoscope::kVersion.size());
  synthoscope::python::translate_errors();
  synthoscope::python::add_convolve(module);
  synthoscope::python::add_convolve_file(module);
  synthoscope::python::add_convolve_on_gpu(module);
  synthoscope::python::add_correlate(module);
  synthoscope::python::add_deconvolve_file(module);
  synthoscope::python::add_line_filters(module);
  synthoscope::python::add_local_statistics(module);
  synthoscope::python::add_fit(module);
  synthoscope::python::add_look_up(module);
  synthoscope::python::add_neighbourhood_on_gpu(module);
  synthoscope::python::add_scene(module);
  synthoscope::python::add_score(module);
  synthoscope::python::add_score_results(module);
  synthoscope::python::add_compare_images(module);
  synthoscope::python::add_optical_parts(module);
  synthoscope::python::add_simulate(module);
  synthoscope::python::add_texture_training(module);
  synthoscope::python::add_texture_models(module);
  synthoscope::python::add_texture_comparison(module);
  synthoscope::python::add_visual_words(module);
}
