// SPDX-License-Identifier: MIT
// kernels/banks/fields.hpp — a bank of filters as the fewest passes along the axes that give its
// responses: filters that mirror each other share fields, and the mean that is subtracted from all
// is computed once.
#pragma once
#include <vector>
#include "kernels/banks/filter_banks.hpp"

namespace synthoscope::kernels {

/// Some responses of a bank to a voxel: `answer` of the fields, after mean_shares[i] times the mean
/// of the surrounding 49 x 49 voxels is subtracted from field i.
struct FieldGroup {
  BankAnswer answer = BankAnswer::itself;
  std::vector<FilterKernel> fields;  ///< fields_of(answer)
  std::vector<float> mean_shares;    ///< empty if no mean is subtracted
};

/// Returns the mean that the banks of the literature subtract from their filters.
SeparableStencil bank_mean();

/// Returns the groups of all responses, in their order. A field leaves out at most `spec.tolerance`
/// of its filter's sum of magnitudes; direct strategies leave nothing out.
/// @throws InvalidSpec  the tolerance or the depth ratio is out of range.
std::vector<FieldGroup> field_groups(const FilterBankSpec& spec, const Extent3& image);

}  // namespace synthoscope::kernels
