// SPDX-License-Identifier: MIT
#include "kernels/device/variance/merge_by_merge.hpp"
#include <fmt/format.h>
#include <algorithm>
#include "core/base/round_up.hpp"
#include "kernels/device/code/programs.hpp"

namespace synthoscope::kernels::device {

cuda::LaunchShape shape_for(const PartsBox& box) {
  return {{parts_of<std::int64_t>(box.rows, kPartsY) * box.planes,
           parts_of<std::int64_t>(box.columns, kPartsX)},
          {kPartsX, kPartsY},
          0};
}

MergeByMerge::MergeByMerge(const WindowWork& work)
    : work_{work}, chain_{merge_steps(work.spec.windows)}, places_(chain_.margins.size(), -1) {
  std::vector<std::size_t> last_use(places_.size());
  for (std::size_t i = 0; i < chain_.steps.size(); ++i)
    for (const int signal : {chain_.steps[i].sides, chain_.steps[i].centre})
      last_use[static_cast<std::size_t>(signal)] = i;
  // A place is free again after the last step that reads its signal. Results are stored at once
  std::vector<std::size_t> free_from;
  for (std::size_t i = 0; i < chain_.steps.size(); ++i) {
    std::size_t place = 0;
    while (place < free_from.size() && free_from[place] > i) ++place;
    if (place == free_from.size()) free_from.push_back(0);
    free_from[place] = std::max(last_use[i + 1], i) + 1;
    places_[i + 1] = static_cast<int>(place);
  }
  volumes_ = 1 + 2 * static_cast<std::int64_t>(free_from.size());
  for (const MergeStep& step : chain_.steps)
    taps_.insert(taps_.end(), step.taps.begin(), step.taps.end());
}

Extent3 MergeByMerge::padded(const Extent3& box) const {
  const Extent3& reach = chain_.reach();
  return {box.z + 2 * reach.z, box.y + 2 * reach.y, box.x + 2 * reach.x};
}

PartsSignal MergeByMerge::signal_at(int signal, const Extent3& around) const {
  const int place = places_[static_cast<std::size_t>(signal)];
  if (place < 0) return {};
  float* const offset = working_.data() + (1 + 2 * place) * volume(around);
  return {offset, offset + volume(around)};
}

std::int64_t MergeByMerge::working_bytes(const Extent3& box) const {
  return (volumes_ * volume(padded(box)) + std::max<std::int64_t>(1, tap_count())) *
         std::int64_t{sizeof(float)};
}

std::vector<cuda::KernelName> MergeByMerge::kernels(PixelType type) const {
  const char* const source = "variance/variance.cuh";
  return {{source, fmt::format("bring_voxels<{}>", cuda_name(type))},
          {source, "merge_parts"},
          {source, fmt::format("finish_window<{}>", results_name(work_))}};
}

void MergeByMerge::prepare(const cuda::DeviceContext& gpu, PixelType type, const Extent3& box,
                           const cuda::Stream& stream) {
  const std::vector<cuda::KernelName> wanted = kernels(type);
  bring_ = device_library().kernel(gpu.device, wanted[0]);
  merge_ = device_library().kernel(gpu.device, wanted[1]);
  finish_ = device_library().kernel(gpu.device, wanted[2]);
  release();  // frees what a failed run left
  working_ = {gpu.device.id, gpu.memory, volumes_ * volume(padded(box)), "parts of windows"};
  taps_there_ = {gpu.device.id, gpu.memory, std::max<std::int64_t>(1, tap_count()), "weights"};
  if (tap_count() > 0)
    cuda::enqueue_copy(stream, taps_there_.data(), taps_.data(),
                       tap_count() * std::int64_t{sizeof(float)});
}

void MergeByMerge::enqueue(const cuda::Stream& stream, const DeviceWindow& in, const Box3& box,
                           const WorkResults& results) const {
  const Extent3 &reach = chain_.reach(), around = padded(box.size);
  const Count row = around.x, plane = around.y * around.x;
  const auto part = [&](const Extent3& margin) {
    return PartsBox{plane,
                    row,
                    reach.z - margin.z,
                    reach.y - margin.y,
                    reach.x - margin.x,
                    box.size.z + 2 * margin.z,
                    box.size.y + 2 * margin.y,
                    box.size.x + 2 * margin.x};
  };
  const PartsBox all = part(reach), made = part({});
  bring_->launch(stream, shape_for(all),
                 VoxelsArguments{held_voxels(in), static_cast<int>(work_.spec.boundary),
                                 box.origin.z - reach.z, box.origin.y - reach.y,
                                 box.origin.x - reach.x, all, working_.data()});
  const auto finish_windows = [&](int signal) {
    for (std::size_t window = 0; window < chain_.results.size(); ++window)
      if (chain_.results[window] == signal)
        finish_->launch(stream, shape_for(made),
                        FinishArguments{made, working_.data(), signal_at(signal, around),
                                        places_of(work_, window, results), results.counts});
  };
  finish_windows(0);
  const float* taps = taps_there_.data();
  for (std::size_t i = 0; i < chain_.steps.size(); ++i) {
    const MergeStep& step = chain_.steps[i];
    MergeArguments a;
    a.box = part(chain_.margins[i + 1]);
    a.voxels = working_.data();
    a.sides = signal_at(step.sides, around);
    a.centre = signal_at(step.centre, around);
    a.made = signal_at(static_cast<int>(i) + 1, around);
    const Count along = step.axis == Axis::z ? plane : step.axis == Axis::y ? row : 1;
    a.apart = step.spacing * along;
    a.weights = three_weights(step.side);
    a.taps = static_cast<int>(step.taps.size());
    a.tap_weights = taps;
    taps += step.taps.size();
    merge_->launch(stream, shape_for(a.box), a);
    finish_windows(static_cast<int>(i) + 1);
  }
}

void MergeByMerge::release() {
  working_ = {};
  taps_there_ = {};
}

}  // namespace synthoscope::kernels::device
