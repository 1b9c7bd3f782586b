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
import { InviteeEntity } from './entities/invitee.ts';
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

/** Every table that has an entity. */
export const ENTITIES = [
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
  InviteeEntity,
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
];
