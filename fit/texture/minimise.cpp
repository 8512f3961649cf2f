// SPDX-License-Identifier: MIT
#include "fit/texture/minimise.hpp"
#include <nlopt.h>
#include <algorithm>
#include <exception>
#include <memory>

namespace synthoscope::fit {
namespace {

constexpr double kFirstStep = 1.0 / 3;  ///< in priors
constexpr double kLastStep = 0.02;      ///< in priors: smaller steps end the search
constexpr unsigned kLeastKeysOfBobyqa = 2;

struct FreeOptimiser {
  void operator()(nlopt_opt_s* optimiser) const { nlopt_destroy(optimiser); }
};
using Optimiser = std::unique_ptr<nlopt_opt_s, FreeOptimiser>;

/// What the callback of C sees. Positions are in priors.
struct Search {
  const std::vector<FittedKey>& keys;
  const Objective& objective;
  const StopFlag& stop;
  nlopt_opt optimiser = nullptr;
  Minimum best = {};
  std::exception_ptr failure = {};

  [[nodiscard]] std::vector<double> values_at(const double* x) const {
    std::vector<double> values;
    for (std::size_t i = 0; i < keys.size(); ++i)
      values.push_back(
          std::clamp(value_at(keys[i], keys[i].prior * x[i]), keys[i].least, keys[i].most));
    return values;
  }

  double evaluate(const double* x) {
    stop.check();
    std::vector<double> values = values_at(x);
    const double found = objective(values);
    if (best.evaluations == 0 || found < best.objective) {
      best.values = std::move(values);
      best.objective = found;
    }
    ++best.evaluations;
    return found;
  }
};

double call_back(unsigned /*n*/, const double* x, double* /*gradient*/, void* data) {
  auto& search = *static_cast<Search*>(data);
  try {
    return search.evaluate(x);
  } catch (...) {  // must not pass through C
    search.failure = std::current_exception();
    nlopt_force_stop(search.optimiser);
    return 0;
  }
}

}  // namespace

Minimum minimise(const std::vector<FittedKey>& keys, const std::vector<double>& start,
                 const Objective& objective, const Budget& budget, const StopFlag& stop) {
  const auto size = static_cast<unsigned>(keys.size());
  std::vector<double> x, low, high;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const auto place = [&](double value) { return position_of(keys[i], value) / keys[i].prior; };
    low.push_back(place(keys[i].least));
    high.push_back(place(keys[i].most));
    x.push_back(std::clamp(place(start[i]), low.back(), high.back()));
  }
  const Optimiser optimiser{
      nlopt_create(size < kLeastKeysOfBobyqa ? NLOPT_LN_COBYLA : NLOPT_LN_BOBYQA, size)};
  Search search{keys, objective, stop, optimiser.get()};
  nlopt_set_min_objective(optimiser.get(), call_back, &search);
  nlopt_set_lower_bounds(optimiser.get(), low.data());
  nlopt_set_upper_bounds(optimiser.get(), high.data());
  nlopt_set_initial_step1(optimiser.get(), kFirstStep);
  nlopt_set_xtol_abs1(optimiser.get(), kLastStep);
  nlopt_set_maxeval(optimiser.get(), budget.evaluations);
  nlopt_set_maxtime(optimiser.get(), budget.seconds);
  double unused = 0;
  nlopt_optimize(optimiser.get(), x.data(), &unused);  // rounding may end it: the best counts
  if (search.failure) std::rethrow_exception(search.failure);
  return search.best;
}

}  // namespace synthoscope::fit
