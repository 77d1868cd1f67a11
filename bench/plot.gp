# The plot of docs/reference/performance.md: shares of the ceiling, and how fast beside others. data, picture: files.
set terminal pngcairo size 1100,860 font "DejaVu Sans,11" background "#ffffff"
set output picture
set datafile separator tab
ink = "#24292f"
faint = "#d8dee4"
blue = "#0969da"
orange = "#c4560f"
plum = "#a23a7c"
green = "#1a7f5a"
violet = "#8250df"
side = 0.17   # from the middle of a kernel to that of one of two bars
third = 0.27  # and of three, but for the one in the middle
set border 3 linecolor rgb "#8c959f"
set tics nomirror textcolor rgb ink
set xtics scale 0
set ytics scale 0.5
set grid ytics linecolor rgb faint linetype 1
set key left top Left reverse samplen 1.5 textcolor rgb ink
set boxwidth third - 0.02
set style fill solid 1.0 noborder
set style textbox opaque fillcolor rgb "#ffffff" noborder margins 0.2,0.2
set xrange [-0.6:*]
stats data skip 1 using 2 nooutput
kernels = STATS_records
set xrange [-0.6:kernels - 0.4]
set multiplot layout 2,1 margins 0.085,0.845,0.05,0.94 spacing 0.13

set title "Share of what this machine could do at best, one processor" font ",13" textcolor rgb ink
set ylabel "% of the ceiling (bench/limit)" textcolor rgb ink
set yrange [0:132]
within(v) = v < 122 ? v : 122   # the number of a bar that goes on above the plot is on the bar
set ytics 0,20,120
set arrow 1 from -0.6,20 to kernels - 0.4,20 nohead dashtype 2 linecolor rgb orange back
set label 1 "20 asked of the\nmean, timing on" at graph 1.01, first 22 textcolor rgb orange
set arrow 2 from kernels - 1 - 0.5,50 to kernels - 0.4,50 nohead dashtype 2 linecolor rgb blue back
set label 2 "50 asked of alu" at graph 1.01, first 50 textcolor rgb blue
plot data skip 1 using ($0 - third):2 with boxes linecolor rgb blue \
		title "timing off: lane operations, of threaded dispatch", \
	"" skip 1 using 0:3 with boxes linecolor rgb orange \
		title "timing on, all statistics: warp instructions, of round robin", \
	"" skip 1 using ($0 + third):6 with boxes linecolor rgb plum title "the same with --in-order", \
	"" skip 1 using 0:(0):xtic(1) with dots linecolor rgb ink notitle, \
	"" skip 1 using ($0 - third):2:(sprintf("%.0f", column(2))) \
		with labels boxed offset 0,0.6 textcolor rgb blue notitle, \
	"" skip 1 using 0:(within($3)):(sprintf("%.0f", column(3))) \
		with labels boxed offset 0,0.6 textcolor rgb orange notitle, \
	"" skip 1 using ($0 + third):6:(sprintf("%.0f", column(6))) \
		with labels boxed offset 0,0.6 textcolor rgb plum notitle
unset arrow
unset label

set title "Times as fast as others with the same kernel, one processor, timing off" font ",13" textcolor rgb ink
set ylabel "times as fast (logarithmic)" textcolor rgb ink
set logscale y
set yrange [0.002:300000]
set ytics ("1/100" 0.01, "1/10" 0.1, "equal" 1, "10" 10, "100" 100, "1000" 1000)
set arrow 1 from -0.6,1 to kernels - 0.4,1 nohead linecolor rgb ink
set arrow 2 from -0.6,100 to kernels - 0.4,100 nohead dashtype 2 linecolor rgb green
set label 2 "×100 asked\nof the mean" at graph 1.01, first 150 textcolor rgb green
set arrow 3 from -0.6,0.25 to kernels - 0.4,0.25 nohead dashtype 2 linecolor rgb violet
set label 3 "1/4 asked\nof the mean" at graph 1.01, first 0.375 textcolor rgb violet
number(v) = v < 9.95 ? sprintf("%.1f", v) : sprintf("%.0f", v)
times(v) = v < 1 ? "1/" . number(1 / v) : "×" . number(v)
bar = 32      # pixels
plot data skip 1 using ($0 - side):(1):(0):($4 - 1) with vectors nohead linewidth bar linecolor rgb green notitle, \
	"" skip 1 using ($0 + side):(1):(0):($5 - 1) with vectors nohead linewidth bar linecolor rgb violet notitle, \
	"" skip 1 using 0:(1):xtic(1) with dots linecolor rgb ink notitle, \
	"" skip 1 using ($0 - side):4:(times(column(4))) with labels boxed offset 0,0.6 textcolor rgb green notitle, \
	"" skip 1 using ($0 + side):($5 < 1 ? $5 : NaN):(times(column(5))) with labels boxed offset 0,-0.6 \
		textcolor rgb violet notitle, \
	"" skip 1 using ($0 + side):($5 < 1 ? NaN : $5):(times(column(5))) with labels boxed offset 0,0.6 \
		textcolor rgb violet notitle, \
	NaN with boxes linecolor rgb green title "oclgrind, an interpreter", \
	NaN with boxes linecolor rgb violet title "pocl, a compiler"
unset multiplot
