// Package zstd stands in for a package of 39 MB. Prometheus' handler compresses with it if a client of the server's
// metrics asks for zstd; it answers uncompressed if that fails.
package zstd

import (
	"errors"
	"io"
)

type (
	Encoder      struct{}
	EOption      func(*Encoder) error
	EncoderLevel int
)

const SpeedFastest EncoderLevel = 1

func WithEncoderLevel(EncoderLevel) EOption { return nil }

func NewWriter(io.Writer, ...EOption) (*Encoder, error) { return nil, errors.New("zstd is left out") }

func (*Encoder) Write([]byte) (int, error) { return 0, errors.New("zstd is left out") }
func (*Encoder) Reset(io.Writer)           {}
func (*Encoder) Close() error              { return nil }
