// SPDX-License-Identifier: MIT
// simulator/data_set/layout.hpp — where the files of a data set lie, as its readers expect them.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#include "core/base/names.hpp"
#include "simulator/base/frames.hpp"

namespace synthoscope::simulator {

/// The convention for names and folders of images and masks.
enum class TruthLayout { native, ctc, stardist, cellpose, coco, yolo, napari };
inline constexpr NameTable<TruthLayout, 7> kTruthLayoutNames{{
    {TruthLayout::native, "native"},
    {TruthLayout::ctc, "ctc"},
    {TruthLayout::stardist, "stardist"},
    {TruthLayout::cellpose, "cellpose"},
    {TruthLayout::coco, "coco"},
    {TruthLayout::yolo, "yolo"},
    {TruthLayout::napari, "napari"},
}};

/// The table of a movie's tracks, in every layout.
inline constexpr const char* kTracksTable = "tracks.csv";

/// Tables of objects for other programs: see annotations.hpp.
inline constexpr const char* kCocoTable = "annotations.json";
inline constexpr const char* kYoloClasses = "data.yaml";
inline constexpr const char* kNapariPoints = "points.csv";
inline constexpr const char* kNapariTracks = "tracks-napari.csv";

/// The extension of stacks that are folders.
inline constexpr const char* kOmeZarrEnding = ".ome.zarr";

/// The file with every object in numbers.
inline constexpr const char* kWorldFile = "world.h5";
inline constexpr const char* kSceneFile = "scene.toml";  ///< which runs as it is

/// Relative paths of all files of one data set, with FRAME as 000, or 0000 beyond 1000 frames:
///
///     native    image_tFRAME, labels_tFRAME; for a single frame image, labels; for channels
///               image_CHANNEL_tFRAME or image_CHANNEL each, and one set of labels. Joined channels
///               are one image
///     ctc       01/tFRAME.tif, 01_GT/SEG/man_segFRAME.tif, 01_GT/TRA/man_trackFRAME.tif
///               and 01_GT/TRA/man_track.txt: the Cell Tracking Challenge
///     stardist  images/tFRAME.tif, masks/tFRAME.tif
///     cellpose  images/tFRAME.tif, images/tFRAME_masks.tif: a folder that holds such pairs alone
///     coco      as stardist, and annotations.json
///     yolo      as stardist, and labels/tFRAME.txt and data.yaml
///     napari    as stardist, and points.csv; for a movie tracks-napari.csv
///     truth     structures_tFRAME (structures for a single native frame) for objects that consist
///               of structures, and spots.csv if there are spots
///     OME-Zarr  native; labels/objects and labels/structures in the folder of every image, for
///               labels and structures
///     all       photons_tFRAME (photons for a single native frame) unless they are left out, psf,
///               light_tFRAME or light, likewise, if output.light asks for it, objects.csv,
///               world.h5, scene.toml, scene.json and preview.png; for a movie tracks.csv; for
///               stripes pattern.csv; photons_CHANNEL_tFRAME, light_CHANNEL_tFRAME and psf_CHANNEL
///               for channels; if a PSF varies over the volume, psf.refNN for each reference, from
///               01 on
class DataSetLayout {
 public:
  /// Files that not every scene has.
  struct Extras {
    bool structures = false, spots = false, movie = false, pattern = false;
    bool joined = false;  ///< the channels of a frame are one image
    bool photons = true;  ///< the finished set has the noise-free photons
    bool light = false;   ///< the set has the light before the blur
  };

  /// `ending` is the extension of every image whose name the layout does not prescribe, such as
  /// ".ome.tif".
  DataSetLayout(TruthLayout layout, std::int64_t frames, std::string ending)
      : DataSetLayout{layout, frames, std::move(ending), {}, {}} {}
  /// @param channels  names of the imaged channels, at most one except in the native layout; empty
  ///                  for a scene without channels
  /// @param part      frames that are made; absent: all
  /// @param psfs      number of PSFs of each image; empty: one each
  DataSetLayout(TruthLayout layout, std::int64_t frames, std::string ending, Extras extras,
                std::vector<std::string> channels = {}, std::optional<FrameRange> part = {},
                std::vector<std::size_t> psfs = {});

