// SPDX-License-Identifier: MIT
#include "tools/jobs/kernel_job.hpp"
#include <fmt/format.h>
#include <algorithm>
#include "core/base/json.hpp"
#include "core/base/version.hpp"
#include "imageio/formats.hpp"
#include "imageio/image/stack_sink.hpp"
#include "imageio/run/provenance.hpp"
#include "tools/options/rows.hpp"
#include "tools/terminal/result.hpp"

namespace synthoscope::tools {

void KernelJobOptions::describe_files(OptionTable& table, std::string_view image_help) {
  table.add_argument(required(path_row("IMAGE", "", image, std::string{image_help})));
  table.group("Result");
  table.add(lettered('o', path_row("output", "OUT", output, "file to write, such as out.ome.tif")));
}

void KernelJobOptions::describe_rest(OptionTable& table) {
  input.describe(table);
  file.describe(table);
  table.group("Plan");
  table.add(switch_row("dry-run", dry_run, "show how the image would be divided, and stop"));
  table.add(switch_row("explain", explain, "explain how the image is divided"));
  run.describe_for_one_stage(table);
}

void KernelJobOptions::name_files(imageio::RunFiles& files,
                                  const std::vector<std::filesystem::path>& outputs) const {
  files.add_input("image", image);
  if (dry_run) return;
  for (const auto& made : outputs) files.add_output_image("result", made, file.format);
}

KernelJob::KernelJob(std::string_view command, const KernelJobOptions& options,
                     std::vector<std::filesystem::path> outputs, imageio::RunFiles& files,
                     const Invocation& invocation, const OpenStack& open)
    : command_{command},
      options_{options},
      outputs_{std::move(outputs)},
      files_{files},
      invocation_{invocation},
      session_{options.run, invocation},
      place_{command_, options.gpu, session_.workspace()} {
  if (options.output.empty() && !options.dry_run)
    throw InvalidSpec(fmt::format(
        "{}: --output is missing: write -o OUT, or --dry-run for only the plan", command));
  opening_ = options.input.open_options();
  opening_.labels = options.file.labels;
  opening_.digests = &files_.inputs().digests();
  image_ = open(options.image, opening_, session_.context());
  add_image("image", options.image, image_.info);
  if (!options.dry_run)
    for (const auto& output : outputs_) require_new_image(output, options.file);
  watch().lap("open files");
}

void KernelJob::add_inputs(const std::string& role,
                           const std::vector<std::filesystem::path>& inputs) {
  files_.add_input(role, inputs);
  files_.check();
}

void KernelJob::add_image(const std::string& role, const std::filesystem::path& given,
                          const imageio::ImageInfo& info) {
  files_.add_input_image(role, given, info);
  files_.check();
}

void KernelJob::warn_of_single_precision() {
  const PixelType type = image_.info.type;
  if (size_of(type) >= 4 && type != PixelType::float32)
    invocation_.console.warn(
        fmt::format("{}: voxels of type {} are converted to single precision; values of more than "
                    "24 bits are rounded",
                    command_, name_of(type)));
}

imageio::ImageSpec KernelJob::spec_of(const std::filesystem::path& output, const Extent3& extent,
                                      PixelType type) {
  imageio::ImageSpec spec = spec_like(image_.info, extent, type, options_.file);
  if (pitch_) {
    spec.z_um = pitch_->z_um;
    spec.y_um = pitch_->y_um;
    spec.x_um = pitch_->x_um;
  }
  if (stacks_) stacks_->describe(spec);
  spec.format = imageio::format_of(output, options_.file.format);
  spec.pool = &session_.pool();
  spec.stop = &invocation_.stop;
  return spec;
}

/// While CUDA starts and the run is planned, the system clears the pages of files in memory.
std::vector<std::shared_ptr<imageio::BegunFile>> KernelJob::begin_files(
    const kernels::Operation& operation) {
  std::vector<std::shared_ptr<imageio::BegunFile>> begun(outputs_.size());
  const std::vector<PixelType> types = operation.types();
  if (!options_.dry_run)
    for (std::size_t i = 0; i < outputs_.size(); ++i)
      begun[i] =
          imageio::begin_image(outputs_[i], spec_of(outputs_[i], operation.extent(), types[i]));
  return begun;
}

/// Compressed strips or chunks get a sixteenth of the memory, to be packed at the same time. If the
/// operation then has too little, they are packed one after the other.
KernelJob::Writing KernelJob::plan_writing(kernels::Operation& operation, double host_seconds) {
  const std::int64_t share =
      session_.memory().limit() / 16 / static_cast<std::int64_t>(outputs_.size());
  try {
    return plan_writing(operation, host_seconds, share);
  } catch (const PlanError&) {
    return plan_writing(operation, host_seconds, 0);
  } catch (const OutOfDeviceMemory&) {
    return plan_writing(operation, host_seconds, 0);
  }
}

KernelJob::Writing KernelJob::plan_writing(kernels::Operation& operation, double host_seconds,
                                           std::int64_t buffer_bytes) {
  const std::vector<PixelType> types = operation.types();
  SYNTHOSCOPE_ASSERT(outputs_.size(), ==, types.size());
  Writing writing;
  std::int64_t held = 0;
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    writing.specs.push_back(spec_of(outputs_[i], operation.extent(), types[i]));
    writing.specs.back().buffer_bytes = buffer_bytes;
    held += imageio::buffered_bytes(writing.specs.back());
  }
  writing.plan = place_.plan(operation, image_.info.extent, image_.info.type,
                             imageio::order_of(options_.file.format, options_.file.compression),
                             host_seconds, held);
  for (const imageio::ImageSpec& spec : writing.specs)
    writing.held.push_back(reserve_writing(spec, session_.context()));
  return writing;
}

