/// @file
/// Robots in foreign formats, with the features of files that people have.
#pragma once

#include <string>

#include "spacedyn/inertia/inertia_blocks.hpp"
#include "spacedyn/loading/foreign.hpp"
#include "spacedyn/loading/yaml.hpp"

namespace spacedyn::testing {

/// A servicer with an arm on a fixed mount: rotated inertias, an axis by default, a continuous and
/// a prismatic joint, colors by name, elements of other programs.
inline const std::string kServicerUrdf = R"(<?xml version="1.0"?>
<!-- ------- made by hand ------- -->
<robot name="servicer" xmlns:xacro="http://ros.org/wiki/xacro">
  <material name="grey"><color rgba="0.2 0.4 0.6 1"/></material>
  <link name="bus">
    <inertial>
      <origin xyz="0.1 -0.2 0.3" rpy="0 0 1.5707963267948966"/>
      <mass value="250"/>
      <inertia ixx="30" iyy="40" izz="50" ixy="1" ixz="0" iyz="0"/>
    </inertial>
    <visual>
      <geometry><box size="1 2 3"/></geometry>
      <material name="grey"/>
    </visual>
  </link>
  <link name="mount">
    <inertial>
      <mass value="5"/>
      <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/>
    </inertial>
  </link>
  <joint name="mounting" type="fixed">
    <parent link="bus"/>
    <child link="mount"/>
    <origin xyz="0.5 0 1" rpy="0.1 0.2 0.3"/>
    <axis xyz="0 0 1"/>
  </joint>
  <joint name="shoulder" type="revolute">
    <parent link="mount"/>
    <child link="upper arm"/>
    <origin xyz="0 0 0.2"/>
    <limit lower="-2" upper="1.5" effort="40" velocity="0.5"/>
    <dynamics damping="0.7" friction="0.25"/>
  </joint>
  <link name="upper arm">
    <inertial>
      <origin xyz="0.4 0 0.01" rpy="0.3 -0.4 0.5"/>
      <mass value="12.5"/>
      <inertia ixx="0.2" iyy="1.1" izz="1.2" ixy="0.01" ixz="-0.02" iyz="0.03"/>
    </inertial>
    <visual>
      <origin xyz="0.4 0 0" rpy="0 1.57 0"/>
      <geometry><cylinder radius="0.05" length="0.8"/></geometry>
      <material name="own"><color rgba="1 0 0 0.5"/></material>
    </visual>
    <collision><geometry><box size="1 1 1"/></geometry></collision>
  </link>
  <joint name="elbow" type="continuous">
    <parent link="upper arm"/>
    <child link="forearm"/>
    <origin xyz="0.8 0 0" rpy="0 -1.5707963267948966 0.2"/>
    <axis xyz="0 3 4"/>
  </joint>
  <link name="forearm">
    <inertial>
      <origin xyz="0 0.1 0.3"/>
      <mass value="8"/>
      <inertia ixx="0.7" iyy="0.6" izz="0.15" ixy="0" ixz="0.05" iyz="0"/>
    </inertial>
  </link>
  <joint name="slide" type="prismatic">
    <parent link="forearm"/>
    <child link="probe"/>
    <origin xyz="0 0 0.6" rpy="0.2 0 0"/>
    <axis xyz="0 0 1"/>
    <limit lower="0" upper="0.3" effort="100" velocity="0.1"/>
  </joint>
  <link name="probe">
    <inertial>
      <mass value="2"/>
      <inertia ixx="0.02" iyy="0.03" izz="0.04" ixy="0" ixz="0" iyz="0"/>
    </inertial>
  </link>
  <joint name="tip joint" type="fixed">
    <parent link="probe"/>
    <child link="tip"/>
    <origin xyz="0 0 0.25"/>
  </joint>
  <link name="tip"/>
  <transmission name="t"><type>simple</type></transmission>
  <gazebo reference="bus"><material>Gazebo/Grey</material></gazebo>
</robot>
)";

