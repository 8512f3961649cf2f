// SPDX-License-Identifier: MIT
#include "kernels/device/variance/merge_runs.hpp"
#include <fmt/format.h>
#include <algorithm>
#include "core/base/round_up.hpp"
#include "kernels/device/code/programs.hpp"
#include "kernels/device/code/strips.hpp"

namespace synthoscope::kernels::device {
namespace {

constexpr std::int64_t kMaxAlong = 512;  ///< results of a strip

bool is_result(const MergeSteps& chain, int signal) {
  return std::ranges::find(chain.results, signal) != chain.results.end();
}

/// Adds a step to a run that ends before it; false if the run is full, or if the step reads a
/// signal that is not of the run.
bool extend(AxisRun& run, const MergeStep& step) {
  if (run.merges.merges == MergeRun::kMax) return false;
  const int sides = step.sides - run.from, centre = step.centre - run.from;
  if (sides < 0 || centre < 0) return false;
  const int i = run.merges.merges++;
  run.merges.sides[i] = sides;
  run.merges.centre[i] = centre;
  run.merges.spacing[i] = static_cast<int>(step.spacing);
  run.weights.push_back(three_weights(step.side));
  return true;
}

}  // namespace

std::vector<AxisRun> axis_runs(const MergeSteps& chain) {
  std::vector<AxisRun> runs;
  for (std::size_t i = 0; i < chain.steps.size(); ++i) {
    const MergeStep& step = chain.steps[i];
    const int before = static_cast<int>(i);
    const bool goes_on = !runs.empty() && runs.back().axis == step.axis && step.taps.empty() &&
                         runs.back().taps.empty() && !is_result(chain, before);
    if (!goes_on) runs.push_back({step.axis, before, before, {}, {}, {}});
    AxisRun& run = runs.back();
    run.made = before + 1;
    if (step.taps.empty() ? !extend(run, step) : step.sides != before || step.centre != before)
      return {};
    run.taps.assign(step.taps.begin(), step.taps.end());
  }
  return runs;
}

MergeRuns::MergeRuns(const WindowWork& work)
    : work_{work}, chain_{merge_steps(work.spec.windows)}, runs_{axis_runs(chain_)} {
  // A run ends with one window, and no run makes the image itself
  auto results = chain_.results;
  std::ranges::sort(results);
  if (results.front() == 0 || std::ranges::adjacent_find(results) != results.end()) runs_.clear();
}

std::int64_t MergeRuns::shared_bytes(const AxisRun& run, std::int64_t strip) const {
  const bool of_image = run.from == 0;
  const int taps = static_cast<int>(run.taps.size());
  if (run.axis == Axis::x)
    return taps > 0 ? tap_line_bytes(taps) : line_shared_bytes(run.merges, of_image);
  const int reach = taps > 0 ? taps - 1 : run.merges.reach();
  const int steps = static_cast<int>(strip) + 2 * reach;
  return taps > 0 ? tap_column_bytes(taps, of_image, steps)
                  : march_shared_bytes(run.merges, of_image, steps);
}

bool MergeRuns::are_possible_on(const cuda::DeviceInfo& device) const {
  const auto fits = [&](const AxisRun& run) {
    if (run.taps.size() > kMaxTaps) return false;
    if (!run.taps.empty() && run.axis == Axis::x && run.from > 0) return false;
    // At most half of a line is margin
    if (run.taps.empty() && run.axis == Axis::x && run.merges.reach() > kLine / 4) return false;
    // Two blocks must fit on a multiprocessor
    return shared_bytes(run, kMaxAlong) <= device.shared_bytes / 2;
  };
  return !runs_.empty() && std::ranges::all_of(runs_, fits);
}

Extent3 MergeRuns::padded(const Extent3& box) const {
  const Extent3& reach = chain_.reach();
  return {box.z + 2 * reach.z, box.y + 2 * reach.y, box.x + 2 * reach.x};
}

std::int64_t MergeRuns::working_bytes(const Extent3& box) const {
  const auto places = static_cast<std::int64_t>(std::min<std::size_t>(2, runs_.size()));
  return 2 * places * volume(padded(box)) * std::int64_t{sizeof(float)};
}

cuda::KernelName MergeRuns::kernel_of(const AxisRun& run, PixelType type) const {
  const bool along_x = run.axis == Axis::x;
  std::string parameters = fmt::format("{}, {}", cuda_name(type), results_name(work_));
  if (run.taps.empty() || !along_x) parameters += run.from == 0 ? ", true" : ", false";
  if (!along_x) parameters += run.axis == Axis::z ? ", true" : ", false";
  if (!run.taps.empty()) parameters += fmt::format(", {}", run.taps.size());
  for (int i = 0; i < run.merges.merges; ++i)
    parameters += fmt::format(", {}, {}, {}", run.merges.sides[i], run.merges.centre[i],
                              run.merges.spacing[i]);
  const char* const name = run.taps.empty() ? along_x ? "merge_lines" : "merge_columns"
                           : along_x        ? "merge_line_taps"
                                            : "merge_column_taps";
  return {run.taps.empty() ? "variance/merge_run.cuh" : "variance/merge_taps.cuh",
          fmt::format("{}<{}>", name, parameters)};
}

std::vector<cuda::KernelName> MergeRuns::kernels(PixelType type) const {
  std::vector<cuda::KernelName> all;
  for (const AxisRun& run : runs_) all.push_back(kernel_of(run, type));
  return all;
}

void MergeRuns::prepare(const cuda::DeviceContext& gpu, PixelType type, const Extent3& box) {
  compiled_.clear();
  for (const AxisRun& run : runs_) {
    const bool along_x = run.axis == Axis::x;
    cuda::GpuKernel kernel = device_library().kernel(gpu.device, kernel_of(run, type));
    const std::int64_t bytes = shared_bytes(run, kMaxAlong);
    kernel.allow_shared(bytes);
    const int blocks = kernel.blocks_at_once(along_x ? kLineThreads : kMarchColumns, bytes);
    compiled_.push_back(
        {std::move(kernel), std::int64_t{std::max(1, blocks)} * gpu.device.multiprocessors});
  }
  release();  // frees what a failed run left
  working_ = {gpu.device.id, gpu.memory, working_bytes(box) / std::int64_t{sizeof(float)},
              "parts of windows"};
}

cuda::LaunchShape MergeRuns::part(std::size_t i, RunArguments& a) const {
  const AxisRun& run = runs_[i];
  const int taps = static_cast<int>(run.taps.size());
  if (run.axis == Axis::x) {
    const std::int64_t made = taps > 0 ? kLine : kLine - 2 * run.merges.reach();
    return {{a.box.planes * a.box.rows, parts_of<std::int64_t>(a.box.columns, made)},
            {kLineThreads},
            shared_bytes(run, 0)};
  }
  const std::int64_t along = run.axis == Axis::z ? a.box.planes : a.box.rows,
                     other = run.axis == Axis::z ? a.box.rows : a.box.planes,
                     groups = parts_of<std::int64_t>(a.box.columns, kMarchColumns);
  const std::int64_t strip = strip_of({.results = along,
                                       .beside = groups * other,
                                       .at_once = compiled_[i].at_once,
                                       .reach = 2 * (taps > 0 ? taps - 1 : run.merges.reach()) + 1,
                                       .most = kMaxAlong});
  a.strip = static_cast<int>(strip);
  a.strips = static_cast<int>(parts_of(along, strip));
  return {{other * a.strips, groups}, {kMarchColumns}, shared_bytes(run, strip)};
}

void MergeRuns::enqueue(const cuda::Stream& stream, const DeviceWindow& in, const Box3& box,
                        const WorkResults& results) const {
  const Extent3 &reach = chain_.reach(), around = padded(box.size);
  const std::int64_t signal = volume(around);
  RunArguments a;
  a.in = held_voxels(in);
  a.boundary = static_cast<int>(work_.spec.boundary);
  a.z = box.origin.z - reach.z;
  a.y = box.origin.y - reach.y;
  a.x = box.origin.x - reach.x;
  a.counts = results.counts;
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    const AxisRun& run = runs_[i];
    const Extent3& margin = chain_.margins[static_cast<std::size_t>(run.made)];
    a.box = {around.y * around.x,       around.x,
             reach.z - margin.z,        reach.y - margin.y,
             reach.x - margin.x,        box.size.z + 2 * margin.z,
             box.size.y + 2 * margin.y, box.size.x + 2 * margin.x};
    a.around_z = static_cast<int>(margin.z);
    a.around_y = static_cast<int>(margin.y);
    a.around_x = static_cast<int>(margin.x);
    a.from = a.made;
    float* const to = working_.data() + 2 * static_cast<std::int64_t>(i % 2) * signal;
    a.made = i + 1 < runs_.size() ? PartsSignal{to, to + signal} : PartsSignal{};
    a.window = {};
    for (std::size_t window = 0; window < chain_.results.size(); ++window)
      if (chain_.results[window] == run.made) a.window = places_of(work_, window, results);
    RunWeights weights;
    std::ranges::copy(run.weights, weights.merges);
    std::ranges::copy(run.taps, weights.taps);
    const cuda::LaunchShape shape = part(i, a);
    compiled_[i].kernel.launch(stream, shape, a, weights);
  }
}

void MergeRuns::release() {
  working_ = {};
}

}  // namespace synthoscope::kernels::device
