// SPDX-License-Identifier: MIT
// Renders the phantom of a scene: the first phase alone.
#include "simulator/phantom/phantom.hpp"
#include <fmt/format.h>
#include "core/base/json.hpp"
#include "core/base/stopwatch.hpp"
#include "core/base/version.hpp"
#include "core/stream/carry.hpp"
#include "core/stream/store_as.hpp"
#include "imageio/formats.hpp"
#include "imageio/run/provenance.hpp"
#include "simulator/phantom/cells/organelles.hpp"
#include "simulator/phantom/kinds.hpp"
#include "simulator/scene/blur_setup.hpp"
#include "simulator/scene/channels.hpp"
#include "simulator/scene/file/inputs.hpp"
#include "simulator/scene/file/scene_file.hpp"
#include "simulator/timelapse/timelapse.hpp"
#include "tools/commands/commands.hpp"
#include "tools/options/image.hpp"
#include "tools/options/rows.hpp"
#include "tools/options/run.hpp"
#include "tools/options/scene.hpp"
#include "tools/terminal/result.hpp"

namespace synthoscope::tools {
namespace {

class PhantomCommand final : public Command {
 public:
  [[nodiscard]] std::string_view name() const override { return "phantom"; }
  [[nodiscard]] std::string_view summary() const override {
    return "Renders the phantom of a scene. The image contains the photons emitted by each voxel "
           "in one exposure, before any optics, also of the scene's margin.";
  }
  void describe(OptionTable& table) override {
    table.add_argument(
        required(path_row("SCENE", "", scene_.file, "scene to render, a TOML file")));
    table.group("Result");
    table.add(required(
        lettered('o', path_row("output", "OUT", output_, "file to write, such as out.ome.tif"))));
    table.add(path_row("labels", "LABELS", labels_,
                       "file to write with the number of the object in each voxel"));
    table.add(whole_row("frame", "N", frame_, 0, "0", "frame of the scene to render, from 0"));
    scene_.describe(table);
    table.add(channel_row(channel_, "the first"));
    file_.describe(table);
    run_.describe_for_one_stage(table);
  }

 private:
  void run(const Invocation& invocation) override;
  void name_files(imageio::RunFiles& files) const override {
    files.add_input("scene", scene_.file);
    files.add_output_image("result", output_, file_.format);
    files.add_output_image("labels", labels_, file_.format);
  }
  /// A file that is whole, and has not got its name yet.
  std::unique_ptr<imageio::ImageFile> written(Source& voxels, const std::filesystem::path& path,
                                              Session& session) const;
  [[nodiscard]] std::string provenance() const;

  SceneOptions scene_;
  std::optional<std::string> channel_;
  simulator::SceneSpec described_;  ///< as the channel sees it
  std::filesystem::path output_, labels_;
  std::optional<std::int64_t> frame_;
  FileOptions file_;
  RunOptions run_;
};

void PhantomCommand::run(const Invocation& invocation) {
  described_ = channel_of(scene_.scene(), channel_).scene;
  files_.finish_input(scene_.file);
  if (!described_.seed) described_.seed = drawn_seed();
  if (frame_.value_or(0) >= described_.frames)
    throw InvalidSpec(fmt::format("phantom: --frame is {}, and the scene has {}, from 0 to {}",
                                  *frame_, described_.frames, described_.frames - 1));
  std::vector<std::filesystem::path> outputs{output_};
  if (!labels_.empty()) outputs.push_back(labels_);
  add_inputs("file of the scene", input_files_of(described_));
  for (const auto& output : outputs) require_new_image(output, file_);
  Session session{run_, invocation};
  const RunContext context = session.context();
  Stopwatch& watch = invocation.clock.watch();
  const double begin = invocation.clock.wall_seconds();
  const std::int64_t frame = frame_.value_or(0);
  const auto objects = context.memory.reserve(
      3 * phantom_bytes(fullest_phantom_of(described_), sample_grid(described_)) +
          simulator::Timelapse::bytes(described_) + shared_bytes(described_),
      "objects");
  const simulator::Timelapse timelapse{described_, context};
  const simulator::Phantom phantom = timelapse.phantom(frame, context);
  if (timelapse.movie())  // others are told as they are drawn
    warn_of_missing_organelles(described_.cells, phantom.cells, context.log);
  const auto shifted = timelapse.shifted_by_focus_drift(phantom, frame);
  const simulator::Phantom sample = on_sample_grid(shifted ? *shifted : phantom, described_);
  watch.lap("phantom");
  simulator::PhantomSource light{sample, described_.light};
  std::vector<std::unique_ptr<imageio::ImageFile>> files;
  files.push_back(written(light, output_, session));
  watch.lap("light");
  if (!labels_.empty()) {
    const auto labels = timelapse.masks(phantom, timelapse.labels_of(frame).labels);
    files.push_back(written(*labels, labels_, session));
    watch.lap("labels");
  }
  imageio::RunRecord record;
  record.inputs = files_.inputs().records(&session.pool(), &invocation.stop);
  watch.lap("hash inputs");
  for (const auto& file : files) file->close();  // from here on nothing is interrupted
  watch.lap("sync");

  record.command_line = invocation.command_line;
  record.request_json = provenance();
  record.seconds = invocation.clock.wall_seconds() - begin;
  record.stage_seconds = watch.stages();
  record.warnings = invocation.console.warnings();
  imageio::write_record(output_, record, file_.overwrite);
  invocation.console.finish();
  watch.lap("record");
  if (!run_.json)
    return print_summary(fmt::format("{}: {} objects in {}, seed {}", output_.string(),
                                     phantom.count(), sample.grid.extent, *described_.seed));
  print_json(Json{{"output", output_.string()},
                  {"extent", json_of(sample.grid.extent)},
                  {"objects", phantom.count()},
                  {"seed", *described_.seed},
                  {"run", invocation.clock.json()},
                  {"warnings", invocation.console.warnings()}});
}

std::unique_ptr<imageio::ImageFile> PhantomCommand::written(Source& voxels,
                                                            const std::filesystem::path& path,
                                                            Session& session) const {
  const RunContext context = session.context();
  imageio::ImageSpec spec =
      spec_on(described_.grid.pitch, voxels.extent(), voxels.pixel_type(), file_);
  spec.format = imageio::format_of(path, file_.format);
  spec.pool = &session.pool();
  spec.buffer_bytes = context.memory.limit() / 16;
  spec.provenance = provenance();
  spec.stop = &context.stop;
  spec.labels = !is_floating(spec.type);
  const auto blocks = reserve_writing(spec, context);
  StoreAs as_they_are{spec.type};
  auto sink = imageio::create_image(path, spec);
  carry(spec.type == PixelType::uint16 ? "labels" : "light", voxels, as_they_are, *sink, context);
  sink->build();
  return sink;
}

/// Only what determines the voxels: equal requests give equal files.
std::string PhantomCommand::provenance() const {
  const Json all = parse_json(simulator::to_json(described_));
  Json record{{"program", "synthoscope"},
              {"version", kVersion},
              {"command", "phantom"},
              {"seed", *described_.seed}};
  const auto add = [&](std::string_view table) { record[table] = all.at(table); };
  add("grid");
  simulator::for_each_in_records([&]<class Kind>(Kind) { add(Kind::kName); });
  add("light");
  if (described_.time.is_movie()) record["time"] = all.at("time");
  if (frame_) record["frame"] = *frame_;
  return text_of(record);
}

}  // namespace

std::unique_ptr<Command> make_phantom() {
  return std::make_unique<PhantomCommand>();
}

}  // namespace synthoscope::tools
