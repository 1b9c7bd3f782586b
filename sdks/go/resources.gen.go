// Made by `npm run sdks` from the API's document. DO NOT EDIT.

package recebe

import (
	"context"
	"encoding/json"
)

// Names of the events that webhooks deliver. A later release of the service may send others.
const (
	// A checkout was paid, or a payment was made through a payment link
	EventCheckoutCompleted = "checkout.completed"
	// A payment made through a checkout was refunded, fully or partially
	EventCheckoutRefunded = "checkout.refunded"
	// The payer disputes a payment made through a checkout; its amount is blocked
	EventCheckoutDisputed = "checkout.disputed"
	// A dispute was lost; the amount was returned to the payer
	EventCheckoutLost = "checkout.lost"
	// A PIX charge, boleto or card charge was paid
	EventTransparentCompleted = "transparent.completed"
	// A PIX or card charge was refunded, fully or partially
	EventTransparentRefunded = "transparent.refunded"
	// The payer disputes the payment of a charge; its amount is blocked
	EventTransparentDisputed = "transparent.disputed"
	// A dispute was lost; the amount was returned to the payer
	EventTransparentLost = "transparent.lost"
	// A subscription was paid for the first time: immediately, or after its trial
	EventSubscriptionCompleted = "subscription.completed"
	// A subscription ended, on request or after too many failed attempts
	EventSubscriptionCancelled = "subscription.cancelled"
	// Another cycle was paid
	EventSubscriptionRenewed = "subscription.renewed"
	// A trial started
	EventSubscriptionTrialStarted = "subscription.trial_started"
	// The price of a subscription changes from the next cycle
	EventSubscriptionPlanChanged = "subscription.plan_changed"
	// An attempt to charge a cycle failed
	EventSubscriptionPaymentFailed = "subscription.payment_failed"
	// A payout arrived at the store's account
	EventPayoutCompleted = "payout.completed"
	// A payout failed
	EventPayoutFailed = "payout.failed"
	// A transfer arrived at its PIX key
	EventTransferCompleted = "transfer.completed"
	// A transfer failed
	EventTransferFailed = "transfer.failed"
	// A PIX charge or boleto expired. If a payment made in time is reported late, the charge is still completed. Our addition
	EventTransparentExpired = "transparent.expired"
	// A PIX charge or boleto was cancelled. Our addition
	EventTransparentCancelled = "transparent.cancelled"
	// A dispute was won; the amount is available to the store again. Our addition
	EventTransparentWon = "transparent.won"
	// A checkout expired unpaid. If a payment made in time is reported late, the checkout is still completed. Our addition
	EventCheckoutExpired = "checkout.expired"
	// A card was declined; the checkout can still be paid. Our addition
	EventCheckoutPaymentFailed = "checkout.payment_failed"
	// A dispute was won; the amount is available to the store again. Our addition
	EventCheckoutWon = "checkout.won"
	// A trial ends within three days, followed by the first charge. Our addition
	EventSubscriptionTrialEnding = "subscription.trial_ending"
	// A subscription will be charged within seven days, and its current cycle is paid. Sent once for each charge. Our addition
	EventSubscriptionUpcoming = "subscription.upcoming"
	// The card of an active subscription expires within 30 days, and again within 7. Sent at most once for each. Our addition
	EventSubscriptionCardExpiring = "subscription.card_expiring"
	// The network or issuer of a subscription's card has replaced it or changed its expiry; the next cycle is charged to it. Our addition
	EventSubscriptionCardUpdated = "subscription.card_updated"
	// A subscription will end with its current cycle. Our addition
	EventSubscriptionCancellationScheduled = "subscription.cancellation_scheduled"
	// The first attempt to charge a cycle failed, and the subscription continues: the cycle is overdue. Our addition
	EventSubscriptionPastDue = "subscription.past_due"
	// The end of a trial was moved, or the trial was ended. Our addition
	EventSubscriptionTrialChanged = "subscription.trial_changed"
	// A subscription was paused, or its pause has another end: nothing is charged. Our addition
	EventSubscriptionPaused = "subscription.paused"
	// A pause ended, or a scheduled cancellation was undone. Our addition
	EventSubscriptionResumed = "subscription.resumed"
	// The card of a subscription was replaced by its payer
	EventSubscriptionPaymentMethodChanged = "subscription.payment_method_changed"
	// The payer is asked to authorize debits by PIX without a payment: show or send them the page. Our addition
	EventSubscriptionAuthorizationRequested = "subscription.authorization_requested"
	// The payer has authorized the debits of later cycles by PIX (Pix Automático). Our addition
	EventSubscriptionAuthorized = "subscription.authorized"
	// The payer has not authorized debits, or has not answered: later cycles are paid as before. Our addition
	EventSubscriptionAuthorizationRefused = "subscription.authorization_refused"
	// An authorization of debits has ended, at the payer's bank or at the store's. Our addition
	EventSubscriptionAuthorizationCancelled = "subscription.authorization_cancelled"
	// An invoice was numbered: of a cycle that is asked for, or of a payment of a checkout. Our addition
	EventInvoiceCreated = "invoice.created"
	// An invoice was paid, or had nothing to pay. Our addition
	EventInvoicePaid = "invoice.paid"
	// The cycle of an invoice was given up unpaid: its subscription has ended or was paused. Our addition
	EventInvoiceVoid = "invoice.void"
	// A customer's details changed, by `customers/update` or by the customer in the portal. Our addition
	EventCustomerUpdated = "customer.updated"
	// A payer should be reminded now, and the store has chosen to send the message itself. Once for each step. Our addition
	EventReminderDue = "reminder.due"
	// A DPS was issued, or issued again after a rejection. Your transmitter fetches, signs and sends its XML. Our addition
	EventNfsePending = "nfse.pending"
	// The tax authority made the NFS-e. Our addition
	EventNfseAuthorized = "nfse.authorized"
	// The tax authority refused the DPS. It can be issued again after its data is mended. Our addition
	EventNfseRejected = "nfse.rejected"
	// An authorised NFS-e has to be cancelled: its payment was refunded in full, its invoice became void, or a request asked for it. Our addition
	EventNfseCancellationRequested = "nfse.cancellation_requested"
	// The NFS-e was cancelled. Our addition
	EventNfseCancelled = "nfse.cancelled"
	// A refund failed and had no effect; you can request another one. Our addition
	EventRefundFailed = "refund.failed"
	// A customer asks for a refund in the customer portal, which the store can allow. Nothing was refunded: the store refunds the payment or declines. Our addition
	EventRefundRequested = "refund.requested"
	// A payment that could not be accepted was returned to its payer: a second, a late or an insufficient one. Our addition
	EventPaymentReturned = "payment.returned"
	// The payee's bank returned a payout, fully or partially
	EventPayoutReturned = "payout.returned"
	// The payee's bank returned a transfer, fully or partially
	EventTransferReturned = "transfer.returned"
	// Another webhook's endpoint returned 410 and is disabled; `webhooks/update` enables it again. Our addition
	EventWebhookDisabled = "webhook.disabled"
)

// Resources are the operations of the API, grouped as its paths are.
type Resources struct {
	// PIX charges, boletos and card charges on pages of your own.
	Transparents *TransparentsService
	// Hosted pages on which a payer pays once, by PIX, boleto or card.
	Checkouts *CheckoutsService
	// Hosted pages that any number of payers pay through.
	PaymentLinks *PaymentLinksService
	// Every payment, of every kind.
	Payments *PaymentsService
	// Who pays.
	Customers *CustomersService
	// Links with which customers see their payments, and manage their subscriptions.
	CustomerPortal *CustomerPortalService
	// Cards that a customer has agreed to keep for later payments.
	SavedCards *SavedCardsService
	// Goods and services that you sell, once or every cycle.
	Products *ProductsService
	// Discounts, with limits on customers and uses.
	Coupons *CouponsService
	// Endpoints that receive events, and the deliveries to them.
	Webhooks *WebhooksService
	// Events of the store, one by one.
	Events *EventsService
	// Recurring charges, with trials, usage and plan changes.
	Subscriptions *SubscriptionsService
	// Authorizations of debits by PIX (Pix Automático), which subscriptions ask for.
	Mandates *MandatesService
	// Simulates providers and payers in dev mode.
	Dev *DevService
	// Numbered invoices of cycles and of payments of checkouts.
	Invoices *InvoicesService
	// When and how payers are reminded of boletos and subscriptions.
	Reminders *RemindersService
	// Revenue figures that a store may publish.
	PublicMrr *PublicMrrService
	// The store behind the key, and its balance.
	Store *StoreService
	// Changes of the balance.
	Balance *BalanceService
	// The same changes, in the words of bank statements.
	BankStatement *BankStatementService
	// Money from the balance to the store's own account.
	Payouts *PayoutsService
	// Money from the balance to any PIX key.
	Pix *PixService
	// Money of third parties, such as sellers, apart from the balance.
	SubAccounts *SubAccountsService
}

func newResources(http *httpClient) Resources {
	var r Resources
	r.Transparents = newTransparentsService(http)
	r.Checkouts = newCheckoutsService(http)
	r.PaymentLinks = newPaymentLinksService(http)
	r.Payments = newPaymentsService(http)
	r.Customers = newCustomersService(http)
	r.CustomerPortal = newCustomerPortalService(http)
	r.SavedCards = newSavedCardsService(http)
	r.Products = newProductsService(http)
	r.Coupons = newCouponsService(http)
	r.Webhooks = newWebhooksService(http)
	r.Events = newEventsService(http)
	r.Subscriptions = newSubscriptionsService(http)
	r.Mandates = newMandatesService(http)
	r.Dev = newDevService(http)
	r.Invoices = newInvoicesService(http)
	r.Reminders = newRemindersService(http)
	r.PublicMrr = newPublicMrrService(http)
	r.Store = newStoreService(http)
	r.Balance = newBalanceService(http)
	r.BankStatement = newBankStatementService(http)
	r.Payouts = newPayoutsService(http)
	r.Pix = newPixService(http)
	r.SubAccounts = newSubAccountsService(http)
	return r
}

