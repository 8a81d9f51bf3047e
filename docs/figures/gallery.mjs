// Flies every shipped scenario and sweep and keeps a picture of its page and of some of its numbers.
// Usage: node gallery.mjs PROGRAM MODELS OUTPUT_FOLDER WORK_FOLDER [NAME…]
import {execFileSync} from 'node:child_process';
import {existsSync, mkdirSync, readdirSync} from 'node:fs';
import {createRequire} from 'node:module';
import {basename, dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';

const [program, models, output, work] = process.argv.slice(2, 6).map((path) => resolve(path));
const wanted = process.argv.slice(6);
const viewer = join(dirname(fileURLToPath(import.meta.url)), '../../apps/viewer/package.json');
const {chromium} = createRequire(viewer)('playwright-core');
const executablePath = ['/usr/bin/chromium', '/usr/bin/google-chrome'].find(existsSync);

/** When to look, as a share of the duration, which channels tell the story, and how many times larger
 * than it is to draw bending. */
const STORIES = {
  ets7_arm_slew: {at: 0.3, channels: ['base_attitude', 'joints_*_yaw_rad', 'joints_*_pitch_rad']},
  ets7_wheels: {at: 0.3, channels: ['base_attitude', 'actuators_wheel_*_speed_rad_s']},
  gravity_gradient: {at: 0.2, channels: ['base_attitude_yaw']},
  rbar_approach: {at: 0.95, channels: ['base_position_x_m', 'base_velocity_x_m_s', 'actuators_wheel_*_momentum_N_m_s']},
  hill_rendezvous: {at: 0.9, channels: ['base_position', 'base_velocity_x_m_s', 'base_velocity_y_m_s']},
  asteroid_landing: {at: 0.9, channels: ['base_position', 'base_velocity']},
  asteroid_orbit: {at: 0.5, channels: ['base_position', 'energy']},
  elliptic_formation: {at: 0.4, channels: ['base_position', 'base_velocity']},
  artificial_gravity: {at: 0.1, channels: ['forces_line_0_force_*_N', 'forces_line_4_force_*_N', 'forces_line_10_force_*_N']},
  geostationary_year: {at: 0.5, channels: ['base_position_z_m', 'base_velocity_z_m_s']},
  oblate_orbit: {at: 0.5, channels: ['base_position', 'base_velocity', 'energy']},
  ets7_feed_forward: {at: 0.3, channels: ['base_attitude', 'actuators_wheel_*_torque_N_m', 'joints_wheel_*_rad_s']},
  gyro_slew: {at: 0.4, channels: ['base_attitude', 'joints_g1_rad', 'joints_g2_rad', 'joints_g3_rad', 'joints_g4_rad', 'actuators_slew_singularity']},
  magnetic_dump: {at: 0.2, channels: ['joints_wx_rad_s', 'joints_wy_rad_s', 'joints_wz_rad_s', 'base_attitude']},
  station_berthing: {at: 0.45, channels: ['joints_station_*_yaw_rad', 'joints_station_*_pitch_rad', 'joints_station_shoulder_pitch_torque_N_m', 'joints_station_wheel_*_rad_s']},
  telescope_jitter: {at: 0.5, channels: ['joints_wheel_rad_s', 'joints_bending_rad', 'base_angular_velocity_x_rad_s']},
  wheel_dump: {at: 0.1, channels: ['base_attitude', 'actuators_wheel_*_momentum_N_m_s']},
  jet_limit_cycle: {at: 0.05, channels: ['base_attitude_yaw', 'base_angular_velocity_z_rad_s', 'actuators_z_*_front_force_N']},
  slosh_burn: {at: 0.4, channels: ['joints_liquid_x_m', 'base_velocity_z_m_s', 'base_attitude_pitch']},
  ets7_coast: {at: 0.5, channels: ['base_attitude', 'angular_momentum_centroid']},
  dzhanibekov: {at: 0.35, channels: ['base_angular_velocity']},
  emergency_brake: {at: 0.45, channels: ['joints_shoulder_*_rad_s', 'joints_elbow_rad_s', 'joints_upper_roll_rad_s']},
  believed_payload: {at: 0.25, channels: ['joints_*_rad', 'joints_*_torque_N_m']},
  ets7_tool_path: {at: 0.5, channels: ['frames_hand_position_*_m', 'base_attitude', 'joints_*_pitch_rad']},
  ets7_reactionless_slew: {at: 0.8, channels: ['joints_*_rad', 'base_attitude']},
  srms_mini_arm_calm: {at: 0.2, channels: ['modes_1_energy_J', 'modes_2_energy_J', 'joints_mini_*_rad_s']},
  ets7_wheel_assist: {at: 0.5, channels: ['base_attitude', 'actuators_wheel_*_speed_rad_s', 'joints_*_pitch_rad']},
  ets7_detumble: {at: 0.4, channels: ['angular_momentum_centroid', 'actuators_*_front_force_N', 'joints_*_pitch_rad']},
  tethered_capture: {at: 0.6, channels: ['forces_line_force_*_N', 'robots_*_base_angular_velocity_z_rad_s', 'elements_line_work_J', 'elements_line_dissipated_J']},
  net_catch: {at: 0.45, channels: ['robots_debris_base_velocity_x_m_s', 'robots_c00_base_velocity_*_m_s', 'elements_cord_*_work_J', 'contacts_k11_debris_normal_force_N']},
  biased_capture: {at: 0.2, channels: ['actuators_chaser_wheel_z_momentum_N_m_s', 'robots_*_base_angular_velocity_z_rad_s', 'joints_chaser_*_rad']},
  ball_between_two: {at: 0.35, channels: ['robots_*_base_position_y_m', 'robots_payload_base_angular_velocity_z_rad_s', 'contacts_*_normal_force_N', 'contacts_*_friction_N']},
  asteroid_walk: {at: 0.1, channels: ['base_position_x_m', 'base_position_z_m', 'contacts_*_left_normal_force_N', 'contacts_*_left_friction_N']},
  itokawa_walk: {at: 0.3, channels: ['base_position_x_m', 'base_position_y_m', 'contacts_*_normal_force_N', 'contacts_*_left_friction_N']},
  impedance_on_a_table: {at: 0.55, channels: ['contacts_table_normal_force_N', 'frames_tool_position_x_m', 'joints_*_rad']},
  tumbling_grasp: {at: 0.5, channels: ['frames_*_position_z_m', 'joints_chaser_*_rad_s', 'robots_target_base_angular_velocity_*_rad_s']},
  estimated_grasp: {at: 0.6, channels: ['sensors_estimate_angular_velocity_*_rad_s', 'sensors_estimate_inertia_ratio_*', 'sensors_touch_force_*_N']},
  planar_reorientation: {at: 0.6, channels: ['joints_*_rad', 'base_attitude_yaw']},
  ets7_arm_slew_modal: {at: 0.3, channels: ['base_attitude', 'joints_paddle_left_mode_*_m']},
  geared_joint: {at: 0.5, channels: ['joints_elbow_rad_s', 'joints_elbow_torque_N_m']},
  swinging_gripper: {at: 0.4, channels: ['joints_shoulder_*_N_m', 'joints_grip_m', 'base_attitude']},
  block_on_slope: {at: 0.6, channels: ['base_position', 'contacts_slope_*_N']},
  newtons_cradle: {at: 0.11, channels: ['joints_ball_*_rad']},
  capture_two_arms: {at: 0.036, channels: ['joints_chaser_*_elbow_rad', 'robots_*_base_angular_velocity_y_rad_s', 'contacts_*_finger_a_normal_force_N']},
  tippe_top: {at: 0.4, channels: ['base_position_z_m', 'base_angular_velocity', 'contacts_floor_slip_velocity_m_s']},
  rattleback: {at: 0.25, channels: ['base_angular_velocity_z_rad_s', 'base_angular_velocity', 'base_position_z_m']},
  brick_stack: {at: 1, channels: ['contacts_*_normal_force_N', 'robots_brick_8_base_velocity_z_m_s']},
  dominoes: {at: 0.4, channels: ['robots_piece_10_base_angular_velocity_y_rad_s', 'robots_piece_20_base_angular_velocity_y_rad_s', 'robots_piece_40_base_angular_velocity_y_rad_s']},
  lander: {at: 0.12, channels: ['contacts_*_normal_force_N', 'joints_strut_*_m']},
  a01_pendulum: {at: 0.2, channels: ['energy']},
  heavy_top: {at: 0.35, channels: ['joints_pivot_*_rad']},
  joint_types: {at: 0.3, channels: ['joints_gimbal_*_rad', 'joints_table_*_m']},
  four_bars_2: {at: 0.06, channels: ['joints_column_0_rad', 'constraints_pin_1_force_*_N']},
  four_bars_40: {at: 0.12, channels: ['joints_column_0_rad', 'energy']},
  andrews_squeezer: {at: 0.3, channels: ['joints_gamma_rad', 'joints_delta_rad', 'joints_epsilon_rad', 'constraints_plate_pin_force_*_N']},
  bricard: {at: 0.05, channels: ['joints_rod_*_rad']},
  flyball_governor: {at: 0.3, channels: ['joints_rod_1_hinge_rad', 'joints_spin_rad_s', 'joints_lift_m']},
  stewart_platform: {at: 0.6, channels: ['joints_leg_*_m', 'base_attitude']},
  docking: {at: 0.45, channels: ['robots_*_linear_momentum_y_kg_m_s', 'robots_*_base_angular_velocity_y_rad_s']},
  capture_one_arm: {at: 0.12, channels: ['robots_*_linear_momentum_x_kg_m_s', 'robots_*_base_angular_velocity_y_rad_s', 'contacts_finger_left_*_N']},
  asteroid_touchdown: {at: 0.04, channels: ['contacts_tip_*_N', 'base_attitude_pitch', 'base_attitude_roll']},
  servicing_mission: {at: 0.5, channels: ['robots_chaser_base_position_x_m', 'robots_*_base_angular_velocity_z_rad_s', 'joints_chaser_elbow_rad', 'joints_chaser_wheel_z_rad_s']},
  berthing: {at: 0.075, channels: ['contacts_cone_*_N', 'joints_chaser_stroke_m', 'robots_*_linear_momentum_y_kg_m_s']},
  muses_touchdown: {at: 0.04, channels: ['contacts_tip_*_N', 'joints_horn_stroke_m', 'base_attitude_pitch']},
  dual_arm_transport: {at: 0.5, channels: ['joints_servicer_left_*_rad', 'joints_servicer_*_upper_torque_N_m', 'constraints_*_grasp_force_*_N']},
  dual_arm_grasp: {at: 0.3, channels: ['joints_servicer_*_yaw_rad', 'constraints_*_grasp_force_*_N']},
  scissor_deployment: {at: 0.25, channels: ['joints_guide_m', 'base_position', 'base_attitude_yaw']},
  spinning_boom: {at: 0.34, channels: ['joints_boom_*_z_rad'], bending: 10},
  telescope_slew: {at: 0.56, channels: ['base_attitude_yaw', 'joints_panel_left_1_z_rad'],
                   bending: 10},
  telescope_slew_shaped: {at: 0.56, channels: ['base_attitude_yaw', 'joints_panel_left_1_z_rad'],
                          bending: 10},
  srms_mini_arm: {at: 0.2, channels: ['joints_shoulder_*_rad', 'base_attitude']},
  srms_mini_arm_clamped: {at: 0.2, channels: ['joints_shoulder_*_rad']},
  servicer_20: {at: 0.5, channels: ['base_attitude', 'joints_*_rad']},
  servicer_150: {at: 0.5, channels: ['base_attitude', 'joints_*_rad']},
  servicer_1500: {at: 0.5, channels: ['base_attitude', 'joints_*_rad']},
  servicer_flight: {at: 0.35, channels: ['base_position', 'base_attitude_yaw']},
  wheel_test_bed: {at: 0.9, channels: ['wheels_wheel_sinkage_m', 'wheels_wheel_slip', 'wheels_wheel_drawbar_pull_N', 'wheels_wheel_resistance_torque_N_m']},
  rover_stall: {at: 0.6, channels: ['wheels_front_left_slip', 'wheels_front_left_sinkage_m', 'wheels_rear_left_sinkage_m', 'base_attitude_pitch']},
  rocker_bogie_step: {at: 0.5, channels: ['joints_rocker_*_rad', 'joints_bogie_left_rad', 'base_attitude_pitch', 'wheels_*_left_vertical_force_N']},
  rocker_bogie_kerb: {at: 0.56, channels: ['base_position_z_m', 'base_attitude_pitch', 'joints_bogie_left_rad', 'contacts_*_left_normal_force_N']},
  rover_ditch: {at: 0.5, channels: ['base_position_z_m', 'base_attitude_pitch', 'joints_bogie_left_rad', 'wheels_*_left_vertical_force_N']},
  legged_wheels: {at: 0.55, channels: ['base_position_z_m', 'joints_hip_front_left_rad', 'joints_knee_front_left_rad', 'wheels_*_left_vertical_force_N']},
  rover_path: {at: 0.5, channels: ['base_position', 'base_attitude_yaw', 'joints_steer_*_rad']},
  rover_ruts: {at: 0.9, channels: ['wheels_front_left_sinkage_m', 'wheels_rear_left_sinkage_m', 'wheels_*_left_drawbar_pull_N', 'wheels_*_left_resistance_torque_N_m']},
  rover_turn: {at: 0.3, channels: ['base_angular_velocity_z_rad_s', 'joints_steer_front_left_rad', 'wheels_front_left_slip']},
  slip_control: {at: 0.5, channels: ['base_velocity_x_m_s', 'wheels_*_left_slip', 'wheels_*_left_drawbar_pull_N', 'wheels_*_left_vertical_force_N']},
  crab_drive: {at: 0.6, channels: ['base_position', 'base_attitude_yaw', 'joints_steer_*_rad', 'wheels_*_left_vertical_force_N']},
  lunar_drive: {at: 0.62, channels: ['base_velocity_x_m_s', 'wheels_front_left_sinkage_m', 'wheels_rear_left_sinkage_m', 'wheels_front_left_slip']},
  rover_arm: {at: 0.9, channels: ['wheels_*_vertical_force_N', 'joints_roll_rad']},
};
const PLAIN = {at: 0.4, channels: ['state']};

const run = (...words) => execFileSync(program, words, {encoding: 'utf8'});

async function picture(browser, page, {at, bending = 1, pick}, path) {
  const view = await browser.newPage({viewport: {width: 1280, height: 760}, colorScheme: 'dark'});
  await view.goto(`file://${page}`, {timeout: 240000});
  if (pick !== undefined) {
    await view.click('#play');
    await view.locator('.modes input').nth(pick).click();
  }
  await view.evaluate(([share, factor]) => {
    const choice = document.querySelector('#bending');
    if (choice) {
      choice.value = String(factor);
      choice.dispatchEvent(new Event('change'));
    }
    window.spacedyn.seek(share * Number(document.querySelector('#clock').textContent.split(/[/ ]+/)[1]));
  }, [at, bending]);
  await view.waitForTimeout(300);
  await view.screenshot({path, type: 'jpeg', quality: 88, timeout: 120000});
  await view.close();
}

/** What is drawn over what. */
const SWEEPS = {
  capture_map: ['robots.target.initial.base.position.1', 'latched'],
  ets7_slew_uncertain: ['model.base.mass', 'pitch'],
  tolerance_study: ['momentum_drift', 'energy_residual'],
  touchdown_footprint: ['x', 'y'],
};

mkdirSync(output, {recursive: true});
const browser = await chromium.launch({executablePath,
  args: ['--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader']});
for (const file of readdirSync(join(models, 'scenarios')).filter((name) => name.endsWith('.yaml'))) {
  const name = basename(file, '.yaml');
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const story = STORIES[name] ?? PLAIN;
  const folder = join(work, name);
  run('simulate', join(models, 'scenarios', file), '-o', folder, '--force', '--quiet');
  const page = readdirSync(folder).find((one) => one.endsWith('.html'));
  await picture(browser, join(folder, page), story, join(output, `${name}.jpg`));
  run('plot', folder, ...story.channels, '--degrees', '--force', '-o', join(output, `${name}.svg`));
  console.log(name);
}
if (wanted.length === 0 || wanted.includes('modes')) {
  const page = join(work, 'modes.html');
  mkdirSync(work, {recursive: true});
  run('modes', join(models, 'robots/ets7_paddles.yaml'), '--lock-unsprung', '--report', page, '--force');
  await picture(browser, page, {at: 0.25, pick: 2}, join(output, 'modes.jpg'));
  console.log('modes');
}
for (const [name, axes] of Object.entries(SWEEPS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const folder = join(work, name), result = join(folder, `${name}.h5`), page = join(folder, 'page.html');
  try {
    run('sweep', join(models, 'sweeps', `${name}.yaml`), '-o', folder, '--force', '--quiet');
  } catch (error) {
    if (error.status !== 4) throw error;  // flights that fail are part of the study
  }
  run('report', result, '-o', page, '--force');
  const view = await browser.newPage({viewport: {width: 1280, height: 760}, colorScheme: 'dark'});
  await view.goto(`file://${page}`);
  await view.evaluate(() => document.querySelector('.matter').scrollIntoView());
  await view.screenshot({path: join(output, `${name}.jpg`), type: 'jpeg', quality: 88});
  await view.close();
  run('plot', result, ...axes, '--force', '-o', join(output, `${name}.svg`));
  console.log(name);
}
await browser.close();
