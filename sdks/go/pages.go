package recebe

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/url"
)

// Page is one page of a list, newest first.
type Page[T any] struct {
	Data       []T        `json:"data"`
	Pagination Pagination `json:"pagination"`
	// Raw is the whole answer, with further fields of single lists, such as the balance of Balance.Movements.
	Raw json.RawMessage `json:"-"`
}

// Pages is a list. Nothing is sent before it is used.
type Pages[T any] struct {
	http  *httpClient
	path  string
	query url.Values
	err   error
}

func list[T any](client *httpClient, path string, params any, _ []RequestOption) *Pages[T] {
	query, err := queryOf(params)
	return &Pages[T]{http: client, path: path, query: query, err: err}
}

// First returns one page.
func (p *Pages[T]) First(ctx context.Context) (*Page[T], error) {
	return p.read(ctx, p.query)
}

// All yields the objects of all pages, and reads each page when it is needed. It ends after an error.
func (p *Pages[T]) All(ctx context.Context) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for page, err := range p.Each(ctx) {
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, item := range page.Data {
				if !yield(item, nil) {
					return
				}
			}
		}
	}
}

// Each yields page after page: older ones, or newer ones if the parameters have Before. It ends after an error.
func (p *Pages[T]) Each(ctx context.Context) iter.Seq2[*Page[T], error] {
	return func(yield func(*Page[T], error) bool) {
		direction := "after"
		if p.query.Has("before") {
			direction = "before"
		}
		query := p.query
		for {
			page, err := p.read(ctx, query)
			if !yield(page, err) || err != nil {
				return
			}
			cursor := page.Pagination.Next
			if direction == "before" {
				cursor = page.Pagination.Before
			}
			if cursor == nil || len(page.Data) == 0 {
				return
			}
			query = url.Values{}
			for name, values := range p.query {
				query[name] = values
			}
			query.Set(direction, *cursor)
		}
	}
}

func (p *Pages[T]) read(ctx context.Context, query url.Values) (*Page[T], error) {
	if p.err != nil {
		return nil, p.err
	}
	text, err := p.http.read(ctx, p.path, query)
	if err != nil {
		return nil, err
	}
	page := Page[T]{Raw: text}
	if err := json.Unmarshal(text, &page); err != nil {
		return nil, fmt.Errorf("recebe: the answer has another form than this release knows: %w", err)
	}
	return &page, nil
}
