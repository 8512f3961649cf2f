// SPDX-License-Identifier: MIT
// python/files/call_options.hpp — the options of a call on files, read from a dictionary.
#pragma once
#include <fmt/format.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <tuple>
#include <typeinfo>
#include <utility>
#include "core/base/error.hpp"
#include "fftconv/kernel/use.hpp"
#include "jobs/convolve/job_files.hpp"
#include "jobs/plan/plan_settings.hpp"
#include "python/session/named.hpp"

namespace synthoscope::python {

/// Three numbers (z, y, x).
using Sizes = std::tuple<std::int64_t, std::int64_t, std::int64_t>;

/// A dictionary that has a value for every option, by its name in Python; None means that it was
/// not given. Needs the interpreter's lock. All functions throw InvalidSpec for a value that is not
/// accepted, in a sentence that begins with the name of the call.
class CallOptions {
 public:
  /// @param call  for people: "convolve"
  CallOptions(nanobind::dict options, std::string call)
      : options_{std::move(options)}, call_{std::move(call)} {}

  [[nodiscard]] const std::string& call() const { return call_; }
  [[nodiscard]] nanobind::object operator[](const char* name) const { return options_[name]; }

  [[nodiscard]] std::string text(const char* name) const {
    return cast<std::string>(name, "a str");
  }
  [[nodiscard]] bool is_on(const char* name) const { return cast<bool>(name, "True or False"); }
  [[nodiscard]] std::int64_t whole(const char* name) const {
    return cast<std::int64_t>(name, "a whole number");
  }
  [[nodiscard]] double real(const char* name) const { return cast<double>(name, "a number"); }

  /// None for 'auto'.
  [[nodiscard]] std::optional<std::int64_t> whole_or_auto(const char* name) const;

  /// From 0.
  [[nodiscard]] std::int64_t count(const char* name) const;

  /// A number, "auto" or None.
  [[nodiscard]] fftconv::BackgroundRule background(const char* name) const;

  /// @param what  for people: "a whole number"
  template <class Value>
  [[nodiscard]] std::optional<Value> taken(const char* name, const char* what) const {
    if (options_[name].is_none()) return std::nullopt;
    return cast<Value>(name, what);
  }

  template <class Enum, std::size_t N>
  [[nodiscard]] Enum named(const NameTable<Enum, N>& table, const char* name) const {
    return python::named(table, (call_ + ": " + name).c_str(), text(name));
  }

  /// @param parse    returns what a text names, or nothing
  /// @param choices  for people: "same, full, valid"
  template <class Parse>
  [[nodiscard]] auto chosen(Parse&& parse, const char* name, const char* choices) const {
    const std::string given = text(name);
    if (const auto choice = parse(given)) return *choice;
    throw InvalidSpec(fmt::format("{}: {} is '{}'; use one of {}", call_, name, given, choices));
  }

 private:
  template <class Value>
  [[nodiscard]] Value cast(const char* name, const char* what) const {
    const nanobind::object given = options_[name];
    try {
      return nanobind::cast<Value>(given);
    } catch (const std::bad_cast&) {
      refuse(name, what);
    }
  }
  [[noreturn]] void refuse(const char* name, const char* what) const;

  nanobind::dict options_;
  std::string call_;
};

// Options that several calls have. Each reads some of them:

/// kernel_background, kernel_center, normalize_kernel. @param rules  accepted ones of the last
fftconv::KernelUse kernel_use_of(const CallOptions& options,
                                 std::initializer_list<fftconv::KernelNormalization> rules);

/// channel, frame, image_number, axes.
imageio::OpenOptions opening_of(const CallOptions& options);

/// overwrite, format, tiff_flavor, compression, chunks.
jobs::FileChoice file_choice_of(const CallOptions& options);

/// strategy, fft, scratch.
jobs::PlanSettings plan_settings_of(const CallOptions& options);

}  // namespace synthoscope::python
