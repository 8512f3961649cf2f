// SPDX-License-Identifier: MIT
// jobs/convolve/job_files.cpp — the files of a job.
#include "jobs/convolve/job_files.hpp"
#include <fmt/format.h>
#include <utility>
#include "core/base/error.hpp"
#include "core/base/json.hpp"
#include "imageio/run/input_identity.hpp"

namespace synthoscope::jobs {
namespace {

OpenedStack opened_file(imageio::CountedImage file, const std::filesystem::path& path) {
  OpenedStack stack{std::move(file), nullptr, path.string()};
  stack.source = stack.file.source.get();
  return stack;
}

OpenedStack opened_voxels(const Stack& stack) {
  OpenedStack opened{{}, stack.voxels, stack.name};
  opened.file.info.extent = stack.voxels->extent();
  opened.file.info.type = stack.voxels->pixel_type();
  opened.file.info.kernel_center = stack.kernel_center;
  return opened;
}

}  // namespace

OpenedStack open_stack(const Stack& stack, const imageio::OpenOptions& options,
                       const RunContext& context) {
  if (!stack.is_file()) return opened_voxels(stack);
  return opened_file(imageio::open_counted(stack.file, options, context), stack.file);
}

imageio::CountedImage open_kernel(const std::filesystem::path& path,
                                  const imageio::OpenOptions& image, const RunContext& context) {
  const imageio::OpenOptions options{
      .channel = {}, .frame = {}, .limits = image.limits, .digests = image.digests};
  const imageio::ImageInfo info = imageio::inspect_counted(path, options, context);
  if (info.channels * info.frames > 1)
    throw InvalidInput(fmt::format(
        "read the kernel {}: it holds {} channels and {} frames, but a kernel is one stack "
        "(--channel and --frame choose from the image); save the stack you want in a separate file",
        path.string(), info.channels, info.frames));
  return imageio::open_counted(path, options, context);
}

OpenedStack open_kernel(const Stack& stack, const imageio::OpenOptions& image,
                        const RunContext& context) {
  if (!stack.is_file()) return opened_voxels(stack);
  return opened_file(open_kernel(stack.file, image, context), stack.file);
}

void join_files(imageio::RunFiles& files, const std::string& role, const Stack& given,
                const OpenedStack& stack) {
  if (!given.is_file()) return;
  files.add_input_image(role, given.file, stack.file.info);
  files.check();
}

Json identity_of(const std::filesystem::path& path, const imageio::ImageInfo& image) {
  const std::vector<std::filesystem::path> files = imageio::files_of(path, image);
  Json first = parse_json(imageio::identity_of_input(files.front()));
  for (std::size_t i = 1; i < files.size(); ++i)
    first[files[i].filename().string()] = parse_json(imageio::identity_of_input(files[i]));
  return first;
}

void FileChoice::apply(imageio::ImageSpec& spec) const {
  spec.format = format;
  spec.flavor = flavor;
  spec.compression = compression;
  spec.chunks = chunks;
  spec.labels = labels;
  spec.overwrite = overwrite;
}

imageio::ImageSpec spec_like(const imageio::ImageInfo& info, const Extent3& extent, PixelType type,
                             const FileChoice& choice) {
  imageio::ImageSpec spec;
  spec.extent = extent;
  spec.type = type;
  spec.z_um = info.z_um;
  spec.y_um = info.y_um;
  spec.x_um = info.x_um;
  spec.channel = info.channel;
  choice.apply(spec);
  return spec;
}

}  // namespace synthoscope::jobs
