import { OnlineMigration } from './online-migration.ts';

/** The parts of payments of PIX charges with a due date, which no earlier release issued. */
export class PaidComponentsOfDuePix extends OnlineMigration {
  override async up(): Promise<void> {
    await this.change('alter table charges add column if not exists paid_components json');
    await this.change('alter table sandbox_charges add column if not exists components json');
  }
}