// TransparentsService: PIX charges, boletos and card charges on pages of your own.
type TransparentsService struct {
	http *httpClient
}

func newTransparentsService(http *httpClient) *TransparentsService {
	s := &TransparentsService{http: http}
	return s
}

// Create: Create a PIX charge, a boleto or a card charge.
//
// A card is charged at once: the answer is `PAID`, or a 422 `CARD_DECLINED`. With an `actionUrl` the charge is `PENDING` until the payer has confirmed it there, and you receive `transparent.completed`.
//
// Needs the permission `TRANSPARENT:CREATE` or `CHECKOUT:READ` or `CHECKOUT:CREATE`.
func (s *TransparentsService) Create(ctx context.Context, body TransparentsCreateRequest, options ...RequestOption) (*Charge, error) {
	return post[Charge](ctx, s.http, "/v2/transparents/create", body, options)
}

// Get: Get a charge.
//
// Also returns PIX charges that payers started on a hosted page.
//
// Needs the permission `CHECKOUT:READ`.
func (s *TransparentsService) Get(ctx context.Context, params TransparentsGetParams, options ...RequestOption) (*Charge, error) {
	return get[Charge](ctx, s.http, "/v2/transparents/get", params, options)
}

// List: List charges, newest first.
//
// Needs the permission `CHECKOUT:READ`.
func (s *TransparentsService) List(params *TransparentsListParams, options ...RequestOption) *Pages[Charge] {
	return list[Charge](s.http, "/v2/transparents/list", params, options)
}

// Check: Check the status of a charge.
//
// Needs the permission `CHECKOUT:READ`.
func (s *TransparentsService) Check(ctx context.Context, params TransparentsCheckParams, options ...RequestOption) (*ChargeCheck, error) {
	return get[ChargeCheck](ctx, s.http, "/v2/transparents/check", params, options)
}

// SimulatePayment: Pay a charge in dev mode.
//
// The sandbox bank pays the amount due now and notifies the service. A charge that is already paid is returned unchanged. A lower `amount` is returned to the payer: the charge stays unpaid, and you receive `payment.returned`. `metadata` is stored with the payment; events with a payment include it as `payment.metadata`.
//
// Needs the permission `CHECKOUT:READ`.
func (s *TransparentsService) SimulatePayment(ctx context.Context, body TransparentsSimulatePaymentRequest, options ...RequestOption) (*Charge, error) {
	return post[Charge](ctx, s.http, "/v2/transparents/simulate-payment", body, options)
}

// Cancel: Cancel an unpaid charge.
//
// A charge that is already cancelled is returned unchanged. If it was paid first, you get a 422.
//
// Needs the permission `CHECKOUT:DELETE`.
func (s *TransparentsService) Cancel(ctx context.Context, body TransparentsCancelRequest, options ...RequestOption) (*Charge, error) {
	return post[Charge](ctx, s.http, "/v2/transparents/cancel", body, options)
}

// Refund: Refund a PIX or card charge.
//
// `id` is the id of a paid charge. Refunds everything that remains of the payment, or `amount`, and returns your fee in proportion. Your balance must cover what you received, unless the payment has not settled yet. Repeating a request without `amount` returns the same `refundPublicId` and refunds nothing twice. A repeated request with `amount` is another refund, so send an `Idempotency-Key`. After a 503 the refund is made as soon as possible: repeat the request to get the result.
//
// Needs the permission `REFUND:CREATE`.
func (s *TransparentsService) Refund(ctx context.Context, body TransparentsRefundRequest, options ...RequestOption) (*Refund, error) {
	return post[Refund](ctx, s.http, "/v2/transparents/refund", body, options)
}

// CheckoutsService: Hosted pages on which a payer pays once, by PIX, boleto or card.
type CheckoutsService struct {
	http *httpClient
}

func newCheckoutsService(http *httpClient) *CheckoutsService {
	s := &CheckoutsService{http: http}
	return s
}

// Create: Create a checkout.
//
// Send the payer to `url`. A checkout can be paid once and expires after 30 days; with `MULTIPLE_PAYMENTS` it is a payment link. Products keep their current price. `interest` and `fine` apply to its boletos.
//
// Needs the permission `CHECKOUT:CREATE`.
func (s *CheckoutsService) Create(ctx context.Context, body CheckoutsCreateRequest, options ...RequestOption) (*Checkout, error) {
	return post[Checkout](ctx, s.http, "/v2/checkouts/create", body, options)
}

// Get: Get a checkout or payment link.
//
// Needs the permission `CHECKOUT:READ`.
func (s *CheckoutsService) Get(ctx context.Context, params CheckoutsGetParams, options ...RequestOption) (*Checkout, error) {
	return get[Checkout](ctx, s.http, "/v2/checkouts/get", params, options)
}

// List: List checkouts and payment links, newest first.
//
// Needs the permission `CHECKOUT:READ`.
func (s *CheckoutsService) List(params *CheckoutsListParams, options ...RequestOption) *Pages[Checkout] {
	return list[Checkout](s.http, "/v2/checkouts/list", params, options)
}

// Cancel: Cancel an unpaid checkout or a payment link.
//
// Nobody can pay through it any more, and started payments are closed. A checkout that is already cancelled is returned unchanged. If it was paid first, the API returns 422.
//
// Needs the permission `CHECKOUT:DELETE`.
func (s *CheckoutsService) Cancel(ctx context.Context, body CheckoutsCancelRequest, options ...RequestOption) (*Checkout, error) {
	return post[Checkout](ctx, s.http, "/v2/checkouts/cancel", body, options)
}

// SimulatePayment: Pay a checkout or payment link in dev mode.
//
// Does what a payer does on the page, so that you can test without a browser. A checkout that is already paid is returned unchanged; a request with another card, method, coupon or payer than its payment is refused. Test cards: 4242 4242 4242 4242 is approved; 4000 0000 0000 0002, 4000 0000 0000 9995, 4000 0000 0000 0127, 4000 0000 0000 0069 and 4000 0000 0000 0101 are declined.
//
// Needs the permission `CHECKOUT:READ`.
func (s *CheckoutsService) SimulatePayment(ctx context.Context, body CheckoutsSimulatePaymentRequest, options ...RequestOption) (*SimulatedCheckout, error) {
	return post[SimulatedCheckout](ctx, s.http, "/v2/checkouts/simulate-payment", body, options)
}

// OneClick: Make a link to pay a checkout with a saved card.
//
// For a customer who is signed in at your shop. The page shows the order and the card, and one click pays. The link works for 15 minutes and makes one payment at most. The `url` of the checkout itself never shows the card.
//
// Needs the permission `TRANSPARENT:CREATE`.
func (s *CheckoutsService) OneClick(ctx context.Context, body CheckoutsOneClickRequest, options ...RequestOption) (*OneClick, error) {
	return post[OneClick](ctx, s.http, "/v2/checkouts/one-click", body, options)
}

// Refund: Refund a payment of a checkout.
//
// `id` is the id of the checkout, for its own payment (for a subscription, the first one), or the id of a charge, such as an upsell or a subscription's renewal. Refunding a checkout's own payment makes it `REFUNDED`; a subscription continues. Refunds everything that remains of the payment, or `amount`, and returns your fee in proportion. Your balance must cover what you received, unless the payment has not settled yet. Repeating a request without `amount` returns the same `refundPublicId` and refunds nothing twice. A repeated request with `amount` is another refund, so send an `Idempotency-Key`. After a 503 the refund is made as soon as possible: repeat the request to get the result.
//
// Needs the permission `REFUND:CREATE`.
func (s *CheckoutsService) Refund(ctx context.Context, body CheckoutsRefundRequest, options ...RequestOption) (*Refund, error) {
	return post[Refund](ctx, s.http, "/v2/checkouts/refund", body, options)
}

// PaymentLinksService: Hosted pages that any number of payers pay through.
type PaymentLinksService struct {
	http *httpClient
}

func newPaymentLinksService(http *httpClient) *PaymentLinksService {
	s := &PaymentLinksService{http: http}
	return s
}

// Create: Create a payment link.
//
// The same as `checkouts/create` with `MULTIPLE_PAYMENTS`: it does not expire, stays `PENDING`, and creates a charge for each payment.
//
// Needs the permission `CHECKOUT:CREATE`.
func (s *PaymentLinksService) Create(ctx context.Context, body PaymentLinksCreateRequest, options ...RequestOption) (*Checkout, error) {
	return post[Checkout](ctx, s.http, "/v2/payment-links/create", body, options)
}

// Get: Get a payment link.
//
// Needs the permission `CHECKOUT:READ`.
func (s *PaymentLinksService) Get(ctx context.Context, params PaymentLinksGetParams, options ...RequestOption) (*Checkout, error) {
	return get[Checkout](ctx, s.http, "/v2/payment-links/get", params, options)
}

// List: List payment links, newest first.
//
// Needs the permission `CHECKOUT:READ`.
func (s *PaymentLinksService) List(params *PaymentLinksListParams, options ...RequestOption) *Pages[Checkout] {
	return list[Checkout](s.http, "/v2/payment-links/list", params, options)
}

// Cancel: Cancel a payment link.
//
// Nobody can pay through it any more. A link that is already cancelled is returned unchanged.
//
// Needs the permission `CHECKOUT:DELETE`.
func (s *PaymentLinksService) Cancel(ctx context.Context, body PaymentLinksCancelRequest, options ...RequestOption) (*Checkout, error) {
	return post[Checkout](ctx, s.http, "/v2/payment-links/cancel", body, options)
}

