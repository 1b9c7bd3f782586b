import { MikroORM } from '@mikro-orm/core';
import { Migrator } from '@mikro-orm/migrations';
import type { PostgreSqlDriver, SqlEntityManager } from '@mikro-orm/postgresql';
import { COMMIT_LISTENER } from './after-commit.ts';
import { AccountMoveEntity } from './entities/account-move.ts';
import { ApiKeyEntity } from './entities/api-key.ts';
import { AttentionEntity } from './entities/attention.ts';
import { AuditLineEntity } from './entities/audit-line.ts';
import { BillingSettingsEntity } from './entities/billing-settings.ts';
import { CardChangeEntity } from './entities/card-change.ts';
import { CardTokenEntity } from './entities/card-token.ts';
import { ChargeEntity } from './entities/charge.ts';
import { CheckoutEntity } from './entities/checkout.ts';
import { CouponEntity } from './entities/coupon.ts';
import { CustomerEntity } from './entities/customer.ts';
import { CustomerPortalEntity } from './entities/customer-portal.ts';
import { CycleEntity } from './entities/cycle.ts';
import { DebitEntity } from './entities/debit.ts';
import { DeliveryAttemptEntity, DeliveryEntity, DeliveryOfSubjectEntity } from './entities/delivery.ts';
import { DisputeEntity } from './entities/dispute.ts';
import { EarlierEmailEntity } from './entities/earlier-email.ts';
import { EventEntity } from './entities/event.ts';
import { IdempotencyRecordEntity } from './entities/idempotency-record.ts';
import { ImportedRowEntity } from './entities/imported-row.ts';
import { InvoiceEntity } from './entities/invoice.ts';
import { MandateEntity } from './entities/mandate.ts';
import { MembershipEntity } from './entities/membership.ts';
import { NfseEntity, NfseSettingsEntity } from './entities/nfse.ts';
import { OneTimeLinkEntity } from './entities/one-time-link.ts';
import { OutsidePaymentEntity } from './entities/outside-payment.ts';
import { PayerSessionEntity } from './entities/payer-session.ts';
import { PayerSignInEntity } from './entities/payer-sign-in.ts';
import { PaymentEntity } from './entities/payment.ts';
import { PaymentReturnEntity } from './entities/payment-return.ts';
import { PayoutEntity } from './entities/payout.ts';
import { PayoutControlsEntity } from './entities/payout-controls.ts';
import { PayoutReturnEntity } from './entities/payout-return.ts';
import { PlanUpdateEntity } from './entities/plan-update.ts';
import { PortalSettingsEntity } from './entities/portal-settings.ts';
import { ProductEntity } from './entities/product.ts';
import { ProviderAccountEntity } from './entities/provider-account.ts';
import { ReceivableEntity } from './entities/receivable.ts';
import { RecoveryCodeEntity } from './entities/recovery-code.ts';
import { RefundEntity } from './entities/refund.ts';
import { ReminderEntity } from './entities/reminder.ts';
import { ReminderRecipientEntity } from './entities/reminder-recipient.ts';
import { ReminderSettingsEntity } from './entities/reminder-settings.ts';
import { ResendEntity } from './entities/resend.ts';
import { SandboxChargeEntity } from './entities/sandbox-charge.ts';
import { SandboxDisputeEntity } from './entities/sandbox-dispute.ts';
import { SandboxDebitEntity, SandboxMandateEntity } from './entities/sandbox-mandate.ts';
import { SandboxRefundEntity } from './entities/sandbox-refund.ts';
import { SandboxTransferEntity } from './entities/sandbox-transfer.ts';
import { SavedCardEntity } from './entities/saved-card.ts';
import { SessionEntity } from './entities/session.ts';
import { StoreEntity } from './entities/store.ts';
import { SubAccountEntity } from './entities/sub-account.ts';
import { SubAccountEntryEntity } from './entities/sub-account-entry.ts';
import { SubscriptionEntity } from './entities/subscription.ts';
import { SubscriptionReminderEntity } from './entities/subscription-reminder.ts';
import { UsageRecordEntity } from './entities/usage-record.ts';
import { UserEntity } from './entities/user.ts';
import { WebhookEntity } from './entities/webhook.ts';
import { Baseline } from './migrations/0038-baseline.ts';
import { RefundsMadeAtTheBank } from './migrations/0039-refunds-made-at-the-bank.ts';
import { OrdersOfMoney } from './migrations/0040-orders-of-money.ts';
import { WhoHasInvited } from './migrations/0042-who-has-invited.ts';
import { PayoutsThatComeBack } from './migrations/0043-payouts-that-come-back.ts';
import { TxidsOfPayees } from './migrations/0044-txids-of-payees.ts';
import { ExpiryOfCodes } from './migrations/0045-expiry-of-codes.ts';
import { PartsOfHeldPayments } from './migrations/0046-parts-of-held-payments.ts';
import { ClearingByAccount } from './migrations/0047-clearing-by-account.ts';
import { MovesBetweenAccounts } from './migrations/0048-moves-between-accounts.ts';
import { PayoutControls } from './migrations/0049-payout-controls.ts';
import { LimitsOfKeys } from './migrations/0050-limits-of-keys.ts';
import { AuditChain } from './migrations/0051-audit-chain.ts';
import { AccountsOfOneStore } from './migrations/0052-accounts-of-one-store.ts';
import { SecondFactorForEverybody } from './migrations/0053-second-factor-for-everybody.ts';
import { WhyPaymentsGoBack } from './migrations/0054-why-payments-go-back.ts';
import { NewMembersWait } from './migrations/0055-new-members-wait.ts';
import { NoticesToOwners } from './migrations/0056-notices-to-owners.ts';
import { SharedRates } from './migrations/0057-shared-rates.ts';
import { PersonalNumbers } from './migrations/0058-personal-numbers.ts';
import { HashesOfPayees } from './migrations/0059-hashes-of-payees.ts';
import { AcknowledgedStatus } from './migrations/0060-acknowledged-status.ts';
import { WorkflowGenerations } from './migrations/0061-workflow-generations.ts';
import { ArchivedProducts } from './migrations/0062-archived-products.ts';
import { StandingsOfSubscriptions } from './migrations/0063-standings-of-subscriptions.ts';
import { RotatedKeys } from './migrations/0064-rotated-keys.ts';
import { WhatSettles } from './migrations/0065-what-settles.ts';
import { PayerConfirmations } from './migrations/0066-payer-confirmations.ts';
import { StoreLogos } from './migrations/0068-store-logos.ts';
import { BoletoVouchers } from './migrations/0069-boleto-vouchers.ts';
import { OrderClaims } from './migrations/0070-order-claims.ts';
import { SavedCards } from './migrations/0071-saved-cards.ts';
import { CardLife } from './migrations/0072-card-life.ts';
import { SubscriptionLifecycle } from './migrations/0075-subscription-lifecycle.ts';
import { CustomerPortal } from './migrations/0076-customer-portal.ts';
import { CheckoutsByMethod } from './migrations/0077-checkouts-by-method.ts';
import { CouponValidity } from './migrations/0078-coupon-validity.ts';
import { PublicKeys } from './migrations/0083-public-keys.ts';
import { DisputeDeadlines } from './migrations/0084-dispute-deadlines.ts';
import { DisputeEvidence } from './migrations/0085-dispute-evidence.ts';
import { PortalActions } from './migrations/0086-portal-actions.ts';
import { CardChanges } from './migrations/0087-card-changes.ts';
import { AccountTests } from './migrations/0088-account-tests.ts';
import { CheckoutsByExternalId } from './migrations/0089-checkouts-by-external-id.ts';
import { CouponDurations } from './migrations/0090-coupon-durations.ts';
import { EndOfDunning } from './migrations/0095-end-of-dunning.ts';
import { ExcessTakings } from './migrations/0096-excess-takings.ts';
import { CardWallets } from './migrations/0099-card-wallets.ts';
import { VerifiedCards } from './migrations/0100-verified-cards.ts';
import { StatementDays } from './migrations/0101-statement-days.ts';
import { Receivables } from './migrations/0102-receivables.ts';
import { PassedFees } from './migrations/0103-passed-fees.ts';
import { ProrationOfPlans } from './migrations/0107-proration.ts';
import { FinalUsageCharges } from './migrations/0108-final-usage.ts';
import { Invoices } from './migrations/0109-invoices.ts';
import { CustomerNamedBy } from './migrations/0113-customer-named-by.ts';
import { RefundRequests } from './migrations/0114-refund-requests.ts';
import { PromotedMembersWait } from './migrations/0115-promoted-members-wait.ts';
import { ErasuresLeaveLines } from './migrations/0116-erasures-leave-lines.ts';
import { InvoiceMails } from './migrations/0117-invoice-mails.ts';
import { OpenInvoices } from './migrations/0118-open-invoices.ts';
import { Reminders } from './migrations/0119-reminders.ts';
import { PortalPlans } from './migrations/0122-portal-plans.ts';
import { UsagePrices } from './migrations/0123-usage-prices.ts';
import { Imports } from './migrations/0127-imports.ts';
import { SubscriptionReminders } from './migrations/0129-subscription-reminders.ts';
import { Nfse } from './migrations/0132-nfse.ts';
import { PayerLanguage } from './migrations/0133-payer-language.ts';
import { PortalMethod } from './migrations/0134-portal-method.ts';
import { PortalDetails } from './migrations/0135-portal-details.ts';
import { SandboxMandates } from './migrations/0136-sandbox-mandates.ts';
import { Mandates } from './migrations/0137-mandates.ts';
import { DebitsByReference } from './migrations/0138-debits-by-reference.ts';
import { PaidComponentsOfDuePix } from './migrations/0140-paid-components.ts';
import { Consents } from './migrations/0153-consents.ts';
import { ConsentMails } from './migrations/0154-consent-mails.ts';
import { MandatesByTime } from './migrations/0155-mandates-by-time.ts';
import { ExpectedAuditLines } from './migrations/0165-expected-audit-lines.ts';
import { UsageCycles } from './migrations/0166-usage-cycles.ts';
import { StatementMethods } from './migrations/0169-statement-methods.ts';
import { SubAccounts } from './migrations/0170-sub-accounts.ts';
import { PortalEmails } from './migrations/0171-portal-emails.ts';
import { AuditLinesOfRequests } from './migrations/0172-audit-lines-of-requests.ts';
import { FirstForms } from './migrations/0173-first-forms.ts';
import { SecondGeneration } from './migrations/0174-second-generation.ts';
import { SecondFactorChanges } from './migrations/0175-second-factor-changes.ts';
import { ReleasingDriver } from './releasing-driver.ts';
import type { TimeLimits } from './time-limits.ts';

