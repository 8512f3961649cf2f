// SPDX-License-Identifier: MIT
#include "fit/matching/match.hpp"
#include <fmt/format.h>
#include <Eigen/Dense>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <unsupported/Eigen/LevenbergMarquardt>
#include "core/base/error.hpp"

namespace synthoscope::fit {
namespace {

constexpr double kFarAway = 1e3;     ///< residual of a scene that cannot be simulated
constexpr int kMostRounds = 3;       ///< of derivatives
constexpr double kSettled = 0.3;     ///< a round that moves all keys by less is the last, in priors
constexpr double kSmallStep = 0.02;  ///< a step that moves all keys by less ends a round, in priors
constexpr double kTold = 0.5;        ///< of the prior: a key with a smaller deviation is measured
constexpr double kTolerance = 0.01;  ///< relative change of the sum of squares that ends a round

/// The statistics of a scene as residuals, of keys in standard deviations of their prior around
/// their start. Derivatives are computed once, and then follow the steps that are taken.
class Residuals : public Eigen::DenseFunctor<double> {
 public:
  Residuals(const simulator::SceneSpec& start, const MatchRequest& request, const Statistics& first)
      : DenseFunctor{static_cast<int>(request.keys.size()),
                     static_cast<int>(request.keys.size()) +
                         static_cast<int>(request.wanted.values.size())},
        start_{start},
        request_{request},
        errors_{errors_of(request, first)},
        chance_{first.covariance.diagonal().cwiseQuotient(errors_.cwiseAbs2()).sum() /
                request.repeats} {}

  /// Returns the standard error of each difference of the statistics.
  static Eigen::VectorXd errors_of(const MatchRequest& request, const Statistics& simulated) {
    const Eigen::VectorXd variance =
        request.wanted.covariance.diagonal() + simulated.covariance.diagonal() / request.repeats;
    // A statistic without scatter still has the rounding of its voxels
    const Eigen::VectorXd least = (1e-3 * request.wanted.values.cwiseAbs()).array() + 1e-9;
    return variance.cwiseSqrt().cwiseMax(least);
  }

  [[nodiscard]] simulator::SceneSpec scene_at(const Eigen::VectorXd& x) const {
    simulator::SceneSpec scene = start_;
    for (std::size_t i = 0; i < request_.keys.size(); ++i) {
      const FittedKey& key = request_.keys[i];
      const double position =
          position_of(key, value_of(start_, key)) + key.prior * x[static_cast<Eigen::Index>(i)];
      set_value(scene, key, value_at(key, position));
    }
    return scene;
  }

  /// Moves positions beyond the limits of keys back to them: from there derivatives point inside.
  [[nodiscard]] Eigen::VectorXd within_limits(Eigen::VectorXd x) const {
    for (std::size_t i = 0; i < request_.keys.size(); ++i) {
      const FittedKey& key = request_.keys[i];
      const double start = position_of(key, value_of(start_, key));
      const auto limit = [&](double value) {
        return (position_of(key, value) - start) / key.prior;
      };
      double& at = x[static_cast<Eigen::Index>(i)];
      at = std::clamp(at, limit(key.least), limit(key.most));
    }
    return x;
  }

  int operator()(const Eigen::VectorXd& x, Eigen::VectorXd& residuals) {
    const auto found = simulated(x);
    if (!found) {
      residuals.setConstant(values(), kFarAway);
      return 0;
    }
    residuals.resize(values());
    residuals << (found->values - request_.wanted.values).cwiseQuotient(errors_), x;
    note(x, residuals);
    return 0;
  }

  /// Derivatives at x, which was computed last but one or last.
  int df(const Eigen::VectorXd& x, Eigen::MatrixXd& derivatives) {
    if (derivatives_.size() == 0)
      measure_derivatives(x);
    else
      follow(x);
    derivatives = derivatives_;
    return 0;
  }

  void forget_derivatives() { derivatives_.resize(0, 0); }
  [[nodiscard]] int simulations() const { return simulations_; }
  [[nodiscard]] const Eigen::VectorXd& errors() const { return errors_; }
  /// Of the statistics alone, per standard deviation of the priors.
  [[nodiscard]] Eigen::MatrixXd sensitivity() const {
    const Eigen::Index statistics = request_.wanted.values.size();
    return errors_.asDiagonal() * derivatives_.topRows(statistics);
  }
  [[nodiscard]] std::optional<Statistics> simulated(const Eigen::VectorXd& x) {
    ++simulations_;
    try {
      return request_.simulate(scene_at(x));
    } catch (const InvalidSpec&) {
      return std::nullopt;  // its objects have no room, for instance
    }
  }