// Refund: Refund a payment of a payment link.
//
// `id` is the id of one payment of the link. Each payment is refunded separately. Refunds everything that remains of the payment, or `amount`, and returns your fee in proportion. Your balance must cover what you received, unless the payment has not settled yet. Repeating a request without `amount` returns the same `refundPublicId` and refunds nothing twice. A repeated request with `amount` is another refund, so send an `Idempotency-Key`. After a 503 the refund is made as soon as possible: repeat the request to get the result.
//
// Needs the permission `REFUND:CREATE`.
func (s *PaymentLinksService) Refund(ctx context.Context, body PaymentLinksRefundRequest, options ...RequestOption) (*Refund, error) {
	return post[Refund](ctx, s.http, "/v2/payment-links/refund", body, options)
}

// PaymentsService: Every payment, of every kind.
type PaymentsService struct {
	http *httpClient
}

func newPaymentsService(http *httpClient) *PaymentsService {
	s := &PaymentsService{http: http}
	return s
}

// List: List payments of every kind, newest first.
//
// Payments of every kind: transparent charges, checkouts, payment links, subscriptions and upsells. Includes open, expired and declined payments. With `paidFrom` or `paidTo`, and without a filter by checkout,
// subscription, customer or `externalId`, the list is ordered by payment time and has cursors of its own. The payer is shown only to keys with `CUSTOMER:READ`.
//
// Needs the permission `CHECKOUT:READ`.
func (s *PaymentsService) List(params *PaymentsListParams, options ...RequestOption) *Pages[Payment] {
	return list[Payment](s.http, "/v2/payments/list", params, options)
}

// Get: Get a payment of any kind.
//
// Payments of every kind: transparent charges, checkouts, payment links, subscriptions and upsells. The payer is shown only to keys with `CUSTOMER:READ`.
//
// Needs the permission `CHECKOUT:READ`.
func (s *PaymentsService) Get(ctx context.Context, params PaymentsGetParams, options ...RequestOption) (*Payment, error) {
	return get[Payment](ctx, s.http, "/v2/payments/get", params, options)
}

// CustomersService: Who pays.
type CustomersService struct {
	http *httpClient
}

func newCustomersService(http *httpClient) *CustomersService {
	s := &CustomersService{http: http}
	return s
}

// Create: Create a customer.
//
// There is one customer per tax id: if it is already registered, the existing customer is returned. Its fields
// do not change, except that missing ones are filled in. If a payer entered the data on a hosted page (`typedByPayer`), your values
// replace it. Without `taxId` a new customer is created each time.
//
// Needs the permission `CUSTOMER:CREATE`.
func (s *CustomersService) Create(ctx context.Context, body CustomersCreateRequest, options ...RequestOption) (*Customer, error) {
	return post[Customer](ctx, s.http, "/v2/customers/create", body, options)
}

// Update: Update a customer.
//
// Given fields replace stored ones; omitted, null and empty fields stay unchanged. `metadata` is replaced as a whole.
// Existing charges and boletos keep the payer's data they were created with. If a payer typed the e-mail address, the customer stays
// `typedByPayer` until you give an `email`.
//
// Needs the permission `CUSTOMER:CREATE`.
func (s *CustomersService) Update(ctx context.Context, body CustomersUpdateRequest, options ...RequestOption) (*Customer, error) {
	return post[Customer](ctx, s.http, "/v2/customers/update", body, options)
}

// List: List customers.
//
// Needs the permission `CUSTOMER:READ`.
func (s *CustomersService) List(params *CustomersListParams, options ...RequestOption) *Pages[Customer] {
	return list[Customer](s.http, "/v2/customers/list", params, options)
}

// Get: Get a customer.
//
// Needs the permission `CUSTOMER:READ`.
func (s *CustomersService) Get(ctx context.Context, params CustomersGetParams, options ...RequestOption) (*Customer, error) {
	return get[Customer](ctx, s.http, "/v2/customers/get", params, options)
}

// Delete: Delete a customer.
//
// Erases the personal data permanently, and returns the customer without it. Charges, checkouts and events stay and keep
// the customer's id, but no longer identify the customer or the payer. The tax id is free for a new customer.
//
// Needs the permission `CUSTOMER:DELETE`.
func (s *CustomersService) Delete(ctx context.Context, body CustomersDeleteRequest, options ...RequestOption) (*Customer, error) {
	return post[Customer](ctx, s.http, "/v2/customers/delete", body, options)
}

// CustomerPortalService: Links with which customers see their payments, and manage their subscriptions.
type CustomerPortalService struct {
	http *httpClient
}

func newCustomerPortalService(http *httpClient) *CustomerPortalService {
	s := &CustomerPortalService{http: http}
	return s
}

// Create: Create a link to the customer portal.
//
// On its page the customer proves their e-mail address with a code of six digits, and then sees their payments and
// subscriptions. The link itself shows nothing, and does not expire. The customer needs an `email`.
//
// Needs the permission `CUSTOMER:CREATE`.
func (s *CustomerPortalService) Create(ctx context.Context, body CustomerPortalCreateRequest, options ...RequestOption) (*CustomerPortal, error) {
	return post[CustomerPortal](ctx, s.http, "/v2/customer-portal/create", body, options)
}

// SavedCardsService: Cards that a customer has agreed to keep for later payments.
type SavedCardsService struct {
	http *httpClient
}

func newSavedCardsService(http *httpClient) *SavedCardsService {
	s := &SavedCardsService{http: http}
	return s
}

// List: List a customer's saved cards, newest first.
//
// Those that can be charged: their first payment was made, and nobody has removed them.
//
// Needs the permission `CUSTOMER:READ`.
func (s *SavedCardsService) List(params SavedCardsListParams, options ...RequestOption) *Pages[SavedCard] {
	return list[SavedCard](s.http, "/v2/saved-cards/list", params, options)
}

// Delete: Remove a saved card.
//
// It is charged no more, and its provider erases it, unless an active subscription still pays with it. Its payments can still be refunded.
//
// Needs the permission `CUSTOMER:DELETE`.
func (s *SavedCardsService) Delete(ctx context.Context, body SavedCardsDeleteRequest, options ...RequestOption) (*SavedCard, error) {
	return post[SavedCard](ctx, s.http, "/v2/saved-cards/delete", body, options)
}

// ProductsService: Goods and services that you sell, once or every cycle.
type ProductsService struct {
	http *httpClient
}

func newProductsService(http *httpClient) *ProductsService {
	s := &ProductsService{http: http}
	return s
}

// Create: Create a product.
//
// A product with a `cycle` is sold as a subscription, one without as a one-off. `YEARLY` is accepted for
// `ANNUALLY`. Checkouts keep the name and price from their creation. `usagePrice` gives recorded usage included units, tiers or packages.
//
// Needs the permission `PRODUCT:CREATE`.
func (s *ProductsService) Create(ctx context.Context, body ProductsCreateRequest, options ...RequestOption) (*Product, error) {
	return post[Product](ctx, s.http, "/v2/products/create", body, options)
}

// Update: Update a product.
//
// Given fields replace stored ones: `name`, `description`, `imageUrl` and `fileUrl`, of which null removes the last three, and
// `billUsageOnCancel`. Omitted fields stay unchanged. All others can never change. Existing checkouts, payment links and subscriptions keep name and
// picture; a file is downloaded from the product's current address.
//
// Needs the permission `PRODUCT:CREATE`.
func (s *ProductsService) Update(ctx context.Context, body ProductsUpdateRequest, options ...RequestOption) (*Product, error) {
	return post[Product](ctx, s.http, "/v2/products/update", body, options)
}

// List: List products.
//
// Needs the permission `PRODUCT:READ`.
func (s *ProductsService) List(params *ProductsListParams, options ...RequestOption) *Pages[Product] {
	return list[Product](s.http, "/v2/products/list", params, options)
}

// Get: Get a product.
//
// By exactly one of `id` and `externalId`.
//
// Needs the permission `PRODUCT:READ`.
func (s *ProductsService) Get(ctx context.Context, params *ProductsGetParams, options ...RequestOption) (*Product, error) {
	return get[Product](ctx, s.http, "/v2/products/get", params, options)
}

// Archive: Archive a product.
//
// It can no longer be sold in new checkouts, payment links and subscriptions, or offered as an upsell, until it is restored.
// Existing ones continue, and the product keeps its `externalId`. An archived product is returned unchanged.
//
// Needs the permission `PRODUCT:CREATE`.
func (s *ProductsService) Archive(ctx context.Context, body ProductsArchiveRequest, options ...RequestOption) (*Product, error) {
	return post[Product](ctx, s.http, "/v2/products/archive", body, options)
}

// Restore: Restore an archived product.
//
// The product can be sold again. A product that is not archived is returned unchanged.
//
// Needs the permission `PRODUCT:CREATE`.
func (s *ProductsService) Restore(ctx context.Context, body ProductsRestoreRequest, options ...RequestOption) (*Product, error) {
	return post[Product](ctx, s.http, "/v2/products/restore", body, options)
}

// Delete: Delete a product.
//
// It can no longer be sold, and its `externalId` is free for a new product. Objects created with it stay
// readable.
//
// Needs the permission `PRODUCT:DELETE`.
func (s *ProductsService) Delete(ctx context.Context, body ProductsDeleteRequest, options ...RequestOption) (*Product, error) {
	return post[Product](ctx, s.http, "/v2/products/delete", body, options)
}

// CouponsService: Discounts, with limits on customers and uses.
type CouponsService struct {
	http *httpClient
}

func newCouponsService(http *httpClient) *CouponsService {
	s := &CouponsService{http: http}
	return s
}

