// SPDX-License-Identifier: MIT
// tools/options/certify.hpp — options of commands that check a result before it gets its name.
#pragma once
#include "core/base/json_fwd.hpp"
#include "jobs/output/certified_output.hpp"
#include "tools/options/table.hpp"

namespace synthoscope::tools {

struct CertifyOptions : jobs::CertifyChoice {
  void describe(OptionTable& table);
};

Json json_of(const fftconv::Certificate& certificate);

}  // namespace synthoscope::tools