 private:
  struct Known {
    Eigen::VectorXd x, residuals;
  };
  void note(const Eigen::VectorXd& x, const Eigen::VectorXd& residuals) {
    known_.push_back({x, residuals});
  }
  [[nodiscard]] Eigen::VectorXd residuals_at(const Eigen::VectorXd& x) {
    for (auto known = known_.rbegin(); known != known_.rend(); ++known)
      if (known->x == x) return known->residuals;
    Eigen::VectorXd residuals;
    (*this)(x, residuals);
    return residuals;
  }

  [[nodiscard]] double shortest_step() const {
    double shortest = 1;
    for (const FittedKey& key : request_.keys) shortest = std::min(shortest, key.step);
    return shortest;
  }

  /// Whether a key can move by a step: beyond its limits it would stay, and no statistic change.
  [[nodiscard]] bool has_room(const Eigen::VectorXd& x, Eigen::Index i, double step) const {
    const FittedKey& key = request_.keys[static_cast<std::size_t>(i)];
    const double start = position_of(key, value_of(start_, key));
    const double value = value_at(key, start + key.prior * (x[i] + step));
    return value >= key.least && value <= key.most;
  }

  void measure_derivatives(const Eigen::VectorXd& x) {
    const Eigen::VectorXd here = residuals_at(x);
    derivatives_.resize(values(), inputs());
    for (Eigen::Index i = 0; i < x.size(); ++i) {
      Eigen::VectorXd beside;
      const double length = request_.keys[static_cast<std::size_t>(i)].step;
      double step = has_room(x, i, length) ? length : -length;
      Eigen::VectorXd moved = x;
      moved[i] += step;
      (*this)(moved, beside);
      if (beside[0] == kFarAway) {
        step = -step;
        moved[i] = x[i] + step;
        (*this)(moved, beside);
      }
      derivatives_.col(i) = (beside - here) / step;
      if (request_.keys[static_cast<std::size_t>(i)].redraws) shrink(i, step);
    }
    at_ = {x, here};
  }

  /// Makes a derivative smaller by what the chance of two independent simulations may have added.
  /// @source James, Stein, Proc. 4th Berkeley Symp. 1 (1961) 361: of normal values of unknown mean
  void shrink(Eigen::Index key, double step) {
    auto of_statistics = derivatives_.col(key).head(request_.wanted.values.size());
    const double square = of_statistics.squaredNorm();
    if (square > 0) of_statistics *= std::max(0.0, 1 - 2 * chance_ / (step * step) / square);
  }

  /// The smallest change that explains the step. @source Broyden, Math. Comput. 19 (1965) 577,
  /// doi:10.1090/S0025-5718-1965-0198670-6.
  void follow(const Eigen::VectorXd& x) {
    const Eigen::VectorXd here = residuals_at(x);
    const Eigen::VectorXd step = x - at_.x;
    // Of a shorter step the chance of the simulations tells more than the change of the keys
    if (step.norm() < shortest_step()) return;
    // Beyond its limit a key changes no statistic, as if it had no effect
    for (Eigen::Index i = 0; i < x.size(); ++i)
      if (!has_room(x, i, 0)) return;
    derivatives_ +=
        (here - at_.residuals - derivatives_ * step) * step.transpose() / step.squaredNorm();
    at_ = {x, here};
  }

