/* Block-sparse matrices from C: their blocks, products, files, functions, up to density matrices. What holds of
 * cairn/cairn.h holds here; docs/block_sparse.md and docs/matrix_functions.md explain it.
 *
 * Indices are those of blocks, from 0. Elements of a block lie by columns without gaps. A matrix has the element type
 * that it was made with; void* points to elements of it. Several matrices in a call are of one type and on one
 * communicator. */
#pragma once

#include "cairn/cairn.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cairn_block_sparse cairn_block_sparse;

/* Block (i, j) lies on row row[i] and column col[j] of a pr x pc grid of ranks, numbered along its rows unless
 * `col_major_grid`. */
typedef struct {
  int64_t pr, pc;
  const int32_t *row, *col;
  int col_major_grid;
} cairn_block_distribution;

/* ---- making ---------------------------------------------------------------------------------------------------- */
/* Without any block; row_sizes[i] rows in block row i, col_sizes likewise. `where` NULL: dealt over all ranks in random
 * order, which balances any pattern, and lets matrices be multiplied where they are. Collective. */
cairn_status cairn_block_sparse_create(const cairn_comm* comm, cairn_type type, int64_t block_rows,
                                       const int32_t* row_sizes, int64_t block_cols, const int32_t* col_sizes,
                                       const cairn_block_distribution* where, cairn_block_sparse** matrix);
/* Of a square matrix with the same blocks in its rows and columns only blocks (i, j) with i <= j are stored where it is
 * symmetric, antisymmetric or Hermitian; what is asked for of the whole is that of all its blocks. C of a product that
 * has a symmetry gets only the blocks that it stores, in half of the operations: that the result has it is up to the
 * caller. A real matrix that is Hermitian is symmetric. */
typedef enum CAIRN_INT { CAIRN_GENERAL, CAIRN_SYMMETRIC, CAIRN_ANTISYMMETRIC, CAIRN_HERMITIAN } cairn_symmetry;
cairn_status cairn_block_sparse_create_symmetric(const cairn_comm* comm, cairn_type type, cairn_symmetry symmetry,
                                                 int64_t blocks, const int32_t* sizes,
                                                 const cairn_block_distribution* where, cairn_block_sparse** matrix);
cairn_symmetry cairn_block_sparse_symmetry(const cairn_block_sparse* matrix);
/* A copy that is stored so: CAIRN_GENERAL has all blocks. An argument error if the matrix is none, but for rounding
 * errors. Collective. */
cairn_status cairn_block_sparse_stored_as(const cairn_block_sparse* matrix, cairn_symmetry symmetry,
                                          cairn_block_sparse** stored);
/* A copy; its transpose or adjoint, which moves no block; or the same in another distribution, which is collective. */
cairn_status cairn_block_sparse_copy(const cairn_block_sparse* matrix, cairn_block_sparse** copy);
cairn_status cairn_block_sparse_transposed(const cairn_block_sparse* matrix, cairn_op op,
                                           cairn_block_sparse** transposed);
cairn_status cairn_block_sparse_redistributed(const cairn_block_sparse* matrix, const cairn_block_distribution* where,
                                              cairn_block_sparse** moved);
void cairn_block_sparse_free(cairn_block_sparse* matrix);

/* From a Matrix Market file, or one of Cairn's own, dealt over all ranks. `blocks`: "6", "4,1,1" or the name of a file,
 * for rows and columns alike; NULL: what is known of the file. To one of Cairn's own, or as text. Collective. */
cairn_status cairn_block_sparse_read(const cairn_comm* comm, cairn_type type, const char* path, const char* blocks,
                                     cairn_block_sparse** matrix);
cairn_status cairn_block_sparse_write(const cairn_block_sparse* matrix, const char* path);
cairn_status cairn_block_sparse_write_matrix_market(const cairn_block_sparse* matrix, const char* path);

/* ---- blocks of this rank; not collective ----------------------------------------------------------------------- */
/* Whether block (i, j) is stored on this rank if it is put; 0 also if there is no such block. */
int cairn_block_sparse_here(const cairn_block_sparse* matrix, int32_t i, int32_t j);
/* Stores a block in the place of what was there, or adds it to that. */
cairn_status cairn_block_sparse_put(cairn_block_sparse* matrix, int32_t i, int32_t j, const void* block);
cairn_status cairn_block_sparse_add_block(cairn_block_sparse* matrix, int32_t i, int32_t j, const void* block);
/* Where the elements of a block are, NULL if it is not stored; valid until blocks are stored or dropped. */
cairn_status cairn_block_sparse_find(cairn_block_sparse* matrix, int32_t i, int32_t j, void** block);
/* The blocks that this rank stores, row by row: how many, and the one of a number from 0. Any pointer may be NULL. */
int64_t cairn_block_sparse_stored(const cairn_block_sparse* matrix);
cairn_status cairn_block_sparse_get(cairn_block_sparse* matrix, int64_t number, int32_t* i, int32_t* j, void** block);

cairn_type cairn_block_sparse_type(const cairn_block_sparse* matrix);
int64_t cairn_block_sparse_block_rows(const cairn_block_sparse* matrix);
int64_t cairn_block_sparse_block_cols(const cairn_block_sparse* matrix);