// Create: Create a coupon.
//
// A checkout names the coupons that its payer may use. A use counts when the payment is made.
//
// Needs the permission `COUPON:CREATE`.
func (s *CouponsService) Create(ctx context.Context, body CouponsCreateRequest, options ...RequestOption) (*Coupon, error) {
	return post[Coupon](ctx, s.http, "/v2/coupons/create", body, options)
}

// Update: Update a coupon.
//
// Given fields replace stored ones; omitted fields stay unchanged. `metadata` is replaced as a whole; null empties it and
// `notes`, `validFrom` and `validUntil`. An `EXPIRED` coupon becomes `ACTIVE` again with a higher `maxRedeems` or a later `validUntil`. Code and discount cannot change, because payers rely
// on them.
//
// Needs the permission `COUPON:UPDATE`.
func (s *CouponsService) Update(ctx context.Context, body CouponsUpdateRequest, options ...RequestOption) (*Coupon, error) {
	return post[Coupon](ctx, s.http, "/v2/coupons/update", body, options)
}

// List: List coupons.
//
// Needs the permission `COUPON:READ`.
func (s *CouponsService) List(params *CouponsListParams, options ...RequestOption) *Pages[Coupon] {
	return list[Coupon](s.http, "/v2/coupons/list", params, options)
}

// Get: Get a coupon.
//
// Needs the permission `COUPON:READ`.
func (s *CouponsService) Get(ctx context.Context, params CouponsGetParams, options ...RequestOption) (*Coupon, error) {
	return get[Coupon](ctx, s.http, "/v2/coupons/get", params, options)
}

// Toggle: Turn a coupon on or off.
//
// `ACTIVE` becomes `INACTIVE` and the reverse. An `EXPIRED` coupon stays unchanged.
//
// Needs the permission `COUPON:UPDATE`.
func (s *CouponsService) Toggle(ctx context.Context, body CouponsToggleRequest, options ...RequestOption) (*Coupon, error) {
	return post[Coupon](ctx, s.http, "/v2/coupons/toggle", body, options)
}

// Delete: Delete a coupon.
//
// The coupon can no longer be used, and its code is free for a new coupon. Payments made with it stay unchanged.
//
// Needs the permission `COUPON:DELETE`.
func (s *CouponsService) Delete(ctx context.Context, body CouponsDeleteRequest, options ...RequestOption) (*Coupon, error) {
	return post[Coupon](ctx, s.http, "/v2/coupons/delete", body, options)
}

// WebhooksDeliveriesService: The operations below `/v2/webhooks/deliveries`.
type WebhooksDeliveriesService struct {
	http *httpClient
}

func newWebhooksDeliveriesService(http *httpClient) *WebhooksDeliveriesService {
	s := &WebhooksDeliveriesService{http: http}
	return s
}

// List: List deliveries.
//
// One delivery per event and endpoint: delivered, in progress or failed, with every attempt.
//
// Needs the permission `WEBHOOK:READ`.
func (s *WebhooksDeliveriesService) List(params *WebhooksDeliveriesParams, options ...RequestOption) *Pages[Delivery] {
	return list[Delivery](s.http, "/v2/webhooks/deliveries", params, options)
}

// Get: Get a delivery.
//
// With every attempt, and the payload as sent to the endpoint.
//
// Needs the permission `WEBHOOK:READ`.
func (s *WebhooksDeliveriesService) Get(ctx context.Context, params WebhooksDeliveriesGetParams, options ...RequestOption) (*DeliveryWithPayload, error) {
	return get[DeliveryWithPayload](ctx, s.http, "/v2/webhooks/deliveries/get", params, options)
}

// WebhooksResendService: The operations below `/v2/webhooks/resend`.
type WebhooksResendService struct {
	http *httpClient
}

func newWebhooksResendService(http *httpClient) *WebhooksResendService {
	s := &WebhooksResendService{http: http}
	return s
}

// Create: Resend deliveries.
//
// With `id`: resends one delivery now, with the same id and payload, whether it waits for a retry, was delivered or
// has failed. Returns the delivery in its current state; the attempt follows.
//
// With `webhookId`, `from` and `to`: resends a range in the order of creation, at most 20 deliveries a second. Returns the bulk
// resend; `webhooks/resend/get` shows its progress and `webhooks/resend/stop` ends it. Each webhook can run one bulk resend at a
// time. Requesting the same range again while it runs returns the same one.
//
// Needs the permission `WEBHOOK:CREATE`.
func (s *WebhooksResendService) Create(ctx context.Context, body *WebhooksResendRequest, options ...RequestOption) (*json.RawMessage, error) {
	return post[json.RawMessage](ctx, s.http, "/v2/webhooks/resend", body, options)
}

// Get: Get a bulk resend.
//
// Needs the permission `WEBHOOK:READ`.
func (s *WebhooksResendService) Get(ctx context.Context, params WebhooksResendGetParams, options ...RequestOption) (*Resend, error) {
	return get[Resend](ctx, s.http, "/v2/webhooks/resend/get", params, options)
}

// Stop: Stop a bulk resend.
//
// Deliveries that were already requested are still sent. A resend that has ended stays unchanged.
//
// Needs the permission `WEBHOOK:CREATE`.
func (s *WebhooksResendService) Stop(ctx context.Context, body WebhooksResendStopRequest, options ...RequestOption) (*Resend, error) {
	return post[Resend](ctx, s.http, "/v2/webhooks/resend/stop", body, options)
}

// WebhooksService: Endpoints that receive events, and the deliveries to them.
type WebhooksService struct {
	http *httpClient
	// The operations below `/v2/webhooks/deliveries`.
	Deliveries *WebhooksDeliveriesService
	// The operations below `/v2/webhooks/resend`.
	Resend *WebhooksResendService
}

func newWebhooksService(http *httpClient) *WebhooksService {
	s := &WebhooksService{http: http}
	s.Deliveries = newWebhooksDeliveriesService(http)
	s.Resend = newWebhooksResendService(http)
	return s
}

// Create: Create a webhook.
//
// The endpoint receives events from now on, signed with the secret.
//
// Needs the permission `WEBHOOK:CREATE`.
func (s *WebhooksService) Create(ctx context.Context, body WebhooksCreateRequest, options ...RequestOption) (*Webhook, error) {
	return post[Webhook](ctx, s.http, "/v2/webhooks/create", body, options)
}

// Update: Update a webhook.
//
// Omitted fields stay unchanged. Deliveries in progress go to the new endpoint with their next attempt. You can resend
// deliveries that failed while it was disabled once it is enabled; events of that time are in `events/list`.
//
// Needs the permission `WEBHOOK:CREATE`.
func (s *WebhooksService) Update(ctx context.Context, body WebhooksUpdateRequest, options ...RequestOption) (*Webhook, error) {
	return post[Webhook](ctx, s.http, "/v2/webhooks/update", body, options)
}

// RotateSecret: Change the secret of a webhook.
//
// The new secret signs from now on. For 24 hours the previous one signs too: `webhook-signature` then has two
// signatures, the new secret's first. `X-Webhook-Signature` has one signature only, made with the new secret. Repeating the request
// with the same secret changes nothing.
//
// Needs the permission `WEBHOOK:CREATE`.
func (s *WebhooksService) RotateSecret(ctx context.Context, body WebhooksRotateSecretRequest, options ...RequestOption) (*Webhook, error) {
	return post[Webhook](ctx, s.http, "/v2/webhooks/rotate-secret", body, options)
}

// Test: Test a webhook.
//
// Sends the example event of the API reference as a real delivery. Its payload has `sample: true`, and lists of
// events do not include it. Returns the delivery; its attempts follow.
//
// Needs the permission `WEBHOOK:CREATE`.
func (s *WebhooksService) Test(ctx context.Context, body WebhooksTestRequest, options ...RequestOption) (*Delivery, error) {
	return post[Delivery](ctx, s.http, "/v2/webhooks/test", body, options)
}

// List: List webhooks.
//
// Needs the permission `WEBHOOK:READ`.
func (s *WebhooksService) List(params *WebhooksListParams, options ...RequestOption) *Pages[Webhook] {
	return list[Webhook](s.http, "/v2/webhooks/list", params, options)
}

// Get: Get a webhook.
//
// Needs the permission `WEBHOOK:READ`.
func (s *WebhooksService) Get(ctx context.Context, params WebhooksGetParams, options ...RequestOption) (*Webhook, error) {
	return get[Webhook](ctx, s.http, "/v2/webhooks/get", params, options)
}

// Delete: Delete a webhook.
//
// Its endpoint receives nothing any more. Past deliveries stay readable.
//
// Needs the permission `WEBHOOK:DELETE`.
func (s *WebhooksService) Delete(ctx context.Context, body WebhooksDeleteRequest, options ...RequestOption) (*Webhook, error) {
	return post[Webhook](ctx, s.http, "/v2/webhooks/delete", body, options)
}

// EventsService: Events of the store, one by one.
type EventsService struct {
	http *httpClient
}

func newEventsService(http *httpClient) *EventsService {
	s := &EventsService{http: http}
	return s
}

// List: List events.
//
// Past events, newest first, with the data sent to endpoints. Use it if you missed a delivery or have no endpoint.
//
// Needs the permission `WEBHOOK:READ`.
func (s *EventsService) List(params *EventsListParams, options ...RequestOption) *Pages[Event] {
	return list[Event](s.http, "/v2/events/list", params, options)
}

// Get: Get an event.
//
// Needs the permission `WEBHOOK:READ`.
func (s *EventsService) Get(ctx context.Context, params EventsGetParams, options ...RequestOption) (*Event, error) {
	return get[Event](ctx, s.http, "/v2/events/get", params, options)
}

// SubscriptionsCheckoutsService: The operations below `/v2/subscriptions/checkouts`.
type SubscriptionsCheckoutsService struct {
	http *httpClient
}

