// SPDX-License-Identifier: MIT
// python/files/texture_models.hpp — texture models of files and arrays for Python: trained,
// applied, compared.
#pragma once
#include <nanobind/nanobind.h>
#include <optional>
#include <string>
#include <utility>
#include "python/session/session.hpp"

namespace synthoscope::python {

/// Threads, memory and a listener, as every function below takes them.
struct Resources {
  std::optional<int> workers;
  std::optional<std::string> memory;
  nanobind::object progress;

  /// Calls `work(context)` in a new session. @throws as Session
  template <class Work>
  void run(Work&& work) const {
    Session session{workers, memory, progress};
    session.run(std::forward<Work>(work));
  }
};

/// Adds the class `TextureTraining`: how words are learned and textures are measured.
void add_texture_training(nanobind::module_& module);

/// Adds the classes `TextureModel`, `AboutImages` and `Resources`, and the functions `images_in`
/// and `wilson_interval`.
void add_texture_models(nanobind::module_& module);

/// Adds `compare_textures`.
void add_texture_comparison(nanobind::module_& module);

}  // namespace synthoscope::python
