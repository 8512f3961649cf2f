// SPDX-License-Identifier: MIT
// jobs/deconvolve/image_list.hpp — one deconvolution of several images, one after another.
#pragma once
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>
#include "imageio/run/run_files.hpp"
#include "jobs/deconvolve/deconvolve_run.hpp"

namespace synthoscope::jobs {

/// Returns the name of an image without folder and extension: "a/cell.ome.tif" is "cell", and
/// "a/plate.h5:/well/2" is "plate-well-2".
std::string short_name_of(const std::filesystem::path& image);

/// What a list of images needs of its caller.
struct ListCaller {
  const RunContext& context;
  std::function<std::int64_t()> program_bytes;  ///< as Workspace takes it
  Stopwatch& watch;
  const JobListener& listener;
};

/// An image that is worked on.
struct ImageInTurn {
  const DeconvolveJob& job;
  DeconvolveRun& run;
  const JobListener& listener;  ///< for run.make()
  const Stopwatch& watch;       ///< its stages are those of the image
};

/// Where a list of images puts its results.
///   file    of the only image, whose job makes a file or fills a sink
///   folder  a file for each image
enum class ResultPlace { file, folder };

/// Files that are read for all jobs; if a name is empty, the common job has what it would bring, or
/// there is none.
struct SharedFiles {
  std::filesystem::path camera = {};  ///< of a camera, or of a scene with it
  std::filesystem::path optics = {};  ///< of a scene, for its PSF
};

/// The jobs of one image or more.
class ImageList {
 public:
  /// @param common  what the jobs share; `image` is not read, and `output` is a file or a folder,
  ///                as `place` says
  /// @param files   that all jobs share
  /// @throws InvalidSpec  two images have the same short name, or the folder is a file or has the
  ///                      extension of an image.
  ImageList(const DeconvolveJob& common, std::span<const Stack> images, ResultPlace place,
            SharedFiles files);

  [[nodiscard]] const std::vector<DeconvolveJob>& jobs() const { return jobs_; }

  /// Adds the names of all files that the jobs read or make.
  void name_files(imageio::RunFiles& files) const;

  /// Notes the present state of all files, and reads the shared ones.
  /// @throws InvalidSpec  a job cannot be meant.  @throws as read_camera and read_scene
  void begin();

  /// Calls `work` with each image in turn, after begin(). What an image reports and why it fails
  /// begins with its number and name. Makes the folder of results; if nothing is put into it, it is
  /// removed again. @throws what `work` throws; IoError  the folder cannot be made.
  using Work = std::function<void(const ImageInTurn&)>;
  void for_each(const ListCaller& caller, const Work& work);

 private:
  void read_shared_files();
  void name_files_of(const DeconvolveJob& job, imageio::RunFiles& files) const;
  void work_on(std::size_t number, const ListCaller& caller, const Work& work);
  void work_on_labelled(std::size_t number, const ListCaller& caller, std::size_t warnings_before,
                        const Work& work);

  ResultPlace place_;
  std::filesystem::path folder_;
  SharedFiles shared_;
  std::vector<DeconvolveJob> jobs_;
  std::vector<imageio::RunFiles> files_;  ///< of each job
};

}  // namespace synthoscope::jobs