func newSubscriptionsCheckoutsService(http *httpClient) *SubscriptionsCheckoutsService {
	s := &SubscriptionsCheckoutsService{http: http}
	return s
}

// List: List the checkouts of subscriptions, newest first.
//
// Paid or not, without deleted ones. `subscriptionId` is set once a subscription has started.
//
// Needs the permission `SUBSCRIPTION:READ` or `CHECKOUT:READ`.
func (s *SubscriptionsCheckoutsService) List(params *SubscriptionsCheckoutsListParams, options ...RequestOption) *Pages[SubscriptionCheckout] {
	return list[SubscriptionCheckout](s.http, "/v2/subscriptions/checkouts/list", params, options)
}

// Get: Get the checkout of a subscription.
//
// By `id`, `externalId` or `customerId`. If several match, it is the newest.
//
// Needs the permission `SUBSCRIPTION:READ` or `CHECKOUT:READ`.
func (s *SubscriptionsCheckoutsService) Get(ctx context.Context, params *SubscriptionsCheckoutsGetParams, options ...RequestOption) (*SubscriptionCheckout, error) {
	return get[SubscriptionCheckout](ctx, s.http, "/v2/subscriptions/checkouts/get", params, options)
}

// Delete: Delete the checkout of a subscription.
//
// Nobody can pay through it any more, and no list shows it. The subscription that it has started continues: end it with `subscriptions/cancel`.
//
// Needs the permission `SUBSCRIPTION:DELETE`.
func (s *SubscriptionsCheckoutsService) Delete(ctx context.Context, body SubscriptionsCheckoutsDeleteRequest, options ...RequestOption) (*SubscriptionCheckout, error) {
	return post[SubscriptionCheckout](ctx, s.http, "/v2/subscriptions/checkouts/delete", body, options)
}

// SubscriptionsService: Recurring charges, with trials, usage and plan changes.
type SubscriptionsService struct {
	http *httpClient
	// The operations below `/v2/subscriptions/checkouts`.
	Checkouts *SubscriptionsCheckoutsService
}

func newSubscriptionsService(http *httpClient) *SubscriptionsService {
	s := &SubscriptionsService{http: http}
	s.Checkouts = newSubscriptionsCheckoutsService(http)
	return s
}

// Create: Create a subscription.
//
// Send the payer to `url`. The first payment (or, with a trial, saving a card) starts the subscription; its id is then in `subscriptionId`. The checkout expires after 30 days. The subscription keeps the current price of the product.
//
// Needs the permission `SUBSCRIPTION:CREATE`.
func (s *SubscriptionsService) Create(ctx context.Context, body SubscriptionsCreateRequest, options ...RequestOption) (*SubscriptionCheckout, error) {
	return post[SubscriptionCheckout](ctx, s.http, "/v2/subscriptions/create", body, options)
}

// List: List the checkouts of subscriptions, newest first.
//
// With `subscriptionStatus`, and without a filter by id, `externalId` or customer, they are ordered by the start of their subscriptions, `createdFrom` and `createdTo` refer to that start, and the cursors are valid for this order only.
//
// Needs the permission `SUBSCRIPTION:READ` or `CHECKOUT:READ`.
func (s *SubscriptionsService) List(params *SubscriptionsListParams, options ...RequestOption) *Pages[SubscriptionCheckout] {
	return list[SubscriptionCheckout](s.http, "/v2/subscriptions/list", params, options)
}

// Get: Get a subscription.
//
// By `id`, by the `externalId` of its checkout, or by `customerId`. If several match, it is the newest.
//
// Needs the permission `SUBSCRIPTION:READ` or `CHECKOUT:READ`.
func (s *SubscriptionsService) Get(ctx context.Context, params *SubscriptionsGetParams, options ...RequestOption) (*Subscription, error) {
	return get[Subscription](ctx, s.http, "/v2/subscriptions/get", params, options)
}

// Cancel: Cancel a subscription.
//
// At once: nothing is charged any more, and a payment in progress is returned to its payer. With `atPeriodEnd`, it ends with its current cycle, at `cancelAt`: an unpaid cycle is still collected until then. If it is not active, you get a 404. Send an `Idempotency-Key`, so that a retry after a 503 or a lost response returns the subscription; without one, the retry gets a 404 once it is cancelled.
//
// Needs the permission `SUBSCRIPTION:DELETE`.
func (s *SubscriptionsService) Cancel(ctx context.Context, body SubscriptionsCancelRequest, options ...RequestOption) (*Subscription, error) {
	return post[Subscription](ctx, s.http, "/v2/subscriptions/cancel", body, options)
}

// Pause: Pause a subscription.
//
// At once: nothing is charged until it is resumed, by `subscriptions/resume` or at `until`. A cycle that is not paid yet is given up. Cycles missed in the pause are never charged. While it is paused, another request changes the pause.
//
// Needs the permission `SUBSCRIPTION:CREATE`.
func (s *SubscriptionsService) Pause(ctx context.Context, body SubscriptionsPauseRequest, options ...RequestOption) (*Subscription, error) {
	return post[Subscription](ctx, s.http, "/v2/subscriptions/pause", body, options)
}

// Resume: Resume a subscription.
//
// Ends a pause, and undoes a cancellation that is scheduled for the end of the cycle. Otherwise it is returned unchanged, so a retry is safe. If it is not active, you get a 404.
//
// Needs the permission `SUBSCRIPTION:CREATE`.
func (s *SubscriptionsService) Resume(ctx context.Context, body SubscriptionsResumeRequest, options ...RequestOption) (*Subscription, error) {
	return post[Subscription](ctx, s.http, "/v2/subscriptions/resume", body, options)
}

// Pay: Charge a subscription's overdue cycle now.
//
// If the current cycle is past due, it is charged at once: to the card on file, or by a new PIX code, which is then in `currentCharge`. The attempt does not count as one of `retryPolicy`. If an attempt is under way, or nothing is past due, the subscription is returned unchanged, so a retry is safe. The response waits up to three seconds for the result: the cycle is paid once `state` is no longer `PAST_DUE`. At most 10 such attempts can be made for a cycle. If it is not active, you get a 404.
//
// Needs the permission `SUBSCRIPTION:CREATE`.
func (s *SubscriptionsService) Pay(ctx context.Context, body SubscriptionsPayRequest, options ...RequestOption) (*Subscription, error) {
	return post[Subscription](ctx, s.http, "/v2/subscriptions/pay", body, options)
}

// Update: Change a subscription's card, method, quantity, trial or metadata.
//
// One of the four per request. `metadata` replaces the old metadata. `quantity` applies from the next cycle on, for the present price per unit, and `subscription.plan_changed` is sent. `trialEnd` moves the end of a trial, or ends it: the first cycle is charged then, and `subscription.trial_changed` is sent. `card`: the issuer verifies the new card, which charges nothing. Then later cycles are charged to it, and the old one is erased at the provider. If an attempt at an unpaid cycle waits, it is made at once, with the new card. A declined card changes nothing. If the bank wants the payer to confirm, `declineReason` is `authentication_required`: the payer can do that in the customer portal. A retry with the same token returns the result.
//
// Needs the permission `SUBSCRIPTION:CREATE`.
func (s *SubscriptionsService) Update(ctx context.Context, body SubscriptionsUpdateRequest, options ...RequestOption) (*Subscription, error) {
	return post[Subscription](ctx, s.http, "/v2/subscriptions/update", body, options)
}

// ChangePlan: Change a subscription's plan.
//
// From the next cycle on the subscription costs `newAmount`. If the plan has another cycle, periods are counted from there. A newer change replaces one that is still scheduled. With `when: now` the plan changes at once, and `proration` says how the rest of the current cycle is charged.
//
// Needs the permission `SUBSCRIPTION:CREATE`.
func (s *SubscriptionsService) ChangePlan(ctx context.Context, body SubscriptionsChangePlanRequest, options ...RequestOption) (*PlanUpdate, error) {
	return post[PlanUpdate](ctx, s.http, "/v2/subscriptions/change-plan", body, options)
}

// Preview: Preview what a subscription will be charged.
//
// Shows every charge up to and including the next cycle, line by line, if nothing changes, after a change, or for a new subscription. Nothing is stored. The charge is equal to the cent; usage that is recorded meanwhile comes on top.
//
// Needs the permission `SUBSCRIPTION:READ` or `CHECKOUT:READ`.
func (s *SubscriptionsService) Preview(ctx context.Context, body SubscriptionsPreviewRequest, options ...RequestOption) (*SubscriptionPreview, error) {
	return post[SubscriptionPreview](ctx, s.http, "/v2/subscriptions/preview", body, options)
}

// RecordUsage: Record usage of a pay-as-you-go product.
//
// It is charged with the next cycle, at the product's current price. Send an `Idempotency-Key`, so that a retry does not count twice. Units can be subtracted down to zero.
//
// Needs the permission `SUBSCRIPTION:CREATE`.
func (s *SubscriptionsService) RecordUsage(ctx context.Context, body SubscriptionsRecordUsageRequest, options ...RequestOption) (*UsageRecord, error) {
	return post[UsageRecord](ctx, s.http, "/v2/subscriptions/record-usage", body, options)
}

// MandatesService: Authorizations of debits by PIX (Pix Automático), which subscriptions ask for.
type MandatesService struct {
	http *httpClient
}

func newMandatesService(http *httpClient) *MandatesService {
	s := &MandatesService{http: http}
	return s
}

// List: List authorizations of Pix Automático, newest first.
//
// Each was asked for with the first payment of a subscription that was created with `pixAutomatic`, or later by `mandates/create`.
//
// Needs the permission `SUBSCRIPTION:READ` or `CHECKOUT:READ`.
func (s *MandatesService) List(params *MandatesListParams, options ...RequestOption) *Pages[Mandate] {
	return list[Mandate](s.http, "/v2/mandates/list", params, options)
}

