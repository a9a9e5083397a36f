#pragma once
// Factorizations and products of Eigen whose sizes are known at run time, compiled once
// (core/compiled_eigen.cpp) instead of in each file that uses them. Part of the precompiled
// headers; nothing else includes it: files that are compiled for other instruction sets, and those
// of users, have their own.

#include "core/eigen_memory.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/QR>

#ifndef DAEWAVE_COMPILED_EIGEN
#define DAEWAVE_COMPILED_EIGEN extern template
#endif

// clang-format off
namespace Eigen {

DAEWAVE_COMPILED_EIGEN class PartialPivLU<MatrixXd>;
DAEWAVE_COMPILED_EIGEN class FullPivLU<MatrixXd>;
DAEWAVE_COMPILED_EIGEN class HouseholderQR<MatrixXd>;
DAEWAVE_COMPILED_EIGEN class ColPivHouseholderQR<MatrixXd>;
DAEWAVE_COMPILED_EIGEN class LLT<MatrixXd>;
DAEWAVE_COMPILED_EIGEN class LDLT<MatrixXd>;

// x = factors.solve(b), where both are vectors or both matrices of their own.
DAEWAVE_COMPILED_EIGEN void PartialPivLU<MatrixXd>::_solve_impl(const VectorXd&, VectorXd&) const;
DAEWAVE_COMPILED_EIGEN void PartialPivLU<MatrixXd>::_solve_impl(const MatrixXd&, MatrixXd&) const;
DAEWAVE_COMPILED_EIGEN void FullPivLU<MatrixXd>::_solve_impl(const VectorXd&, VectorXd&) const;
DAEWAVE_COMPILED_EIGEN void ColPivHouseholderQR<MatrixXd>::_solve_impl(const VectorXd&, VectorXd&) const;

namespace internal {

DAEWAVE_COMPILED_EIGEN void evaluateProductBlockingSizesHeuristic<double, double, 1, Index>(
    Index&, Index&, Index&, Index);
DAEWAVE_COMPILED_EIGEN void evaluateProductBlockingSizesHeuristic<double, double, 4, Index>(
    Index&, Index&, Index&, Index);

using CompiledTraits = gebp_traits<double, double>;
using CompiledByColumn = const_blas_data_mapper<double, Index, ColMajor>;
using CompiledByRow = const_blas_data_mapper<double, Index, RowMajor>;

DAEWAVE_COMPILED_EIGEN struct gebp_kernel<
    double, double, Index, blas_data_mapper<double, Index, ColMajor>, CompiledTraits::mr,
    CompiledTraits::nr, false, false>;
DAEWAVE_COMPILED_EIGEN struct gemm_pack_lhs<
    double, Index, CompiledByColumn, CompiledTraits::mr, CompiledTraits::LhsProgress,
    CompiledTraits::LhsPacket4Packing, ColMajor>;
DAEWAVE_COMPILED_EIGEN struct gemm_pack_lhs<
    double, Index, CompiledByRow, CompiledTraits::mr, CompiledTraits::LhsProgress,
    CompiledTraits::LhsPacket4Packing, RowMajor>;
DAEWAVE_COMPILED_EIGEN struct gemm_pack_rhs<double, Index, CompiledByColumn, CompiledTraits::nr,
                                            ColMajor>;
DAEWAVE_COMPILED_EIGEN struct gemm_pack_rhs<double, Index, CompiledByRow, CompiledTraits::nr,
                                            RowMajor>;

DAEWAVE_COMPILED_EIGEN struct general_matrix_vector_product<
    Index, double, CompiledByColumn, ColMajor, false, double, CompiledByColumn, false>;
DAEWAVE_COMPILED_EIGEN struct general_matrix_vector_product<
    Index, double, CompiledByColumn, ColMajor, false, double, CompiledByRow, false>;
DAEWAVE_COMPILED_EIGEN struct general_matrix_vector_product<
    Index, double, CompiledByRow, RowMajor, false, double, CompiledByColumn, false>;
DAEWAVE_COMPILED_EIGEN struct general_matrix_vector_product<
    Index, double, CompiledByRow, RowMajor, false, double, CompiledByRow, false>;

}  // namespace internal
}  // namespace Eigen
// clang-format on
