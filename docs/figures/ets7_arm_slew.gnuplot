# Draws a flight of ets7_arm_slew. Variables given on the command line: csv, svg.
set terminal svg size 900,760 dynamic font "sans-serif,12" background "white"
set output svg
set datafile separator ","
set multiplot layout 4,1 margins 0.10,0.79,0.07,0.98 spacing 0,0.035
set grid linecolor "#dddddd"
set key outside right top Left reverse samplen 1.5
set xrange [0:60]
set format x ""
set style data lines
degree = 180 / pi

# roll, pitch, yaw of the quaternion (w, x, y, z)
qw(dummy) = column("base_quaternion_w")
qx(dummy) = column("base_quaternion_x")
qy(dummy) = column("base_quaternion_y")
qz(dummy) = column("base_quaternion_z")
roll(d) = atan2(2 * (qw(d) * qx(d) + qy(d) * qz(d)), 1 - 2 * (qx(d)**2 + qy(d)**2)) * degree
pitch(d) = asin(2 * (qw(d) * qy(d) - qz(d) * qx(d))) * degree
yaw(d) = atan2(2 * (qw(d) * qz(d) + qx(d) * qy(d)), 1 - 2 * (qy(d)**2 + qz(d)**2)) * degree

# deflection of a paddle's tip from its hinges, mm
angle(side, hinge) = column(sprintf("joints_paddle_%s_hinge_%d_rad", side, hinge))
tip(side) = 1000 * (7.5 * angle(side, 1) + 5.625 * angle(side, 2) + 3.75 * angle(side, 3) \
                    + 1.875 * angle(side, 4))

set ylabel "arm joints, deg" offset 1
plot csv every 3 using "time_s":(column("joints_shoulder_yaw_rad") * degree) title "shoulder yaw", \
     csv every 3 using "time_s":(column("joints_shoulder_pitch_rad") * degree) title "shoulder pitch", \
     csv every 3 using "time_s":(column("joints_elbow_pitch_rad") * degree) title "elbow pitch", \
     csv every 3 using "time_s":(column("joints_wrist_pitch_rad") * degree) title "wrist pitch", \
     csv every 3 using "time_s":(column("joints_wrist_yaw_rad") * degree) title "wrist yaw", \
     csv every 3 using "time_s":(column("joints_wrist_roll_rad") * degree) title "wrist roll"

set ylabel "base attitude, deg"
plot csv every 3 using "time_s":(roll(0)) title "roll", \
     csv every 3 using "time_s":(pitch(0)) title "pitch", \
     csv every 3 using "time_s":(yaw(0)) title "yaw"

set ylabel "paddle tips, mm"
plot csv every 3 using "time_s":(tip("left")) title "left", \
     csv every 3 using "time_s":(tip("right")) title "right"

set ylabel "momentum (exact: 0)"
set format x "%g"
set xlabel "time, s" offset 0,0.5
set logscale y
set format y "10^{%L}"
magnitude(a, b, c) = sqrt(column(a)**2 + column(b)**2 + column(c)**2)
plot csv every 3 using "time_s":(magnitude("linear_momentum_x_kg_m_s", "linear_momentum_y_kg_m_s", \
       "linear_momentum_z_kg_m_s")) title "linear, kg m/s", \
     csv every 3 using "time_s":(magnitude("angular_momentum_centroid_x_kg_m2_s", \
       "angular_momentum_centroid_y_kg_m2_s", "angular_momentum_centroid_z_kg_m2_s")) \
       title "angular, kg m^2/s"
