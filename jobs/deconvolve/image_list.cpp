// SPDX-License-Identifier: MIT
#include "jobs/deconvolve/image_list.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <map>
#include <system_error>
#include <utility>
#include "core/base/error.hpp"
#include "core/base/named_failure.hpp"
#include "core/run/labelled_run.hpp"
#include "imageio/formats.hpp"
#include "imageio/image/ending.hpp"
#include "imageio/image/name.hpp"
#include "jobs/deconvolve/camera_response.hpp"
#include "simulator/scene/file/inputs.hpp"
#include "simulator/scene/file/scene_file.hpp"

namespace synthoscope::jobs {
namespace {

namespace fs = std::filesystem;

/// Passes on the warnings that concern one image: those from before the first image, and its own.
class OneOfSeveral final : public JobListener {
 public:
  /// @param common  warnings from before the first image
  OneOfSeveral(const JobListener& all, std::size_t common)
      : all_{all}, common_{common}, before_{all.warnings().size()} {}
  [[nodiscard]] std::vector<std::string> command_line() const override {
    return all_.command_line();
  }
  [[nodiscard]] std::vector<std::string> warnings() const override {
    std::vector<std::string> said = all_.warnings();
    said.erase(said.begin() + static_cast<std::ptrdiff_t>(common_),
               said.begin() + static_cast<std::ptrdiff_t>(before_));
    return said;
  }
  void end_progress() const override { all_.end_progress(); }

 private:
  const JobListener& all_;
  std::size_t common_, before_;
};

/// A folder that is removed again if it was made here and nothing is in it.
class ResultFolder {
 public:
  explicit ResultFolder(fs::path path) : path_{std::move(path)} {
    std::error_code failure;
    is_new_ = fs::create_directory(path_, failure);
    if (failure)
      throw IoError(
          fmt::format("make the folder {} for the results: {}; give -o a folder that "
                      "can be made",
                      path_.string(), failure.message()));
  }
  ResultFolder(const ResultFolder&) = delete;
  ResultFolder& operator=(const ResultFolder&) = delete;
  ~ResultFolder() {
    std::error_code ignored;
    if (is_new_) fs::remove(path_, ignored);  // fails if something is in it
  }

