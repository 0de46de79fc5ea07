module github.com/flott-dev/flott/bench

go 1.27

require github.com/flott-dev/flott v0.0.0

replace github.com/flott-dev/flott => ../
