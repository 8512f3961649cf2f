// SPDX-License-Identifier: MIT
#include "fftconv/plan/cuts/turn_steps.hpp"
#include "fftconv/plan/cuts/sums.hpp"
#include "kernels/operation/bricks.hpp"

namespace synthoscope::fftconv {
namespace {

kernels::BrickPlan bricks_of(const Plan& plan) {
  return {.result = output_extent(plan.problem), .brick = plan.cut.result};
}

}  // namespace

std::vector<TurnStep> turn_steps(const IntervalSet& to_do, const std::vector<Turn>& turns) {
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

std::int64_t planes_of(const std::vector<TurnStep>& steps, const std::vector<Turn>& turns) {
  std::int64_t planes = 0;
  for (const TurnStep& step : steps) planes += turns[step.turn].result.count;
  return planes;
}

std::int64_t step_count(const Plan& plan) {
  if (plan.strategy == Strategy::parts) return 1;
  if (is_by_sums(plan.strategy)) return brick_count(bricks_of(plan));
  const std::size_t turns = turns_of(make_layout(plan.work, plan.transform, plan.cut)).size();
  return static_cast<std::int64_t>(tiles_of(plan.work, plan.cut).size() * turns);
}

std::int64_t progress_of(const Plan& plan, const IntervalSet& steps) {
  if (is_by_sums(plan.strategy)) return voxels_of(bricks_of(plan), steps.numbers());
  const auto turns = turns_of(make_layout(plan.work, plan.transform, plan.cut));
  return planes_of(turn_steps(steps, turns), turns);
}

}  // namespace synthoscope::fftconv
