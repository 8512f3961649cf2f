// SPDX-License-Identifier: MIT
// kernels/banks/bank_operation.hpp — the operation that computes the responses of a bank of
// filters, as such or as features of textures.
#pragma once
#include "kernels/banks/filter_banks.hpp"
#include "kernels/body/scaled_responses.hpp"

namespace synthoscope::kernels {

/// Like make_filter_bank, but scales responses before they are stored.
ChosenBank make_scaled_bank(const NeighbourhoodSetting& setting, const FilterBankSpec& spec,
                            const ResponseScale& scale);

}  // namespace synthoscope::kernels