 private:
  fs::path path_;
  bool is_new_ = false;
};

fs::path result_path(const fs::path& folder, const fs::path& image, const FileChoice& file) {
  return folder / (short_name_of(image) + std::string{ending_of(file.format, file.flavor)});
}

/// @throws InvalidSpec  two images have the same short name.
void require_different_names(std::span<const Stack> images) {
  std::map<std::string, fs::path> known;
  for (const Stack& image : images) {
    const auto [at, is_new] = known.emplace(short_name_of(image.file), image.file);
    if (!is_new)
      throw InvalidSpec(fmt::format(
          "deconvolve {} images: the results of {} and {} would both be called {}; deconvolve one "
          "of them into another folder",
          images.size(), at->second.string(), image.file.string(), at->first));
  }
}

/// Returns the file of a measured PSF, if the optics of a scene name one.
std::vector<fs::path> psf_files_of(const simulator::SceneSpec& scene) {
  simulator::SceneSpec optics_alone;
  optics_alone.optics.file = scene.optics.file;
  return input_files_of(optics_alone);
}

/// Refuses also the name of an image that is not there yet.
void require_folder(const fs::path& folder) {
  std::error_code ignored;
  const bool is_file = fs::exists(folder, ignored) && !fs::is_directory(folder, ignored);
  if (is_file || imageio::format_with_extension_of(folder))
    throw InvalidSpec(
        fmt::format("deconvolve several images: {} is {} file; give -o the name of a folder, in "
                    "which each image gets its result",
                    folder.string(), is_file ? "a" : "the name of a"));
}

}  // namespace

std::string short_name_of(const fs::path& image) {
  imageio::ImageName name = imageio::image_name(image);
  fs::path file = name.file.has_filename() ? name.file : name.file.parent_path();
  if (imageio::format_with_extension_of(file)) file.replace_extension();
  if (file.extension() == ".ome") file.replace_extension();
  std::replace(name.data_set.begin(), name.data_set.end(), '/', '-');
  return file.filename().string() + name.data_set;
}

ImageList::ImageList(const DeconvolveJob& common, std::span<const Stack> images, ResultPlace place,
                     SharedFiles files)
    : place_{place}, shared_{std::move(files)}, jobs_(images.size(), common) {
  for (std::size_t i = 0; i < images.size(); ++i) jobs_[i].image = images[i];
  if (place == ResultPlace::file) return;
  require_different_names(images);
  if (common.output.empty()) return;  // only plans are wanted
  folder_ = common.output;
  require_folder(folder_);
  for (DeconvolveJob& job : jobs_) job.output = result_path(folder_, job.image.file, job.file);
}

void ImageList::name_files_of(const DeconvolveJob& job, imageio::RunFiles& files) const {
  jobs::name_files(job, files);
  files.add_input("camera", shared_.camera);
  files.add_input("optics", shared_.optics);
}

void ImageList::name_files(imageio::RunFiles& files) const {
  for (const DeconvolveJob& job : jobs_) name_files_of(job, files);
}

void ImageList::begin() {
  files_.resize(jobs_.size());
  for (std::size_t i = 0; i < jobs_.size(); ++i) {
    name_files_of(jobs_[i], files_[i]);
    files_[i].check();
  }
  read_shared_files();
  for (const DeconvolveJob& job : jobs_) require_meant(job);
}

void ImageList::read_shared_files() {
  if (!shared_.camera.empty()) {
    const auto response = response_of(simulator::read_camera(shared_.camera, std::nullopt).camera);
    for (imageio::RunFiles& files : files_) files.finish_input(shared_.camera);
    for (DeconvolveJob& job : jobs_) job.camera = response;
  }
  if (shared_.optics.empty()) return;
  const simulator::SceneSpec scene = simulator::read_scene(shared_.optics);
  for (imageio::RunFiles& files : files_) {
    files.finish_input(shared_.optics);
    files.add_input("measured PSF", psf_files_of(scene));
    files.check();
  }
  for (DeconvolveJob& job : jobs_) job.optics = scene;
}

void ImageList::for_each(const ListCaller& caller, const Work& work) {
  if (place_ == ResultPlace::file) return work_on(0, caller, work);
  std::optional<ResultFolder> folder;
  if (!folder_.empty() && !jobs_.front().plan.dry_run) folder.emplace(folder_);
  const std::size_t warnings_before = caller.listener.warnings().size();
  for (std::size_t i = 0; i < jobs_.size(); ++i) {
    try {
      work_on_labelled(i, caller, warnings_before, work);
    } catch (const Interrupted& stopped) {
      throw Interrupted(
          fmt::format("{}; {} of {} images are finished, and --resume continues with {}",
                      stopped.what(), i, jobs_.size(), jobs_[i].image.file.string()));
    }
  }
}

/// Measures the stages of this image separately, and adds them to the stages of the caller.
void ImageList::work_on_labelled(std::size_t number, const ListCaller& caller,
                                 std::size_t warnings_before, const Work& work) {
  const std::string label = fmt::format("image {}/{}, {}", number + 1, jobs_.size(),
                                        short_name_of(jobs_[number].image.file));
  const LabelledRun labelled{caller.context, label};
  const OneOfSeveral listener{caller.listener, warnings_before};
  Stages stages;
  Stopwatch watch{stages};
  naming_failures(label, [&] {
    work_on(number, {labelled.context(), caller.program_bytes, watch, listener}, work);
  });
  caller.watch.add(stages);
}

void ImageList::work_on(std::size_t number, const ListCaller& caller, const Work& work) {
  Workspace workspace{caller.context, caller.program_bytes, caller.watch};
  DeconvolveRun run{jobs_[number], files_[number], workspace};
  work({jobs_[number], run, caller.listener, caller.watch});
}

}  // namespace synthoscope::jobs
