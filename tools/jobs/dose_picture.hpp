// SPDX-License-Identifier: MIT
// tools/jobs/dose_picture.hpp — a scene at several doses, side by side in a picture.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>
#include "fftconv/executor.hpp"
#include "simulator/scene/scene.hpp"
#include "tools/options/command.hpp"

namespace synthoscope::tools {

/// The option --doses and what it makes.
class DosePicture {
 public:
  /// Where the picture goes.
  struct Output {
    std::filesystem::path picture;  ///< empty: the terminal
    bool overwrite = false, json = false;
  };

  void describe(OptionTable& table);
  [[nodiscard]] bool is_wanted() const { return !doses_.empty(); }

  /// @throws InvalidSpec  `picture` is no name of a PNG, or is missing and there is no terminal.
  static void require_output(const std::filesystem::path& picture, bool overwrite);

  /// Records the first frame at every dose, draws a row of planes for each channel, and prints dose
  /// and signal to noise of each. Each plane has its own range of brightness, as in `show`.
  /// @throws as record_doses
  void draw(const simulator::SceneSpec& scene, const std::optional<std::string>& channel,
            const Output& output, fftconv::Executor& blur, const RunContext& context,
            const Invocation& invocation) const;

 private:
  std::vector<double> doses_;
};

}  // namespace synthoscope::tools
