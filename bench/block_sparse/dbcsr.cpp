#include <dbcsr.h>
#include <mpi.h>
#include <omp.h>

#include <cmath>
#include <vector>

#include "peer.hpp"

namespace {

using cairn::Blocks;

class Dbcsr : public Peer {
 public:
  Dbcsr(const Blocks<double>& A, const Blocks<double>& B, const cairn::BlockDistribution& where) : where_(where) {
    static const bool once = [] {
      omp_set_num_threads(1);
      MPI_Fint world = MPI_Comm_c2f(MPI_COMM_WORLD);
      c_dbcsr_init_lib_internal(&world, nullptr);
      return true;
    }();
    static_cast<void>(once);
    A_ = filled(A), B_ = filled(B);
    C_ = empty("C", *A.row_sizes, *B.col_sizes);
    c_dbcsr_finalize(C_);
  }
  ~Dbcsr() override {
    for (dbcsr_matrix* matrix : {&A_, &B_, &C_}) c_dbcsr_release(matrix);
    c_dbcsr_clear_mempools();
  }
  Dbcsr(const Dbcsr&) = delete;
  Dbcsr& operator=(const Dbcsr&) = delete;

  void multiply() override {
    c_dbcsr_clear(&C_);  // beta = 0 alone would keep its pattern
    c_dbcsr_multiply_d('N', 'N', 1.0, A_, B_, 0.0, C_, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                       nullptr, &flops_);
  }
  cairn::Int flops() const override { return flops_; }
  double sum_of_squares() const override {
    const bool local = false;
    return std::pow(c_dbcsr_frobenius_norm(C_, &local), 2);
  }

 private:
  dbcsr_matrix empty(const char* name, const cairn::BlockSizes& rows, const cairn::BlockSizes& cols) {
    std::vector<int> row_dist(where_.row.begin(), where_.row.end()), col_dist(where_.col.begin(), where_.col.end());
    const int height = static_cast<int>(rows.size()), width = static_cast<int>(cols.size());
    MPI_Fint world = MPI_Comm_c2f(grid());
    dbcsr_distribution distribution = nullptr;
    c_dbcsr_distribution_new_aux(&distribution, &world, row_dist.data(), height, col_dist.data(), width);
    dbcsr_matrix matrix = nullptr;
    c_dbcsr_create_new(&matrix, name, distribution, dbcsr_type_no_symmetry, rows.data(), height, cols.data(), width,
                       nullptr, &dbcsr_type_real_8, nullptr, nullptr, nullptr, nullptr);
    c_dbcsr_distribution_release(&distribution);
    return matrix;
  }
  MPI_Comm grid() const {
    static const MPI_Comm made = [this] {
      const int sizes[] = {static_cast<int>(where_.pr), static_cast<int>(where_.pc)}, periods[] = {1, 1};
      MPI_Comm comm = MPI_COMM_NULL;
      MPI_Cart_create(MPI_COMM_WORLD, 2, sizes, periods, 0, &comm);
      return comm;
    }();
    return made;
  }
  dbcsr_matrix filled(const Blocks<double>& from) {
    dbcsr_matrix matrix = empty("operand", *from.row_sizes, *from.col_sizes);
    for (std::size_t r = 0; r < from.rows.size(); ++r)
      for (auto b = static_cast<std::size_t>(from.first[r]); b < static_cast<std::size_t>(from.first[r + 1]); ++b)
        c_dbcsr_put_block2d_d(matrix, from.rows[r], from.cols[b], from.values.data() + from.at[b],
                              from.height(from.rows[r]), from.width(from.cols[b]), nullptr, nullptr);
    c_dbcsr_finalize(matrix);
    return matrix;
  }

  const cairn::BlockDistribution where_;
  dbcsr_matrix A_ = nullptr, B_ = nullptr, C_ = nullptr;
  long long flops_ = 0;
};

}  // namespace

std::unique_ptr<Peer> make_peer(const Blocks<double>& A, const Blocks<double>& B,
                                const cairn::BlockDistribution& where) {
  return std::make_unique<Dbcsr>(A, B, where);
}
