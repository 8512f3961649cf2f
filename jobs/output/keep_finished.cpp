// SPDX-License-Identifier: MIT
#include "jobs/output/keep_finished.hpp"
#include <fmt/format.h>
#include <exception>
#include "core/base/error.hpp"
#include "imageio/output/partial_file.hpp"
#include "imageio/run/input_identity.hpp"

namespace synthoscope::jobs {

void keep_finished(const std::function<void()>& body, const std::function<bool()>& keep,
                   std::string_view how) {
  const auto told = [&](const std::exception& failure) {
    return fmt::format("{}; the finished part is kept: {}", failure.what(), how);
  };
  try {
    body();
  } catch (const Interrupted& failure) {
    if (keep()) throw Interrupted(told(failure));
    throw;
  } catch (const imageio::OutputLost&) {  // nothing is left to resume from
    throw;
  } catch (const imageio::NameTaken&) {  // nothing is left to do
    throw;
  } catch (const imageio::InputChanged&) {  // finished work may belong to another input
    throw;
  } catch (const IoError& failure) {
    if (keep()) throw IoError(told(failure));
    throw;
  } catch (const PlanError& failure) {  // less memory than the plan counts on: another day
    if (keep()) throw PlanError(told(failure));
    throw;
  } catch (const CudaError& failure) {  // a GPU fails the same way again; the host may still
                                        // succeed
    if (keep()) std::throw_with_nested(CudaError(told(failure)));
    throw;
  } catch (...) {
    keep();
    throw;
  }
}

}  // namespace synthoscope::jobs