/* ---- the whole matrix; collective ------------------------------------------------------------------------------ */
typedef enum CAIRN_INT {
  CAIRN_FROBENIUS,
  CAIRN_MAX,
  CAIRN_GERSHGORIN
} cairn_norm; /* the last: the largest sum of a row */

/* Blocks that are stored, and the share of elements that are in them or in their mirror images. Either pointer may be
 * NULL. */
cairn_status cairn_block_sparse_count(const cairn_block_sparse* matrix, int64_t* blocks, double* occupancy);
cairn_status cairn_block_sparse_norm(const cairn_block_sparse* matrix, cairn_norm which, double* norm);
cairn_status cairn_block_sparse_trace(const cairn_block_sparse* matrix, void* trace);
/* The sum of conj(x) y over all elements. */
cairn_status cairn_block_sparse_dot(const cairn_block_sparse* x, const cairn_block_sparse* y, void* dot);
/* y becomes factor x + y; the blocks are of the same sizes, and may lie elsewhere. */
cairn_status cairn_block_sparse_add(const void* factor, const cairn_block_sparse* x, cairn_block_sparse* y);
cairn_status cairn_block_sparse_add_to_diagonal(cairn_block_sparse* matrix, const void* shift);
/* These two are not collective. Blocks of a norm below eps are dropped. */
cairn_status cairn_block_sparse_scale(cairn_block_sparse* matrix, const void* factor);
cairn_status cairn_block_sparse_filter(cairn_block_sparse* matrix, double eps);

/* ---- products -------------------------------------------------------------------------------------------------- */
typedef struct {
  double filter_eps;     /* smaller products of blocks are left out, and smaller blocks of C dropped */
  int retain_sparsity;   /* C keeps its pattern, and nothing else is computed */
  const char* algorithm; /* "fetch25d 4x4 layers=2x2"; NULL: chosen */
  int64_t memory_words;  /* that a rank may hold, A, B and C included; 0: unlimited */
  const char* transport; /* of A and B: "two-sided" or "one-sided"; NULL: two-sided */
} cairn_block_product_options;

typedef struct {
  int64_t products, flops;               /* of blocks; of this rank, as all of these */
  int64_t received, messages;            /* words and panels that arrived */
  int64_t received_index, redistributed; /* 32-bit numbers; words that arrived to bring A and B to C's grid */
  double predicted;                      /* of `received` */
  double seconds;
} cairn_block_product_report;

/* C = alpha op(A) op(B) + beta C. NULL options: no filter; `report` may be NULL. Collective. */
cairn_status cairn_block_multiply(cairn_op op_a, cairn_op op_b, const void* alpha, const cairn_block_sparse* a,
                                  const cairn_block_sparse* b, const void* beta, cairn_block_sparse* c,
                                  const cairn_block_product_options* options, cairn_block_product_report* report);

/* ---- functions; collective ------------------------------------------------------------------------------------- */
typedef struct {
  const char* stage; /* "inverse", "sign", ... */
  int number;        /* in its stage */
  double residual, occupancy;
  int64_t products, flops;                   /* of all ranks */
  double received, predicted, most_received; /* words: the mean of the ranks, predicted, of the busiest rank */
  double seconds;
} cairn_iteration;

typedef struct {
  double eps;           /* of every product, and of the end: 1e-6 */
  int order;            /* errors shrink to their order'th power: 2 */
  int max_iterations;   /* 100 */
  int64_t memory_words; /* that a rank may hold, arguments and results included; 0: unlimited */
  const char* method;   /* of density matrices: "trs4", "sign" or "mcweeny"; NULL: chosen */
  void (*watch)(const cairn_iteration* iteration, void* context); /* on all ranks after each iteration; may be NULL */
  void* context;
} cairn_function_options;
/* All defaults. NULL options mean the same. */
void cairn_function_options_init(cairn_function_options* options);

cairn_status cairn_inverse(const cairn_block_sparse* s, const cairn_function_options* options,
                           cairn_block_sparse** result);
cairn_status cairn_inverse_sqrt(const cairn_block_sparse* s, const cairn_function_options* options,
                                cairn_block_sparse** result);
cairn_status cairn_sign(const cairn_block_sparse* a, const cairn_function_options* options,
                        cairn_block_sparse** result);

typedef struct {
  double electrons, band_energy, chemical_potential, idempotency;
} cairn_density;

/* P of the Hamiltonian H and the overlap matrix S, for a number of electrons in closed shells or a chemical potential.
 * `found` may be NULL. */
cairn_status cairn_density_of_electrons(const cairn_block_sparse* h, const cairn_block_sparse* s, int64_t electrons,
                                        const cairn_function_options* options, cairn_block_sparse** p,
                                        cairn_density* found);
cairn_status cairn_density_below(const cairn_block_sparse* h, const cairn_block_sparse* s, double chemical_potential,
                                 const cairn_function_options* options, cairn_block_sparse** p, cairn_density* found);

#ifdef __cplusplus
}
#endif