void KernelJob::run(kernels::Operation& operation, const Json& asked_of_host,
                    const Json& asked_of_gpu, double host_seconds) {
  Json request{{"program", "synthoscope"}, {"version", kVersion}, {"command", command_}};

  // Count what files hold in addition to voxels, and divide what is left
  watch().lap("prepare");
  const auto begun = begin_files(operation);
  Writing writing = plan_writing(operation, host_seconds);
  watch().lap("plan");
  const jobs::PlacedBricks& planned = writing.plan;
  request.update(planned.device ? asked_of_gpu : asked_of_host);
  request["where"] = name_of(planned.device ? fftconv::Place::gpu : fftconv::Place::host);
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    writing.specs[i].provenance = text_of(request);
    writing.specs[i].begun = begun[i];
  }
  const std::string cut = explain(planned.bricks, image_.info.extent) +
                          (planned.device ? fmt::format("; on GPU {}, {}", planned.device->id.index,
                                                        planned.device->name)
                                          : "");
  if (options_.dry_run && options_.run.json) return print_json(planned_json(planned));
  if (options_.dry_run) return print_text(cut);
  if (options_.explain) invocation_.console.text(cut);

  // Make the files; they appear one after another when all voxels are written
  const double begin = invocation_.clock.wall_seconds();
  std::vector<std::unique_ptr<imageio::ImageFile>> files;
  std::vector<Sink*> sinks;
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    files.push_back(imageio::create_image(outputs_[i], writing.specs[i]));
    sinks.push_back(files.back().get());
  }
  watch().lap("create file");
  make_results(planned, operation, sinks);
  watch().lap(std::string{operation.stage()});
  for (const auto& file : files) file->build();
  watch().lap("finish file");
  imageio::RunRecord record;
  record.inputs = files_.inputs().records(&session_.pool(), &invocation_.stop);
  watch().lap("hash inputs");
  for (const auto& file : files) file->close();  // from here on nothing is interrupted
  watch().lap("sync");

  record.command_line = invocation_.command_line;
  record.request_json = text_of(request);
  record.seconds = invocation_.clock.wall_seconds() - begin;
  record.stage_seconds = watch().stages();
  warn_of(operation.stored_counts(), operation.types().front());
  record.warnings = invocation_.console.warnings();
  imageio::write_records(outputs_, record, options_.file.overwrite);
  invocation_.console.finish();
  watch().lap("record");
  print(operation, record.seconds, planned.device);
}

