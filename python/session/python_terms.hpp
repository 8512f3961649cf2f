// SPDX-License-Identifier: MIT
// python/session/python_terms.hpp — messages for the command line in the terms of Python.
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace synthoscope::python {

/// How the value of an option becomes the value of an argument.
enum class ArgumentKind {
  flag,    ///< no value: True
  number,  ///< a number as it is, other values in quotes
  word,    ///< in quotes
};

/// An option of the command line and the argument of Python's functions that does the same.
struct PythonTerm {
  std::string_view option;  ///< without dashes
  std::string_view argument;
  ArgumentKind kind;
};

/// Returns every option that has an argument.
std::span<const PythonTerm> python_terms();

/// Returns a message with arguments in place of options: "give --memory 123 or more" becomes "give
/// memory=123 or more". An option without an argument is named as one of the program.
std::string in_python_terms(std::string_view sentence);

}  // namespace synthoscope::python