/** What every request and activity forks its own EntityManager from. */
export type Database = MikroORM<PostgreSqlDriver>;
/** One unit of work: a fork of the database's manager, or that fork inside a transaction. */
export type Em = SqlEntityManager<PostgreSqlDriver>;

/** Ordered: a migration is never renamed or moved once it has run anywhere. */
const MIGRATIONS = [
  { name: '0038-baseline', class: Baseline },
  { name: '0039-refunds-made-at-the-bank', class: RefundsMadeAtTheBank },
  { name: '0040-orders-of-money', class: OrdersOfMoney },
  { name: '0042-who-has-invited', class: WhoHasInvited },
  { name: '0043-payouts-that-come-back', class: PayoutsThatComeBack },
  { name: '0044-txids-of-payees', class: TxidsOfPayees },
  { name: '0045-expiry-of-codes', class: ExpiryOfCodes },
  { name: '0046-parts-of-held-payments', class: PartsOfHeldPayments },
  { name: '0047-clearing-by-account', class: ClearingByAccount },
  { name: '0048-moves-between-accounts', class: MovesBetweenAccounts },
  { name: '0049-payout-controls', class: PayoutControls },
  { name: '0050-limits-of-keys', class: LimitsOfKeys },
  { name: '0051-audit-chain', class: AuditChain },
  { name: '0052-accounts-of-one-store', class: AccountsOfOneStore },
  { name: '0053-second-factor-for-everybody', class: SecondFactorForEverybody },
  { name: '0054-why-payments-go-back', class: WhyPaymentsGoBack },
  { name: '0055-new-members-wait', class: NewMembersWait },
  { name: '0056-notices-to-owners', class: NoticesToOwners },
  { name: '0057-shared-rates', class: SharedRates },
  { name: '0058-personal-numbers', class: PersonalNumbers },
  { name: '0059-hashes-of-payees', class: HashesOfPayees },
  { name: '0060-acknowledged-status', class: AcknowledgedStatus },
  { name: '0061-workflow-generations', class: WorkflowGenerations },
  { name: '0062-archived-products', class: ArchivedProducts },
  { name: '0063-standings-of-subscriptions', class: StandingsOfSubscriptions },
  { name: '0064-rotated-keys', class: RotatedKeys },
  { name: '0065-what-settles', class: WhatSettles },
  { name: '0066-payer-confirmations', class: PayerConfirmations },
  { name: '0068-store-logos', class: StoreLogos },
  { name: '0069-boleto-vouchers', class: BoletoVouchers },
  { name: '0070-order-claims', class: OrderClaims },
  { name: '0071-saved-cards', class: SavedCards },
  { name: '0072-card-life', class: CardLife },
  { name: '0075-subscription-lifecycle', class: SubscriptionLifecycle },
  { name: '0076-customer-portal', class: CustomerPortal },
  { name: '0077-checkouts-by-method', class: CheckoutsByMethod },
  { name: '0078-coupon-validity', class: CouponValidity },
  { name: '0083-public-keys', class: PublicKeys },
  { name: '0086-portal-actions', class: PortalActions },
  { name: '0087-card-changes', class: CardChanges },
  { name: '0084-dispute-deadlines', class: DisputeDeadlines },
  { name: '0085-dispute-evidence', class: DisputeEvidence },
  { name: '0088-account-tests', class: AccountTests },
  { name: '0089-checkouts-by-external-id', class: CheckoutsByExternalId },
  { name: '0090-coupon-durations', class: CouponDurations },
  { name: '0095-end-of-dunning', class: EndOfDunning },
  { name: '0096-excess-takings', class: ExcessTakings },
  { name: '0099-card-wallets', class: CardWallets },
  { name: '0100-verified-cards', class: VerifiedCards },
  { name: '0101-statement-days', class: StatementDays },
  { name: '0102-receivables', class: Receivables },
  { name: '0103-passed-fees', class: PassedFees },
  { name: '0107-proration', class: ProrationOfPlans },
  { name: '0108-final-usage', class: FinalUsageCharges },
  { name: '0109-invoices', class: Invoices },
  { name: '0113-customer-named-by', class: CustomerNamedBy },
  { name: '0114-refund-requests', class: RefundRequests },
  { name: '0115-promoted-members-wait', class: PromotedMembersWait },
  { name: '0116-erasures-leave-lines', class: ErasuresLeaveLines },
  { name: '0117-invoice-mails', class: InvoiceMails },
  { name: '0118-open-invoices', class: OpenInvoices },
  { name: '0119-reminders', class: Reminders },
  { name: '0122-portal-plans', class: PortalPlans },
  { name: '0123-usage-prices', class: UsagePrices },
  { name: '0127-imports', class: Imports },
  { name: '0129-subscription-reminders', class: SubscriptionReminders },
  { name: '0132-nfse', class: Nfse },
  { name: '0133-payer-language', class: PayerLanguage },
  { name: '0134-portal-method', class: PortalMethod },
  { name: '0135-portal-details', class: PortalDetails },
  { name: '0136-sandbox-mandates', class: SandboxMandates },
  { name: '0137-mandates', class: Mandates },
  { name: '0138-debits-by-reference', class: DebitsByReference },
  { name: '0140-paid-components', class: PaidComponentsOfDuePix },
  { name: '0153-consents', class: Consents },
  { name: '0154-consent-mails', class: ConsentMails },
  { name: '0155-mandates-by-time', class: MandatesByTime },
  { name: '0165-expected-audit-lines', class: ExpectedAuditLines },
  { name: '0166-usage-cycles', class: UsageCycles },
  { name: '0169-statement-methods', class: StatementMethods },
  { name: '0170-sub-accounts', class: SubAccounts },
  { name: '0171-portal-emails', class: PortalEmails },
  { name: '0172-audit-lines-of-requests', class: AuditLinesOfRequests },
  { name: '0173-first-forms', class: FirstForms },
  { name: '0174-second-generation', class: SecondGeneration },
  { name: '0175-second-factor-changes', class: SecondFactorChanges },
];

