module example.com/recebe/charge

go 1.23

require example.com/recebe/client v0.0.0

require gopkg.in/validator.v2 v2.0.1 // indirect

replace example.com/recebe/client => ./generated
