#include "capi/matrices.hpp"

using namespace cairn::capi;

namespace {

// A null pointer on one rank must not leave the others waiting.
void agree(const cairn::Comm& comm, const void* const* pointers, const char* const* names, int count) {
  std::optional<std::string> problem;
  for (int i = 0; i < count && !problem; ++i)
    if (!pointers[i]) problem = std::string(names[i]) + ": NULL, expected a pointer";
  comm.agree(problem);
}

}  // namespace

cairn_status cairn_comm_create(int fortran_handle, cairn_comm** comm) {
  return guarded([&] {
    need(comm, "comm");
    *comm = new cairn_comm{cairn::Comm::from_fortran(fortran_handle)};
  });
}
void cairn_comm_free(cairn_comm* comm) { delete comm; }

cairn_status cairn_kernels_in_use(const cairn_comm* comm, const char** kernels) {
  return guarded([&] {
    const void* pointers[] = {kernels};
    const char* names[] = {"kernels"};
    agree(need(comm, "comm")->comm, pointers, names, 1);
    *kernels = cairn::kernels_in_use(comm->comm).c_str();
  });
}

cairn_status cairn_multiplication_create(const cairn_comm* comm, const cairn_plan* plan, cairn_multiplication** out) {
  return guarded([&] {
    const void* pointers[] = {plan, out};
    const char* names[] = {"plan", "multiplication"};
    agree(need(comm, "comm")->comm, pointers, names, 2);
    *out = with_type(plan->plan.problem().type, [&](auto zero) {
      return new cairn_multiplication{cairn::Multiplication<decltype(zero)>(comm->comm, plan->plan)};
    });
  });
}

void cairn_multiplication_free(cairn_multiplication* multiplication) { delete multiplication; }

cairn_status cairn_multiplication_run(cairn_multiplication* multiplication, const void* alpha, const cairn_matrix* a,
                                      const cairn_matrix* b, const void* beta, const cairn_matrix* c,
                                      cairn_report* report) {
  return guarded([&] {
    need(multiplication, "multiplication");
    const void* pointers[] = {alpha, beta, layout_in(a), layout_in(b), layout_in(c)};
    const char* names[] = {"alpha", "beta", "a", "b", "c"};
    std::visit(
        [&]<class T>(cairn::Multiplication<T>& run) {
          agree(run.comm(), pointers, names, 5);
          const int rank = run.comm().rank();
          fill(report, run.run(*static_cast<const T*>(alpha), matrix<T>(a, "a", rank), matrix<T>(b, "b", rank),
                               *static_cast<const T*>(beta), matrix<T>(c, "c", rank)));
        },
        multiplication->any);
  });
}

cairn_status cairn_gemm(const cairn_comm* comm, cairn_type type, cairn_op op_a, cairn_op op_b, const void* alpha,
                        const cairn_matrix* a, const cairn_matrix* b, const void* beta, const cairn_matrix* c,
                        const cairn_options* options, cairn_report* report) {
  return guarded([&] {
    const cairn::Comm& on = need(comm, "comm")->comm;
    const void* pointers[] = {alpha, beta, layout_in(a), layout_in(b), layout_in(c)};
    const char* names[] = {"alpha", "beta", "a", "b", "c"};
    agree(on, pointers, names, 5);
    const auto op = [](cairn_op o, const char* name) { return enumerator<cairn::Op>(static_cast<int>(o), 2, name); };
    with_type(scalar_of(type), [&]<class T>(T) {
      fill(report, cairn::gemm<T>(on, op(op_a, "op_a"), op(op_b, "op_b"), *static_cast<const T*>(alpha),
                                  matrix<T>(a, "a", on.rank()), matrix<T>(b, "b", on.rank()),
                                  *static_cast<const T*>(beta), matrix<T>(c, "c", on.rank()), options_of(options)));
    });
  });
}
