// SPDX-License-Identifier: MIT
#include "python/session/errors.hpp"
#include <nanobind/nanobind.h>
#include <string>
#include <string_view>
#include <utility>
#include "core/base/error.hpp"

namespace synthoscope::python {
namespace {

/// Names in Python of options of the command line. Longer ones precede those that they begin with.
constexpr std::pair<std::string_view, std::string_view> kWords[] = {
    {"--memory ", "memory="},
    {"--memory", "memory"},
    {"--threads", "workers"},
    {"--set ", ""},
    {"the same command with --resume", "the same call with resume=True"},
    {"without --resume", "without resume"},
    {"leave --resume out", "leave resume out"},
    {"--resume", "resume=True"},
    {"--gpus ", "gpus="},
    {"--certify", "certify"},
    {"--overwrite", "overwrite=True"},
    {"--channel", "channel="},
    {"--truth-layout ", "truth_layout="},
    {"--nan ", "nan="},
    {"--patch", "patch="},
    {"--planes middle", "planes=\"middle\""},
    {"--precision ", "precision="},
    {"--kernel-background ", "kernel_background="},
    {"--kernel-center ", "kernel_center="},
    {"--format ", "format="},
    {"--strategy ", "strategy="},
    {"--output-type ", "output_type="},
    {" with -o", ""},
};

void raise_in_python(const std::exception_ptr& failure, void*) {
  const auto raise = [](PyObject* type, const Error& error) {
    PyErr_SetString(type, in_python_terms(error.what()).c_str());
  };
  try {
    std::rethrow_exception(failure);
  } catch (const InvalidSpec& error) {
    raise(PyExc_ValueError, error);
  } catch (const InvalidInput& error) {
    raise(PyExc_ValueError, error);
  } catch (const PlanError& error) {
    raise(PyExc_MemoryError, error);
  } catch (const OutOfDeviceMemory& error) {
    raise(PyExc_MemoryError, error);
  } catch (const IoError& error) {
    raise(PyExc_OSError, error);
  } catch (const Interrupted& error) {
    raise(PyExc_KeyboardInterrupt, error);
  } catch (const Error& error) {
    raise(PyExc_RuntimeError, error);
  }
}

}  // namespace

std::string in_python_terms(std::string sentence) {
  for (const auto& [option, argument] : kWords)
    for (auto at = sentence.find(option); at != std::string::npos;
         at = sentence.find(option, at + argument.size()))
      sentence.replace(at, option.size(), argument);
  return sentence;
}

void translate_errors() {
  nanobind::register_exception_translator(raise_in_python);
}

}  // namespace synthoscope::python
