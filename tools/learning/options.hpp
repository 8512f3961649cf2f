// SPDX-License-Identifier: MIT
// tools/learning/options.hpp — what the commands about visual words have in common.
#pragma once
#include <functional>
#include <optional>
#include "core/base/json_fwd.hpp"
#include "jobs/bricks/brick_place.hpp"
#include "textures/images/image_runner.hpp"
#include "textures/models/train.hpp"
#include "tools/options/image.hpp"
#include "tools/options/run.hpp"
#include "tools/options/table.hpp"
#include "tools/options/work.hpp"

namespace synthoscope::tools {

/// How textures are measured and words are learned, for commands that do the latter.
struct LearningOptions {
  textures::TrainingSpec spec;
  std::optional<std::int64_t> seed;
  std::string_view when = "without --model";        ///< words are learned, in help and messages
  std::string_view without_patch = "whole images";  ///< what is taken without a patch

  /// @param learns  whether words are learned, which all options together tell; where they are
  ///                not, options but the patch and the seed are refused
  void describe(OptionTable& table, const std::function<bool()>& learns = {});
  /// The specification, with a seed that is drawn where none is given.
  [[nodiscard]] textures::TrainingSpec drawn() const;

 private:
  void describe_measuring(OptionTable& table, const std::function<bool()>& learns);
};

/// "64", "64,64" or "1,64,64": a patch of all planes, or of some. @throws InvalidSpec
Extent3 parse_patch(std::string_view text);

/// Runs operations where the command's options want them to.
class PlacedRunner final : public textures::ImageRunner {
 public:
  explicit PlacedRunner(jobs::BrickPlace& place) : place_{place} {}
  void run(kernels::Operation& operation, Source& source, Sink& sink, double host_seconds,
           const RunContext& context) override;

 private:
  jobs::BrickPlace& place_;
};

/// What words were learned from, and how it went.
Json training_json(const textures::TextureModel& model);

}  // namespace synthoscope::tools
