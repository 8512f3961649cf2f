// SPDX-License-Identifier: MIT
// python/session/named.hpp — arguments that are one of several names.
#pragma once
#include <fmt/format.h>
#include <string>
#include "core/base/error.hpp"
#include "core/base/names.hpp"
#include "jobs/machine/gpu_in_use.hpp"

namespace synthoscope::python {

/// Returns the enumerator called `name`. @throws InvalidSpec  there is none: lists the names.
template <class Enum, std::size_t N>
Enum named(const NameTable<Enum, N>& table, const char* argument, const std::string& name) {
  if (const auto value = named_in(table, name)) return *value;
  std::string known;
  for (const auto& row : table) known += fmt::format("{}{}", known.empty() ? "" : ", ", row.second);
  throw InvalidSpec(fmt::format("{} is '{}'; use one of {}", argument, name, known));
}

/// Returns the GPUs that an argument `gpus` names. @throws InvalidSpec  it is empty
inline jobs::GpuChoice gpus_named(const std::string& gpus) {
  if (gpus.empty())
    throw InvalidSpec("no GPU is named; give auto, none, all or a list such as '0,2'");
  return {gpus, {}};
}

}  // namespace synthoscope::python
