// SPDX-License-Identifier: MIT
#include "jobs/deconvolve/deconvolve_job.hpp"
#include <fmt/format.h>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "core/base/version.hpp"
#include "deconvolution/filters/wiener.hpp"
#include "imageio/image/name.hpp"

namespace synthoscope::jobs {
namespace {

void require_one_psf(const DeconvolveJob& job) {
  const bool has_psf = !job.kernel.is_file() || !job.kernel.file.empty();
  if (has_psf == job.optics.has_value())
    throw InvalidSpec(
        job.optics
            ? "deconvolve: a PSF and --optics both say how light is blurred; give one of them"
            : "deconvolve: the PSF is missing; give an image of it, or --optics "
              "with a scene that it is computed from");
  if (job.optics && (job.psf.center || job.psf.background.kind != fftconv::BackgroundRule{}.kind))
    throw InvalidSpec(
        "deconvolve --optics: the PSF is computed, with a known centre and no background; leave "
        "--kernel-center and --kernel-background out");
}

}  // namespace

void require_meant(const DeconvolveJob& job) {
  require_one_psf(job);
  if (job.iterations && *job.iterations < 1)
    throw InvalidSpec(fmt::format(
        "deconvolve: {} iterations find no light; give --iterations from 1", *job.iterations));
  if (job.finds_iterations && !job.camera)
    throw InvalidSpec(
        "deconvolve --iterations auto: it simulates images with the noise of the camera, which is "
        "not known; give --camera, or a number of iterations");
  if (job.finds_iterations && job.method == Method::wb)
    throw InvalidSpec(
        "deconvolve --iterations auto: with the method wb the search does not settle; give 1, 2 or "
        "3 iterations, or the method rl or shb");
  if (job.method == Method::wiener) {
    if (job.iterations || job.finds_iterations)
      throw InvalidSpec(
          "deconvolve --iterations: the method wiener is a single pass; leave the option out, or "
          "give another --method");
    if (job.edge == deconvolution::Edge::wrap)
      throw InvalidSpec(
          "deconvolve --edge wrap: the method wiener repeats the faces of the image; leave the "
          "option out, or give another --method");
    if (job.lambda) deconvolution::require_lambda(*job.lambda);
  } else if (job.lambda) {
    throw InvalidSpec(
        "deconvolve --lambda: only the method wiener has it; give --method wiener too");
  }
  if (job.regularize.variation && job.method != Method::rl && job.method != Method::shb)
    throw InvalidSpec(fmt::format(
        "deconvolve --regularize {}: the method {} has no likelihood that a penalty could be "
        "compared with; leave the option out, or give --method rl or shb",
        print(job.regularize), name_in(kMethodNames, job.method)));
  if (job.method != Method::wb && job.alpha != DeconvolveJob{}.alpha)
    throw InvalidSpec("deconvolve --alpha: only the method wb has it; give --method wb too");
  if (!(job.saving.every_seconds >= 0))
    throw InvalidSpec(fmt::format(
        "deconvolve: a checkpoint every {} seconds cannot be written; give --checkpoint-every from "
        "0",
        job.saving.every_seconds));
}

int default_iterations(Method method) {
  switch (method) {
    case Method::rl:
      return 60;
    case Method::wb:
      return 2;
    case Method::shb:
    case Method::wiener:
      break;
  }
  return 20;
}

std::optional<std::int64_t> wanted_iterations(const DeconvolveJob& job) {
  if (job.finds_iterations) return std::nullopt;
  return job.iterations.value_or(default_iterations(job.method));
}

int most_iterations(Method method) {
  return method == Method::rl ? 500 : 100;
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
  const deconvolution::CameraResponse camera = job.camera.value_or(deconvolution::CameraResponse{});
  const Index3& c = prepared.psf_center;
  const auto number = wanted_iterations(job);
  const Json iterations = job.method == Method::wiener ? Json(1)
                          : number                     ? Json(*number)
                                                       : Json("auto");
  return text_of(
      Json{{"program", "synthoscope"},
           {"version", kVersion},
           {"command", "deconvolve"},
           {"method", name_in(kMethodNames, job.method)},
           {"iterations", iterations},
           {"alpha", job.method == Method::wb ? Json(job.alpha) : Json()},
           {"lambda", job.method == Method::wiener ? Json(prepared.lambda) : Json()},
           {"regularize", print(job.regularize)},
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
             {"scene", prepared.psf_request.empty() ? Json() : parse_json(prepared.psf_request)},
             {"normalization", name_of(job.psf.normalization)}}}});
}

}  // namespace synthoscope::jobs
