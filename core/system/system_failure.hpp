// SPDX-License-Identifier: MIT
// core/system/system_failure.hpp — why a call to the system failed, and what a user can do about
// it.
#pragma once
#include <string>
#include <string_view>

namespace synthoscope {

/// The words of the system for `errno_value`, such as "Too many open files"; 0 is a write that
/// stopped short without a reason.
std::string cause_of(int errno_value);

/// Whether a disk or a quota is full, so that free space is worth a mention.
bool is_full(int errno_value);

/// What a user can do: the same advice wherever a limit, a full disk or a broken one is the cause,
/// else `otherwise`, which fits what the caller attempted: "check its permissions".
std::string remedy_of(int errno_value, std::string_view otherwise);

}  // namespace synthoscope
