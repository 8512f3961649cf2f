// SPDX-License-Identifier: MIT
#include "python/errors.hpp"
#include <nanobind/nanobind.h>
#include <string>
#include <string_view>
#include "core/error.hpp"

namespace synthoscope::python {
namespace {

/// "give --memory 123 or more" for people at a command line is "give memory=123 or more" here.
std::string in_pythons_words(std::string sentence) {
  constexpr std::string_view kOption = "--memory ", kArgument = "memory=";
  for (auto at = sentence.find(kOption); at != std::string::npos; at = sentence.find(kOption, at))
    sentence.replace(at, kOption.size(), kArgument);
  return sentence;
}

void raise_in_python(const std::exception_ptr& failure, void*) {
  const auto raise = [](PyObject* type, const Error& error) {
    PyErr_SetString(type, in_pythons_words(error.what()).c_str());
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

void translate_errors() {
  nanobind::register_exception_translator(raise_in_python);
}

}  // namespace synthoscope::python
