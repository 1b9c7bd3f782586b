package recebe

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"
)

type httpClient struct {
	apiKey     string
	baseURL    string
	timeout    time.Duration
	maxRetries int
	client     http.Client
}

type envelope[T any] struct {
	Data *T `json:"data"`
}

func get[T any](ctx context.Context, client *httpClient, path string, params any, _ []RequestOption) (*T, error) {
	query, err := queryOf(params)
	if err != nil {
		return nil, err
	}
	return dataOf[T](client.read(ctx, path, query))
}

// post sends the same Idempotency-Key with every attempt, so that the service carries the request out once.
func post[T any](ctx context.Context, client *httpClient, path string, body any, options []RequestOption) (*T, error) {
	settings := requestSettings{idempotencyKey: rand.Text()}
	for _, option := range options {
		option(&settings)
	}
	text, err := json.Marshal(body)
	if err != nil {
		return nil, fmt.Errorf("recebe: the body cannot be written as JSON: %w", err)
	}
	if string(text) == "null" {
		text = []byte("{}")
	}
	header := client.header()
	header.Set("Content-Type", "application/json")
	header.Set("Idempotency-Key", settings.idempotencyKey)
	return dataOf[T](client.send(ctx, http.MethodPost, client.baseURL+path, header, text))
}

func (c *httpClient) read(ctx context.Context, path string, query url.Values) ([]byte, error) {
	address := c.baseURL + path
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	return c.send(ctx, http.MethodGet, address, c.header(), nil)
}

func (c *httpClient) header() http.Header {
	return http.Header{
		"Authorization": {"Bearer " + c.apiKey},
		"Accept":        {"application/json"},
		"User-Agent":    {"recebe-go/" + Version},
	}
}

func (c *httpClient) send(ctx context.Context, method, address string, header http.Header, body []byte) ([]byte, error) {
	for attempt := 1; ; attempt++ {
		answer, err := c.attempt(ctx, method, address, header, body)
		if err == nil || ctx.Err() != nil {
			return answer, err
		}
		delay, isTemporary := retryDelay(err, attempt)
		if attempt > c.maxRetries || !isTemporary {
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(delay):
		}
	}
}

func (c *httpClient) attempt(ctx context.Context, method, address string, header http.Header, body []byte) ([]byte, error) {
	limited, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(limited, method, address, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("recebe: %w", err)
	}
	request.Header = header.Clone()
	response, err := c.client.Do(request)
	if err != nil {
		return nil, &ConnectionError{Err: err}
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, &ConnectionError{Err: err}
	}
	if response.StatusCode < 200 || response.StatusCode > 299 {
		return nil, errorOf(response, text)
	}
	if !json.Valid(text) {
		return nil, &ConnectionError{Err: errors.New("the answer is incomplete or not from Recebe")}
	}
	return text, nil
}

func dataOf[T any](text []byte, err error) (*T, error) {
	if err != nil {
		return nil, err
	}
	var answer envelope[T]
	if err := json.Unmarshal(text, &answer); err != nil {
		return nil, fmt.Errorf("recebe: the answer has another form than this release knows: %w", err)
	}
	if answer.Data == nil {
		return nil, errors.New("recebe: the answer has no data")
	}
	return answer.Data, nil
}

// queryOf leaves out parameters that are nil, and writes metadata as metadata[key]=value.
func queryOf(params any) (url.Values, error) {
	text, err := json.Marshal(params)
	if err != nil {
		return nil, fmt.Errorf("recebe: the parameters cannot be written: %w", err)
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		return nil, fmt.Errorf("recebe: the parameters cannot be written: %w", err)
	}
	query := url.Values{}
	for name, value := range fields {
		var entries map[string]string
		if json.Unmarshal(value, &entries) == nil {
			for key, entry := range entries {
				query.Set(name+"["+key+"]", entry)
			}
			continue
		}
		query.Set(name, plain(value))
	}
	return query, nil
}

func plain(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	return string(value)
}
