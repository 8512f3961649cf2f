// SPDX-License-Identifier: MIT
#include "simulator/data_set/layout.hpp"
#include <fmt/format.h>
#include <regex>
#include <utility>
#include "imageio/zarr/folder.hpp"

namespace synthoscope::simulator {

DataSetLayout::DataSetLayout(TruthLayout layout, std::int64_t frames, std::string ending,
                             Extras extras, std::vector<std::string> channels,
                             std::optional<FrameRange> part, std::vector<std::size_t> psfs)
    : layout_{layout},
      frames_{frames},
      made_{part.value_or(FrameRange{0, frames - 1})},
      ending_{std::move(ending)},
      extras_{extras},
      channels_{std::move(channels)},
      psfs_{std::move(psfs)} {}

std::string DataSetLayout::number(std::int64_t frame) const {
  return fmt::format("{:0{}}", frame, frames_ > 1000 ? 4 : 3);
}

std::string DataSetLayout::native(std::string_view name, std::int64_t frame) const {
  const bool single = frames_ == 1 && layout_ == TruthLayout::native;
  return single ? fmt::format("{}{}", name, ending_)
                : fmt::format("{}_t{}{}", name, number(frame), ending_);
}

std::string DataSetLayout::of_channel(std::string_view name, std::size_t channel) const {
  return channels_.empty() ? std::string{name} : fmt::format("{}_{}", name, channels_[channel]);
}

std::string DataSetLayout::image(std::int64_t frame, std::size_t channel) const {
  switch (layout_) {
    case TruthLayout::native:
      return native(extras_.joined ? "image" : of_channel("image", channel), frame);
    case TruthLayout::ctc:
      return fmt::format("01/t{}.tif", number(frame));
    case TruthLayout::stardist:
    case TruthLayout::cellpose:
    case TruthLayout::coco:
    case TruthLayout::yolo:
    case TruthLayout::napari:
      return fmt::format("images/t{}.tif", number(frame));
  }
  return {};
}

std::vector<std::string> DataSetLayout::labels(std::int64_t frame) const {
  switch (layout_) {
    case TruthLayout::native:
      return nests_labels() ? nested("objects", frame)
                            : std::vector<std::string>{native("labels", frame)};
    case TruthLayout::ctc:
      return {fmt::format("01_GT/SEG/man_seg{}.tif", number(frame)),
              fmt::format("01_GT/TRA/man_track{}.tif", number(frame))};
    case TruthLayout::cellpose:
      return {fmt::format("images/t{}_masks.tif", number(frame))};
    case TruthLayout::stardist:
    case TruthLayout::coco:
    case TruthLayout::yolo:
    case TruthLayout::napari:
      return {fmt::format("masks/t{}.tif", number(frame))};
  }
  return {};
}

std::string DataSetLayout::photons(std::int64_t frame, std::size_t channel) const {
  return native(of_channel("photons", channel), frame);
}

std::string DataSetLayout::light(std::int64_t frame, std::size_t channel) const {
  return native(of_channel("light", channel), frame);
}

std::string DataSetLayout::psf(std::size_t channel, std::size_t reference) const {
  const std::string name = of_channel("psf", channel);
  return psfs(channel) == 1 ? name + ending_
                            : fmt::format("{}.ref{:02}{}", name, reference + 1, ending_);
}

std::vector<std::string> DataSetLayout::structures(std::int64_t frame) const {
  return nests_labels() ? nested("structures", frame)
                        : std::vector<std::string>{native("structures", frame)};
}

std::vector<std::string> DataSetLayout::nested(std::string_view name, std::int64_t frame) const {
  std::vector<std::string> names;
  for (std::size_t channel = 0; channel < images(); ++channel)
    names.push_back(fmt::format("{}/labels/{}", image(frame, channel), name));
  return names;
}

std::string DataSetLayout::tracks() const {
  return layout_ == TruthLayout::ctc ? "01_GT/TRA/man_track.txt" : "";
}

std::string DataSetLayout::boxes(std::int64_t frame) const {
  return fmt::format("labels/t{}.txt", number(frame));
}

std::vector<std::string> DataSetLayout::annotations() const {
  if (layout_ == TruthLayout::coco) return {kCocoTable};
  if (layout_ == TruthLayout::napari)
    return extras_.movie ? std::vector<std::string>{kNapariPoints, kNapariTracks}
                         : std::vector<std::string>{kNapariPoints};
  if (layout_ != TruthLayout::yolo) return {};
  std::vector<std::string> files{kYoloClasses};
  for (std::int64_t frame = made_.first; frame <= made_.last; ++frame)
    files.push_back(boxes(frame));
  return files;
}

std::vector<std::string> DataSetLayout::folders() const {
  switch (layout_) {
    case TruthLayout::native:
      return {};
    case TruthLayout::ctc:
      return {"01", "01_GT", "01_GT/SEG", "01_GT/TRA"};
    case TruthLayout::cellpose:
      return {"images"};
    case TruthLayout::yolo:
      return {"images", "masks", "labels"};
    case TruthLayout::stardist:
    case TruthLayout::coco:
    case TruthLayout::napari:
      return {"images", "masks"};
  }
  return {};
}

std::vector<std::string> DataSetLayout::files_of(std::int64_t frame) const {
  std::vector<std::string> files;
  if (!nests_labels()) files = labels(frame);
  if (!nests_labels() && extras_.structures) files.push_back(structures(frame).front());
  for (std::size_t channel = 0; channel < images(); ++channel) {
    if (extras_.light) files.push_back(light(frame, channel));
    if (extras_.photons) files.push_back(photons(frame, channel));
    if (channel == 0 || !extras_.joined) files.push_back(image(frame, channel));
  }
  return files;
}

std::vector<std::string> DataSetLayout::psf_files() const {
  std::vector<std::string> files;
  for (std::size_t channel = 0; channel < images(); ++channel)
    for (std::size_t i = 0; i < psfs(channel); ++i) files.push_back(psf(channel, i));
  return files;
}

std::vector<std::string> DataSetLayout::files() const {
  std::vector<std::string> files;
  const auto add = [&](std::vector<std::string> more) {
    for (auto& file : more) files.push_back(std::move(file));
  };
  for (std::int64_t frame = made_.first; frame <= made_.last; ++frame) add(files_of(frame));
  if (!tracks().empty()) files.push_back(tracks());
  add(annotations());
  if (extras_.movie) files.emplace_back(kTracksTable);
  add(psf_files());
  if (extras_.spots) files.push_back("spots.csv");
  if (extras_.pattern) files.push_back("pattern.csv");
  add({"objects.csv", kWorldFile, kSceneFile, "scene.json", "preview.png"});
  return files;
}

namespace {

/// Returns whether a path is a stack that is a folder, the folder that it grows in, or inside one.
bool may_be_zarr(const std::string& path) {
  static const std::regex kStack{
      "((labels|structures|(image|photons|light)(_[A-Za-z0-9_-]+)?)(_t[0-9]{3,4})?"
      "|psf(_[A-Za-z0-9_-]+)?(\\.ref[0-9]{2})?)\\.ome\\.zarr(\\.partial|\\.chunks)?"};
  static const std::regex kLabels{"labels/((objects|structures)/)?"};
  const auto end = path.find('/');
  if (!std::regex_match(path.substr(0, end), kStack)) return false;
  if (end == std::string::npos) return true;
  std::string inside = path.substr(end + 1);
  std::smatch labels;
  if (std::regex_search(inside, labels, kLabels, std::regex_constants::match_continuous))
    inside = inside.substr(static_cast<std::size_t>(labels.length()));
  return imageio::is_zarr_name(inside);
}

}  // namespace

bool may_be_simulated(const std::string& path) {
  static const std::regex kFiles{
      "(labels|structures|(image|photons|light)(_[A-Za-z0-9_-]+)?)(_t[0-9]{3,4})?"
      "\\.(ome\\.tif|tif|h5|h5\\.chunks)"
      "|psf(_[A-Za-z0-9_-]+)?(\\.ref[0-9]{2})?\\.(ome\\.tif|tif|h5|h5\\.chunks)"
      "|(objects|spots|tracks|pattern|points|tracks-napari)\\.csv|world\\.h5|scene\\.(json|toml)|"
      "preview\\.png"
      "|annotations\\.json|data\\.yaml|labels/t[0-9]{3,4}\\.txt"
      "|01/t[0-9]{3,4}\\.tif"
      "|01_GT/(SEG/man_seg|TRA/man_track)[0-9]{3,4}\\.tif"
      "|01_GT/TRA/man_track\\.txt"
      "|(images|masks)/t[0-9]{3,4}(_masks)?\\.tif"};
  static const std::regex kFolders{"01/|01_GT/((SEG|TRA)/)?|images/|masks/|labels/"};
  if (may_be_zarr(path)) return true;
  return std::regex_match(path, path.ends_with('/') ? kFolders : kFiles);
}

}  // namespace synthoscope::simulator
