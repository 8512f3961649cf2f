// SPDX-License-Identifier: MIT
#include "jobs/deconvolve/deconvolve_job.hpp"
#include <fmt/format.h>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/version.hpp"
#include "imageio/image/name.hpp"

namespace synthoscope::jobs {

void require_meant(const DeconvolveJob& job) {
  if (job.iterations < 1)
    throw InvalidSpec(fmt::format(
        "deconvolve: {} iterations find no light; give --iterations from 1", job.iterations));
  if (!(job.saving.every_seconds >= 0))
    throw InvalidSpec(fmt::format(
        "deconvolve: a checkpoint every {} seconds cannot be written; give --checkpoint-every from "
        "0",
        job.saving.every_seconds));
}

std::filesystem::path checkpoint_path(const std::filesystem::path& output) {
  return imageio::file_of(output).string() + ".checkpoint";
}

void name_files(const DeconvolveJob& job, imageio::RunFiles& files) {
  files.add_input("image", job.image.file);
  files.add_input("PSF", job.kernel.file);
  if (job.plan.dry_run || job.sink) return;
  files.add_output_image("result", job.output, job.file.format);
  files.add_output_file("checkpoint", checkpoint_path(job.output));
}

std::string request_of(const DeconvolveJob& job, const Prepared& prepared) {
  const auto& camera = job.camera;
  const Index3& c = prepared.psf_center;
  return text_of(Json{{"program", "synthoscope"},
                      {"version", kVersion},
                      {"command", "deconvolve"},
                      {"method", name_in(kMethodNames, job.method)},
                      {"iterations", job.iterations},
                      {"edge", name_in(deconvolution::kEdgeNames, job.edge)},
                      {"background", prepared.background},
                      {"camera",
                       {{"offset", camera.offset},
                        {"gain", camera.gain},
                        {"per_photon", camera.per_photon},
                        {"read_noise", camera.read_noise},
                        {"dark", camera.dark}}},
                      {"psf",
                       {{"center", {c.z, c.y, c.x}},
                        {"sum", prepared.psf_sum},
                        {"normalization", name_of(job.psf.normalization)}}}});
}

}  // namespace synthoscope::jobs
