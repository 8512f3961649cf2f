// SPDX-License-Identifier: MIT
#include "fftconv/plan/cuts/ring_turns.hpp"
#include <algorithm>
#include "fftconv/plan/cuts/sums.hpp"
#include "kernels/operation/bricks.hpp"

namespace synthoscope::fftconv {

std::vector<RingTurn> ring_turns_of(const Layout& layout) {
  const AxisGeometry& z = layout.z;
  std::vector<RingTurn> turns;
  std::int64_t loaded = 0;
  for (std::int64_t v = 0; v < z.wanted; v += layout.turn_planes) {
    RingTurn turn;
    turn.result = {v, std::min(layout.turn_planes, z.wanted - v)};
    // Result v is the sum over kernel positions j + shift, j < kernel_count, of v - (j + shift)
    const std::int64_t begin = std::max<std::int64_t>(0, v - z.shift - (z.kernel_count - 1));
    const std::int64_t end = std::min(z.loaded, turn.result.end() - z.shift);
    turn.window = {begin, std::max<std::int64_t>(0, end - begin)};
    const std::int64_t fresh = std::max(loaded, begin);
    turn.load = {fresh, std::max<std::int64_t>(0, end - fresh)};
    loaded = std::max(loaded, end);
    turns.push_back(turn);
  }
  return turns;
}

std::vector<std::int64_t> ring_offsets(const Layout& layout, const RingTurn& turn) {
  std::vector<std::int64_t> offsets(static_cast<std::size_t>(layout.transform.z), kOutside);
  for (std::int64_t p = turn.window.first; p < turn.window.end(); ++p)
    offsets[static_cast<std::size_t>(p % layout.transform.z)] =
        p % layout.ring_planes * layout.plane_reals;
  return offsets;
}

std::vector<std::int64_t> partner_offsets(const Layout& layout, const RingTurn& turn) {
  std::vector<std::int64_t> offsets;
  for (std::int64_t v = turn.result.first; v < turn.result.end(); ++v)
    for (std::int64_t j = 0; j < layout.z.kernel_count; ++j) {
      const std::int64_t p = v - (j + layout.z.shift);
      const bool is_there = p >= turn.window.first && p < turn.window.end();
      offsets.push_back(is_there ? p % layout.ring_planes * layout.plane_reals : kOutside);
    }
  return offsets;
}

std::vector<std::int64_t> result_offsets(const Layout& layout, const RingTurn& turn) {
  std::vector<std::int64_t> offsets(static_cast<std::size_t>(layout.transform.z), kOutside);
  for (std::int64_t i = 0; i < turn.result.count; ++i)
    offsets[static_cast<std::size_t>((turn.result.first + i) % layout.transform.z)] =
        i * layout.plane_reals;
  return offsets;
}

namespace {

kernels::BrickPlan bricks_of(const Plan& plan) {
  return {.result = output_extent(plan.problem), .brick = plan.cut.result};
}

}  // namespace

std::vector<TurnStep> turn_steps(const IntervalSet& to_do, const std::vector<RingTurn>& turns) {
  std::vector<TurnStep> steps;
  for (const Interval& stretch : to_do.all())
    for (std::int64_t number = stretch.first; number < stretch.end(); ++number) {
      const auto at = static_cast<std::size_t>(number);
      const std::size_t turn = at % turns.size();
      const bool goes_on = number > stretch.first && turn > 0;
      steps.push_back(
          {number, at / turns.size(), turn, goes_on ? turns[turn].load : turns[turn].window});
    }
  return steps;
}

std::int64_t planes_of(const std::vector<TurnStep>& steps, const std::vector<RingTurn>& turns) {
  std::int64_t planes = 0;
  for (const TurnStep& step : steps) planes += turns[step.turn].result.count;
  return planes;
}

std::int64_t step_count(const Plan& plan) {
  if (plan.strategy == Strategy::parts) return 1;
  if (is_by_sums(plan.strategy)) return brick_count(bricks_of(plan));
  const std::size_t turns = ring_turns_of(make_layout(plan.work, plan.transform, plan.cut)).size();
  return static_cast<std::int64_t>(tiles_of(plan.work, plan.cut).size() * turns);
}

std::int64_t progress_of(const Plan& plan, const IntervalSet& steps) {
  if (is_by_sums(plan.strategy)) return voxels_of(bricks_of(plan), steps.numbers());
  const auto turns = ring_turns_of(make_layout(plan.work, plan.transform, plan.cut));
  return planes_of(turn_steps(steps, turns), turns);
}

}  // namespace synthoscope::fftconv
