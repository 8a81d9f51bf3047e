/// @file
/// In which order loops are eliminated in a sweep over a tree, and where their numbers are.
/// Private.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "spacedyn/model/model.hpp"

namespace spacedyn {

/// The symbolic part of the incremental assembly: it depends on the topology alone.
///
/// A loop is present at every body between its points (for a coupling: above the lower bodies of
/// its joints) and its home, where all its branches meet and it is eliminated. Homes are visited
/// from the tips to the base, the loops of one home by least degree.
struct EliminationPlan {
  /// The rows of a loop at one body.
  struct Column {
    int loop;
    int size;        ///< rows
    std::size_t C;   ///< of the wrench that multipliers exert there, 6×size
    std::size_t e;   ///< of the rows' response to the joint of the body, size; if open
    std::size_t up;  ///< C of the same loop at the lower body; if open
  };
  /// Coupling N of two loops, of which `first` is eliminated earlier: size_first×size_second.
  struct Coupling {
    int first, second;  ///< columns of the body, or neighbours of the loop
    std::size_t N;
  };
  /// A loop that is coupled with another one when that is eliminated.
  struct Neighbour {
    int loop, size;
    std::size_t N;  ///< of the eliminated loop with this one
    std::size_t T;  ///< P N, of the same size
    std::size_t C;  ///< of this loop at the home of the other one
  };
  struct Tip {
    int column;   ///< of the body
    double sign;  ///< of the wrench: + on the body of the second point
  };
  struct JointRow {
    int column;
    std::size_t coefficient;  ///< place among those of all couplings, in file order
  };
  struct BodyPart {
    int lower = 0;
    std::vector<Column> columns;  ///< in the order of elimination
    int closing = 0;              ///< the first so many are eliminated here
    std::vector<Tip> tips;
    std::vector<JointRow> joint_rows;  ///< couplings of the joint of this body
    std::vector<Coupling> couplings;   ///< of columns that are open
  };
  struct LoopPart {
    int first = 0, size = 0;  ///< rows
    std::size_t own = 0;      ///< of its N, and of P in its place, size×size
    std::size_t Y = 0;        ///< of C P at home, 6×size
    std::vector<Neighbour> neighbours;
    std::vector<Coupling> fill;  ///< between neighbours
  };

  /// @throws DimensionError if couplings take more than 1 GiB
  EliminationPlan(const Model& model, const std::vector<Loop>& loops);

  std::vector<BodyPart> bodies;
  std::vector<LoopPart> loops;
  std::size_t C_size = 0, e_size = 0, N_size = 0, T_size = 0, Y_size = 0;
  int rows = 0;
};

/// Joints between a body and another one that both carry it, from the body down.
std::vector<int> joints_down_to(const Model& model, int body, int end);
/// The last body that carries both, or is one of them.
int meeting_body(const Model& model, int a, int b);

}  // namespace spacedyn
