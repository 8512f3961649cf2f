// SPDX-License-Identifier: MIT
// kernels/bank_fields.hpp — a bank of filters as the fewest passes along the axes that give its
// responses: filters that mirror each other, and the mean that all are freed of, are made once.
#pragma once
#include <vector>
#include "kernels/filter_banks.hpp"

namespace synthoscope::kernels {

/// Some responses of a bank to a voxel: `answer` of as many fields, field i less mean_shares[i]
/// times the mean of the 49 x 49 voxels around.
struct FieldGroup {
  BankAnswer answer = BankAnswer::itself;
  std::vector<FilterKernel> fields;  ///< fields_of(answer)
  std::vector<float> mean_shares;    ///< empty where no field is freed of the mean
};

/// The mean that the banks of the literature free their filters of.
SeparableStencil bank_mean();

/// All responses, in their order. What a field leaves out of its filter stays within
/// `spec.tolerance` of the filter's sum of magnitudes; direct strategies leave nothing out.
/// @throws InvalidSpec  the tolerance, or the depth ratio, is none.
std::vector<FieldGroup> field_groups(const FilterBankSpec& spec, const Extent3& image);

}  // namespace synthoscope::kernels
