package recebe

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Issue is one field that is wrong.
type Issue struct {
	// Path is where in the body or the address, such as data.amount.
	Path    string `json:"path"`
	Message string `json:"message"`
	// Rule is for programs. Some issues have none.
	Rule string `json:"rule"`
}

// Error is the answer of a service that refused a request, or could not carry it out.
type Error struct {
	// Status is the HTTP status, such as 422.
	Status int
	// Code is for programs. It is UNKNOWN if the answer is not from Recebe, but from a proxy in front of it.
	Code    string
	Message string
	// Rule is the rule that was broken, if the code covers several.
	Rule   string
	Issues []Issue
	// DeclineReason is why a card was declined.
	DeclineReason string
	// RequestID lets the operator of the service find the request in the logs.
	RequestID string
	// RetryAfter is how long to wait before the next request, with a 429 or 503; otherwise 0.
	RetryAfter time.Duration
}

func (e *Error) Error() string {
	return fmt.Sprintf("recebe: %s (%d %s)", e.Message, e.Status, e.Code)
}

// ConnectionError means that no answer arrived. The service may have carried the request out.
type ConnectionError struct {
	Err error
}

func (e *ConnectionError) Error() string {
	return "recebe: the service could not be reached: " + e.Err.Error()
}

func (e *ConnectionError) Unwrap() error {
	return e.Err
}

func errorOf(response *http.Response, text []byte) *Error {
	var failure struct {
		Error         string  `json:"error"`
		Code          string  `json:"code"`
		Rule          string  `json:"rule"`
		Issues        []Issue `json:"issues"`
		DeclineReason string  `json:"declineReason"`
	}
	if json.Unmarshal(text, &failure) != nil || failure.Error == "" {
		failure.Error = fmt.Sprintf("HTTP %d: %.200s", response.StatusCode, strings.TrimSpace(string(text)))
	}
	if failure.Code == "" {
		failure.Code = "UNKNOWN"
	}
	return &Error{
		Status:        response.StatusCode,
		Code:          failure.Code,
		Message:       failure.Error,
		Rule:          failure.Rule,
		Issues:        failure.Issues,
		DeclineReason: failure.DeclineReason,
		RequestID:     response.Header.Get("X-Request-Id"),
		RetryAfter:    retryAfter(response.Header.Get("Retry-After")),
	}
}

// retryAfter reads seconds, or a date (RFC 9110, section 10.2.3).
func retryAfter(header string) time.Duration {
	if seconds, err := strconv.Atoi(strings.TrimSpace(header)); err == nil {
		return time.Duration(max(0, seconds)) * time.Second
	}
	at, err := http.ParseTime(header)
	if err != nil {
		return 0
	}
	return max(0, time.Until(at))
}

const (
	firstDelay   = 500 * time.Millisecond
	longestDelay = 8 * time.Second
	// A caller should not be kept waiting longer than this: it gets the error with its RetryAfter.
	longestRetryAfter = time.Minute
)

// retryDelay says how long to wait before the next attempt, and whether there should be one. attempt counts those
// that failed, from 1.
func retryDelay(err error, attempt int) (time.Duration, bool) {
	var refused *Error
	var lost *ConnectionError
	switch {
	case errors.As(err, &lost):
		return backoff(attempt), true
	case errors.As(err, &refused) && refused.isTemporary() && refused.RetryAfter <= longestRetryAfter:
		return max(refused.RetryAfter, backoff(attempt)), true
	}
	return 0, false
}

// isTemporary says whether the same request may succeed later. Every POST has a key, so repeating it is safe.
func (e *Error) isTemporary() bool {
	switch e.Status {
	case http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusBadGateway,
		http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	// The first attempt may still be running when the second one arrives.
	return e.Code == "IDEMPOTENCY_KEY_IN_FLIGHT"
}

// backoff is random, because clients that failed together should not come back together.
func backoff(attempt int) time.Duration {
	delay := min(float64(firstDelay)*math.Pow(2, float64(attempt-1)), float64(longestDelay))
	return time.Duration(delay * (0.5 + rand.Float64()/2))
}
