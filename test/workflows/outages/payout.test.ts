import { endsAsWithoutOutages } from '../../support/fixtures/outages.ts';

endsAsWithoutOutages('a payout');
