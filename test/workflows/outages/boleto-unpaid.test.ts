import { endsAsWithoutOutages } from '../../support/fixtures/outages.ts';

endsAsWithoutOutages('a boleto that nobody pays');