// Get: Get an authorization of Pix Automático, with its debits.
//
// Its status is what the bank has answered last.
//
// Needs the permission `SUBSCRIPTION:READ` or `CHECKOUT:READ`.
func (s *MandatesService) Get(ctx context.Context, params MandatesGetParams, options ...RequestOption) (*Mandate, error) {
	return get[Mandate](ctx, s.http, "/v2/mandates/get", params, options)
}

// Create: Ask the payer of a subscription to authorize debits by PIX.
//
// For a running subscription, whatever pays it now, without a payment. Show `brCode`, or send the payer to `url`. Once they have accepted, each later cycle is debited, a card or an earlier authorization is used no more, and `subscription.authorized` follows. Until then nothing changes. A repeated request returns the authorization that waits; if the payer has authorized the same before, it returns that one.
//
// Needs the permission `SUBSCRIPTION:CREATE`.
func (s *MandatesService) Create(ctx context.Context, body MandatesCreateRequest, options ...RequestOption) (*Mandate, error) {
	return post[Mandate](ctx, s.http, "/v2/mandates/create", body, options)
}

// Cancel: End an authorization of Pix Automático.
//
// The subscription continues with a code per cycle. An ordered debit is cancelled; one whose due date has begun still pays its cycle. The bank is informed within minutes, and `status` changes then. A repeated request changes nothing.
//
// Needs the permission `SUBSCRIPTION:DELETE`.
func (s *MandatesService) Cancel(ctx context.Context, body MandatesCancelRequest, options ...RequestOption) (*Mandate, error) {
	return post[Mandate](ctx, s.http, "/v2/mandates/cancel", body, options)
}

// DevMandatesService: The operations below `/v2/dev/mandates`.
type DevMandatesService struct {
	http *httpClient
}

func newDevMandatesService(http *httpClient) *DevMandatesService {
	s := &DevMandatesService{http: http}
	return s
}

// Answer: Answer an authorization of Pix Automático for its payer in dev mode.
//
// Does what a payer does in their bank's app. An authorization that has ended stays as it is. Test CPFs make payers that answer by themselves.
//
// Needs the permission `SUBSCRIPTION:CREATE`.
func (s *DevMandatesService) Answer(ctx context.Context, body DevMandatesAnswerRequest, options ...RequestOption) (*Mandate, error) {
	return post[Mandate](ctx, s.http, "/v2/dev/mandates/answer", body, options)
}

// DevDisputesService: The operations below `/v2/dev/disputes`.
type DevDisputesService struct {
	http *httpClient
}

func newDevDisputesService(http *httpClient) *DevDisputesService {
	s := &DevDisputesService{http: http}
	return s
}

// Open: Dispute a payment in dev mode.
//
// Does what a payer does at their bank: the charge becomes `UNDER_DISPUTE`, its amount is blocked, and Recebe sends `transparent.disputed` or `checkout.disputed`. A payment that is already disputed is returned unchanged.
//
// Needs the permission `REFUND:CREATE`.
func (s *DevDisputesService) Open(ctx context.Context, body DevDisputesOpenRequest, options ...RequestOption) (*DisputedCharge, error) {
	return post[DisputedCharge](ctx, s.http, "/v2/dev/disputes/open", body, options)
}

// Win: Win a dispute in dev mode.
//
// The bank decides for the store: the charge is `PAID` again and its money is no longer blocked. Recebe sends `transparent.won` or `checkout.won`. A dispute that was already won stays unchanged.
//
// Needs the permission `REFUND:CREATE`.
func (s *DevDisputesService) Win(ctx context.Context, body DevDisputesWinRequest, options ...RequestOption) (*DisputedCharge, error) {
	return post[DisputedCharge](ctx, s.http, "/v2/dev/disputes/win", body, options)
}

// Lose: Lose a dispute in dev mode.
//
// The bank decides for the payer, who gets the blocked amount: the charge becomes `REFUNDED`, and Recebe sends `transparent.lost` or `checkout.lost`. A dispute that was already lost stays unchanged.
//
// Needs the permission `REFUND:CREATE`.
func (s *DevDisputesService) Lose(ctx context.Context, body DevDisputesLoseRequest, options ...RequestOption) (*DisputedCharge, error) {
	return post[DisputedCharge](ctx, s.http, "/v2/dev/disputes/lose", body, options)
}

// DevCardsService: The operations below `/v2/dev/cards`.
type DevCardsService struct {
	http *httpClient
}

func newDevCardsService(http *httpClient) *DevCardsService {
	s := &DevCardsService{http: http}
	return s
}

// Replace: Replace a subscription's card in dev mode.
//
// Does what a card's issuer does: the card gets other digits and another expiry, and the network notifies it. Recebe sends `subscription.card_updated`, and the next cycle is charged to the new card. The new card behaves like the old one. A subscription that is not active, or is paid by PIX, gets a 404.
//
// Needs the permission `SUBSCRIPTION:CREATE`.
func (s *DevCardsService) Replace(ctx context.Context, body DevCardsReplaceRequest, options ...RequestOption) (*ReplacedCard, error) {
	return post[ReplacedCard](ctx, s.http, "/v2/dev/cards/replace", body, options)
}

// Change: Enter another card for a subscription's payer in dev mode.
//
// Does what a payer does in the customer portal. The card of the subscription is replaced, or it is paid by card instead of PIX, `subscription.payment_method_changed` is sent, and an unpaid cycle is charged at once. A card that is declined, or that its payer would have to confirm, changes nothing. A subscription that is not active gets a 404.
//
// Needs the permission `SUBSCRIPTION:CREATE`.
func (s *DevCardsService) Change(ctx context.Context, body DevCardsChangeRequest, options ...RequestOption) (*ReplacedCard, error) {
	return post[ReplacedCard](ctx, s.http, "/v2/dev/cards/change", body, options)
}

// DevRemindersService: The operations below `/v2/dev/reminders`.
type DevRemindersService struct {
	http *httpClient
}

func newDevRemindersService(http *httpClient) *DevRemindersService {
	s := &DevRemindersService{http: http}
	return s
}

// Publish: Publish a reminder of a boleto in dev mode.
//
// Sends `reminder.due` about a boleto as of today, so that you can try the program that sends your messages. It changes no settings, and does not count as a step: due reminders follow on their days. A boleto that is paid or over gets a 404, and one whose customer is deleted or wants no reminders.
//
// Needs the permission `TRANSPARENT:CREATE` or `CHECKOUT:READ` or `CHECKOUT:CREATE`.
func (s *DevRemindersService) Publish(ctx context.Context, body DevRemindersPublishRequest, options ...RequestOption) (*PublishedReminder, error) {
	return post[PublishedReminder](ctx, s.http, "/v2/dev/reminders/publish", body, options)
}

// DevRefundsService: The operations below `/v2/dev/refunds`.
type DevRefundsService struct {
	http *httpClient
}

func newDevRefundsService(http *httpClient) *DevRefundsService {
	s := &DevRefundsService{http: http}
	return s
}

// Request: Ask for a refund as a customer in dev mode.
//
// Does what a customer does in the customer portal, whatever the settings of the portal: the request appears on the dashboard, and Recebe sends `refund.requested`. Nothing is refunded. A payment that was asked for before stays unchanged, and one that is not `PAID` gets a 404.
//
// Needs the permission `REFUND:CREATE`.
func (s *DevRefundsService) Request(ctx context.Context, body DevRefundsRequestRequest, options ...RequestOption) (*RequestedRefund, error) {
	return post[RequestedRefund](ctx, s.http, "/v2/dev/refunds/request", body, options)
}

// DevClockService: The operations below `/v2/dev/clock`.
type DevClockService struct {
	http *httpClient
}

func newDevClockService(http *httpClient) *DevClockService {
	s := &DevClockService{http: http}
	return s
}

// Get: Get the clock.
//
// The clock of this store's dev environment: its current time and its target.
//
// Needs the permission `STORE:READ`.
func (s *DevClockService) Get(ctx context.Context, options ...RequestOption) (*Clock, error) {
	return get[Clock](ctx, s.http, "/v2/dev/clock", nil, options)
}

// Advance: Move the clock forward.
//
// Everything in this store's dev environment follows the clock: expiry, recurring charges and settlement. Due events happen strictly in order, each at its own time. The response comes at once; `GET /v2/dev/clock` shows when the clock is `ready`. Webhooks are sent in real time, but contain times of the clock. While the clock advances, a request with another target gets a 409. It advances at most 5 years and 2000 cycles of subscriptions at a time. If the target is further away, you get a 422 that names the latest possible target. `expected` lists what will happen; with `preview` nothing happens.
//
// Needs the permission `STORE:CREATE`.
func (s *DevClockService) Advance(ctx context.Context, body *DevClockAdvanceRequest, options ...RequestOption) (*ClockAdvance, error) {
	return post[ClockAdvance](ctx, s.http, "/v2/dev/clock/advance", body, options)
}

// Cancel: Stop a clock that is being advanced.
//
// The clock stops at its current time and continues to run from there. Effects that already happened remain, and work due at that time still finishes. You can advance it again at once. A clock that is `ready` stays unchanged.
//
// Needs the permission `STORE:CREATE`.
func (s *DevClockService) Cancel(ctx context.Context, options ...RequestOption) (*Clock, error) {
	return post[Clock](ctx, s.http, "/v2/dev/clock/cancel", nil, options)
}

// Reset: Reset the clock to real time.
//
// Works only while no object waits for a time of the clock; otherwise the 409 lists the open objects. Objects created in the future keep their dates, so they stay first in lists until then.
//
// Needs the permission `STORE:CREATE`.
func (s *DevClockService) Reset(ctx context.Context, options ...RequestOption) (*Clock, error) {
	return post[Clock](ctx, s.http, "/v2/dev/clock/reset", nil, options)
}

