// SPDX-License-Identifier: MIT
#include "kernels/correlate/axis_weights.hpp"
#include <algorithm>

namespace synthoscope::kernels {
namespace {

constexpr std::int64_t kLongestPart = 128;

AxisForm form_of(std::span<const float> w, SupportedForms known) {
  if (w.size() == 1) return w[0] == 1 ? AxisForm::none : AxisForm::all;
  const auto each_pair = [&](auto&& agrees) {
    for (std::size_t i = 0; i < w.size(); ++i)
      if (!agrees(w[i], w[w.size() - 1 - i])) return false;
    return true;
  };
  if (known.box && std::ranges::all_of(w, [&](float value) { return value == w[0]; }))
    return AxisForm::box;
  if (!known.folded) return AxisForm::all;
  if (each_pair([](float a, float b) { return a == b; })) return AxisForm::symmetric;
  if (each_pair([](float a, float b) { return a == -b; })) return AxisForm::antisymmetric;
  return AxisForm::all;
}

}  // namespace

AxisWeights axis_weights(std::span<const double> weights, SupportedForms known) {
  AxisWeights made;
  made.values.assign(weights.begin(), weights.end());
  made.form = form_of(made.values, known);
  const bool is_folded = made.form == AxisForm::symmetric || made.form == AxisForm::antisymmetric;
  const std::int64_t count = is_folded ? made.size() / 2 : made.size();
  const std::int64_t parts = std::max<std::int64_t>(1, (count + kLongestPart - 1) / kLongestPart);
  for (std::int64_t i = 0; i <= parts; ++i) made.cuts.push_back(i * count / parts);
  return made;
}

BoxParts box_parts(std::int64_t size) {
  // A second step pays if it saves more than storing and loading the sums of the first costs
  constexpr std::int64_t kStepCost = 2;
  BoxParts best{1, size, 0};
  std::int64_t cheapest = size;
  for (std::int64_t length = 2; length * length <= 2 * size; ++length) {
    const BoxParts parts{length, size / length, size % length};
    const std::int64_t cost = length + parts.parts + parts.rest + kStepCost;
    if (cost >= cheapest) continue;
    cheapest = cost;
    best = parts;
  }
  return best;
}

}  // namespace synthoscope::kernels
