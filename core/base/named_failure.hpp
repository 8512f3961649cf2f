// SPDX-License-Identifier: MIT
// core/base/named_failure.hpp — says in the message of a failure which of several things failed.
#pragma once
#include <string>
#include "core/base/error.hpp"

namespace synthoscope {

/// Returns the result of `work`. A failure keeps its type, and its message begins with `name`:
/// "image 2/5: no such file". Interrupted, which is no failure, is passed on unchanged.
template <class Work>
auto naming_failures(const std::string& name, Work&& work) {
  const auto named = [&](const Error& failure) { return name + ": " + failure.what(); };
  try {
    return work();
  } catch (const InvalidSpec& failure) {
    throw InvalidSpec(named(failure));
  } catch (const InvalidInput& failure) {
    throw InvalidInput(named(failure));
  } catch (const IoError& failure) {
    throw IoError(named(failure));
  } catch (const PlanError& failure) {
    throw PlanError(named(failure));
  } catch (const OutOfDeviceMemory& failure) {
    throw OutOfDeviceMemory(named(failure));
  } catch (const CudaError& failure) {
    throw CudaError(named(failure));
  } catch (const VerificationFailed& failure) {
    throw VerificationFailed(named(failure));
  }
}

}  // namespace synthoscope
