// SPDX-License-Identifier: MIT
// simulator/data_set/data_set.hpp — the files of a simulated data set: their names, formats and
// records.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>
#include "core/base/json_fwd.hpp"
#include "fftconv/plan.hpp"
#include "simulator/data_set/folder.hpp"
#include "simulator/data_set/layout.hpp"
#include "simulator/data_set/simulate_options.hpp"
#include "simulator/data_set/stack_files.hpp"
#include "simulator/imaging/references.hpp"
#include "simulator/imaging/stacks.hpp"
#include "simulator/truth/objects.hpp"
#include "simulator/world/world.hpp"

namespace synthoscope::simulator {

/// How an image is blurred: in which pieces and with which PSFs. Both references must outlive it.
struct ImageBlur {
  const fftconv::Plan& plan;
  const References& references;
};

/// Returns whether all channels of a frame end up in one file.
bool joins_channels(const SceneSpec& scene, const SimulateOptions& options);

/// Returns the extension of stacks whose names the layout does not prescribe.
std::string_view ending_of(const SimulateOptions& options);

/// Returns the files of the data set that `options` ask for; `blurs` has one entry per image.
DataSetLayout layout_of(const SceneSpec& scene, const SimulateOptions& options,
                        const std::vector<ImageBlur>& blurs);

/// The files of one data set, in a folder that is not yet visible under its name.
class DataSet final : public Stacks {
 public:
  /// Refuses an older folder before work begins. @throws InvalidSpec as DataSetFolder.
  static void require_free(const SimulateOptions& options);

  /// `context` must outlive this: its threads compress, its stop flag is checked.
  /// @throws as DataSetFolder.
  DataSet(const SceneSpec& scene, const SimulateOptions& options,
          const std::vector<ImageBlur>& blurs, const RunContext& context);

  /// Returns the bytes that a stack holds while it is written.
  static std::int64_t buffer_bytes(const Grid& grid, PixelType type, const SimulateOptions& options,
                                   TaskPool& pool);

  /// Makes a stack; labels are written to every file that the layout has for them.
  [[nodiscard]] std::unique_ptr<Sink> create_stack(std::string_view name, std::int64_t frame,
                                                   PixelType type,
                                                   std::size_t channel = 0) const override;
  /// Gives photons or counts of `SimulateOptions::recorded` a second name here. @throws IoError
  void adopt_stack(std::string_view name, std::int64_t frame, std::size_t channel) const;

  [[nodiscard]] std::unique_ptr<Source> open_stack(std::string_view name, std::int64_t frame,
                                                   std::size_t channel = 0) const override;
  [[nodiscard]] std::unique_ptr<Sink> create_psf(const Extent3& extent, const Index3& centre,
                                                 std::size_t channel = 0,
                                                 std::size_t reference = 0) const override;
  [[nodiscard]] std::unique_ptr<Source> open_psf(std::size_t channel,
                                                 std::size_t reference) const override;

  /// Returns the scratch folder of the options, or the set's own folder.
  [[nodiscard]] std::filesystem::path scratch_folder() const override {
    return options().scratch.empty() ? folder_ / "" : options().scratch;
  }

  /// Returns the channels that are imaged of each frame; one for a scene without channels.
  [[nodiscard]] const std::vector<Channel>& channels() const { return stacks_.channels(); }

  /// Returns the grid of "image".
  [[nodiscard]] Grid camera_grid(std::size_t channel = 0) const {
    return stacks_.camera_grid(channel);
  }

  /// Refuses a frame if the readers of the layout do not accept masks with these counts.
  /// @throws InvalidSpec
  void require_accepted(std::int64_t frame, const std::vector<LabelCount>& counts) const;

  void write_text(const std::string& file, std::string_view text) const;

  /// Writes what determines the set, before any other file.
  void begin_record(const Json& record) const;

  /// Moves labels and images to their final places and then writes the record again, with size and
  /// XXH64 of every other file; last of all.
  void complete_record(Json record) const;

  /// Writes world.h5, with the scene in it.
  void write_world(const World& world) const;

  [[nodiscard]] const DataSetLayout& layout() const { return stacks_.layout(); }

  /// Returns the text in which files record how they were made.
  [[nodiscard]] const std::string& provenance() const { return stacks_.provenance(); }

  /// Returns the present path of a file.
  [[nodiscard]] std::filesystem::path path_of(const std::string& file) const {
    return folder_ / file;
  }

  /// Makes the data set visible. @returns the files under their final names.
  std::vector<std::filesystem::path> commit();

 private:
  /// Returns the files in which a stack is made; labels of OME-Zarr are put into its images at the
  /// end.
  [[nodiscard]] std::vector<std::string> names_of(std::string_view stack, std::int64_t frame,
                                                  std::size_t channel) const;
  /// Puts the images of all channels of each frame into one file.
  void join_channels() const;
  void join_channels_of(std::int64_t frame) const;
  /// Removes the photons if the set is not to have them.
  void drop_photons() const;
  void put_labels_into_images() const;
  void put_labels_into(const std::string& image, std::int64_t frame, bool is_last) const;

  [[nodiscard]] const SimulateOptions& options() const { return stacks_.options(); }

  const RunContext& context_;
  StackFiles stacks_;
  Grid grid_;
  DataSetFolder folder_;
};

/// Refuses a layout that cannot hold what the scene asks for, before anything is computed.
/// @throws InvalidSpec  masks and images would have other sizes or another format than its readers
///                      expect, or a frame would have no objects although its readers require some.
void require_holdable(const SceneSpec& scene, const SimulateOptions& options);

inline constexpr const char* kSceneRecord = "scene.json";

}  // namespace synthoscope::simulator