/// One stack is open at a time, and the plan holds for all of them.
void KernelJob::make_results(const jobs::PlacedBricks& plan, kernels::Operation& operation,
                             const std::vector<Sink*>& sinks) {
  const RunContext context = session_.context();
  if (!stacks_ || stacks_->count() == 1)
    return place_.run(plan, operation, *image_.source, sinks, context);
  for (std::int64_t number = 0; number < stacks_->count(); ++number) {
    image_ = {};  // its memory is released before the next stack needs it
    image_ = stacks_->open(number, context);
    std::vector<imageio::StackSink> parts;
    for (Sink* const sink : sinks) parts.emplace_back(*sink, operation.extent(), number);
    std::vector<Sink*> part_of_each;
    for (imageio::StackSink& part : parts) part_of_each.push_back(&part);
    LabelledProgress progress{context.progress,
                              fmt::format("stack {}/{}", number + 1, stacks_->count())};
    place_.run(plan, operation, *image_.source, part_of_each, with_progress(progress, context));
  }
}

void KernelJob::warn_of(const StoredCounts& counts, PixelType type) {
  if (counts.non_finite > 0)
    invocation_.console.warn(
        fmt::format("{} voxels of the results are NaN or infinite{}; replace such voxels of {}, "
                    "which spread to all around them",
                    counts.non_finite, is_floating(type) ? "" : " and were stored as integers",
                    options_.image.string()));
  // Integers hold no others
  const std::int64_t beyond = counts.clipped - (is_floating(type) ? 0 : counts.non_finite);
  if (beyond > 0)
    invocation_.console.warn(fmt::format(
        "{} voxels were outside the range of their type and were clipped; {} float32 keeps them",
        beyond, options_.type_option));
}

Json KernelJob::planned_json(const jobs::PlacedBricks& plan) {
  return {{"gpu", plan.device ? Json(plan.device->name) : Json()},
          {"extent", json_of(plan.bricks.result)},
          {"brick", json_of(plan.bricks.brick)},
          {"bricks", brick_count(plan.bricks)},
          {"bytes", plan.bricks.bytes()}};
}

void KernelJob::print(const kernels::Operation& operation, double seconds,
                      const cuda::DeviceInfo* device) const {
  const std::vector<PixelType> types = operation.types();
  if (!options_.run.json) {
    for (std::size_t i = 0; i < outputs_.size(); ++i)
      print_summary(fmt::format(
          "{}: {} {}", outputs_[i].string(),
          stacks_ ? stacks_->text(operation.extent()) : fmt::format("{}", operation.extent()),
          name_of(types[i])));
    return;
  }
  Json files = Json::array();
  for (std::size_t i = 0; i < outputs_.size(); ++i)
    files.push_back({{"output", outputs_[i].string()}, {"type", name_of(types[i])}});
  print_json(Json{{"results", files},
                  {"extent", json_of(operation.extent())},
                  {"channels", stacks_ ? stacks_->channels() : 1},
                  {"frames", stacks_ ? stacks_->frames() : 1},
                  {"gpu", device ? Json(device->name) : Json()},
                  {"seconds", seconds},
                  {"clipped", operation.stored_counts().clipped},
                  {"non_finite", operation.stored_counts().non_finite},
                  {"run", invocation_.clock.json()},
                  {"warnings", invocation_.console.warnings()}});
}

std::filesystem::path with_suffix(const std::filesystem::path& output, std::string_view suffix) {
  const imageio::ImageName named = imageio::image_name(output);
  std::string name = named.file.filename().string();
  auto end = name.rfind('.');
  if (end == std::string::npos || end == 0) end = name.size();
  constexpr std::string_view kOme = ".ome";
  if (end > kOme.size() && name.compare(end - kOme.size(), kOme.size(), kOme) == 0)
    end -= kOme.size();
  name.insert(end, fmt::format("-{}", suffix));
  std::filesystem::path path = named.file;
  path.replace_filename(name);
  if (!named.data_set.empty()) path += ":" + named.data_set;
  return path;
}

}  // namespace synthoscope::tools
