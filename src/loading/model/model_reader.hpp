/// @file
/// Reads model files, those they include among them, into one description.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "loading/keys/mapping.hpp"
#include "loading/keys/session.hpp"
#include "spacedyn/model/description.hpp"
#include "spacedyn/model/flexible_beam.hpp"

namespace spacedyn::loading {

/// Where a described link or frame stands in files.
struct ElementPlace {
  Value element;
  std::optional<Value> include;  ///< of an included base: the entry that places it
  bool is_wheel = false;         ///< an entry of `reaction_wheels`
};

/// What is kept of a modal appendage besides its links.
struct ModalAppendageNote {
  std::string name;  ///< that of its root's frame
  double first_frequency = 0.0;
};

/// A description, and where its parts come from.
struct ReadModel {
  ModelDescription description;
  Value model;
  Value base;
  std::vector<ElementPlace> links;
  std::vector<ElementPlace> frames;
  std::vector<ElementPlace> couplings;
  std::vector<ElementPlace> transmissions;
  std::vector<ElementPlace> loops;
  std::vector<Value> motion_loops;  ///< that a scenario holds, see is_motion_loop()
  std::map<std::string, FlexibleBeamDescription> beams;  ///< by name, those of includes among them
  std::vector<ModalAppendageNote> modal_appendages;
  /// Rotors that transmissions of this very file have made links, by position, and their places.
  std::vector<std::pair<std::size_t, Value>> rotors;
  std::vector<std::size_t> placed_links;   ///< links that this very file places on a parent
  std::vector<std::size_t> placed_frames;  ///< and frames
  bool names_are_complete = true;  ///< false where a part that could have names was not readable
  std::vector<std::string> lost_names;  ///< of parts that were wrong and are not there

  /// Whether an unknown name may be that of something that was not readable, or of a part of it.
  bool may_have_lost(const std::string& name) const;
};

class ModelReader {
 public:
  explicit ModelReader(Session& session) : session_(session) {}

  /// Reads a whole document.
  ReadModel read_document(const Document& document);
  /// Reads a `model:` mapping; includes start from the folder of its file.
  ReadModel read_model(const Value& model, ReadContext& context);
  /// Adds the lists that read_model() reads.
  static void describe_lists(MappingSchema& schema);

  /// Longest chain of files that include one another.
  static constexpr std::size_t kMaxIncludeDepth = 32;
  /// Most links that includes may bring in: files included twice by files included twice … explode.
  static constexpr std::size_t kMaxIncludedLinks = 100000;

 private:
  /// A list of a model: its key, the definition of its items, what reads one of them.
  struct List {
    const char* key;
    const char* item;
    void (ModelReader::*read)(const Value& item, ReadContext& context, ReadModel& result);
  };
  /// Lists of what may be anywhere in the tree, in the order in which they are read.
  static const std::vector<List>& tree_lists();
  /// Lists of what needs all links and points.
  static const std::vector<List>& late_lists();
  void read_list(const List& list, MapReader& map, ReadModel& result);
  void read_base(MapReader& map, ReadModel& result);
  void read_link(const Value& value, ReadContext& context, ReadModel& result);
  void read_frame(const Value& value, ReadContext& context, ReadModel& result);
  /// @name In loop_reader.cpp
  /// @{
  void read_coupling(const Value& value, ReadContext& context, ReadModel& result);
  void read_transmission(const Value& value, ReadContext& context, ReadModel& result);
  /// Gives the rotor of the latest link a link of its own.
  void separate_rotor_of(const Value& link_value, const Value& transmission, ReadContext& context,
                         ReadModel& result);
  /// @}
  /// @name In actuator_reader.cpp
  /// @{
  void read_reaction_wheel(const Value& value, ReadContext& context, ReadModel& result);
  void read_gyro(const Value& value, ReadContext& context, ReadModel& result);
  void read_slosh(const Value& value, ReadContext& context, ReadModel& result);
  void read_thruster(const Value& value, ReadContext& context, ReadModel& result);
  void read_tank(const Value& value, ReadContext& context, ReadModel& result);
  /// @}
  void read_loop(const Value& value, ReadContext& context, ReadModel& result);
  /// After all links, because one of them carries it.
  void read_modal_appendage(const Value& value, ReadContext& context, ReadModel& result);
  void read_beam(const Value& value, ReadContext& context, ReadModel& result);
  void read_include(const Value& value, ReadContext& context, ReadModel& result);
  /// The model of an included file; nothing where it cannot be read.
  const ReadModel* open_include(const Value& file, const std::string& name);

  Session& session_;
  std::map<std::string, ReadModel> parts_;  // included files by canonical path
  std::vector<const Source*> open_files_;   // from the outermost to the one being read
};

/// A model file that holds a description.
std::string model_text(const ModelDescription& model);

/// Adds an included model: its base on a fixed joint, its names with a prefix.
void add_included(const ReadModel& part, const std::string& prefix, const LinkDescription& placed,
                  const Value& include, ReadModel& whole);

/// Puts what a file places on flexible links onto the segments that carry it.
void mount_on_beams(ReadModel& read);

/// Takes rotors of transmissions out of the inertia of the bodies that carry them.
void take_rotors_out(ReadModel& read, ProblemList& problems);

/// Reports loops that only a scenario can hold; those who read a model by itself call it.
void refuse_motion_loops(const ReadModel& read, ProblemList& problems);

/// Reports a file in a format of other programs that is not read; true if it is one.
bool refuse_unknown_format(const Value& file, const std::string& name, ProblemList& problems);

}  // namespace spacedyn::loading