  /// Returns the image of a channel. Joined channels share one.
  [[nodiscard]] std::string image(std::int64_t frame, std::size_t channel = 0) const;
  /// Returns the path of a channel's image while images are made.
  [[nodiscard]] std::string unjoined(std::int64_t frame, std::size_t channel) const {
    return extras_.joined ? native(of_channel("image", channel), frame) : image(frame, channel);
  }
  /// Returns the masks of a frame, as many copies as the layout has.
  [[nodiscard]] std::vector<std::string> labels(std::int64_t frame) const;
  [[nodiscard]] std::string photons(std::int64_t frame, std::size_t channel = 0) const;
  [[nodiscard]] std::string light(std::int64_t frame, std::size_t channel = 0) const;
  [[nodiscard]] std::vector<std::string> structures(std::int64_t frame) const;

  /// Returns whether labels and structures end up in the folders of the images.
  [[nodiscard]] bool nests_labels() const { return ending_ == kOmeZarrEnding; }
  /// Returns the path of labels or structures while the images are made.
  [[nodiscard]] std::string unnested(std::string_view stack, std::int64_t frame) const {
    return native(stack, frame);
  }
  [[nodiscard]] const Extras& extras() const { return extras_; }
  [[nodiscard]] std::string psf(std::size_t channel = 0, std::size_t reference = 0) const;
  [[nodiscard]] std::size_t psfs(std::size_t channel = 0) const {
    return psfs_.empty() ? 1 : psfs_[channel];
  }

  /// Returns the frames that are made: all, or a part.
  [[nodiscard]] const FrameRange& frames() const { return made_; }

  /// Returns the number of images per frame, 1 for a scene without channels.
  [[nodiscard]] std::size_t images() const { return channels_.empty() ? 1 : channels_.size(); }

  /// Returns the layout's own table of tracks; empty if it has none.
  [[nodiscard]] std::string tracks() const;

  [[nodiscard]] TruthLayout kind() const { return layout_; }
  /// Returns the boxes of a frame in the layout yolo.
  [[nodiscard]] std::string boxes(std::int64_t frame) const;
  /// Returns what write_annotations writes.
  [[nodiscard]] std::vector<std::string> annotations() const;

  /// Returns the folders to make, each after its parent.
  [[nodiscard]] std::vector<std::string> folders() const;

  /// Returns images and masks of a frame; a folder that is an image holds its masks.
  [[nodiscard]] std::vector<std::string> files_of(std::int64_t frame) const;

  /// Returns the file of every PSF.
  [[nodiscard]] std::vector<std::string> psf_files() const;

  /// Returns every file.
  [[nodiscard]] std::vector<std::string> files() const;

  /// Returns whether image and masks are plain TIFF, whatever the other files are.
  [[nodiscard]] bool is_plain() const { return layout_ != TruthLayout::native; }

 private:
  [[nodiscard]] std::string number(std::int64_t frame) const;
  [[nodiscard]] std::string native(std::string_view name, std::int64_t frame) const;
  /// Returns "image_gfp", or "image" for a scene without channels.
  [[nodiscard]] std::string of_channel(std::string_view name, std::size_t channel) const;
  /// Returns "image_t003.ome.zarr/labels/objects", one for each image of the frame.
  [[nodiscard]] std::vector<std::string> nested(std::string_view name, std::int64_t frame) const;

  TruthLayout layout_;
  std::int64_t frames_;  ///< of the whole data set
  FrameRange made_;
  std::string ending_;
  Extras extras_;
  std::vector<std::string> channels_;
  std::vector<std::size_t> psfs_;
};

/// Returns whether a simulation, with any layout, format and number of frames, can have written a
/// file of this relative path, or made it as a folder if it ends in "/".
bool may_be_simulated(const std::string& path);

}  // namespace synthoscope::simulator
