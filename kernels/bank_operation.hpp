// SPDX-License-Identifier: MIT
// kernels/bank_operation.hpp — the operation that gives the responses of a bank of filters, as they
// are or as features of textures.
#pragma once
#include "kernels/body/scaled_responses.hpp"
#include "kernels/filter_banks.hpp"

namespace synthoscope::kernels {

/// As make_filter_bank; responses are scaled before they are stored.
ChosenBank make_scaled_bank(const NeighbourhoodSetting& setting, const FilterBankSpec& spec,
                            const ResponseScale& scale);

}  // namespace synthoscope::kernels
