// SPDX-License-Identifier: MIT
// fftconv/plan/gpu/cost.hpp — how long a GPU and its link take for a run. A pass over spectra
// is measured in copies: the time that its bytes take where they are copied within the GPU's
// memory.
#pragma once
#include <initializer_list>
#include "fftconv/lines/shape.hpp"
#include "fftconv/machine.hpp"
#include "fftconv/plan/cuts/cost.hpp"
#include "fftconv/plan/gpu/layout.hpp"
#include "fftconv/plan/gpu/parts_layout.hpp"

namespace synthoscope::fftconv::device {

/// CUDA's start on a GPU, in seconds. Kernels come from the cache of earlier runs.
inline constexpr double kGpuStartSeconds = 0.4;

/// Returns the seconds until a run on the machine's GPU begins.
double start_seconds(const Machine& machine);

/// Launches and waiting between the stages of a batch.
inline constexpr double kBatchSeconds = 4e-5;

/// Returns the seconds of overlapping stages: those of the longest one, and a fraction of the
/// others, which share threads and memory with it. So more work is never free, and if files limit
/// the run, the plan that computes least is chosen.
double at_the_same_time(std::initializer_list<double> stages);

/// Copies that a pass over lines of `length` takes. Along z: forward, times the kernel, and back.
/// As measured (tuned_lines.hpp), else fitted to 280 lengths to 3600 measured on an H200, which it
/// meets within 9 % on average.
double copies_of(std::int64_t length, LineKind kind, const BlockLimits& limits);

/// Seconds of a run's stages on the GPU, and what goes over its link.
struct GpuWork {
  double kernel = 0;                    ///< until the transfer function is there, link included
  double forward = 0;                   ///< planes of the image to spectra
  double columns = 0;                   ///< along z
  double back = 0;                      ///< spectra to planes of the result
  double up_bytes = 0, down_bytes = 0;  ///< of image and result
};

GpuWork gpu_work(const Layout& layout, const Problem& work, const Cut& cut,
                 const DeviceLayout& sizes, const Gpu& gpu);

/// Seconds of overlapping work if the result comes in several turns, for links, GPUs, cores and
/// disk; and of what comes before and after it.
struct TurnStages {
  double besides = 0, link = 0, gpu = 0, host = 0, disk = 0;
  [[nodiscard]] double seconds() const {
    return besides + at_the_same_time({link, gpu, host, disk});
  }
};

/// GPUs of one machine that share a run, and their links the host's memory.
struct GpusAtOnce {
  std::int64_t count = 1;
  double links = 1;  ///< what all links carry at once, over what one does
};

/// @param work, bytes  of all of the GPUs, what they read twice included
TurnStages turn_stages(const GpuWork& work, const RunCost& bytes, const DeviceLayout& sizes,
                       const Machine& machine, const GpusAtOnce& gpus = {});

/// Predicted seconds of a run that moves `bytes` on disk. Where the result comes in several turns,
/// all that a machine has works at the same time; else what comes, what is computed and what goes
/// follow one another.
double gpu_run_seconds(const GpuWork& work, const RunCost& bytes, const DeviceLayout& sizes,
                       bool in_turns, const Machine& machine);

/// Predicted seconds of a run that moves `traffic` and, on disk, `bytes`. Where the device folds,
/// loading, parts and storing follow one another; else the host folds and puts parts aside while
/// others travel and are computed, and unfolds when all are there.
double gpu_parts_seconds(const PartsTraffic& traffic, const RunCost& bytes,
                         const PartsLayout& parts, const Machine& machine);

}  // namespace synthoscope::fftconv::device
