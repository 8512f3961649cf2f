// SPDX-License-Identifier: MIT
// tools/jobs/convolve_run.hpp — makes the result of `convolve` by a plan, records it, and says so.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>
#include "core/stream/finite_source.hpp"
#include "core/stream/store_as.hpp"
#include "core/volume/shard.hpp"
#include "fftconv/executor.hpp"
#include "fftconv/kernel/image_convolution.hpp"
#include "fftconv/team.hpp"
#include "imageio/create.hpp"
#include "imageio/run/journal.hpp"
#include "imageio/run/provenance.hpp"
#include "tools/jobs/shared_output.hpp"
#include "tools/options/certify.hpp"
#include "tools/options/image.hpp"
#include "tools/options/resume.hpp"
#include "tools/options/run.hpp"

namespace synthoscope::tools {

/// All that is read and written, and how.
struct ConvolveJob {
  std::string image_name;
  const imageio::OpenImage& image;
  const fftconv::ExaminedKernel& kernel;
  const imageio::InputsAsRead& inputs;  ///< all files that are read
  const fftconv::Plan& plan;
  const std::string& request;
  imageio::ImageSpec spec;
  const imageio::UnfinishedRun* unfinished;
};

/// What of the options concerns the result. References outlive their user.
struct ConvolveSettings {
  const fftconv::ImageConvolution& asked;
  bool overwrite;
  const RunOptions& run;
  const CertifyOptions& certify;
  const ResumeOptions& resume;
};

/// What shards share: the steps of the plan, or in frequency parts a step for each of a team.
std::int64_t shared_steps(const fftconv::Plan& plan, const fftconv::Team* team);

class ConvolveRun {
 public:
  /// All references outlive this.
  ConvolveRun(const ConvolveJob& job, std::filesystem::path output,
              const ConvolveSettings& settings, fftconv::Executor& executor,
              const Invocation& invocation)
      : job_{job},
        output_{std::move(output)},
        settings_{settings},
        executor_{executor},
        invocation_{invocation} {}

  /// The whole result. @throws as Executor::run, ResumableOutput and certify_and_rename
  void make(const RunContext& context);

  /// One shard of it; and the rest, where this is the last. @throws as make, and SharedOutput
  /// @param team  of whom the first speaks and does the rest; may be null
  void make_shard(SharedOutput& output, const Shard& shard, fftconv::Team* team,
                  const RunContext& context);

 private:
  struct Work;
  struct Outcome;
  fftconv::RunReport convolve(Work& work, Sink& sink, Checkpoint& checkpoint, RunContext context);
  void judge(const Work& work) const;
  void record(const Outcome& outcome) const;
  void print(const Outcome& outcome) const;
  void print_missing(const Shard& shard, const std::vector<std::int64_t>& missing) const;

  const ConvolveJob& job_;
  std::filesystem::path output_;
  ConvolveSettings settings_;
  fftconv::Executor& executor_;
  const Invocation& invocation_;
};

}  // namespace synthoscope::tools
