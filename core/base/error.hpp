// SPDX-License-Identifier: MIT
// core/base/error.hpp — the failures a user can meet. A message is one sentence: what was
// attempted, what was found, what is accepted or available, what to do.
#pragma once
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace synthoscope {

/// Base of every failure that is not a defect of the program.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The request itself is wrong: an option, a scene key, shapes that do not go together.
struct InvalidSpec : Error {
  using Error::Error;
};

/// Several things are wrong with a request; what() has a line for each.
struct SeveralInvalidSpecs : InvalidSpec {
  explicit SeveralInvalidSpecs(std::vector<std::string> all)
      : InvalidSpec{in_lines(all)}, sentences{std::move(all)} {}
  std::vector<std::string> sentences;

 private:
  static std::string in_lines(const std::vector<std::string>& all) {
    std::string text;
    for (const std::string& sentence : all) text += (text.empty() ? "" : "\n") + sentence;
    return text;
  }
};

/// A file's content is broken, unsupported or unusable (NaN, wrong type, no planes).
struct InvalidInput : Error {
  using Error::Error;
};

/// Reading or writing failed: missing file, permission, full disk.
struct IoError : Error {
  using Error::Error;
};

/// No plan fits the machine or its budgets.
struct PlanError : Error {
  using Error::Error;
};

/// A GPU, its driver or a library of CUDA's failed.
struct CudaError : Error {
  using Error::Error;
};

/// Not enough free memory on a GPU; the caller may retry with less.
struct OutOfDeviceMemory : CudaError {
  using CudaError::CudaError;
};

/// A stop was asked for while work was under way.
struct Interrupted : Error {
  using Error::Error;
};

/// A result was computed again in another way and differs by more than is allowed.
struct VerificationFailed : Error {
  using Error::Error;
};

}  // namespace synthoscope
