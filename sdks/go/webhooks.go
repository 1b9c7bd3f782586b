package recebe

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// tolerance is the difference that Standard Webhooks allows between the clocks of sender and receiver.
const tolerance = 5 * time.Minute

const secretPrefix = "whsec_"

// paddedBase64 has at least one byte. Other text after whsec_ belongs to a secret that is plain text.
var paddedBase64 = regexp.MustCompile(`^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)$`)

// WebhookEvent is a delivery of a webhook that was verified.
type WebhookEvent struct {
	// ID is the same in every attempt: store it, because the same event can arrive twice.
	ID string `json:"id"`
	// Event is its name, one of the constants EventTransparentCompleted, … or one that this release does not know.
	Event      string `json:"event"`
	APIVersion int    `json:"apiVersion"`
	DevMode    bool   `json:"devMode"`
	// EventID is the same for every endpoint.
	EventID string `json:"eventId"`
	// Sample means that nothing happened: Webhooks.Test sent it.
	Sample bool            `json:"sample"`
	Data   json.RawMessage `json:"data"`

	raw []byte
}

// As decodes a verified delivery as the type of its event, such as TransparentCompletedEvent.
func As[T any](event *WebhookEvent) (*T, error) {
	var typed T
	if err := json.Unmarshal(event.raw, &typed); err != nil {
		return nil, fmt.Errorf("recebe: the event has another form than this release knows: %w", err)
	}
	return &typed, nil
}

// WebhookVerificationError means that a delivery was not signed with your secret, or is too old. Respond with 400.
type WebhookVerificationError struct {
	Reason string
}

func (e *WebhookVerificationError) Error() string {
	return "recebe: " + e.Reason
}

// VerifyWebhook verifies that a delivery was signed with your webhook's secret, and returns its event.
//
// rawBody are the bytes of the body as they arrived. Of the headers, the three of Standard Webhooks are used, which
// also protect against a delivery that is sent again much later. While you change the secret, give both.
func VerifyWebhook(rawBody []byte, headers http.Header, secret string, more ...string) (*WebhookEvent, error) {
	keys := make([][]byte, 0, 1+len(more))
	for _, each := range append([]string{secret}, more...) {
		if each == "" {
			return nil, &WebhookVerificationError{"the secret is missing"}
		}
		keys = append(keys, standardKey(each))
	}
	values := map[string]string{}
	for _, name := range []string{"Webhook-Id", "Webhook-Timestamp", "Webhook-Signature"} {
		given := headers.Values(name)
		if len(given) != 1 || given[0] == "" {
			return nil, &WebhookVerificationError{"the header " + name + " is missing or repeated"}
		}
		values[name] = given[0]
	}
	seconds, err := strconv.ParseInt(values["Webhook-Timestamp"], 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > tolerance {
		return nil, &WebhookVerificationError{"Webhook-Timestamp differs by more than five minutes from this machine's clock"}
	}
	signed := append([]byte(values["Webhook-Id"]+"."+values["Webhook-Timestamp"]+"."), rawBody...)
	if !isSigned(signed, values["Webhook-Signature"], keys) {
		return nil, &WebhookVerificationError{"no signature of the delivery was made with this secret"}
	}
	event := WebhookEvent{raw: rawBody}
	if err := json.Unmarshal(rawBody, &event); err != nil {
		return nil, fmt.Errorf("recebe: the delivery is no JSON: %w", err)
	}
	return &event, nil
}

// VerifyWebhookSignature verifies the value of X-Webhook-Signature, if that is the only header that you have. It does
// not protect against a delivery that is sent again much later.
func VerifyWebhookSignature(rawBody []byte, signature, secret string) (*WebhookEvent, error) {
	if secret == "" || !isSigned(rawBody, "v1,"+signature, [][]byte{[]byte(secret)}) {
		return nil, &WebhookVerificationError{"the signature was not made with this secret"}
	}
	event := WebhookEvent{raw: rawBody}
	if err := json.Unmarshal(rawBody, &event); err != nil {
		return nil, fmt.Errorf("recebe: the delivery is no JSON: %w", err)
	}
	return &event, nil
}

func isSigned(signed []byte, signatures string, keys [][]byte) bool {
	for _, each := range strings.Split(signatures, " ") {
		encoded, isV1 := strings.CutPrefix(each, "v1,")
		received, err := base64.StdEncoding.DecodeString(encoded)
		if !isV1 || err != nil {
			continue
		}
		for _, key := range keys {
			expected := hmac.New(sha256.New, key)
			expected.Write(signed)
			if hmac.Equal(expected.Sum(nil), received) {
				return true
			}
		}
	}
	return false
}

func standardKey(secret string) []byte {
	encoded, isEncoded := strings.CutPrefix(secret, secretPrefix)
	if isEncoded && paddedBase64.MatchString(encoded) {
		if key, err := base64.StdEncoding.DecodeString(encoded); err == nil {
			return key
		}
	}
	return []byte(secret)
}
