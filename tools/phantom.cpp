// SPDX-License-Identifier: MIT
// Renders the phantom of a scene: the first phase alone.
#include "simulator/phantom/phantom.hpp"
#include <fmt/format.h>
#include "core/carry.hpp"
#include "core/json.hpp"
#include "core/stopwatch.hpp"
#include "core/store_as.hpp"
#include "core/version.hpp"
#include "imageio/provenance.hpp"
#include "simulator/scene_file.hpp"
#include "tools/commands.hpp"
#include "tools/image_options.hpp"
#include "tools/option_rows.hpp"
#include "tools/result.hpp"
#include "tools/run_options.hpp"
#include "tools/scene_options.hpp"

namespace synthoscope::tools {
namespace {

class PhantomCommand final : public Command {
 public:
  [[nodiscard]] std::string_view name() const override { return "phantom"; }
  [[nodiscard]] std::string_view summary() const override {
    return "Renders the phantom of a scene. The image holds the photons that leave each voxel in "
           "one exposure, before any optics.";
  }
  void describe(OptionTable& table) override {
    table.add_argument(
        required(path_row("SCENE", "", scene_.file, "scene whose phantom it is, a TOML file")));
    table.group("Result");
    table.add(required(
        lettered('o', path_row("output", "OUT", output_, "file to write, such as out.ome.tif"))));
    table.add(path_row("labels", "LABELS", labels_,
                       "file to write with the number of the object in each voxel"));
    scene_.describe(table);
    file_.describe(table);
    run_.describe_for_one_stage(table);
  }

 private:
  void run(const Invocation& invocation) override;
  void write(Source& voxels, const std::filesystem::path& path, Session& session) const;
  [[nodiscard]] std::string provenance() const;

  SceneOptions scene_;
  simulator::SceneSpec described_;
  std::filesystem::path output_, labels_;
  FileOptions file_;
  RunOptions run_;
};

void PhantomCommand::run(const Invocation& invocation) {
  described_ = scene_.scene();
  if (!described_.seed) described_.seed = drawn_seed();
  require_new_image(output_, file_);
  if (!labels_.empty()) {
    require_new_image(labels_, file_);
    if (labels_ == output_)
      throw InvalidSpec(
          fmt::format("phantom: light and labels would both be written to {}; name two files",
                      output_.string()));
  }
  Session session{run_, invocation};
  const RunContext context = session.context();
  imageio::RunRecord record;
  Stopwatch watch{record.stage_seconds};
  const auto spec = simulator::phantom_of(described_);
  const auto objects = context.memory.reserve(
      phantom_bytes(spec, described_.grid) + volume_bytes(spec.volume), "objects");
  const simulator::Phantom phantom =
      make_phantom(spec, described_.grid, static_cast<std::uint64_t>(*described_.seed), context);
  watch.lap("phantom");
  simulator::PhantomSource light{phantom};
  write(light, output_, session);
  watch.lap("light");
  if (!labels_.empty()) {
    simulator::LabelSource labels{phantom};
    write(labels, labels_, session);
    watch.lap("labels");
  }

  record.command_line = invocation.command_line;
  record.inputs = {scene_.file};
  record.request_json = provenance();
  record.seconds = watch.total();
  record.warnings = invocation.console.warnings();
  record.stop = &invocation.stop;
  imageio::write_record(output_, record, file_.overwrite);
  invocation.console.finish();
  if (!run_.json)
    return print_text(fmt::format("{}: {} objects in {}, seed {}", output_.string(),
                                  phantom.count(), phantom.grid.extent, *described_.seed));
  print_json(Json{{"output", output_.string()},
                  {"extent", json_of(phantom.grid.extent)},
                  {"objects", phantom.count()},
                  {"seed", *described_.seed},
                  {"warnings", invocation.console.warnings()}});
}

void PhantomCommand::write(Source& voxels, const std::filesystem::path& path,
                           Session& session) const {
  const RunContext context = session.context();
  imageio::ImageSpec spec =
      spec_on(described_.grid.pitch, voxels.extent(), voxels.pixel_type(), file_);
  spec.format = imageio::format_of(path, file_.format);
  spec.pool = &session.pool();
  spec.buffer_bytes = context.memory.limit() / 16;
  spec.provenance = provenance();
  spec.stop = &context.stop;
  const auto blocks = reserve_writing(spec, context);
  StoreAs as_they_are{spec.type};
  const auto sink = imageio::create_image(path, spec);
  carry(spec.type == PixelType::uint16 ? "labels" : "light", voxels, as_they_are, *sink, context);
  sink->close();
}

/// Only what determines the voxels: equal requests give equal files.
std::string PhantomCommand::provenance() const {
  const Json all = parse_json(simulator::to_json(described_));
  return text_of(Json{{"program", "synthoscope"},
                      {"version", kVersion},
                      {"command", "phantom"},
                      {"seed", *described_.seed},
                      {"grid", all.at("grid")},
                      {"nuclei", all.at("nuclei")},
                      {"beads", all.at("beads")},
                      {"target", all.at("target")},
                      {"volume", all.at("volume")},
                      {"tissue", all.at("tissue")},
                      {"neuron", all.at("neuron")}});
}

}  // namespace

std::unique_ptr<Command> make_phantom() {
  return std::make_unique<PhantomCommand>();
}

}  // namespace synthoscope::tools
