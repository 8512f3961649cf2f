// SPDX-License-Identifier: MIT
// tools/options/shard.hpp — the option of commands that share their work between processes.
#pragma once
#include <optional>
#include <string>
#include "core/volume/shard.hpp"
#include "tools/options/table.hpp"

namespace synthoscope::tools {

struct ShardOptions {
  std::optional<Shard> shard;

  /// `what` the option asks for, up to what `auto` is.
  void describe(OptionTable& table, const std::string& what);
};

}  // namespace synthoscope::tools
