// Uses the module as a shop would: charges, is paid in dev mode, and verifies the webhook. `npm run clients` builds it
// in a module that has nothing else.
package main

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"time"

	recebe "example.com/recebe/sdk-go"
)

const secret = "a secret of the consumer"

var clientName = os.Getenv("RECEBE_CLIENT")

type delivery struct {
	event *recebe.WebhookEvent
	err   error
}

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := run(ctx); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context) error {
	client, err := recebe.New(os.Getenv("RECEBE_KEY"), os.Getenv("RECEBE_URL"))
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	delivered := make(chan delivery, 1)
	go http.Serve(listener, receiver(delivered))
	webhook, err := client.Webhooks.Create(ctx, recebe.WebhooksCreateRequest{
		Name:     clientName,
		Endpoint: "http://" + listener.Addr().String() + "/hooks",
		Secret:   secret,
		Events:   []recebe.WebhooksCreateRequestEvents{recebe.EventTransparentCompleted},
	})
	if err != nil {
		return err
	}
	charge, err := makeCharge(ctx, client, 1500)
	if err != nil {
		return err
	}
	if _, err := client.Transparents.SimulatePayment(ctx, recebe.TransparentsSimulatePaymentRequest{Id: charge.Id}); err != nil {
		return err
	}
	if err := requireDelivered(ctx, delivered, charge.Id); err != nil {
		return err
	}
	if _, err := client.Webhooks.Delete(ctx, recebe.WebhooksDeleteRequest{Id: webhook.Id}); err != nil {
		return err
	}
	if err := requireListed(ctx, client); err != nil {
		return err
	}
	_, err = makeCharge(ctx, client, 0)
	var refused *recebe.Error
	if !errors.As(err, &refused) || refused.Code != "VALIDATION_ERROR" || refused.Issues[0].Path != "data.amount" {
		return errors.New("a charge of nothing was not refused as expected")
	}
	return nil
}

func receiver(delivered chan<- delivery) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		rawBody, _ := io.ReadAll(r.Body)
		event, err := recebe.VerifyWebhook(rawBody, r.Header, secret)
		if err != nil {
			w.WriteHeader(http.StatusBadRequest)
		}
		delivered <- delivery{event, err}
	}
}

func makeCharge(ctx context.Context, client *recebe.Client, amountCents int64) (recebe.PixCharge, error) {
	var body recebe.TransparentsCreateRequest
	metadata := map[string]any{"client": clientName}
	data := recebe.PixData{Amount: amountCents, Metadata: &metadata}
	if err := body.FromPixRequest(recebe.PixRequest{Data: data}); err != nil {
		return recebe.PixCharge{}, err
	}
	charge, err := client.Transparents.Create(ctx, body)
	if err != nil {
		return recebe.PixCharge{}, err
	}
	return charge.AsPixCharge()
}

func requireDelivered(ctx context.Context, delivered <-chan delivery, chargeID string) error {
	for {
		select {
		case <-ctx.Done():
			return errors.New("no webhook arrived")
		case received := <-delivered:
			if received.err != nil {
				return received.err
			}
			if received.event.Event != recebe.EventTransparentCompleted {
				return errors.New("the webhook is about something else")
			}
			completed, err := recebe.As[recebe.TransparentCompletedEvent](received.event)
			if err != nil {
				return err
			}
			// Other programs are paid in the same store.
			if completed.Data.Transparent.Id == chargeID {
				return nil
			}
		}
	}
}

func requireListed(ctx context.Context, client *recebe.Client) error {
	params := recebe.TransparentsListParams{Limit: recebe.Ptr(1), Metadata: &map[string]string{"client": clientName}}
	count := 0
	for _, err := range client.Transparents.List(&params).All(ctx) {
		if err != nil {
			return err
		}
		count++
	}
	if count != 1 {
		return errors.New("the list does not have one charge")
	}
	return nil
}
