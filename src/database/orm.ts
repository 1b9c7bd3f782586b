import { MikroORM } from '@mikro-orm/core';
import { Migrator } from '@mikro-orm/migrations';
import { PostgreSqlDriver, type SqlEntityManager } from '@mikro-orm/postgresql';
import { ApiKeyEntity } from './api-key.ts';
import { ChargeEntity } from './charge.ts';
import { CheckoutEntity } from './checkout.ts';
import { CouponEntity } from './coupon.ts';
import { CustomerEntity } from './customer.ts';
import { DeliveryAttemptEntity, DeliveryEntity } from './delivery.ts';
import { DisputeEntity } from './dispute.ts';
import { EventEntity } from './event.ts';
import { IdempotencyRecordEntity } from './idempotency-record.ts';
import { InstallmentEntity } from './installment.ts';
import { ChargesAndWebhooks } from './migrations/0001-charges-and-webhooks.ts';
import { CatalogAndCheckouts } from './migrations/0002-catalog-and-checkouts.ts';
import { Subscriptions } from './migrations/0003-subscriptions.ts';
import { Ledger } from './migrations/0004-ledger.ts';
import { SubscriptionTotals } from './migrations/0005-subscription-totals.ts';
import { WhoPays } from './migrations/0006-who-pays.ts';
import { PaymentEntity } from './payment.ts';
import { PayoutEntity } from './payout.ts';
import { PlanUpdateEntity } from './plan-update.ts';
import { ProductEntity } from './product.ts';
import { RefundEntity } from './refund.ts';
import { SandboxChargeEntity } from './sandbox-charge.ts';
import { SandboxDisputeEntity } from './sandbox-dispute.ts';
import { SandboxTransferEntity } from './sandbox-transfer.ts';
import { StoreEntity } from './store.ts';
import { SubscriptionEntity } from './subscription.ts';
import { UsageRecordEntity } from './usage-record.ts';
import { WebhookEntity } from './webhook.ts';

/** What every request and activity forks its own EntityManager from. */
export type Database = MikroORM<PostgreSqlDriver>;
/** One unit of work: a fork of the database's manager, or that fork inside a transaction. */
export type Em = SqlEntityManager<PostgreSqlDriver>;

/** Ordered: a migration is never renamed or moved once it has run anywhere. */
const MIGRATIONS = [
  { name: '0001-charges-and-webhooks', class: ChargesAndWebhooks },
  { name: '0002-catalog-and-checkouts', class: CatalogAndCheckouts },
  { name: '0003-subscriptions', class: Subscriptions },
  { name: '0004-ledger', class: Ledger },
  { name: '0005-subscription-totals', class: SubscriptionTotals },
  { name: '0006-who-pays', class: WhoPays },
];

/** Opens a pool of at most `poolSize` connections. The caller closes it with `database.close()`. */
export function openDatabase(url: string, poolSize: number): Promise<Database> {
  return MikroORM.init<PostgreSqlDriver>({
    driver: PostgreSqlDriver,
    clientUrl: url,
    entities: [
      StoreEntity,
      ApiKeyEntity,
      CustomerEntity,
      ProductEntity,
      CouponEntity,
      CheckoutEntity,
      SubscriptionEntity,
      InstallmentEntity,
      PlanUpdateEntity,
      UsageRecordEntity,
      ChargeEntity,
      PaymentEntity,
      RefundEntity,
      DisputeEntity,
      PayoutEntity,
      EventEntity,
      WebhookEntity,
      DeliveryEntity,
      DeliveryAttemptEntity,
      IdempotencyRecordEntity,
      SandboxChargeEntity,
      SandboxDisputeEntity,
      SandboxTransferEntity,
    ],
    extensions: [Migrator],
    migrations: { migrationsList: MIGRATIONS, snapshot: false, silent: true, tableName: 'migrations' },
    pool: { min: 0, max: poolSize },
    forceUtcTimezone: true,
  });
}
