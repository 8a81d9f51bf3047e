# Draws work against precision. Variables given on the command line: csv, svg.
set terminal svg size 1000,740 dynamic font "sans-serif,12" background "white"
set output svg
set datafile separator ","
set logscale xy
set format "10^{%L}"
set grid linecolor "#dddddd"
set style data linespoints
set xrange [1e-13:1]
set yrange [5e-4:3]
methods = "dop853 dopri5 fehlberg78 cash_karp54 bulirsch_stoer rodas rk4 adams_bashforth_moulton variational midpoint euler rk4_quaternion newmark simpson euler_rodrigues"
scenarios = "ets7_coast ets7_arm_slew dzhanibekov servicer_20"
set linetype 1 linecolor "#1b6ca8" linewidth 3 pointtype 7 pointsize 0.7
colours = "#5fa8d3 #c8553d #3a7d44 #8a4fa0 #b08900 #00798c #d1495b #333333 #9a6b3f #999999 #a05195 #488f31 #e07b91 #c0a000"
do for [i=2:15] { set linetype i linecolor rgb word(colours, i - 1) linewidth 1.5 pointtype 7 pointsize 0.4 }
set multiplot layout 2,2 margins 0.07,0.98,0.19,0.96 spacing 0.06,0.09
do for [i=1:4] {
  scenario = word(scenarios, i)
  set title scenario noenhanced offset 0,-0.6
  set ylabel i % 2 ? "processor time, s" : "" offset 1.5
  set xlabel i > 2 ? "largest error of the outputs" : "" offset 0,0.6
  # one legend for all
  if (i < 4) { unset key } else {
    set key at screen 0.52,0.11 center top maxrows 4 noenhanced samplen 2
  }
  plot for [m=1:words(methods)] csv \
    using (strcol(1) eq scenario && strcol(2) eq "all" && strcol(3) eq word(methods, m) \
           && strcol(4) eq "" ? $6 : NaN):7 \
    title word(methods, m) linetype m, \
    csv using (strcol(1) eq scenario && strcol(2) eq "all" && strcol(4) eq "default" ? $6 : NaN):7 \
    title "default settings" with points pointtype 6 pointsize 1.6 linewidth 2 linecolor "#000000"
}
unset multiplot
