// SPDX-License-Identifier: MIT
// simulator/data_set.hpp — the files of a simulated data set: their names, formats and records.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>
#include "fftconv/plan.hpp"
#include "simulator/data_set_folder.hpp"
#include "simulator/pipeline.hpp"

namespace synthoscope::simulator {

/// Opens the files of one data set in a folder that is not yet visible under its name.
class DataSet {
 public:
  /// Refuses an older folder before work begins. @throws InvalidSpec as DataSetFolder.
  static void require_free(const SimulateOptions& options);

  /// @throws as DataSetFolder.
  /// `context` must outlive this: its threads compress, its stop is looked at.
  DataSet(const SceneSpec& scene, const SimulateOptions& options, const RunContext& context);

  /// What a stack holds while it is written.
  static std::int64_t buffer_bytes(const Grid& grid, PixelType type, const SimulateOptions& options,
                                   TaskPool& pool);

  /// A stack on the scene's grid: "labels", "photons"; on the camera's, where it bins: "image".
  [[nodiscard]] std::unique_ptr<Sink> create_stack(std::string_view name, PixelType type) const;

  /// A finished stack.
  [[nodiscard]] std::unique_ptr<Source> open_stack(std::string_view name) const;

  /// The PSF with its centre, on the scene's pitch.
  [[nodiscard]] std::unique_ptr<Sink> create_psf(const Extent3& extent, const Index3& centre) const;

  /// The grid of "image".
  [[nodiscard]] const Grid& camera_grid() const { return camera_grid_; }

  void write_text(const std::string& file, std::string_view text) const;

  /// Where a file is now, and what an image is called: "labels.ome.tif".
  [[nodiscard]] std::filesystem::path path_of(const std::string& file) const {
    return folder_ / file;
  }
  [[nodiscard]] std::string image_file(std::string_view name) const;

  /// Makes the data set visible. @returns the files under their final names.
  std::vector<std::filesystem::path> commit();

 private:
  SimulateOptions options_;
  const RunContext& context_;
  Grid grid_, camera_grid_;
  std::string provenance_;
  DataSetFolder folder_;
};

/// scene.json: version, effective scene with its seed, and the grid of the blur. Equal requests
/// give equal bytes.
std::string scene_record(const SceneSpec& scene, const fftconv::Plan& plan);

}  // namespace synthoscope::simulator
