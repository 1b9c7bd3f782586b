import { endsAsWithoutOutages } from '../../support/fixtures/outages.ts';

endsAsWithoutOutages('a PIX charge that is cancelled');
