#include <memory>

#include "api/made_together.hpp"
#include "capi/handles.hpp"

using namespace cairn::capi;
using cairn::made_together;

namespace {

void need_operands(const void* alpha, const cairn_matrix* a, const cairn_matrix* b, const void* beta,
                   const cairn_matrix* c) {
  need(alpha, "alpha"), need(beta, "beta");
  need_matrix(a, "a"), need_matrix(b, "b"), need_matrix(c, "c");
}

struct How {
  cairn::ScalarType type;
  cairn::Op op_a, op_b = cairn::Op::none;
};

}  // namespace

cairn_status cairn_comm_create(int fortran_handle, cairn_comm** comm) {
  return giving(comm, [&] {
    const cairn::Comm on = cairn::Comm::from_fortran(fortran_handle);
    auto made = made_together(on, [&] {
      need(comm, "comm");
      return std::unique_ptr<cairn_comm>(new cairn_comm{on});
    });
    *comm = made.release();
  });
}
void cairn_comm_free(cairn_comm* comm) { delete comm; }

cairn_status cairn_kernels_in_use(const cairn_comm* comm, const char** kernels) {
  return guarded([&] {
    const cairn::Comm& on = need(comm, "comm")->comm;
    *made_together(on, [&] { return need(kernels, "kernels"); }) = cairn::kernels_in_use(on).c_str();
  });
}

cairn_status cairn_multiplication_create(const cairn_comm* comm, const cairn_plan* plan, cairn_multiplication** out) {
  return giving(out, [&] {
    const cairn::Comm& on = need(comm, "comm")->comm;
    made_together(on, [&] { return need(plan, "plan") && need(out, "multiplication"); });
    *out = with_type(plan->plan.problem().type,
                     [&]<class T>(T) { return new cairn_multiplication{cairn::Multiplication<T>(on, plan->plan)}; });
  });
}

void cairn_multiplication_free(cairn_multiplication* multiplication) { delete multiplication; }

cairn_status cairn_multiplication_run(cairn_multiplication* multiplication, const void* alpha, const cairn_matrix* a,
                                      const cairn_matrix* b, const void* beta, const cairn_matrix* c,
                                      cairn_report* report) {
  return guarded([&] {
    need(multiplication, "multiplication");
    std::visit(
        [&]<class T>(cairn::Multiplication<T>& run) {
          made_together(run.comm(), [&] {
            need_operands(alpha, a, b, beta, c);
            return true;
          });
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
  const auto understand = [&] {
    need_operands(alpha, a, b, beta, c);
    return How{scalar_of(type), op_of(op_a, "op_a"), op_of(op_b, "op_b")};
  };
  return on_comm(comm, understand, [&]<class T>(T, const cairn::Comm& on, const How& how) {
    fill(report, cairn::gemm<T>(on, how.op_a, how.op_b, *static_cast<const T*>(alpha), matrix<T>(a, "a", on.rank()),
                                matrix<T>(b, "b", on.rank()), *static_cast<const T*>(beta),
                                matrix<T>(c, "c", on.rank()), options_of(options)));
  });
}

cairn_status cairn_check_gemm(const cairn_comm* comm, cairn_type type, cairn_op op_a, cairn_op op_b, const void* alpha,
                              const cairn_matrix* a, const cairn_matrix* b, const void* beta, const cairn_matrix* c0,
                              const cairn_matrix* c, int rounds, cairn_check_result* result) {
  const auto understand = [&] {
    need_operands(alpha, a, b, beta, c), need(result, "result");
    if (c0) need_matrix(c0, "c0");
    return How{scalar_of(type), op_of(op_a, "op_a"), op_of(op_b, "op_b")};
  };
  return on_comm(comm, understand, [&]<class T>(T, const cairn::Comm& on, const How& how) {
    const auto before = c0 ? std::optional(matrix<T>(c0, "c0", on.rank())) : std::nullopt;
    fill(result,
         cairn::freivalds<T>(on, how.op_a, how.op_b, *static_cast<const T*>(alpha), matrix<T>(a, "a", on.rank()),
                             matrix<T>(b, "b", on.rank()), *static_cast<const T*>(beta), before ? &*before : nullptr,
                             matrix<T>(c, "c", on.rank()), rounds));
  });
}

cairn_status cairn_redistribute(const cairn_comm* comm, cairn_type type, cairn_op op, const void* alpha,
                                const cairn_matrix* a, const void* beta, const cairn_matrix* b, cairn_report* report) {
  const auto understand = [&] {
    need(alpha, "alpha"), need(beta, "beta"), need_matrix(a, "a"), need_matrix(b, "b");
    return How{scalar_of(type), op_of(op, "op")};
  };
  return on_comm(comm, understand, [&]<class T>(T, const cairn::Comm& on, const How& how) {
    fill(report, cairn::redistribute<T>(on, how.op_a, *static_cast<const T*>(alpha), matrix<T>(a, "a", on.rank()),
                                        *static_cast<const T*>(beta), matrix<T>(b, "b", on.rank())));
  });
}
