// SPDX-License-Identifier: MIT
#include "python/session/errors.hpp"
#include <nanobind/nanobind.h>
#include "core/base/error.hpp"
#include "python/session/python_terms.hpp"

namespace synthoscope::python {
namespace {

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

void translate_errors() {
  nanobind::register_exception_translator(raise_in_python);
}

}  // namespace synthoscope::python