// DevService: Simulates providers and payers in dev mode.
type DevService struct {
	http *httpClient
	// The operations below `/v2/dev/mandates`.
	Mandates *DevMandatesService
	// The operations below `/v2/dev/disputes`.
	Disputes *DevDisputesService
	// The operations below `/v2/dev/cards`.
	Cards *DevCardsService
	// The operations below `/v2/dev/reminders`.
	Reminders *DevRemindersService
	// The operations below `/v2/dev/refunds`.
	Refunds *DevRefundsService
	// The operations below `/v2/dev/clock`.
	Clock *DevClockService
}

func newDevService(http *httpClient) *DevService {
	s := &DevService{http: http}
	s.Mandates = newDevMandatesService(http)
	s.Disputes = newDevDisputesService(http)
	s.Cards = newDevCardsService(http)
	s.Reminders = newDevRemindersService(http)
	s.Refunds = newDevRefundsService(http)
	s.Clock = newDevClockService(http)
	return s
}

// InvoicesNfseService: The operations below `/v2/invoices/nfse`.
type InvoicesNfseService struct {
	http *httpClient
}

func newInvoicesNfseService(http *httpClient) *InvoicesNfseService {
	s := &InvoicesNfseService{http: http}
	return s
}

// Settings: The data of the store for NFS-e.
//
// Needs the permission `INVOICE:READ` or `CHECKOUT:READ`.
func (s *InvoicesNfseService) Settings(ctx context.Context, options ...RequestOption) (*NfseSettings, error) {
	return get[NfseSettings](ctx, s.http, "/v2/invoices/nfse/settings", nil, options)
}

// UpdateSettings: Change the data of the store for NFS-e.
//
// Replaces all of it, in the environment of the key. It counts for every DPS that is issued from then on, also again.
//
// Needs the permission `INVOICE:CREATE`.
func (s *InvoicesNfseService) UpdateSettings(ctx context.Context, body InvoicesNfseUpdateSettingsRequest, options ...RequestOption) (*NfseSettings, error) {
	return post[NfseSettings](ctx, s.http, "/v2/invoices/nfse/update-settings", body, options)
}

// List: List NFS-e, newest first.
//
// With `status=PENDING`: every DPS that still waits to be transmitted, or for the answer.
//
// Needs the permission `INVOICE:READ` or `CHECKOUT:READ`.
func (s *InvoicesNfseService) List(params *InvoicesNfseListParams, options ...RequestOption) *Pages[Nfse] {
	return list[Nfse](s.http, "/v2/invoices/nfse/list", params, options)
}

// Get: Get an NFS-e.
//
// Needs the permission `INVOICE:READ` or `CHECKOUT:READ`.
func (s *InvoicesNfseService) Get(ctx context.Context, params InvoicesNfseGetParams, options ...RequestOption) (*Nfse, error) {
	return get[Nfse](ctx, s.http, "/v2/invoices/nfse/get", params, options)
}

// Issue: Issue the DPS of an invoice.
//
// For an invoice that has none, again after a rejection, or another one after a cancellation. If one is `PENDING` or `AUTHORIZED`, it is returned as it is.
//
// Needs the permission `INVOICE:CREATE`.
func (s *InvoicesNfseService) Issue(ctx context.Context, body InvoicesNfseIssueRequest, options ...RequestOption) (*Nfse, error) {
	return post[Nfse](ctx, s.http, "/v2/invoices/nfse/issue", body, options)
}

// Report: Report what the tax authority answered.
//
// For the program that transmits each DPS. Reports may be repeated, and may arrive in any order: the NFS-e is returned as it is
// afterwards. `AUTHORIZED` is accepted after `REJECTED`, and a rejection after `AUTHORIZED` changes nothing.
//
// Needs the permission `INVOICE:CREATE`.
func (s *InvoicesNfseService) Report(ctx context.Context, body InvoicesNfseReportRequest, options ...RequestOption) (*Nfse, error) {
	return post[Nfse](ctx, s.http, "/v2/invoices/nfse/report", body, options)
}

// Cancel: Ask for the cancellation of an NFS-e.
//
// Publishes `nfse.cancellation_requested`. Repeating it changes nothing, unless the authority has refused the last request.
//
// Needs the permission `INVOICE:CREATE`.
func (s *InvoicesNfseService) Cancel(ctx context.Context, body InvoicesNfseCancelRequest, options ...RequestOption) (*Nfse, error) {
	return post[Nfse](ctx, s.http, "/v2/invoices/nfse/cancel", body, options)
}

// InvoicesService: Numbered invoices of cycles and of payments of checkouts.
type InvoicesService struct {
	http *httpClient
	// The operations below `/v2/invoices/nfse`.
	Nfse *InvoicesNfseService
}

func newInvoicesService(http *httpClient) *InvoicesService {
	s := &InvoicesService{http: http}
	s.Nfse = newInvoicesNfseService(http)
	return s
}

// List: List invoices, newest first.
//
// Lists the invoices of subscription cycles and of payments through checkouts and payment links, from the release that introduced invoices. The payer is shown only to keys with `CUSTOMER:READ`.
//
// Needs the permission `INVOICE:READ` or `CHECKOUT:READ`.
func (s *InvoicesService) List(params *InvoicesListParams, options ...RequestOption) *Pages[Invoice] {
	return list[Invoice](s.http, "/v2/invoices/list", params, options)
}

// Get: Get an invoice.
//
// The payer is shown only to keys with `CUSTOMER:READ`.
//
// Needs the permission `INVOICE:READ` or `CHECKOUT:READ`.
func (s *InvoicesService) Get(ctx context.Context, params InvoicesGetParams, options ...RequestOption) (*Invoice, error) {
	return get[Invoice](ctx, s.http, "/v2/invoices/get", params, options)
}

// RemindersService: When and how payers are reminded of boletos and subscriptions.
type RemindersService struct {
	http *httpClient
}

func newRemindersService(http *httpClient) *RemindersService {
	s := &RemindersService{http: http}
	return s
}

// Get: How payers are reminded.
//
// In the environment of the key. A store sends no reminders until it turns them on.
//
// Needs the permission `REMINDER:READ`.
func (s *RemindersService) Get(ctx context.Context, options ...RequestOption) (*Reminders, error) {
	return get[Reminders](ctx, s.http, "/v2/reminders/get", nil, options)
}

// Update: Change how payers are reminded.
//
// In the environment of the key, and only what is sent: a kind, its `channel` or `steps`, or `language`. Reminders of days before
// a store turns them on are not made up for. E-mails need a mail server.
//
// Needs the permission `REMINDER:UPDATE`.
func (s *RemindersService) Update(ctx context.Context, options ...RequestOption) (*Reminders, error) {
	return post[Reminders](ctx, s.http, "/v2/reminders/update", nil, options)
}

// PublicMrrService: Revenue figures that a store may publish.
type PublicMrrService struct {
	http *httpClient
}

func newPublicMrrService(http *httpClient) *PublicMrrService {
	s := &PublicMrrService{http: http}
	return s
}

// Mrr: Monthly recurring revenue.
//
// The monthly sum of active subscriptions out of trial, without usage: weekly × 52 ÷ 12, quarterly ÷ 3, and so on, rounded half up once for the total.
//
// Needs a valid API key with any permissions.
func (s *PublicMrrService) Mrr(ctx context.Context, options ...RequestOption) (*RecurringRevenue, error) {
	return get[RecurringRevenue](ctx, s.http, "/v2/public-mrr/mrr", nil, options)
}

// MerchantInfo: The store behind the API key.
//
// Needs the permission `STORE:READ`.
func (s *PublicMrrService) MerchantInfo(ctx context.Context, options ...RequestOption) (*Merchant, error) {
	return get[Merchant](ctx, s.http, "/v2/public-mrr/merchant-info", nil, options)
}

// Revenue: Revenue, in total and per day.
//
// Paid charges of every kind, by the São Paulo day of their payment, over at most 366 days. Refunded ones are not included.
//
// Needs the permission `STORE:READ`.
func (s *PublicMrrService) Revenue(ctx context.Context, params *PublicMrrRevenueParams, options ...RequestOption) (*Revenue, error) {
	return get[Revenue](ctx, s.http, "/v2/public-mrr/revenue", params, options)
}

// StoreService: The store behind the key, and its balance.
type StoreService struct {
	http *httpClient
}

func newStoreService(http *httpClient) *StoreService {
	s := &StoreService{http: http}
	return s
}

// Get: The store and its balance.
//
// The current balance of the environment of the API key, from the ledger. PIX payments are available at once, boletos on the next business day, card payments after 30 days.
//
// Needs the permission `STORE:READ`.
func (s *StoreService) Get(ctx context.Context, options ...RequestOption) (*Store, error) {
	return get[Store](ctx, s.http, "/v2/store/get", nil, options)
}

// BalanceService: Changes of the balance.
type BalanceService struct {
	http *httpClient
}

func newBalanceService(http *httpClient) *BalanceService {
	s := &BalanceService{http: http}
	return s
}

// Movements: List changes of the balance, newest first.
//
// The statement of the store, in the environment of the API key. Each movement of money has one entry per part of the
// balance that it changes, with the total of that part afterwards. A settled amount leaves `PENDING` in one entry and enters
// `AVAILABLE` in another. Amounts are after fees. `balance` has the balance at the start and end of the range.
//
// Needs the permission `STORE:READ`, and also `CHECKOUT:READ` and `WITHDRAW:READ`.
func (s *BalanceService) Movements(params *BalanceMovementsParams, options ...RequestOption) *Pages[Movement] {
	return list[Movement](s.http, "/v2/balance/movements", params, options)
}

