// Package recebe takes payments in Brazil with a Recebe service: PIX, boleto and card, subscriptions, payouts and
// signed webhooks.
package recebe

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Version of this module, as the service sees it.
const Version = "0.1.0"

const (
	defaultTimeout    = 30 * time.Second
	defaultMaxRetries = 2
)

// Client is the API of a Recebe service. It may be shared by goroutines.
type Client struct {
	Resources
}

// Option is a setting of a client.
type Option func(*httpClient)

// WithTimeout limits how long one attempt of a request may take. Default: 30 seconds.
func WithTimeout(timeout time.Duration) Option {
	return func(client *httpClient) { client.timeout = timeout }
}

// WithMaxRetries sets how often a request is repeated after its first attempt. Default: 2.
func WithMaxRetries(retries int) Option {
	return func(client *httpClient) { client.maxRetries = retries }
}

// WithHTTPClient sends requests with a client of your own, for example through a proxy. Redirects are never followed.
func WithHTTPClient(own *http.Client) Option {
	return func(client *httpClient) { client.client = *own }
}

// New makes a client.
//
// apiKey is abc_dev_… or abc_prod_…, and belongs on your server. baseURL is where the service runs, such as
// https://pay.example.com.
func New(apiKey, baseURL string, options ...Option) (*Client, error) {
	if apiKey == "" {
		return nil, errors.New("recebe: the API key is missing: give a key of your store, abc_dev_… or abc_prod_…")
	}
	address, err := url.Parse(baseURL)
	if err != nil || address.Host == "" || (address.Scheme != "http" && address.Scheme != "https") {
		return nil, errors.New("recebe: the base URL must be the address of your Recebe service, such as https://pay.example.com")
	}
	client := &httpClient{
		apiKey:     apiKey,
		baseURL:    strings.TrimSuffix(strings.TrimRight(baseURL, "/"), "/v2"),
		timeout:    defaultTimeout,
		maxRetries: defaultMaxRetries,
	}
	for _, option := range options {
		option(client)
	}
	// A redirect would turn a POST into a GET, and may lead elsewhere.
	client.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &Client{Resources: newResources(client)}, nil
}

// RequestOption is a setting of a single request.
type RequestOption func(*requestSettings)

type requestSettings struct {
	idempotencyKey string
}

// WithIdempotencyKey makes a request that changes something safe to repeat, even by another process: it is carried
// out once within 24 hours. Without it, every call has a random key, which its attempts share.
func WithIdempotencyKey(key string) RequestOption {
	return func(settings *requestSettings) { settings.idempotencyKey = key }
}

// Ptr returns a pointer to a value, for optional fields.
func Ptr[T any](value T) *T {
	return &value
}
