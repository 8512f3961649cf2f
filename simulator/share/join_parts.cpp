// SPDX-License-Identifier: MIT
#include "simulator/share/join_parts.hpp"
#include <algorithm>
#include "core/base/json.hpp"
#include "imageio/hdf5/tables.hpp"
#include "simulator/base/file_tree.hpp"
#include "simulator/data_set/annotations.hpp"
#include "simulator/data_set/data_set.hpp"
#include "simulator/data_set/pattern_table.hpp"
#include "simulator/data_set/preview.hpp"
#include "simulator/share/data_set_state.hpp"
#include "simulator/timelapse/timelapse.hpp"
#include "simulator/truth/objects.hpp"

namespace synthoscope::simulator {
namespace {

namespace fs = std::filesystem;

/// The parts, read for the whole.
class Joining {
 public:
  Joining(const std::vector<PartOfSet>& parts, const DataSet& files)
      : parts_{parts}, files_{files} {}

  [[nodiscard]] const PartOfSet& first() const { return parts_.front(); }

  /// Puts a file of a part under its name in the whole; the part may be removed after joining.
  void take(const PartOfSet& part, const std::string& file) const {
    link_or_copy(part.folder / file, files_.path_of(file));
  }

  void take_frames() const {
    for (const PartOfSet& part : parts_)
      for (std::int64_t frame = part.frames.first; frame <= part.frames.last; ++frame)
        for (const auto& file : files_.layout().files_of(frame)) take(part, file);
  }

  /// Writes the rows of all parts after the header line of the first, if there is such a line.
  void join_lines(const std::string& file, bool has_names) const {
    std::string all;
    for (const PartOfSet& part : parts_) {
      const std::string text = text_in(part.folder / file);
      const bool leaves_names_out = has_names && !all.empty();
      all += leaves_names_out ? text.substr(text.find('\n') + 1) : text;
    }
    files_.write_text(file, all);
  }

  void join_worlds(const std::string& provenance) const {
    std::vector<imageio::Hdf5Table> tables;
    for (const PartOfSet& part : parts_)
      append_rows(tables,
                  imageio::read_hdf5_tables(
                      part.folder / kWorldFile,
                      "give the world.h5 that synthoscope wrote, or simulate its data set again"));
    write_hdf5_tables(files_.path_of(kWorldFile), tables, provenance, false);
  }

  /// Returns scene.json of the whole, without the sizes and hashes of its files.
  [[nodiscard]] Json record() const {
    Json record = parse_json(text_in(first().folder / kSceneRecord));
    record["files"].erase("frames");
    record["files"].erase("bytes");
    record["files"].erase("xxh64");
    return record;
  }

 private:
  const std::vector<PartOfSet>& parts_;
  const DataSet& files_;
};

}  // namespace

std::vector<fs::path> join_parts(const SceneSpec& scene, const SimulateOptions& options,
                                 const std::vector<PartOfSet>& parts, const RunContext& context) {
  std::vector<References> references;
  for (const Channel& channel : channels_of(scene, options.channel))
    references.push_back(references_of(channel.scene, context.pool));
  const fftconv::Plan none;  // nothing is blurred
  std::vector<ImageBlur> blurs;
  for (const References& of_image : references) blurs.push_back({none, of_image});
  DataSet files{scene, options, blurs, context};
  const DataSetLayout& layout = files.layout();
  const Joining joining{parts, files};
  const Json record = joining.record();
  const auto kept = context.memory.reserve(
      objects_bytes(headcounts_of(scene).all.rows) + SpotTable::bytes(scene) +
          std::max(World::bytes(WorldSize::of(scene)), Timelapse::bytes(scene)) +
          phantom_bytes(fullest_phantom_of(scene), sample_grid(scene)),
      "objects");
  files.begin_record(record);

  // Images and PSFs
  joining.take_frames();
  joining.take(joining.first(), kSceneFile);
  for (const auto& file : layout.psf_files()) joining.take(joining.first(), file);

  // Tables of frames
  joining.join_lines("objects.csv", true);
  write_annotations(scene, text_in(files.path_of("objects.csv")), files, context);
  if (layout.extras().spots) joining.join_lines("spots.csv", true);
  if (layout.extras().pattern)
    files.write_text("pattern.csv", pattern_csv(files.channels(), scene.frames));

  // Tables of the whole: every part of a movie holds all of it
  if (scene.time.is_movie()) {
    if (!layout.tracks().empty()) joining.take(joining.first(), layout.tracks());
    for (const char* file : {kTracksTable, kWorldFile}) joining.take(joining.first(), file);
    const Timelapse timelapse{scene, context};
    write_movie_preview(timelapse, files, context);
  } else {
    if (!layout.tracks().empty()) joining.join_lines(layout.tracks(), false);
    joining.join_worlds(files.provenance());
    joining.take(joining.first(), "preview.png");
  }
  files.complete_record(record);
  if (options.inputs) options.inputs->require_unchanged();
  return files.commit();
}

}  // namespace synthoscope::simulator