// BankStatementService: The same changes, in the words of bank statements.
type BankStatementService struct {
	http *httpClient
}

func newBankStatementService(http *httpClient) *BankStatementService {
	s := &BankStatementService{http: http}
	return s
}

// List: List the transactions of the balance, newest first.
//
// The sum of `amount` with `balanceEffect` `credit`, less those with `debit`, is the available balance of `store/get`. Money that is pending, such as of an approved card, has `none` and appears again when it settles.
//
// Needs the permission `BANK_STATEMENT:READ`.
func (s *BankStatementService) List(params *BankStatementListParams, options ...RequestOption) *Pages[BankTransaction] {
	return list[BankTransaction](s.http, "/v2/bank-statement/list", params, options)
}

// PayoutsService: Money from the balance to the store's own account.
type PayoutsService struct {
	http *httpClient
}

func newPayoutsService(http *httpClient) *PayoutsService {
	s := &PayoutsService{http: http}
	return s
}

// Create: Send money to the store's own account.
//
// At least 350 cents, and one payout a minute. The amount leaves the available balance at once. If the payout completes you get
// `payout.completed`; if it fails, you get `payout.failed` and the amount returns to the balance. The same `externalId` with the same
// content returns the existing payout, whatever its status: to retry after a failure, use another one. In dev mode a payout
// of exactly 40404 cents (R$ 404,04) fails with `account_closed`, and one of 40505 cents
// (R$ 405,05) is returned by the bank, and you get `payout.returned`.
//
// Needs the permission `WITHDRAW:CREATE`.
func (s *PayoutsService) Create(ctx context.Context, body PayoutsCreateRequest, options ...RequestOption) (*Payout, error) {
	return post[Payout](ctx, s.http, "/v2/payouts/create", body, options)
}

// Get: Get a payout.
//
// By exactly one of `externalId` and `id`.
//
// Needs the permission `WITHDRAW:READ`.
func (s *PayoutsService) Get(ctx context.Context, params *PayoutsGetParams, options ...RequestOption) (*Payout, error) {
	return get[Payout](ctx, s.http, "/v2/payouts/get", params, options)
}

// List: List payouts, newest first.
//
// Needs the permission `WITHDRAW:READ`.
func (s *PayoutsService) List(params *PayoutsListParams, options ...RequestOption) *Pages[Payout] {
	return list[Payout](s.http, "/v2/payouts/list", params, options)
}

// Approve: Approve a payout that waits.
//
// Sends the money. The creator cannot approve it, and neither can another key of the same person. Without an approval it
// fails after 72 hours. A payout that waits only because its PIX key is new is sent at `approval.releasesAt`.
//
// Needs the permission `WITHDRAW:APPROVE`.
func (s *PayoutsService) Approve(ctx context.Context, body PayoutsApproveRequest, options ...RequestOption) (*Payout, error) {
	return post[Payout](ctx, s.http, "/v2/payouts/approve", body, options)
}

// Reject: Reject a payout that waits.
//
// It fails with `approval_rejected`, `payout.failed` is sent, and the money returns to the balance: in dev mode within
// seconds, otherwise within 20 minutes, once the bank has confirmed that it does not know it. If the bank sent it before a restore, it is COMPLETE instead.
//
// Needs the permission `WITHDRAW:APPROVE`.
func (s *PayoutsService) Reject(ctx context.Context, body PayoutsRejectRequest, options ...RequestOption) (*Payout, error) {
	return post[Payout](ctx, s.http, "/v2/payouts/reject", body, options)
}

// PixService: Money from the balance to any PIX key.
type PixService struct {
	http *httpClient
}

func newPixService(http *httpClient) *PixService {
	s := &PixService{http: http}
	return s
}

// Send: Send money to a PIX key.
//
// The amount leaves the available balance at once. If the transfer completes you get `transfer.completed`; if it fails, you get
// `transfer.failed` and the amount returns to the balance. Keys may have punctuation. A BR Code (PIX copy and paste) must contain its
// key and a valid checksum, and either no amount or exactly `amount`. The code's txid is sent along, so that its payee recognises the
// payment. If the store's provider cannot do that, or the txid is invalid, you get a 422.
// The same `externalId` with the same content returns the existing transfer, whatever its status: to retry after a failure, use another one. In dev mode these keys of type `EMAIL` fail:
// `chave-inexistente@example.com` (`key_not_found`), `conta-encerrada@example.com` (`account_closed`), `suspeita@example.com` (`suspected_fraud`); `demora@example.com` takes a few seconds, `devolve@example.com` returns the money (`transfer.returned`), and every other
// key receives at once.
//
// Needs the permission `WITHDRAW:CREATE`.
func (s *PixService) Send(ctx context.Context, body PixSendRequest, options ...RequestOption) (*Transfer, error) {
	return post[Transfer](ctx, s.http, "/v2/pix/send", body, options)
}

// Get: Get a transfer.
//
// By exactly one of `externalId` and `id`.
//
// Needs the permission `WITHDRAW:READ`.
func (s *PixService) Get(ctx context.Context, params *PixGetParams, options ...RequestOption) (*Transfer, error) {
	return get[Transfer](ctx, s.http, "/v2/pix/get", params, options)
}

// List: List transfers, newest first.
//
// Needs the permission `WITHDRAW:READ`.
func (s *PixService) List(params *PixListParams, options ...RequestOption) *Pages[Transfer] {
	return list[Transfer](s.http, "/v2/pix/list", params, options)
}

// Approve: Approve a transfer that waits.
//
// Sends the money. The creator cannot approve it, and neither can another key of the same person. Without an approval it
// fails after 72 hours. A payout that waits only because its PIX key is new is sent at `approval.releasesAt`.
//
// Needs the permission `WITHDRAW:APPROVE`.
func (s *PixService) Approve(ctx context.Context, body PixApproveRequest, options ...RequestOption) (*Transfer, error) {
	return post[Transfer](ctx, s.http, "/v2/pix/approve", body, options)
}

// Reject: Reject a transfer that waits.
//
// It fails with `approval_rejected`, `transfer.failed` is sent, and the money returns to the balance: in dev mode within
// seconds, otherwise within 20 minutes, once the bank has confirmed that it does not know it. If the bank sent it before a restore, it is COMPLETE instead.
//
// Needs the permission `WITHDRAW:APPROVE`.
func (s *PixService) Reject(ctx context.Context, body PixRejectRequest, options ...RequestOption) (*Transfer, error) {
	return post[Transfer](ctx, s.http, "/v2/pix/reject", body, options)
}

// SubAccountsService: Money of third parties, such as sellers, apart from the balance.
type SubAccountsService struct {
	http *httpClient
}

func newSubAccountsService(http *httpClient) *SubAccountsService {
	s := &SubAccountsService{http: http}
	return s
}

// Create: Create a sub-account.
//
// A sub-account holds the money of a third party, such as a seller of your marketplace, apart from the store's balance. Parts of PIX
// payments reach it by `data.splits` of `transparents/create`, and leave it by `sub-accounts/withdraw`. There is one per tax id: if it
// exists, it is returned with its balance and the other fields are ignored.
//
// Needs the permission `SUB_ACCOUNT:CREATE`.
func (s *SubAccountsService) Create(ctx context.Context, body SubAccountsCreateRequest, options ...RequestOption) (*SubAccount, error) {
	return post[SubAccount](ctx, s.http, "/v2/sub-accounts/create", body, options)
}

// Update: Update a sub-account.
//
// Given fields replace stored ones; omitted and null fields stay unchanged. `metadata` is replaced as a whole. The tax id
// never changes, because the money belongs to its holder: create another sub-account for another one.
//
// Needs the permission `SUB_ACCOUNT:CREATE`.
func (s *SubAccountsService) Update(ctx context.Context, body SubAccountsUpdateRequest, options ...RequestOption) (*SubAccount, error) {
	return post[SubAccount](ctx, s.http, "/v2/sub-accounts/update", body, options)
}

// Get: Get a sub-account.
//
// Needs the permission `SUB_ACCOUNT:READ`.
func (s *SubAccountsService) Get(ctx context.Context, params SubAccountsGetParams, options ...RequestOption) (*SubAccount, error) {
	return get[SubAccount](ctx, s.http, "/v2/sub-accounts/get", params, options)
}

// List: List sub-accounts, newest first.
//
// Needs the permission `SUB_ACCOUNT:READ`.
func (s *SubAccountsService) List(params *SubAccountsListParams, options ...RequestOption) *Pages[SubAccount] {
	return list[SubAccount](s.http, "/v2/sub-accounts/list", params, options)
}

// Movements: List changes of a sub-account's balance, newest first.
//
// Needs the permission `SUB_ACCOUNT:READ`.
func (s *SubAccountsService) Movements(params SubAccountsMovementsParams, options ...RequestOption) *Pages[SubAccountMovement] {
	return list[SubAccountMovement](s.http, "/v2/sub-accounts/movements", params, options)
}

// Withdraw: Send a sub-account's money to its holder.
//
// The money goes to the PIX key that is the holder's CPF or CNPJ, which the holder has registered at a bank. The amount leaves the
// sub-account's balance at once; the holder receives it less `platformFee`. It is a transfer: you get `transfer.completed`, or
// `transfer.failed` and the amount returns to the sub-account. `pix/get` and `pix/list` show it, and the store's limits and approvals
// apply. In dev mode a withdrawal to the CPF `000.000.001-91` fails with
// `key_not_found`.
//
// Needs the permission `SUB_ACCOUNT:WITHDRAW`.
func (s *SubAccountsService) Withdraw(ctx context.Context, body SubAccountsWithdrawRequest, options ...RequestOption) (*Transfer, error) {
	return post[Transfer](ctx, s.http, "/v2/sub-accounts/withdraw", body, options)
}
