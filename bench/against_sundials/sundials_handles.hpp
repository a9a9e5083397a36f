#pragma once
// Owners of what SUNDIALS allocates, and the check of what its functions return.

#include <cvode/cvode.h>
#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>
#include <sundials/sundials_nonlinearsolver.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>

namespace daewave::bench {

struct FreeSundials {
  void operator()(N_Vector vector) const { N_VDestroy(vector); }
  void operator()(SUNMatrix matrix) const { SUNMatDestroy(matrix); }
  void operator()(SUNLinearSolver solver) const { SUNLinSolFree(solver); }
  void operator()(SUNNonlinearSolver solver) const { SUNNonlinSolFree(solver); }
  void operator()(SUNContext context) const { SUNContext_Free(&context); }
};

template <class Handle>
using Owner = std::unique_ptr<std::remove_pointer_t<Handle>, FreeSundials>;

struct FreeIda {
  void operator()(void* memory) const { IDAFree(&memory); }
};
struct FreeCvode {
  void operator()(void* memory) const { CVodeFree(&memory); }
};
using IdaMemory = std::unique_ptr<void, FreeIda>;
using CvodeMemory = std::unique_ptr<void, FreeCvode>;

inline Owner<SUNContext> make_context() {
  SUNContext context = nullptr;
  if (SUNContext_Create(nullptr, &context) != 0) throw std::runtime_error("SUNContext_Create");
  return Owner<SUNContext>(context);
}

/// For set-up calls, which cannot fail but by a mistake of ours.
inline void must(int flag, const char* what) {
  if (flag < 0) throw std::runtime_error(std::string(what) + " returned " + std::to_string(flag));
}

inline void no_messages(int, const char*, const char*, char*, void*) {}

}  // namespace daewave::bench
