package recebe

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"
	"time"
)

type received struct {
	path, key, body string
}

// scripted serves one reply per request.
func scripted(t *testing.T, replies ...http.HandlerFunc) (*Client, *[]received) {
	t.Helper()
	requests := []received{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		requests = append(requests, received{r.URL.RequestURI(), r.Header.Get("Idempotency-Key"), string(body)})
		reply := replies[len(requests)-1]
		reply(w, r)
	}))
	t.Cleanup(server.Close)
	client, err := New("abc_dev_key", server.URL+"/")
	if err != nil {
		t.Fatal(err)
	}
	return client, &requests
}

func answer(status int, body string, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

func lost(http.ResponseWriter, *http.Request) {
	panic(http.ErrAbortHandler)
}

var cancelled = answer(200, `{"data":{"method":"PIX","id":"pix_char_1","teleported":true}}`)

func cancel(client *Client) (*Charge, error) {
	return client.Transparents.Cancel(context.Background(), TransparentsCancelRequest{Id: "pix_char_1"})
}

func TestRetriesWithTheSameIdempotencyKey(t *testing.T) {
	client, requests := scripted(t, lost, answer(503, `{"error":"busy","code":"TEMPORARILY_UNAVAILABLE"}`), cancelled)
	if _, err := cancel(client); err != nil {
		t.Fatal(err)
	}
	first := (*requests)[0].key
	if len(*requests) != 3 || first == "" || (*requests)[1].key != first || (*requests)[2].key != first {
		t.Fatalf("attempts with other keys: %v", *requests)
	}
}

func TestWaitsForAnAttemptThatStillRuns(t *testing.T) {
	client, _ := scripted(t, answer(409, `{"error":"runs","code":"IDEMPOTENCY_KEY_IN_FLIGHT"}`), cancelled)
	if _, err := cancel(client); err != nil {
		t.Fatal(err)
	}
}

func TestGivesUpAfterTheRetries(t *testing.T) {
	client, requests := scripted(t, lost, lost, lost)
	var err error
	_, err = client.Transparents.Get(context.Background(), TransparentsGetParams{Id: "pix_char_1"})
	var connection *ConnectionError
	if !errors.As(err, &connection) || len(*requests) != 3 {
		t.Fatalf("%v after %d attempts", err, len(*requests))
	}
}

func TestNamesWhatIsWrongWithoutARetry(t *testing.T) {
	body := `{"error":"data.amount: must be","code":"VALIDATION_ERROR","issues":[{"path":"data.amount","message":"must be"}]}`
	client, requests := scripted(t, answer(400, body, "X-Request-Id", "req_1"))
	_, err := cancel(client)
	var refused *Error
	if !errors.As(err, &refused) || len(*requests) != 1 {
		t.Fatalf("%v after %d attempts", err, len(*requests))
	}
	if refused.Status != 400 || refused.Code != "VALIDATION_ERROR" || refused.RequestID != "req_1" || refused.Issues[0].Path != "data.amount" {
		t.Fatalf("%+v", refused)
	}
}

func TestFollowsNoRedirect(t *testing.T) {
	client, requests := scripted(t, answer(302, "", "Location", "/elsewhere"))
	_, err := cancel(client)
	var refused *Error
	if !errors.As(err, &refused) || refused.Status != 302 || len(*requests) != 1 {
		t.Fatalf("%v after %d attempts", err, len(*requests))
	}
}

func TestReadsEveryPageWhenNeeded(t *testing.T) {
	client, requests := scripted(t,
		answer(200, `{"data":[{"id":"a"},{"id":"b"}],"pagination":{"hasMore":true,"next":"cursor","before":null}}`),
		answer(200, `{"data":[{"id":"c"}],"pagination":{"hasMore":false,"next":null,"before":null}}`))
	params := CustomersListParams{Metadata: &map[string]string{"orderId": "A 1"}, Limit: Ptr(2)}
	ids := ""
	for customer, err := range client.Customers.List(&params).All(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		ids += customer.Id
	}
	if ids != "abc" {
		t.Fatal(ids)
	}
	query := "/v2/customers/list?limit=2&metadata%5BorderId%5D=A+1"
	if (*requests)[0].path != query || (*requests)[1].path != "/v2/customers/list?after=cursor&limit=2&metadata%5BorderId%5D=A+1" {
		t.Fatalf("%v", *requests)
	}
}

func TestWaitsAsLongAsRetryAfterAsks(t *testing.T) {
	if delay, again := retryDelay(&Error{Status: 429, RetryAfter: 20 * time.Second}, 1); delay != 20*time.Second || !again {
		t.Fatal(delay)
	}
	if _, again := retryDelay(&Error{Status: 429, RetryAfter: time.Hour}, 1); again {
		t.Fatal("an hour is not for the caller to wait")
	}
	if _, again := retryDelay(&Error{Status: 422}, 1); again {
		t.Fatal("a refused request would be refused again")
	}
}

const delivered = `{"id":"log_1","event":"transparent.teleported","data":{"name":"João"}}`

func signed(secret string, age time.Duration) http.Header {
	at := strconv.FormatInt(time.Now().Add(-age).Unix(), 10)
	headers := http.Header{}
	headers.Set("webhook-id", "log_1")
	headers.Set("webhook-timestamp", at)
	headers.Set("webhook-signature", "v1,"+hmacOf(secret, "log_1."+at+"."+delivered))
	return headers
}

func hmacOf(secret, text string) string {
	sum := hmac.New(sha256.New, []byte(secret))
	sum.Write([]byte(text))
	return base64.StdEncoding.EncodeToString(sum.Sum(nil))
}

func TestReturnsTheEventOfAGenuineDelivery(t *testing.T) {
	encoded := "whsec_" + base64.StdEncoding.EncodeToString([]byte("random bytes"))
	for secret, key := range map[string]string{"secret": "secret", encoded: "random bytes", "whsec_no base64": "whsec_no base64"} {
		event, err := VerifyWebhook([]byte(delivered), signed(key, 0), "new", secret)
		if err != nil || event.Event != "transparent.teleported" {
			t.Fatalf("%q: %v", secret, err)
		}
		data, err := As[struct{ Data json.RawMessage }](event)
		if err != nil || string(data.Data) != `{"name":"João"}` {
			t.Fatalf("%v %v", data, err)
		}
	}
	if _, err := VerifyWebhookSignature([]byte(delivered), hmacOf("secret", delivered), "secret"); err != nil {
		t.Fatal(err)
	}
}

func TestRefusesEveryOtherDelivery(t *testing.T) {
	with := func(name, value string) http.Header {
		headers := signed("secret", 0)
		headers.Set(name, value)
		return headers
	}
	repeated := signed("secret", 0)
	repeated.Add("webhook-id", "log_1")
	cases := map[string]http.Header{
		"another secret":    signed("other", 0),
		"an empty secret":   signed("", 0),
		"an old delivery":   signed("secret", 10*time.Minute),
		"a future one":      signed("secret", -10*time.Minute),
		"another id":        with("webhook-id", "log_2"),
		"no base64":         with("webhook-signature", "v1,%%%"),
		"another version":   with("webhook-signature", "v2,AAAA"),
		"no time":           with("webhook-timestamp", "now"),
		"a repeated header": repeated,
		"no headers":        {},
	}
	for name, headers := range cases {
		var refused *WebhookVerificationError
		if _, err := VerifyWebhook([]byte(delivered), headers, "secret"); !errors.As(err, &refused) {
			t.Errorf("%s: %v", name, err)
		}
	}
	var refused *WebhookVerificationError
	if _, err := VerifyWebhook([]byte(delivered), signed("", 0), ""); !errors.As(err, &refused) {
		t.Errorf("no secret: %v", err)
	}
	if _, err := VerifyWebhookSignature([]byte(delivered), "", "secret"); !errors.As(err, &refused) {
		t.Errorf("no signature: %v", err)
	}
}
