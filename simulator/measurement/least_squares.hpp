// SPDX-License-Identifier: MIT
// simulator/measurement/least_squares.hpp — what the searches for least squares have in common.
#pragma once
#include <unsupported/Eigen/NonLinearOptimization>

namespace synthoscope::simulator {

/// The types that Eigen's Levenberg-Marquardt search expects of a problem.
struct LeastSquares {
  using Scalar = double;
  using InputType = Eigen::VectorXd;
  using ValueType = Eigen::VectorXd;
  using JacobianType = Eigen::MatrixXd;
  enum { InputsAtCompileTime = Eigen::Dynamic, ValuesAtCompileTime = Eigen::Dynamic };
};

}  // namespace synthoscope::simulator