/**
 * Opens a pool of at most `poolSize` connections. The caller closes it with `database.close()`.
 * @param limits none for what may take as long as it needs: migrations, and the command line.
 */
export function openDatabase(url: string, poolSize: number, limits?: TimeLimits): Promise<Database> {
  return MikroORM.init<PostgreSqlDriver>({
    driver: ReleasingDriver,
    clientUrl: url,
    entities: [
      StoreEntity,
      SubAccountEntity,
      SubAccountEntryEntity,
      ApiKeyEntity,
      CustomerEntity,
      ProductEntity,
      CouponEntity,
      CheckoutEntity,
      SubscriptionEntity,
      CycleEntity,
      PlanUpdateEntity,
      UsageRecordEntity,
      ChargeEntity,
      SavedCardEntity,
      CardTokenEntity,
      CardChangeEntity,
      InvoiceEntity,
      NfseEntity,
      NfseSettingsEntity,
      PaymentEntity,
      RefundEntity,
      ReceivableEntity,
      DisputeEntity,
      PayoutEntity,
      PayoutControlsEntity,
      PaymentReturnEntity,
      PayoutReturnEntity,
      EventEntity,
      WebhookEntity,
      DeliveryEntity,
      DeliveryOfSubjectEntity,
      DeliveryAttemptEntity,
      ResendEntity,
      IdempotencyRecordEntity,
      AttentionEntity,
      SandboxChargeEntity,
      SandboxDisputeEntity,
      SandboxRefundEntity,
      SandboxTransferEntity,
      ProviderAccountEntity,
      AccountMoveEntity,
      UserEntity,
      MembershipEntity,
      SessionEntity,
      OneTimeLinkEntity,
      RecoveryCodeEntity,
      AuditLineEntity,
      CustomerPortalEntity,
      PayerSignInEntity,
      EarlierEmailEntity,
      PayerSessionEntity,
      PortalSettingsEntity,
      BillingSettingsEntity,
      ReminderSettingsEntity,
      ReminderEntity,
      ReminderRecipientEntity,
      SubscriptionReminderEntity,
      ImportedRowEntity,
      OutsidePaymentEntity,
      MandateEntity,
      DebitEntity,
      SandboxMandateEntity,
      SandboxDebitEntity,
    ],
    subscribers: [COMMIT_LISTENER],
    extensions: [Migrator],
    migrations: {
      migrationsList: MIGRATIONS,
      snapshot: false,
      silent: true,
      tableName: 'migrations',
      // Each by itself: those of large tables are no transaction (migrations/online-migration.ts).
      allOrNothing: false,
    },
    pool: { min: 0, max: poolSize },
    forceUtcTimezone: true,
    ...(limits && { driverOptions: driverOptionsOf(limits) }),
  });
}

/** The same in the words of `pg`. */
function driverOptionsOf({ connectMs, statementMs, lockMs, answerMs, idleInTransactionMs }: TimeLimits) {
  return {
    connectionTimeoutMillis: connectMs,
    statement_timeout: statementMs,
    lock_timeout: lockMs,
    query_timeout: answerMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
  };
}
