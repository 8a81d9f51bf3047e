/// @file
/// The Eigen types used throughout; all `double`, columns first as Eigen stores them.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace spacedyn {

using Vector3 = Eigen::Vector3d;
using Vector6 = Eigen::Matrix<double, 6, 1>;
using VectorX = Eigen::VectorXd;
using Matrix3 = Eigen::Matrix3d;
using Matrix6 = Eigen::Matrix<double, 6, 6>;
using Matrix3X = Eigen::Matrix<double, 3, Eigen::Dynamic>;
using Matrix6X = Eigen::Matrix<double, 6, Eigen::Dynamic>;
using MatrixX = Eigen::MatrixXd;
using Quaternion = Eigen::Quaterniond;

/// Read-only and writable views of any column of doubles.
using ConstVectorRef = Eigen::Ref<const VectorX>;
using VectorRef = Eigen::Ref<VectorX>;

}  // namespace spacedyn
