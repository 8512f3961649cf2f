// SPDX-License-Identifier: MIT
// What an earlier run left: a finished result, or a checkpoint. And what must be the same to use
// it.
#include <fmt/format.h>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "imageio/image/name.hpp"
#include "imageio/run/journal.hpp"
#include "jobs/deconvolve/deconvolve_run.hpp"

namespace synthoscope::jobs {

/// Notes the request with the present state of the files, and looks for a finished result of the
/// same request.
void DeconvolveRun::find_finished_result() {
  if (job_.plan.dry_run) return;
  if (job_.has_only_files()) asked_ = whole_request();
  if (!job_.saving.resume) return;
  if (!asked_.empty()) finished_ = find_finished(job_.output, asked_);
  if (!finished_) {
    require_new_result();
    if (job_.method == Method::wiener)
      context_.log.note(
          "the method wiener is a single pass without checkpoints: the run starts from the "
          "beginning");
    return;
  }
  context_.log.note(
      fmt::format("{} is finished, by the same command, and is kept", job_.output.string()));
}

void DeconvolveRun::find_checkpoint() {
  if (job_.plan.dry_run || !job_.has_only_files()) return;
  checkpoint_.emplace(checkpoint_path(job_.output));
  const std::string file = checkpoint_->path().string();
  if (!job_.saving.resume) {
    if (checkpoint_->is_there())
      context_.log.note(
          fmt::format("starts from the beginning; with --resume the run of {} would go on", file));
    return;
  }
  earlier_ = checkpoint_->find();
  if (!earlier_) {
    context_.log.note(fmt::format("there is no {}; the run starts from the beginning", file));
    return;
  }
  imageio::require_same_request(job_.output, earlier_->request, checkpoint_request());
  context_.log.note(fmt::format("goes on after {} iterations of {}", earlier_->iterations, file));
}

/// A run that was killed may have left its checkpoint.
DeconvolveReport DeconvolveRun::finished_report() const {
  const CheckpointFile checkpoint{checkpoint_path(job_.output)};
  if (checkpoint.is_there()) checkpoint.remove();
  DeconvolveReport report;
  report.extent = geometry_.field;
  report.prepared = prepared_;
  report.prepared.unusable = finished_->unusable;
  report.found = finished_->found;
  report.search_end = search_end(report.found.rounds, most_iterations(job_.method));
  report.certificate = finished_->certificate;
  report.was_finished = true;
  return report;
}

/// Everything that can change a bit of a later iteration; not how many there are.
std::string DeconvolveRun::checkpoint_request() const {
  Json request = parse_json(request_of(job_, prepared_));
  if (!job_.finds_iterations) request.erase("iterations");
  request["image"] = identity_of(job_.image.file, image_.file.info);
  if (!job_.optics) request["PSF"] = identity_of(job_.kernel.file, kernel_file_.file.info);
  request["data sets"] = {imageio::image_name(job_.image.file).data_set,
                          imageio::image_name(job_.kernel.file).data_set};
  const imageio::OpenOptions& opening = job_.opening;
  const auto chosen = [](const auto& choice) { return choice ? Json(*choice) : Json(); };
  request["stack"] = {{"image", chosen(opening.image)},
                      {"channel", chosen(opening.channel)},
                      {"frame", chosen(opening.frame)},
                      {"axes", opening.axes}};
  return text_of(request);
}

/// Everything that can change a bit of the file.
std::string DeconvolveRun::whole_request() const {
  const FileChoice& file = job_.file;
  Json request = parse_json(checkpoint_request());
  request["iterations"] = parse_json(request_of(job_, prepared_)).at("iterations");
  request["certified"] = {job_.certify.voxels, job_.certify.seed};
  request["file"] = {
      {"format", name_in(imageio::kFileFormatNames, spec_.format)},
      {"tiff flavor", name_in(imageio::kTiffFlavorNames, file.flavor)},
      {"compression", name_in(imageio::kCompressionNames, file.compression)},
      {"chunks", file.chunks ? Json{file.chunks->z, file.chunks->y, file.chunks->x} : Json()}};
  return text_of(request);
}

}  // namespace synthoscope::jobs
