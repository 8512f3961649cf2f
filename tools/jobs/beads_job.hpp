// SPDX-License-Identifier: MIT
// tools/jobs/beads_job.hpp — a PSF from an image of beads.
#pragma once
#include <filesystem>
#include <optional>
#include "core/base/json_fwd.hpp"
#include "imageio/run/run_files.hpp"
#include "simulator/measurement/bead_average.hpp"
#include "simulator/measurement/psf_figures.hpp"
#include "simulator/optics/pupil/optics_spec.hpp"
#include "tools/options/image.hpp"

namespace synthoscope::tools {

/// What is made of an image of beads.
struct BeadsResult {
  simulator::FoundBeads beads;
  simulator::BeadAverage average;
  simulator::PsfFigures figures;
  VoxelSize pitch;
};

/// The options of `psf --from-beads`, and what they do.
class BeadsJob {
 public:
  void describe(OptionTable& table);
  [[nodiscard]] bool is_wanted() const { return !stack_.empty(); }
  [[nodiscard]] const std::filesystem::path& stack() const { return stack_; }
  void name_files(imageio::RunFiles& files) const;
  /// Returns what determines the result, for its record.
  [[nodiscard]] Json request() const;

  /// @throws InvalidSpec  a table or spread exists, or the window has no middle voxel.
  void require_valid(const std::optional<Extent3>& window, const FileOptions& file) const;

  /// Finds, aligns and averages beads. The mean is scaled as `normalization` says.
  /// Writes the table also if no bead can be used, and replaces one if `overwrite` is set.
  /// @param window  absent: chosen
  /// @throws as find_beads and average_beads
  BeadsResult run(const InputOptions& input, const std::optional<Extent3>& window,
                  simulator::PsfNormalization normalization, bool overwrite,
                  const RunContext& context) const;

  /// Writes the table and the spread, where they are wanted.
  void write(const BeadsResult& result, const FileOptions& file, const RunContext& context) const;

  /// Prints where the PSF is, its widths, and the beads with what was refused.
  void print(const BeadsResult& result, const std::filesystem::path& output, bool json,
             const Invocation& invocation) const;

 private:
  void write_table(const BeadsResult& result, bool overwrite) const;

  std::filesystem::path stack_, table_, spread_;
  double bead_um_ = 0;
};

}  // namespace synthoscope::tools
