// SPDX-License-Identifier: MIT
#include <algorithm>
#include <numeric>
#include "textures/two_sample/classifiers.hpp"

namespace synthoscope::textures {

std::vector<std::pair<double, double>> roc_curve(const std::vector<double>& scores,
                                                 const std::vector<char>& is_synthetic) {
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
  const auto hits = static_cast<double>(
      std::count_if(is_synthetic.begin(), is_synthetic.end(), [](char one) { return one != 0; }));
  const double alarms = static_cast<double>(scores.size()) - hits;
  std::vector<std::pair<double, double>> curve{{0, 0}};
  double of_real = 0, of_synthetic = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    ++(is_synthetic[order[i]] ? of_synthetic : of_real);
    // Rows with one score are passed together
    if (i + 1 < order.size() && !(scores[order[i + 1]] < scores[order[i]])) continue;
    curve.emplace_back(of_real / alarms, of_synthetic / hits);
  }
  return curve;
}

double area_under_curve(const std::vector<double>& scores, const std::vector<char>& is_synthetic) {
  const auto curve = roc_curve(scores, is_synthetic);
  double area = 0;
  for (std::size_t i = 1; i < curve.size(); ++i)
    area += (curve[i].first - curve[i - 1].first) * (curve[i].second + curve[i - 1].second) / 2;
  return area;
}

}  // namespace synthoscope::textures
