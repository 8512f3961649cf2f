// SPDX-License-Identifier: MIT
#include "jobs/convolve/convolve_job.hpp"
#include <fmt/format.h>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "fftconv/plan/cuts/ring_turns.hpp"
#include "imageio/formats.hpp"
#include "imageio/image/name.hpp"
#include "imageio/run/input_identity.hpp"

namespace synthoscope::jobs {
namespace {

Json given_or_not(const std::optional<std::int64_t>& number) {
  return number ? Json(*number) : Json("not given");
}

}  // namespace

void require_certifiable(const ConvolveJob& job) {
  if (!job.certify.is_wanted()) return;
  const char* const option = job.certify.by ? "--certify-by" : "--certify";
  if (job.asked.non_finite == NonFinite::propagate)
    throw InvalidSpec(fmt::format(
        "convolve: {} cannot recompute what --nan propagate spreads; use --nan refuse or zero",
        option));
  if (job.file.format == imageio::FileFormat::bdv)
    throw InvalidSpec(
        fmt::format("convolve: {} reads a result of one file before it gets its name, but --format "
                    "bdv makes two; leave one of them out",
                    option));
}

void name_files(const ConvolveJob& job, imageio::RunFiles& files) {
  files.add_input("image", job.image.file);
  files.add_input("kernel", job.kernel.file);
  files.add_input("plan", job.plan.file);
  if (!job.plan.dry_run && !job.sink)
    files.add_certified_output(job.output, job.certify.uncertified_path(job.output),
                               job.file.format);
}

std::string request_of(const ConvolveJob& job, const imageio::ImageInfo& image,
                       const imageio::ImageInfo& kernel_file, const fftconv::ExaminedKernel& kernel,
                       std::string_view instruction_set) {
  const FileChoice& file = job.file;
  Json record = fftconv::json_of(job.asked, kernel);
  record["output type"] = name_of(output_type(job.asked, image.type));
  record["tiff flavor"] = name_in(imageio::kTiffFlavorNames, file.flavor);
  record["compression"] = name_in(imageio::kCompressionNames, file.compression);
  record["format"] =
      name_in(imageio::kFileFormatNames, imageio::format_of(job.output, file.format));
  record["chunks"] =
      file.chunks ? Json{file.chunks->z, file.chunks->y, file.chunks->x} : Json("not given");
  record["data sets"] = {imageio::image_name(job.image.file).data_set,
                         imageio::image_name(job.kernel.file).data_set,
                         imageio::image_name(job.output).data_set};
  record["channel"] = given_or_not(job.opening.channel);
  record["frame"] = given_or_not(job.opening.frame);
  if (job.opening.image) record["image number"] = *job.opening.image;
  if (!job.opening.axes.empty()) record["axes"] = job.opening.axes;
  record["strategy"] = name_of(job.plan.strategy);
  record["parts"] = job.plan.parts;
  record["fft"] = job.plan.fft ? name_of(*job.plan.fft) : "not given";
  record["instruction set"] = instruction_set;
  record["image"] = identity_of(job.image.file, image);
  record["kernel"] = identity_of(job.kernel.file, kernel_file);
  return text_of(record);
}

std::int64_t shared_steps(const fftconv::Plan& plan, const fftconv::Team* team) {
  const bool exchanges =
      team && plan.strategy == fftconv::Strategy::parts && plan.where == fftconv::Place::host;
  return exchanges ? team->member().count : fftconv::step_count(plan);
}

std::string counts_text(const ConvolveCounts& counts) {
  return text_of(Json{{"clipped", counts.clipped},
                      {"non_finite", counts.non_finite},
                      {"met_non_finite", counts.met_non_finite}});
}

ConvolveCounts counts_from(const std::string& text) try {
  if (text.empty()) return {};
  const auto json = parse_json(text);
  return {whole_of(json.at("clipped")), whole_of(json.at("non_finite")),
          json.at("met_non_finite").get<bool>()};
} catch (const Json::exception& failure) {
  throw InvalidInput(
      fmt::format("resume: the counts in the journal are damaged ({}); start over without --resume",
                  failure.what()));
}

}  // namespace synthoscope::jobs
