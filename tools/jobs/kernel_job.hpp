// SPDX-License-Identifier: MIT
// tools/jobs/kernel_job.hpp — what the commands of kernels/ have in common: an image is opened, an
// operation makes results of it, brick by brick, and they are written with a record.
#pragma once
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>
#include "core/base/json_fwd.hpp"
#include "imageio/run/provenance.hpp"
#include "jobs/bricks/brick_place.hpp"
#include "kernels/operation/bricks.hpp"
#include "kernels/operation/operation.hpp"
#include "tools/jobs/taken_stacks.hpp"
#include "tools/options/image.hpp"
#include "tools/options/run.hpp"
#include "tools/options/work.hpp"

namespace synthoscope::tools {

/// The options of every such command.
struct KernelJobOptions {
  std::filesystem::path image, output;
  bool dry_run = false, explain = false;
  std::string_view type_option = "--output-type";  ///< which chooses the type of the results
  InputOptions input;
  FileOptions file;
  GpuOptions gpu;
  RunOptions run;

  /// IMAGE and --output; the command's own options follow under the same title.
  void describe_files(OptionTable& table, std::string_view image_help);
  /// Which GPU, for commands whose operations can be done there.
  void describe_gpu(OptionTable& table) { gpu.describe(table); }
  /// All others.
  void describe_rest(OptionTable& table);

  /// The image, and `outputs` unless nothing is to be made.
  void name_files(imageio::RunFiles& files,
                  const std::vector<std::filesystem::path>& outputs) const;
};

using OpenStack = std::function<CountedImage(
    const std::filesystem::path& path, const imageio::OpenOptions& options, const RunContext&)>;

/// A voxel size, per axis as far as known.
struct KnownPitch {
  std::optional<double> z_um, y_um, x_um;
};

/// One run of such a command: the image is open, and nothing is written yet.
class KernelJob {
 public:
  /// @param command  its name, for messages.
  /// @param outputs  files to make, one for each result of the operation
  /// @param files    names of the run, with those that name_files() gave it; what is opened joins
  ///                 them
  /// @param open     how the image is opened, with what it holds counted
  /// @throws InvalidSpec  --output is missing, or a file to make is there or is read; and as
  ///                      open_counted.
  KernelJob(std::string_view command, const KernelJobOptions& options,
            std::vector<std::filesystem::path> outputs, imageio::RunFiles& files,
            const Invocation& invocation, const OpenStack& open = open_counted);

  /// Returns how the image was opened; other inputs may be opened in the same way.
  [[nodiscard]] const imageio::OpenOptions& opening() const { return opening_; }
  [[nodiscard]] const imageio::ImageInfo& image() const { return image_.info; }
  [[nodiscard]] Source& source() { return *image_.source; }
  [[nodiscard]] Session& session() { return session_; }
  [[nodiscard]] RunContext context() { return session_.context(); }

  /// Says that whole numbers beyond 2^24 and doubles are rounded, where the image may have some.
  void warn_of_single_precision();

  /// Other files that are read. @throws InvalidSpec  one is a file to make.
  void add_inputs(const std::string& role, const std::vector<std::filesystem::path>& inputs);
  /// The files of an image, and its axes for the record.
  void add_image(const std::string& role, const std::filesystem::path& given,
                 const imageio::ImageInfo& info);

  /// The voxel size of the results, if it differs from that of the image.
  void set_pitch(const KnownPitch& pitch) { pitch_ = pitch; }

  /// Repeats the operation for each of `stacks`, of which the image is the first, and writes all
  /// results into one file.
  void set_stacks(std::shared_ptr<const TakenStacks> stacks) { stacks_ = std::move(stacks); }

  /// Plans the run. Prints the plan with --dry-run; otherwise makes the files, writes a record for
  /// each and prints what was done.
  /// @param asked    what determines the voxels, apart from the input: {"sigma": [1, 1, 1]}.
  /// @param host_seconds  predicted seconds of one thread: a GPU is started for a short run only if
  ///                      it is requested
  /// @throws as plan_bricks, run_bricks and create_image; no file remains of a run that failed
  ///            before all voxels were written.
  /// @throws InvalidSpec  a GPU is requested, and the operation has no code for it.
  void run(kernels::Operation& operation, const Json& asked, double host_seconds = 0) {
    run(operation, asked, asked, host_seconds);
  }
  /// The same where what determines the voxels depends on where they are made.
  void run(kernels::Operation& operation, const Json& asked_of_host, const Json& asked_of_gpu,
           double host_seconds);

 private:
  [[nodiscard]] Stopwatch& watch() { return invocation_.clock.watch(); }
  void print(const kernels::Operation& operation, double seconds,
             const cuda::DeviceInfo* device) const;
  [[nodiscard]] imageio::ImageSpec spec_of(const std::filesystem::path& output,
                                           const Extent3& extent, PixelType type);

  [[nodiscard]] std::vector<std::shared_ptr<imageio::BegunFile>> begin_files(
      const kernels::Operation& operation);
  void make_results(const jobs::PlacedBricks& plan, kernels::Operation& operation,
                    const std::vector<Sink*>& sinks);
  void warn_of(const StoredCounts& counts, PixelType type);

  [[nodiscard]] static Json planned_json(const jobs::PlacedBricks& plan);

  /// The files to make, the memory for writing them, and the plan for the rest.
  struct Writing {
    std::vector<imageio::ImageSpec> specs;
    std::vector<Reservation> held;
    jobs::PlacedBricks plan;
  };
  [[nodiscard]] Writing plan_writing(kernels::Operation& operation, double host_seconds);
  [[nodiscard]] Writing plan_writing(kernels::Operation& operation, double host_seconds,
                                     std::int64_t buffer_bytes);

  std::string command_;
  const KernelJobOptions& options_;
  std::vector<std::filesystem::path> outputs_;
  imageio::RunFiles& files_;
  const Invocation& invocation_;
  Session session_;
  jobs::BrickPlace place_;
  imageio::OpenOptions opening_;
  CountedImage image_;
  std::optional<KnownPitch> pitch_;
  std::shared_ptr<const TakenStacks> stacks_;  ///< null: the one that is open
};

/// The extension and all before it are kept: "out.ome.tif" becomes "out-mean-4.ome.tif".
std::filesystem::path with_suffix(const std::filesystem::path& output, std::string_view suffix);

}  // namespace synthoscope::tools