  const simulator::SceneSpec& start_;
  const MatchRequest& request_;
  Eigen::VectorXd errors_;
  double chance_;  ///< sum of the variances of the simulated statistics, over those of `errors_`
  Eigen::MatrixXd derivatives_;
  Known at_;
  std::vector<Known> known_;
  int simulations_ = 0;
};

Estimate estimate_of(const FittedKey& key, const simulator::SceneSpec& scene, double deviation,
                     double units) {
  Estimate result;
  result.key = key.key;
  result.axis = key.axis;
  result.value = value_of(scene, key);
  const double width = half_width(units) * deviation, position = position_of(key, result.value);
  result.low = std::max(value_at(key, position - width), key.least);
  result.high = std::min(value_at(key, position + width), key.most);
  result.origin = deviation < kTold * key.prior ? Origin::measured : Origin::assumed;
  result.how = key.how;
  return result;
}

std::vector<ComparedNumber> compared(const Statistics& wanted, const Statistics& simulated,
                                     const Eigen::VectorXd& errors) {
  std::vector<ComparedNumber> all;
  for (std::size_t i = 0; i < wanted.names.size(); ++i) {
    const auto place = static_cast<Eigen::Index>(i);
    const double real = wanted.values[place], twin = simulated.values[place];
    all.push_back({wanted.names[i], real, twin, (twin - real) / errors[place]});
  }
  return all;
}

/// The covariance of the keys, in priors. The search weighs statistics by D, although their
/// covariance is C: with H = J^T D^-1 J + 1 it is H^-1 (J^T D^-1 C D^-1 J + 1) H^-1. C is not
/// inverted, since that of a few objects has no inverse.
/// @source Hansen, Econometrica 50 (1982) 1029, theorem 3.1, doi:10.2307/1912775
Eigen::MatrixXd covariance_of_keys(const Eigen::MatrixXd& sensitivity, const MatchRequest& request,
                                   const Statistics& simulated, const Eigen::VectorXd& errors) {
  Eigen::MatrixXd covariance = request.wanted.covariance + simulated.covariance / request.repeats;
  covariance.diagonal() = covariance.diagonal().cwiseMax(errors.cwiseAbs2());
  const Eigen::MatrixXd weighted = errors.cwiseAbs2().cwiseInverse().asDiagonal() * sensitivity;
  const auto size = sensitivity.cols();
  const Eigen::MatrixXd priors = Eigen::MatrixXd::Identity(size, size);
  const Eigen::MatrixXd curvature = sensitivity.transpose() * weighted + priors;
  const Eigen::MatrixXd spread = weighted.transpose() * covariance * weighted + priors;
  const Eigen::MatrixXd inverse = curvature.inverse();
  return inverse * spread * inverse;
}

}  // namespace

Matched match(const simulator::SceneSpec& start, const MatchRequest& request,
              const RunContext& context) {
  const auto begin = std::chrono::steady_clock::now();
  const auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  Matched result;
  result.scene = start;
  result.simulated = request.simulate(start);
  if (request.keys.empty()) {
    result.compared =
        compared(request.wanted, result.simulated, Residuals::errors_of(request, result.simulated));
    result.simulations = 1;
    return result;
  }
  Residuals residuals{start, request, result.simulated};
  Eigen::VectorXd x = Eigen::VectorXd::Zero(residuals.inputs()), last = x;
  const auto is_over = [&] {
    return residuals.simulations() >= request.most_simulations || seconds() >= request.seconds;
  };
  for (int round = 0; round < kMostRounds; ++round) {
    const Eigen::VectorXd before = x;
    residuals.forget_derivatives();
    Eigen::LevenbergMarquardt<Residuals> search{residuals};
    search.setFtol(kTolerance);
    search.setXtol(kTolerance);
    // The first step is up to one prior; scaled by derivatives it would be up to one error
    search.diag() = Eigen::VectorXd::Ones(residuals.inputs());
    search.setExternalScaling(true);
    search.setFactor(1);
    auto status = search.minimizeInit(x);
    bool moves = true;
    do {
      context.stop.check();
      last = x;
      status = search.minimizeOneStep(x);
      x = residuals.within_limits(x);
      moves = status == Eigen::LevenbergMarquardtSpace::Running &&
              (x - last).cwiseAbs().maxCoeff() > kSmallStep;
    } while (moves && !is_over());
    const bool has_settled = !moves && (x - before).cwiseAbs().maxCoeff() < kSettled;
    result.is_unfinished = !has_settled;
    if (has_settled || is_over()) break;
  }
  result.scene = residuals.scene_at(x);
  if (auto found = residuals.simulated(x)) result.simulated = std::move(*found);
  result.compared = compared(request.wanted, result.simulated, residuals.errors());
  const Eigen::MatrixXd covariance =
      covariance_of_keys(residuals.sensitivity(), request, result.simulated, residuals.errors());
  for (std::size_t i = 0; i < request.keys.size(); ++i) {
    const auto place = static_cast<Eigen::Index>(i);
    const FittedKey& key = request.keys[i];
    // A search that runs out of time may be as far from the end as its last step was long
    const double deviation = std::hypot(std::sqrt(covariance(place, place)), (x - last)[place]);
    result.estimates.push_back(
        estimate_of(key, result.scene, key.prior * deviation, request.wanted.units));
  }
  result.simulations = residuals.simulations() + 1;
  return result;
}

void say_if_unfinished(const Matched& matched, std::string_view of, Findings& found) {
  if (!matched.is_unfinished) return;
  found.untold.push_back(fmt::format(
      "The search for {} ended after {} simulations, before its keys had settled: their "
      "intervals may be too narrow; more time (--time) may help.",
      of, matched.simulations));
}

}  // namespace synthoscope::fit
