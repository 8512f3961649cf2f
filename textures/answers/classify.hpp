// SPDX-License-Identifier: MIT
// textures/answers/classify.hpp — gives a texture the class of the nearest known texture.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>
#include "core/run/run_context.hpp"
#include "textures/models/texture_model.hpp"

namespace synthoscope::textures {

/// A class, and the nearest of its textures.
struct NearestOfClass {
  std::int64_t of_class = 0;
  std::int64_t texture = 0;  ///< of the model
  double distance = 0;
};

/// The classes of the model, nearest first; classes at the same distance keep their order.
struct Classified {
  std::vector<NearestOfClass> ranking;  ///< at least one

  [[nodiscard]] const NearestOfClass& best() const { return ranking.front(); }
  /// Of the next class, or none.
  [[nodiscard]] const NearestOfClass* second() const {
    return ranking.size() > 1 ? &ranking[1] : nullptr;
  }
  /// How much farther the second class is, over its distance: 0, both are as near, to 1.
  [[nodiscard]] double margin() const;
};

/// What one of them holds at most.
std::int64_t classified_bytes(const TextureModel& model);

/// The classes of the nearest textures of a model; of equally near ones the first.
/// @param left_out  an image whose textures are passed over, to test a model with its own images
/// @throws InvalidSpec  the model has no other textures.
Classified classify(const TextureModel& model, std::span<const float> histogram,
                    std::optional<std::int64_t> left_out = {});

/// The same for many histograms, contiguous, on the threads of the context.
/// @throws Interrupted  a stop was requested.
std::vector<Classified> classify_all(const TextureModel& model, std::span<const float> histograms,
                                     const RunContext& context);

/// The class that most of an image's textures have; of equally many, whose distances are less.
struct Vote {
  std::int64_t of_class = 0;
  std::int64_t votes = 0;  ///< textures of the image that have it
};
Vote majority(std::span<const Classified> textures, std::int64_t classes);

/// How well a model knows its own images.
struct LeaveOneOutResult {
  std::int64_t right = 0;  ///< textures that the other images classify correctly
  std::int64_t all = 0;    ///< textures that could be: of images with others of their class
  std::int64_t alone = 0;  ///< images that are the only one of their class

  [[nodiscard]] std::optional<double> accuracy() const {
    if (all == 0) return {};
    return static_cast<double>(right) / static_cast<double>(all);
  }
};
/// @throws Interrupted  a stop was requested.
LeaveOneOutResult leave_one_out(const TextureModel& model, const RunContext& context);

}  // namespace synthoscope::textures