/// A satellite with two arms, one on the other side of its body, as MJCF.
inline const std::string kSatelliteMjcf = R"(<mujoco model="satellite">
  <compiler angle="degree" eulerseq="XYz"/>
  <option gravity="0 0 -9.81"/>
  <default>
    <geom density="500" rgba="0.1 0.2 0.3 1"/>
    <joint damping="0.2" armature="0.05"/>
    <default class="wrist">
      <joint type="slide" axis="1 0 0" range="-0.1 0.3" limited="true" damping="3"/>
      <geom density="2700"/>
    </default>
  </default>
  <worldbody>
    <body name="bus" pos="1 2 3">
      <freejoint name="root"/>
      <geom type="box" size="0.5 0.4 0.3" pos="0.1 0 0" euler="10 20 30"/>
      <geom type="sphere" size="0.2" pos="0 0 0.6" mass="3"/>
      <site name="port" pos="0.5 0 0" zaxis="1 0 0"/>
      <body name="upper" pos="0.5 0 0.1" axisangle="0 1 0 30">
        <joint name="shoulder" axis="0 1 1" pos="0 0 0.05" range="-120 90" limited="true"/>
        <geom type="capsule" size="0.04" fromto="0 0 0 0.2 0.1 0.9"/>
        <body name="fore" pos="0.2 0.1 0.9" xyaxes="0 1 0 -1 0.2 0">
          <joint name="elbow_roll" axis="0 0 1"/>
          <joint name="elbow_pitch" axis="1 0 0" pos="0.01 0 0.02" stiffness="4" springref="15"/>
          <inertial pos="0 0 0.2" mass="4" diaginertia="0.3 0.2 0.1" euler="0 40 0"/>
          <geom type="cylinder" size="0.05 0.3" class="wrist"/>
          <body name="hand" pos="0 0 0.5" quat="0.9 0.1 -0.2 0.3" childclass="wrist">
            <joint name="reach"/>
            <geom type="ellipsoid" size="0.1 0.05 0.07" pos="0 0.02 0"/>
            <site name="tool" pos="0 0 0.1"/>
          </body>
        </body>
      </body>
      <body name="left" pos="-0.6 0 0">
        <joint name="hinge" axis="0 0 1" frictionloss="0.3"/>
        <geom type="box" size="0.3 0.2 0.01" pos="-0.3 0 0"/>
        <inertial pos="-0.3 0 0" mass="2.5" fullinertia="0.1 0.2 0.25 0.01 -0.02 0.03"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor name="m1" joint="shoulder"/></actuator>
  <sensor><jointpos name="s1" joint="shoulder"/></sensor>
</mujoco>
)";

/// Messages of a load, a line each; `accepted` where it went well.
inline std::string errors_of(const std::string& text, const std::string& file) {
  try {
    parse_model(text, file);
  } catch (const ParseError& error) {
    return error.what();
  }
  return "accepted";
}

/// Whether one of the warnings contains a text.
inline bool has_warning(const std::vector<Diagnostic>& warnings, const std::string& part) {
  for (const Diagnostic& warning : warnings) {
    if (to_string(warning).find(part) != std::string::npos) return true;
  }
  return false;
}

/// A state without symmetries.
inline State bent_state(const Model& model) {
  State state(model);
  for (int i = 0; i < model.joint_count(); ++i) {
    state.q(i) = 0.3 + 0.17 * i;
    state.qd(i) = 0.4 - 0.23 * i;
  }
  return state;
}

/// A text with one piece in the place of another, which must be there.
inline std::string replaced(std::string text, const std::string& old, const std::string& with) {
  const std::size_t at = text.find(old);
  return at == std::string::npos ? "no " + old : text.replace(at, old.size(), with);
}

/// A cube with a pit, in numbers that floats have; its triangles point outwards
inline const std::string kPit = R"(v -0.5 -0.5 -0.5
v 0.5 -0.5 -0.5
v 0.5 0.5 -0.5
v -0.5 0.5 -0.5
v -0.5 -0.5 0.5
v 0.5 -0.5 0.5
v 0.5 0.5 0.5
v -0.5 0.5 0.5
v 0.125 0.0 -0.125
f 1 3 2
f 1 4 3
f 1 2 6
f 1 6 5
f 2 3 7
f 2 7 6
f 3 4 8
f 3 8 7
f 4 1 5
f 4 5 8
f 5 6 9
f 6 7 9
f 7 8 9
f 8 5 9
)";

}  // namespace spacedyn::testing
